// SPDX-License-Identifier: MIT
// The map of the source, in the order in which a search goes through it:
//
//   cli/      argv → Options (option_table, arguments) → Query (query_builder); request.cpp
//             brings in the configuration and saved searches; run.cpp wires everything below and
//             decides the exit status
//   foreign/  command lines of find, fd, rg and others as ours, for messages; hints
//   query/    expression tree and its tests, optimiser, matcher; patterns, sizes, dates: all pure
//   plan/     mount table + query → which volume is searched by what, with how many threads, why
//   search/   walker, workers, frontier; catalog: carries out the plan
//   os/       its own headers are the seam; posix/, linux/ and darwin/ implement it (system calls),
//             formats/ (what others laid out, pure) and ext/ (volumes of ext2, ext3 and ext4 read
//             from their device)
//   output/   pipeline.h: lanes make records (text, NDJSON, templates, long listings) for the
//             writer, or Matches for the tree and commands/; sorter and counter collect before
//             that; progress_reporter: the status line
//   pick/     the list of --pick: a store that the search fills, what narrows it while it is typed,
//             the screen; an annex with one door, pick.h
//   text/     the ground floor, for all of them: what is known of text and needs no file system
//   include/ffind/   the values that travel between them
//
// This file only turns a result into an exit status.
#include <span>

#include "cli/run.h"

int main(int argc, char** argv) {
  const std::span<char* const> words(argv, static_cast<std::size_t>(argc));
  return static_cast<int>(ffind::cli::run(words.subspan(words.empty() ? 0 : 1)));
}
