// SPDX-License-Identifier: MIT
// What showing progress takes: the signals that request it, and a
// line on the terminal that goes away whatever ends the process. Part of the seam
// to the operating system; used by cli and output.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "os/os.h"

namespace ffind::os {

/// From now on SIGUSR1 and, where there is one, SIGINFO (Ctrl-T) do nothing but end a
/// wait_for_status_request. To be called before any thread is started; commands that are run get
/// them as they were.
void hold_status_requests();

/// Sleeps until somebody asks, at most so long; whether somebody did. For one thread, which gets no
/// other signals from now on.
bool wait_for_status_request(std::optional<Nanoseconds> at_most);

/// Columns of the terminal `fd`; 80 where it does not say.
std::size_t terminal_columns(int fd);
/// Whether `fd` is a terminal that shows what this process does, not what runs in front of it.
bool is_in_foreground(int fd);
/// Whether somebody else reads what is written to `fd`: a pipe or a socket.
bool is_piped(int fd);
/// Whether nobody reads any more what is written to the pipe or socket `fd`.
bool reader_is_gone(int fd);
/// How many bytes a pipe takes in one piece: PIPE_BUF (man 7 pipe).
extern const std::size_t taken_at_once;
/// Whether that many bytes can be written to `fd` without waiting for its reader.
bool takes_more(int fd);
/// Whether both lead to the same file, pipe or terminal.
bool lead_to_same(int one, int other);

/// Shows `text` as the line that the cursor is in, in the place of what was drawn there before.
/// False when the terminal takes nothing at the moment, or a signal is ending the process.
bool draw_status(int fd, std::string_view text);
void erase_status(int fd);
/// When a signal ends the process, what is drawn is erased first.
void erase_status_when_interrupted();

/// When there is no memory for something, ends the process with status 1: what is drawn is erased,
/// and `last_words`, which have to stay where they are, go to standard error. Called again, others
/// take their place; not while other threads run. An exception that nothing catches ends it the
/// same way, with its own text unless `last_words` is empty.
void end_when_out_of_memory(std::string_view last_words);
/// Undoes that: std::bad_alloc again.
void throw_when_out_of_memory();

}  // namespace ffind::os
