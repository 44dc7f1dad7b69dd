# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# A release of the source tree as it is, changes included, made in a repository of its own below a
# scratch directory: nothing is tagged or written in the real one. brew.rb installs what comes out.
require "digest"
require "open3"
require "pathname"
require_relative "formula"

class Release
  # Where the pretended origin is; the addresses in the released formula have to follow from it.
  ORIGIN = "git@github.com:somebody/ffind.git"
  PROJECT = "https://github.com/somebody/ffind"

  # Whoever runs this may sign tags, or run it from a hook: git has no settings here but its own.
  ALONE = { "GIT_CONFIG_GLOBAL" => File::NULL, "GIT_CONFIG_NOSYSTEM" => "1", "GIT_DIR" => nil,
            "GIT_INDEX_FILE" => nil, "GIT_WORK_TREE" => nil }.freeze

  attr_reader :root, :archive

  def initialize(source, scratch)
    @root = scratch/"repository"
    git "init", "--quiet", @root.to_s, at: scratch
    git "config", "user.name", "nobody"
    git "config", "user.email", "nobody@example.org"
    # Only the tree's own .gitignore says what does not belong to it.
    git "config", "core.excludesFile", "/dev/null"
    git "--work-tree=#{source}", "add", "--all"
    git "commit", "--quiet", "--message", "The tree as it is"
    git "reset", "--quiet", "--hard"
    git "remote", "add", "origin", ORIGIN
  end

  def make
    capture ".ci/release"
    @archive = root/"build-release/ffind-#{version}.tar.gz"
  end

  # What the release workflow does after the formula is on main; the archive is made in `again`.
  def compare
    git "commit", "--quiet", "--all", "--allow-empty", "--message", "The formula of the release"
    git "update-ref", "refs/remotes/origin/main", "HEAD"
    git "checkout", "--quiet", "v#{version}"
    capture ".ci/release", "--compare", "again"
  end

  # The one place that says which version this is.
  def version = read("CMakeLists.txt")[/^project\(ffind VERSION (\d+\.\d+\.\d+) /, 1]
  def description = read("CMakeLists.txt")[/^project\(.* DESCRIPTION "(.*)"\)/, 1]
  def news = read("CHANGELOG.md").scan(/^## (.*)$/).flatten
  def read(path) = (root/path).read(encoding: "UTF-8")

  # The class that Formula/ffind.rb defines now, fresh.
  def formula
    place = Module.new
    place.module_eval(read("Formula/ffind.rb"), "Formula/ffind.rb")
    place.const_get(:Ffind)
  end

  # What is wrong with the archive that was made and the formula that was written for it.
  def problems
    written = formula
    told = []
    told << "the checksum is not the archive's" if written.sha256 != Digest::SHA256.file(archive).hexdigest
    told << "the version is not #{version}" if written.version != version
    told << "the archive is not what git makes" if archive.binread != git_archive
    { homepage: PROJECT, head: "#{PROJECT}.git",
      url: "#{PROJECT}/releases/download/v#{version}/#{archive.basename}" }.each do |name, address|
      told << "#{name} is #{written.public_send(name)}" if written.public_send(name) != address
    end
    changed = git("status", "--porcelain").lines.map(&:strip)
    told << "besides the formula and README it changed #{changed}" if
      changed != ["M Formula/ffind.rb", "M README.md"]
    told << "README does not name the owner of the tap and the releases" if
      ["OWNER/", "somebody/tap/ffind", "#{PROJECT}/releases"].map { |name| read("README.md").include?(name) } !=
      [false, true, true]
    told + missing + tap
  end

  def unpack(place)
    place.mkpath
    capture "tar", "-xzf", archive.to_s, "-C", place.to_s, "--strip-components=1"
  end

  # Whether a release of the same version is refused once the commit is another.
  def refuses_another_commit?
    git "commit", "--quiet", "--all", "--message", "The formula of the release"
    make
    false
  rescue BuildError => e
    e.message.include?("is the tag of another commit")
  end

  def git(*arguments, at: root)
    capture("git", *(["--git-dir=#{root}/.git"] if at == root), *arguments, at:)
  end

  private

  # What .ci/release wants to be copied to the tap.
  def tap
    { "Formula/ffind.rb" => "Formula/ffind.rb", ".ci/tap/tests.yml" => ".github/workflows/tests.yml",
      ".ci/tap/publish.yml" => ".github/workflows/publish.yml" }.filter_map do |ours, theirs|
      copy = root/"build-release/homebrew-tap"/theirs
      "the tap's #{theirs} is not #{ours}" if !copy.file? || copy.read != read(ours)
    end
  end

  # Everything is in the archive that .gitattributes does not keep out by its whole path.
  def missing
    kept_out = read(".gitattributes").scan(%r{^/(\S+) export-ignore$}).flatten
    tracked = git("ls-files", "-z").split("\0").reject do |path|
      kept_out.any? { |name| path == name || path.start_with?("#{name}/") }
    end
    packed = capture("tar", "-tzf", archive.to_s).lines.map { |line| line.chomp.delete_prefix("ffind-#{version}/") }
    (tracked - packed).map { |path| "the archive lacks #{path}" }
  end

  def git_archive
    capture("git", "archive", "--format=tar.gz", "--prefix=ffind-#{version}/", "v#{version}", at: root)
  end

  def capture(*command, at: root)
    output, complaint, status = Open3.capture3(ALONE, *command, chdir: at.to_s, binmode: true)
    raise BuildError, "#{command.join(" ")}: #{complaint}" unless status.success?

    output
  end
end
