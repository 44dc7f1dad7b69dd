// SPDX-License-Identifier: MIT
// Normalisation and case, boiled down to one idea. The key of a text is its NFC with each code
// point folded, and without accents where those are ignored; two texts that mean the same have the
// same key, so patterns compare keys. Called by everything that compiles or runs a pattern.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

namespace ffind::text {

enum class KeyCase : std::uint8_t { kept, folded };

/// What a key leaves out.
struct KeyRules {
  // Implicit: most say nothing about accents.
  constexpr KeyRules(KeyCase letter_case_, bool without_accents_ = false)  // NOLINT
      : letter_case(letter_case_), without_accents(without_accents_) {}

  bool folds() const { return letter_case == KeyCase::folded; }

  KeyCase letter_case;
  bool without_accents;
};

/// Scratch memory for one key, as a local variable: on the stack enough for every name, so that
/// only long paths take the heap's. A name of 255 bytes needs 3 bytes for each of its own, and 6
/// more if it is not NFC.
class KeyScratch {
 public:
  explicit KeyScratch(std::pmr::memory_resource* upstream = std::pmr::new_delete_resource())
      : memory_(bytes_, sizeof bytes_, upstream) {}

  void* allocate(std::size_t bytes, std::size_t alignment) {
    return memory_.allocate(bytes, alignment);
  }
  /// All of it is free again.
  void release() { memory_.release(); }

 private:
  alignas(std::max_align_t) std::byte bytes_[4096];  // zeroing it would cost more than most names
  std::pmr::monotonic_buffer_resource memory_;
};

/// The key of `text`, which must be UTF-8. Points into `text` where the key is equal to it, else
/// into `scratch`.
std::string_view key_of(std::string_view text, KeyRules rules, KeyScratch& scratch);

/// The same as a string of its own, for patterns.
std::string key_of(std::string_view text, KeyRules rules);

/// Appends `name` as --ignore-case compares it, to sort names. Of what is not
/// UTF-8 the ASCII letters are folded.
void append_folded_name(std::string& out, std::string_view name);

/// For smart case. In what is not UTF-8 only ASCII letters count.
bool has_upper_case(std::string_view text);

/// The longest part of `literal` that a file system can search for itself, whatever Unicode's
/// rules were when it was made: a name whose key contains `literal` (made with `rules`) contains
/// the piece under every normalisation and every folding in use. May be empty. A name that is not
/// UTF-8 but matched as bytes surely contains it only where it is ASCII.
std::string portable_part(std::string_view literal, KeyRules rules);

}  // namespace ffind::text
