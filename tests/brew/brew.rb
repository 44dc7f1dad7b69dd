# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# What `brew install` and `brew test` would do with the formula, without Homebrew: a release is made
# of this source tree (release.rb), its archive is unpacked, the formula's `install` runs in it with
# CMake and Homebrew's arguments (formula.rb), then its `test`. Before that what Homebrew's cops (cops.rb)
# cannot know, and that every place that names a version names the same.
#
#   ruby tests/brew/brew.rb [--keep]   --keep leaves the scratch directory and says where it is
require "etc"
require "tmpdir"
require_relative "formula"
require_relative "release"

class Brew
  SOURCE = Pathname(__dir__).parent.parent.freeze
  INSTALLED = %w[
    bin/ffind
    etc/bash_completion.d/ffind
    share/doc/ffind/CHANGELOG.md
    share/doc/ffind/COMPARISON.md
    share/doc/ffind/LICENSE
    share/doc/ffind/RECIPES.md
    share/doc/ffind/THIRD_PARTY
    share/ffind/ffind-keys.bash
    share/ffind/ffind-keys.fish
    share/ffind/ffind-keys.zsh
    share/fish/vendor_completions.d/ffind.fish
    share/man/man1/ffind.1
    share/man/man5/ffind-config.5
    share/man/man7/ffind-as.7
    share/man/man7/ffind-duplicates.7
    share/man/man7/ffind-output.7
    share/man/man7/ffind-pick.7
    share/man/man7/ffind-query.7
    share/man/man7/ffind-trash.7
    share/man/man7/ffind-volumes.7
    share/zsh/site-functions/_ffind
  ].freeze
  # What formulae are called that CMake and pkg-config know by other names.
  LIBRARIES = { "CLI11" => "cli11", "libutf8proc" => "utf8proc", "PkgConfig" => "pkgconf",
                "ext2fs" => "e2fsprogs", "libxxhash" => "xxhash" }.freeze
  # Homebrew's names of the systems that could be the oldest.
  MACOS = { sonoma: "14", sequoia: "15", tahoe: "26" }.freeze

  def initialize(scratch)
    @scratch = scratch
    Brew.homebrews_environment(scratch)
    @release = Release.new(SOURCE, scratch)
  end

  # As little of the caller's environment as Homebrew leaves, but for ccache's, if it is in use: paths
  # below the scratch directory count as the same from run to run.
  def self.homebrews_environment(scratch)
    kept = ENV.select { |name, _| name.match?(/\A(?:PATH|CMAKE_CXX_COMPILER_LAUNCHER|CCACHE_\w+)\z/) }
    kept["CCACHE_DIR"] ||= `ccache --get-config cache_dir`.chomp if kept.key?("CMAKE_CXX_COMPILER_LAUNCHER")
    (scratch/"home").mkpath
    ENV.replace(kept.merge(
                  "CCACHE_BASEDIR" => scratch.to_s, "CCACHE_NOHASHDIR" => "1", "CXX" => shim(scratch).to_s,
                  "HOME" => "#{scratch}/home", "LC_ALL" => "C.UTF-8",
                  "MAKEFLAGS" => "-j#{Etc.nprocessors}", "TZ" => "UTC0"
                ))
    Encoding.default_external = Encoding::UTF_8
  end

  # Homebrew, too, has a compiler of its own in front, which decides on optimisation. Here nothing is
  # optimised: the same files have just been compiled so, and a minute is saved.
  def self.shim(scratch)
    compiler = scratch/"shims/c++"
    compiler.dirname.mkpath
    compiler.write("#!/bin/sh\nexec c++ \"$@\" -O0\n")
    compiler.chmod(0755)
    compiler
  end

  # Homebrew's sandbox can refuse the network; here Linux does, where it lets us.
  def self.offline
    command = %w[unshare --net --map-root-user]
    return command if system(*command, "true", [:out, :err] => File::NULL)

    puts "the network cannot be taken away here: only FetchContent is trapped"
    []
  end

  # One that fails ends it, but the formula itself: the rest says more about it.
  def run
    well_made = check("formula") { ours + one_version + one_macos + dependencies }
    well_made & (check("release") { made } && check("install") { installed } && check("test") { tested } &&
                 check("archive") { self_contained })
  end

  private

  def check(what)
    started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    problems = begin
      yield
    rescue BuildError, Minitest::Assertion, SystemCallError => e
      [e.message]
    end
    seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
    puts format("%<state>-4s %<what>s (%<seconds>.1f s)", what:, seconds:, state: problems.empty? ? "ok" : "BAD")
    problems.each { |problem| puts "     #{problem}" }
    problems.empty?
  end

  def ours
    formula = @release.formula
    told = ["homebrew/core/ffind", "sleuthkit"] - formula.conflicts.map(&:name)
    told.map! { |name| "no conflict with #{name} is declared" }
    told << "the licence is not MIT" if formula.license != "MIT"
    told << "the tag is not that of the version" unless formula.url.to_s.include?("/v#{formula.version}/")
    told
  end

  def one_version
    named = @release.formula
    told = []
    told << "CMakeLists.txt is at #{@release.version}, CHANGELOG.md at #{@release.news[0]}" if
      @release.version != @release.news[0]
    told << "CHANGELOG.md does not know #{named.version}" unless @release.news.include?(named.version)
    told << "the description is not CMake's" if named.desc != @release.description
    tags, = Open3.capture2e("git", "-C", SOURCE.to_s, "tag", "--list", "v#{named.version}")
    told << "v#{named.version} is released: the checksum is known" if
      named.sha256.match?(/\A0+\z/) && tags.include?("v#{named.version}")
    told
  end

  # All who build name the same oldest macOS, and README the oldest one that the workflows run on.
  def one_macos
    named = { "CMakeLists.txt"             => /oldest_macos (\d+)/, ".ci/binaries" => /macOS (\d+) and later/,
              "tests/cross/build.sh"        => /built for macOS (\d+)/,
              "tests/darwin/check_macho.py" => /^OLDEST = "(\d+)/,
              "README.md"                   => /built for macOS (\d+)/ }
            .to_h { |file, pattern| [file, @release.read(file)[pattern, 1]] }
    named["the formula"] = MACOS[@release.formula.oldest_macos]
    tried = ["ci", "release"].to_h do |name|
      runners = @release.read(".github/workflows/#{name}.yml").scan(/runner: macos-(\d+)/).flatten
      ["#{name}.yml", runners.min_by(&:to_i)]
    end
    tried["README.md"] = @release.read("README.md")[/tried on macOS (\d+)/, 1]
    [["built for", named], ["tried on", tried]].reject { |_, claims| claims.values.uniq.one? }
                                               .map { |what, claims| "#{what} macOS: #{claims}" }
  end

  # What CMake asks for is what the formula and bootstrap install.
  def dependencies
    asked = @release.read("cmake/FfindDependencies.cmake")
                    .scan(/find_package\((\w+)|pkg_check_modules\(\w+ .*?(\w+)\)/).flatten.compact
                    .map { |name| LIBRARIES.fetch(name, name) }
    # The rows of its table end with the packages of Homebrew and Alpine.
    bootstrap = @release.read("bootstrap")[/^table\(\) \{.*?<<END\n(.*?)^END/m, 1]
                        .lines.map { |row| row.split[-2] } - ["-"]
    all = @release.formula.dependencies
    anywhere = all.select { |dependency| dependency.system == :any }
    differences("CMake", asked, all.map(&:name) - ["cmake"]) +
      differences("bootstrap", bootstrap - ["ninja"], anywhere.map(&:name))
  end

  def differences(who, theirs, formulas)
    (theirs - formulas).map { |name| "#{who} asks for #{name}, the formula does not" } +
      (formulas - theirs).map { |name| "the formula asks for #{name}, #{who} does not" }
  end

  def made
    @release.make
    told = @release.problems
    told += ours
    told << "a second commit may take the tag" unless @release.refuses_another_commit?
    told
  end

  def formula
    @formula ||= @release.formula.new(@scratch, offline: Brew.offline)
  end

  def installed
    @release.unpack(formula.buildpath)
    formula.run_install
    there = formula.prefix.glob("**/*").select(&:file?)
    names = there.map { |file| file.relative_path_from(formula.prefix).to_s }
    told = INSTALLED.reject { |name| names.include?(name) && (formula.prefix/name).size.positive? }
                    .map { |name| "not installed: #{name}" }
    told << "bin/ffind cannot be run" unless (formula.bin/"ffind").executable?
    told + there.select { |file| file.binread.include?(formula.buildpath.to_s) }
                .map { |file| "#{file.basename} names the directory that it was built in" }
  end

  def tested
    formula.run_test
    version = `#{formula.bin}/ffind --version`.chomp
    told = []
    told << "--version says #{version}" if version != "ffind #{@release.version}"
    told << "the test asserts next to nothing" if formula.assertions < 3
    told << "the test never runs the program" if formula.commands.grep(%r{/bin/ffind }).empty?
    told
  end

  # The tests in the archive need nothing that is not in it: those of the source, and one that runs
  # the program. (All of them run in the other steps of .ci/run, from the repository.)
  def self_contained
    tests = [
      %w[tests/layering.py],
      %W[tests/docs/recipes.py --ffind #{formula.bin}/ffind],
      %W[tests/cli/run.py --ffind #{formula.bin}/ffind --case tests/cli/cases/json-types.case],
    ]
    tests.filter_map do |test|
      output, status = Open3.capture2e("python3", *test, chdir: formula.buildpath.to_s)
      "#{test[0]}: #{output}" unless status.success?
    end
  end
end

if $PROGRAM_NAME == __FILE__
  $stdout.sync = true
  scratch = Pathname(Dir.mktmpdir("ffind-brew."))
  begin
    exit(Brew.new(scratch).run)
  ensure
    ARGV.include?("--keep") ? puts(scratch) : FileUtils.rm_rf(scratch)
  end
end
