// SPDX-License-Identifier: MIT
// Terms of query lines that do the same as those of Everything, Windows and Spotlight.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "text/ascii.h"

namespace ffind::foreign {

/// Returns "modified:today" for `dm` and `today`; an empty text for words that none of them has.
inline std::string term_of_other_finders(std::string_view word, std::string_view value) {
  // A word there, and the beginning of a term here.
  constexpr std::pair<std::string_view, std::string_view> rows[] = {
      {"dm", "modified:"},
      {"datemodified", "modified:"},
      {"dc", "created:"},
      {"datecreated", "created:"},
      {"da", "accessed:"},
      {"dateaccessed", "accessed:"},
      {"rc", "changed:"},
      {"recentchange", "changed:"},
      {"dr", "last_opened:"},
      {"daterun", "last_opened:"},
      {"daterecentlychanged", "changed:"},
      {"file", "is:file "},
      {"files", "is:file "},
      {"folder", "is:dir "},
      {"folders", "is:dir "},
      {"parent", "path:"},
      {"infolder", "path:"},
      {"folderpath", "path:"},
      {"wholefilename", "name:="},
      {"wfn", "name:="},
      {"exact", "name:="},
      {"startwith", "^"},
      {"endwith", "*"},
      {"regex", "name:~"},
      {"child", "has:"},
      {"pic", "kind:image "},
      {"picture", "kind:image "},
      {"image", "kind:image "},
      {"photo", "kind:image "},
      {"audio", "kind:audio "},
      {"music", "kind:audio "},
      {"video", "kind:video "},
      {"movie", "kind:video "},
      {"doc", "kind:document "},
      {"document", "kind:document "},
      {"zip", "kind:archive "},
      {"archive", "kind:archive "},
      {"exe", "ext:exe "},
      {"extensions", "ext:"},
      {"suffix", "ext:"},
      {"filetype", "ext:"},
      {"label", "tag:"},
      {"color", "tag:"},
      {"filesize", "size:"},
      {"bigger", "size:>"},
      {"larger", "size:>"},
      {"smaller", "size:<"},
      {"text", "contents:"},
      {"textcontent", "contents:"},
      {"source", "where_from:"},
      {"author", "owner:"},
      {"opened", "last_opened:"},
      {"lastopened", "last_opened:"},
      {"lastused", "last_opened:"},
      {"dateadded", "added:"},
      {"since", "modified:>"},
      {"after", "modified:>"},
      {"before", "modified:<"},
      {"newerthan", "newer_than:"}};
  const std::string name = text::fold_ascii(word);
  for (const auto& [there, here] : rows) {
    if (there == name) return std::string(here).append(value);
  }
  return {};
}

}  // namespace ffind::foreign
