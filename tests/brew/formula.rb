# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# Stands in for Homebrew's Formula: as much of its language as Formula/ffind.rb speaks, and no more,
# so that a word it does not know is an error. How it is written is for Homebrew's cops (cops.rb); `install`
# and `test` run real programs, below a directory that brew.rb made.
require "English"
require "fileutils"
require "json"
require "minitest"
require "minitest/assertions"
require "open3"
require "pathname"

class BuildError < StandardError; end

# Homebrew's Pathname#install, by which a formula moves what it built to its place.
class Pathname
  def install(*sources)
    sources.each do |source|
      mapped = source.is_a?(Hash) ? source : { source => File.basename(source) }
      mapped.each do |from, name|
        raise Errno::ENOENT, from.to_s unless File.exist?(from)

        mkpath
        FileUtils.mv(from, self/name)
      end
    end
  end
end

class Formula
  include FileUtils
  include Minitest::Assertions

  Dependency = Struct.new(:name, :kind, :system)
  Conflict = Struct.new(:name, :reason)

  # What the body of a formula's class may say.
  class << self
    attr_reader :dependencies, :oldest_macos, :conflicts, :facts, :test_block

    def inherited(formula)
      super
      formula.instance_exec do
        @dependencies = []
        @conflicts = []
        @facts = {}
        @system = :any
      end
    end

    [:desc, :homepage, :url, :sha256, :license].each do |name|
      define_method(name) do |value = nil|
        return facts[name] if value.nil?

        facts[name] = value
      end
    end

    def head(url = nil, branch: nil)
      return facts[:head] if url.nil?

      facts[:head] = url
      facts[:branch] = branch
    end

    def depends_on(dependency)
      return require_macos(dependency[:macos]) if dependency.is_a?(Hash) && dependency.key?(:macos)

      name, kind = dependency.is_a?(Hash) ? dependency.first : [dependency, :run]
      dependencies << Dependency.new(name, kind, @system)
    end

    # On Linux a dependency, on macOS the system's.
    def uses_from_macos(name)
      dependencies << Dependency.new(name, :run, :unless_macos)
    end

    def conflicts_with(name, because: nil)
      conflicts << Conflict.new(name, because)
    end

    def on_linux(&block) = only_on(:linux, &block)
    def on_macos(&block) = only_on(:macos, &block)

    def test(&block)
      @test_block = block
    end

    def formula_name = name.split("::").last.downcase

    # As Homebrew reads it off the name of the archive.
    def version
      facts.fetch(:url)[/-(\d+(?:\.\d+)+)\.tar\.gz\z/, 1]
    end

    private

    # At the top of a class it would say that there is nothing for Linux.
    def require_macos(version)
      raise ArgumentError, "depends_on macos: outside on_macos" if @system != :macos

      @oldest_macos = version
    end

    def only_on(system)
      @system = system
      yield
    ensure
      @system = :any
    end
  end

  attr_accessor :assertions
  attr_reader :buildpath, :testpath, :prefix, :commands

  def initialize(below, offline: [])
    @prefix = below/"Cellar"/self.class.formula_name/(self.class.version || "HEAD")
    @buildpath = below/"build"
    @testpath = below/"test"
    @log = below/"log"
    @offline = offline
    @commands = []
    @assertions = 0
  end

  def bin = prefix/"bin"
  def share = prefix/"share"
  def man1 = share/"man/man1"
  def bash_completion = prefix/"etc/bash_completion.d"
  def zsh_completion = share/"zsh/site-functions"
  def fish_completion = share/"fish/vendor_completions.d"

  # The arguments that Homebrew gives every build by CMake.
  def std_cmake_args
    %W[
      -DCMAKE_INSTALL_PREFIX=#{prefix}
      -DCMAKE_INSTALL_LIBDIR=lib
      -DCMAKE_BUILD_TYPE=Release
      -DCMAKE_FIND_FRAMEWORK=LAST
      -DCMAKE_VERBOSE_MAKEFILE=ON
      -DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=#{__dir__}/trap_fetchcontent.cmake
      -Wno-dev
      -DBUILD_TESTING=OFF
      -DCCACHE_FOUND=OFF
    ]
  end

  # Nothing is passed to a shell, and what fails ends the installation.
  def system(*command)
    command = command.map(&:to_s)
    ran command.join(" ")
    return if Kernel.system(*@offline, *command, [:out, :err] => [@log.to_s, "a"])

    raise BuildError, "#{command.join(" ")}\n#{@log.read.lines.last(30).join}"
  end

  def shell_output(command, status = 0)
    ran command
    output = `#{command}`
    assert_equal status, $CHILD_STATUS.exitstatus, "status of #{command}"
    output
  end

  def pipe_output(command, input = nil, status = nil)
    ran command
    output, ended = Open3.capture2(command, stdin_data: input.to_s)
    assert_equal status, ended.exitstatus, "status of #{command}" if status
    output
  end

  def run_install
    Dir.chdir(buildpath) { install }
  end

  def run_test
    testpath.mkpath
    Dir.chdir(testpath) { instance_exec(&self.class.test_block) }
  end

  private

  def ran(command)
    puts "==> #{command}"
    commands << command
  end
end
