# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# Homebrew's own cops on the formula: those of `brew style` and `brew audit --strict` that need no network.
# FFIND_BREW names a checkout of Homebrew/brew. Its Ruby and its Sorbet are newer than Debian's and not needed:
# the cops parse with Ruby 3.1 and run in rubocop 1.39, and the types that they declare are declared away here.
#
#   FFIND_BREW=CHECKOUT ruby tests/brew/cops.rb [FORMULA...]
require "forwardable"
require "pathname"
require "rubocop"
require "stringio"
require "tmpdir"

# Stands in for Sorbet.
module T
  # A type, as far as it has to be written: never compared with anything.
  TYPE = Class.new do
    def method_missing(*) = self
    def respond_to_missing?(*) = true
  end.new.freeze

  class << self
    def let(value, _type) = value
    def cast(value, _type) = value
    def must(value) = value
    def unsafe(value) = value
    def bind(value, _type) = value
    def absurd(value) = raise(TypeError, value.inspect)

    [:nilable, :any, :all, :proc, :untyped, :anything, :self_type, :noreturn, :class_of,
     :attached_class, :type_parameter, :type_alias].each { |name| define_method(name) { |*, &_| TYPE } }
  end

  # Records with the fields that `const` and `prop` declare.
  class Struct
    def self.const(name, *) = attr_accessor(name)
    def self.prop(name, *) = attr_accessor(name)
    def initialize(**fields) = fields.each { |name, value| instance_variable_set(:"@#{name}", value) }
  end

  module Sig; end

  module Helpers
    def requires_ancestor(&) = nil
    def abstract! = nil
    def interface! = nil
    def mixes_in_class_methods(*) = nil
  end
  [:Boolean, :Array, :Hash, :Set, :Enumerable, :Range, :Class].each do |name|
    const_set(name, Module.new { def self.[](*) = TYPE })
  end
end

class Module
  def sig(*, &) = nil
end

# The cops of a checkout, and what they say of a formula.
class Cops
  # Not about formulae, or about gems that Debian does not package.
  LEFT_OUT = %w[all.rb rubocop-cask.rb unreferenced_let.rb].freeze
  # Homebrew's configuration has these for its own sources alone.
  INTERNAL = %w[InstallStepsSourceIndependence MoveToExtendOS NoInstanceVariableAccessInTests NoSendInTests].freeze
  ARGUMENTS = ["--only", "FormulaAudit,FormulaAuditStrict,Homebrew", "--except",
               INTERNAL.map { |cop| "Homebrew/#{cop}" }.join(","), "--format", "emacs", "--cache", "false"].freeze
  # Each spoils the formula for the cop that follows, to see that the cops are awake.
  SPOILT = [
    [/desc "/, "desc \"A ", "FormulaAudit/Desc"],
    [/^(  desc .*\n)(  homepage .*\n)/, "\\2\\1", "FormulaAudit/ComponentsOrder"],
    [/(  depends_on "re2"\n)(  depends_on "utf8proc"\n)/, "\\2\\1", "FormulaAudit/DependencyOrder"],
    [/system "cmake", "--build", "build"/, "system \"cmake --build build\"", "Homebrew/ShellCommands"],
    [/^    touch /, "    assert File.exist?(bin)\n\\0", "FormulaAudit/AssertStatements"],
  ].freeze

  def initialize(checkout)
    library = Pathname(checkout).expand_path/"Library/Homebrew"
    $LOAD_PATH.unshift(library.to_s)
    ["extend/array", "extend/blank"].each { |name| require name }
    (library/"rubocops").glob("*.rb").sort.each { |cop| require cop.to_s unless LEFT_OUT.include?(cop.basename.to_s) }
  end

  # Rubocop's messages; some cops look at the path to tell a tap.
  def offenses(text)
    Dir.mktmpdir do |scratch|
      formula = Pathname(scratch)/"Library/Taps/somebody/homebrew-tap/Formula/ffind.rb"
      formula.dirname.mkpath
      formula.write(text)
      quietly { RuboCop::CLI.new.run([*ARGUMENTS, formula.to_s]) }.gsub("#{formula}:", "")
    end
  end

  def asleep(text)
    SPOILT.filter_map do |pattern, replacement, cop|
      told = offenses(text.sub(pattern, replacement))
      "#{cop} did not notice #{replacement.inspect}; told was: #{told}" unless told.include?("#{cop}:")
    end
  end

  private

  def quietly
    stdout = $stdout
    $stdout = StringIO.new
    yield
    $stdout.string
  ensure
    $stdout = stdout
  end
end

if $PROGRAM_NAME == __FILE__
  if ENV.fetch("FFIND_BREW", "").empty?
    puts "cops: none, FFIND_BREW names no checkout of Homebrew/brew"
    exit
  end
  cops = Cops.new(ENV.fetch("FFIND_BREW"))
  formulas = ARGV.empty? ? [Pathname(__dir__).parent.parent/"Formula/ffind.rb"] : ARGV.map { |name| Pathname(name) }
  texts = formulas.map(&:read)
  problems = texts.map { |text| cops.offenses(text) }.reject(&:empty?) + cops.asleep(texts[0])
  puts problems
  puts "cops: #{RuboCop::Cop::Registry.global.count { |cop| cop.name.match?(/::Homebrew::|Formula/) }} of Homebrew's"
  exit problems.empty?
end
