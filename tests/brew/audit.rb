# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# What `brew audit --strict` and `brew style` would say of a formula in a tap and plain rubocop does
# not: the order of its parts, its description, its dependencies, how its test is written. Asked by
# brew.rb; knows the recorded class (formula.rb) and its text, runs nothing.
module Audit
  # Homebrew's precedence of components (its ast_constants.rb), as far as formula.rb has words for
  # them.
  ORDER = [
    [:desc, :method_call], [:homepage, :method_call], [:url, :method_call], [:sha256, :method_call],
    [:license, :method_call], [:head, :method_call], [:depends_on, :method_call],
    [:uses_from_macos, :method_call], [:on_macos, :block_call], [:on_linux, :block_call],
    [:conflicts_with, :method_call], [:install, :method_definition], [:caveats, :method_definition],
    [:test, :block_call]
  ].freeze
  NEEDED = [:desc, :homepage, :url, :sha256, :license, :install, :test].freeze
  KINDS = [:build, :test, :run].freeze

  # Pattern in the formula's text, what is wrong with it.
  WRITTEN = {
    /shell_output\(.*, 0\)/                        => "shell_output expects 0 anyway",
    %r{(?:system|popen\w*)\(? ?"\#\{bin\}/[^ "]+"} => "a program of its own is bin/\"name\"",
    /assert_predicate.*:exist\?/                   => "assert_path_exists says that",
    /assert .*\.include\?/                         => "assert_match says that",
    /FetchContent|ExternalProject/                 => "nothing may be fetched",
    /# (?:depends_on|system)/                      => "a part that is commented out",
  }.freeze

  def self.problems(formula, text)
    components(formula) + description(formula.desc.to_s, formula.formula_name) + addresses(formula) +
      dependencies(formula.dependencies) + conflicts(formula.conflicts) + written(text)
  end

  def self.components(formula)
    said = formula.components.map(&:to_a).select { |component| ORDER.include?(component) }
    places = said.map { |component| ORDER.index(component) }
    late = said.each_cons(2).zip(places.each_cons(2)).select { |_, (first, second)| first > second }
    late.map { |(first, second), _| "#{second[0]} stands before #{first[0]}" } +
      (NEEDED - said.map(&:first)).map { |name| "there is no #{name}" } +
      (said.tally.select { |component, times| times > 1 && !repeatable?(component[0]) })
      .map { |component, _| "#{component[0]} stands there twice" }
  end

  def self.repeatable?(name) = [:depends_on, :uses_from_macos, :conflicts_with].include?(name)

  def self.description(text, name)
    spelt = name.chars.join("[\\s-]?")
    {
      "is longer than 80 characters" => text.length > 80,
      "begins with no capital"       => text !~ /\A[A-Z]/,
      "begins with an article"       => text =~ /\A(?:the|an?)\s/i,
      "begins with the name"         => text =~ /\A#{spelt}\b/i,
      "ends with a full stop"        => text.end_with?("."),
      "spells command-line wrongly"  => text =~ /command ?line/i,
    }.select { |_, wrong| wrong }.map { |what, _| "the description #{what}" }
  end

  def self.addresses(formula)
    wrong = [:homepage, :url, :head].reject { |name| formula.public_send(name).to_s.start_with?("https://") }
    told = wrong.map { |name| "#{name} is not an https address" }
    told << "the version cannot be read off #{formula.url}" unless formula.version
    told << "the checksum is not 64 small hexadecimal digits" unless formula.sha256.to_s.match?(/\A[0-9a-f]{64}\z/)
    told << "the licence is not MIT" if formula.license != "MIT"
    told << "the tag is not that of the version" unless formula.url.to_s.include?("/v#{formula.version}/")
    told
  end

  # Build time, then test, then run time; by name within each.
  def self.dependencies(all)
    all.group_by(&:system).values.flat_map do |listed|
      sorted = listed.sort_by { |dependency| [KINDS.index(dependency.kind), dependency.name] }
      listed.zip(sorted).reject { |is, should| is == should }.first(1)
            .map { |is, should| "#{should.name} stands before #{is.name} among the dependencies" }
    end
  end

  def self.conflicts(all)
    needed = ["homebrew/core/ffind", "sleuthkit"] - all.map(&:name)
    unexplained = all.reject { |conflict| conflict.reason.to_s.match?(/\A[a-z].*[^.]\z/) }
    needed.map { |name| "no conflict with #{name} is declared" } +
      unexplained.map { |conflict| "the conflict with #{conflict.name} needs a reason, small, no full stop" }
  end

  def self.written(text)
    code = text.lines.each_with_index.flat_map do |line, index|
      WRITTEN.select { |pattern, _| line.match?(pattern) }.map { |_, what| "line #{index + 1}: #{what}" }
    end
    code << "std_cmake_args are not used" unless text.include?("*std_cmake_args")
    code
  end
end
