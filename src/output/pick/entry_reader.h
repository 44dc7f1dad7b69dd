// SPDX-License-Identifier: MIT
// Makes Entries of what the store keeps, as the search offered them: for the matcher of the prompt,
// and for the lanes that write what was picked. Used by the narrower's threads, the screen and cli.
// Knows no query.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "ffind/late_loader.h"
#include "output/pick/entry_store.h"

namespace ffind::output {

/// Belongs to one thread. Entries of one directory should be read one after the other: its path is
/// spelled once.
class EntryReader {
 public:
  /// `at_once`: what of the paths and the metadata that are known an entry has from the beginning;
  /// the rest of that is found when it is required. `loader` reads what is not known; null:
  /// nothing is loaded, and what is not known has failed. Both outlive it.
  EntryReader(EntryStore& store, Needs at_once, LateLoader* loader);
  EntryReader(const EntryReader&) = delete;
  EntryReader& operator=(const EntryReader&) = delete;

  /// Valid until the next call.
  Entry& read(EntryId id);
  /// How many entries something was loaded of.
  std::size_t loads() const { return loads_; }

 private:
  class Loader;
  struct Level {
    DirectoryId directory;
    std::size_t end;  ///< of its path in text_
  };

  void turn_to(DirectoryId id);
  void spell_name();
  void spell_absolute();

  /// What of an entry comes from the store and what from `late_`.
  class Loader final : public EntryLoader {
   public:
    explicit Loader(EntryReader& reader) : reader_(reader) {}
    void load(Entry& entry, Needs wanted) override;
    bool read_contents(Entry& entry, ContentReader& reader) override;
    bool attribute(Entry& entry, std::string_view name, AttributeValue* value) override;
    std::optional<bool> holds_name(Entry& entry, std::string_view name) override;
    void accounts_failed(Entry& entry) override;

   private:
    EntryReader& reader_;
  };

  LateLoader* late();
  void fill_known(Entry& entry, Needs wanted) const;

  EntryStore& store_;
  const Needs at_once_;
  LateLoader* const late_;
  Loader loader_{*this};
  std::size_t loads_ = 0;

  Entry entry_;
  EntryId id_ = 0;
  DirectoryId directory_ = no_directory;
  const Root* root_ = nullptr;
  std::vector<Level> levels_;  ///< from the root to the directory
  std::vector<DirectoryId> way_;
  /// "./", the path of the directory with a slash, the name; behind that room.
  std::string text_;
  std::size_t begin_ = 0;        ///< of the path in it, the "./" in case it would begin with "-"
  std::size_t below_root_ = 0;   ///< where the path below the root begins
  std::size_t below_start_ = 0;  ///< the same below the root that was named
  std::size_t length_ = 0;       ///< up to the name
  bool spelled_ = false;         ///< the name is behind it
  std::string absolute_;         ///< of the directory with a slash, and perhaps a name
  std::size_t absolute_length_ = 0;  ///< of the directory's; 0: not known yet
  bool late_turned_ = false;         ///< the late loader is at this directory
};

}  // namespace ffind::output
