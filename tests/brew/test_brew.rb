# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# Proves that what brew.rb checks can fail: bad formulas against the stand-in, trees that must not be
# released against .ci/release, and a project that fetches against the trap. Seconds.
#
#   ruby tests/brew/test_brew.rb
require "minitest/autorun"
require "stringio"
require "tmpdir"
require_relative "formula"
require_relative "release"

# Gives each test a scratch directory and no output of what the stand-in runs.
class ScratchTest < Minitest::Test
  def setup
    @scratch = Pathname(Dir.mktmpdir("ffind-brew-test."))
    @stdout = $stdout
    $stdout = StringIO.new
  end

  def teardown
    $stdout = @stdout
    FileUtils.rm_rf(@scratch)
  end

  def class_of(text)
    place = Module.new
    place.module_eval(text)
    place.const_get(:Ffind)
  end
end

# The formula as it is, with one thing about it made wrong that Homebrew's cops let pass.
class FormulaTest < ScratchTest
  TEXT = (Pathname(__dir__).parent.parent/"Formula/ffind.rb").read.freeze

  def test_a_system_that_shuts_linux_out
    text = TEXT.sub("  on_macos do\n    depends_on macos: :sonoma\n  end\n", "  depends_on macos: :sonoma\n")
    assert_match "outside on_macos", assert_raises(ArgumentError) { class_of(text) }.message
  end

  def test_a_word_that_homebrew_may_know_and_the_stand_in_does_not
    text = TEXT.sub("  license", "  licence")
    assert_raises(NoMethodError) { class_of(text) }
  end
end

class StandInTest < ScratchTest
  def formula(install: "", test: "")
    text = <<~RUBY
      class Ffind < Formula
        url "https://x/v1.2/ffind-1.2.tar.gz"
        def install
          #{install}
        end
        test do
          #{test}
        end
      end
    RUBY
    made = class_of(text).new(@scratch)
    made.buildpath.mkpath
    made
  end

  def test_the_version_is_read_off_the_archive
    assert_equal @scratch/"Cellar/ffind/1.2", formula.prefix
  end

  def test_a_command_that_fails_ends_the_installation_and_shows_what_it_said
    bad = formula(install: 'system "sh", "-c", "echo because >&2; false"; touch "after"')
    error = assert_raises(BuildError) { bad.run_install }
    assert_match "because", error.message
    refute_path_exists bad.buildpath/"after"
  end

  def test_what_is_not_there_cannot_be_installed
    assert_raises(Errno::ENOENT) { formula(install: 'bash_completion.install "nothing"').run_install }
  end

  def test_install_moves_a_file_to_its_place
    good = formula(install: 'touch "here"; bash_completion.install "here" => "there"')
    good.run_install
    assert_path_exists good.prefix/"etc/bash_completion.d/there"
    refute_path_exists good.buildpath/"here"
  end

  def test_assertions_of_the_test_count
    good = formula(test: 'assert_equal "a\n", shell_output("echo a"); pipe_output("cat", "x")')
    good.run_test
    assert_equal 2, good.assertions
    ["assert_equal 1, 2", 'shell_output("false")', 'shell_output("true", 1)', 'pipe_output("false", "", 0)',
     "assert_path_exists testpath/\"no\""].each do |bad|
      assert_raises(Minitest::Assertion, bad) { formula(test: bad).run_test }
    end
  end

  def test_fetching_content_is_fatal
    (@scratch/"build").mkpath
    (@scratch/"build/CMakeLists.txt").write(<<~CMAKE)
      cmake_minimum_required(VERSION 3.25)
      project(fetches LANGUAGES NONE)
      include(FetchContent)
      FetchContent_Declare(thing SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/thing)
      FetchContent_MakeAvailable(thing)
    CMAKE
    bad = formula(install: 'system "cmake", "-S", ".", "-B", "build", *std_cmake_args')
    error = assert_raises(BuildError) { bad.run_install }
    assert_match "FetchContent was asked for thing", error.message
  end
end

class ReleaseTest < ScratchTest
  # As little of a source tree as .ci/release and release.rb look at.
  def tree(files = {})
    source = @scratch/"source"
    top = Pathname(__dir__).parent.parent
    copied = [".ci/release", ".ci/tap/publish.yml", ".ci/tap/tests.yml", "Formula/ffind.rb", "README.md"]
    { "CMakeLists.txt" => "project(ffind VERSION 1.2.3 LANGUAGES CXX DESCRIPTION \"Finds\")\n",
      "CHANGELOG.md"   => "# Changelog\n\n## 1.2.3\n\n## 1.2.2\n",
      ".gitattributes" => "/.ci export-ignore\n/Formula export-ignore\n",
      ".gitignore"     => "/build-*/\n/again/\n",
      **copied.to_h { |name| [name, (top/name).read] } }.merge(files).each do |path, text|
      (source/path).dirname.mkpath
      (source/path).write(text)
    end
    (source/".ci/release").chmod(0755)
    Release.new(source, @scratch)
  end

  def refused(release)
    error = assert_raises(BuildError) { release.make }
    assert_empty release.git("tag")
    error.message
  end

  def test_a_release_is_what_the_tree_says
    release = tree
    release.make
    assert_empty release.problems
    assert_equal "1.2.3", release.formula.version
    assert_operator release, :refuses_another_commit?
  end

  def test_the_same_commit_may_be_released_again
    release = tree
    release.make
    before = release.archive.binread
    release.git "checkout", "Formula", "README.md"
    release.make
    assert_equal before, release.archive.binread
  end

  def test_a_checksum_that_is_not_the_archives_is_told
    release = tree
    release.make
    release.archive.binwrite("#{release.archive.binread}\0")
    assert_equal ["the checksum is not the archive's", "the archive is not what git makes"], release.problems
  end

  def test_the_archive_that_the_workflow_makes_is_the_formulas
    release = tree
    release.make
    assert_match "ffind-1.2.3.tar.gz is the formula's", release.compare
    assert_equal release.archive.binread, (release.root/"again/ffind-1.2.3.tar.gz").binread
  end

  def test_an_archive_that_is_compressed_in_another_way_is_not_published
    release = tree
    release.make
    release.git "config", "tar.tar.gz.command", "gzip -cn1"
    assert_match "the archive made here is not the formula's", assert_raises(BuildError) { release.compare }.message
  end

  def test_an_archive_is_not_published_before_its_formula
    release = tree
    release.make
    release.git "checkout", "Formula"
    error = assert_raises(BuildError) { release.compare }
    assert_match "Formula/ffind.rb on main #{"0" * 64}", error.message
  end

  def test_a_tap_without_its_workflow_is_told
    release = tree
    release.make
    (release.root/"build-release/homebrew-tap/.github/workflows/publish.yml").delete
    assert_equal ["the tap's .github/workflows/publish.yml is not .ci/tap/publish.yml"], release.problems
  end

  def test_a_file_that_is_kept_out_unnoticed_is_told
    release = tree(".gitattributes" => "/.ci export-ignore\n/Formula export-ignore\nCHANGELOG.md export-ignore\n")
    release.make
    assert_equal ["the archive lacks CHANGELOG.md"], release.problems
  end

  def test_what_is_not_committed_is_not_released
    release = tree
    (release.root/"new").write("")
    assert_match "not committed", refused(release)
  end

  def test_a_version_that_has_no_news_is_not_released
    assert_match "begins with 1.2.2, not with 1.2.3", refused(tree("CHANGELOG.md" => "## 1.2.2\n"))
  end

  def test_a_version_that_is_none_is_not_released
    assert_match "no version like 1.2.3", refused(tree("CMakeLists.txt" => "project(ffind VERSION 1.2 )\n"))
  end

  def test_an_origin_elsewhere_is_not_released
    release = tree
    release.git "remote", "set-url", "origin", "/srv/ffind"
    assert_match "not on GitHub", refused(release)
  end

  def test_an_address_of_the_other_kind_means_the_same_project
    release = tree
    release.git "remote", "set-url", "origin", Release::PROJECT
    release.make
    assert_empty release.problems
  end
end
