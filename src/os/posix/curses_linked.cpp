// SPDX-License-Identifier: MIT
// The table of ncurses' functions, from the library linked statically, if the build finds an
// archive of it: then nothing is loaded, and the user's machine needs no ncurses.
//
// NCURSES_NOMACROS keeps curses.h from defining functions such as newwin as macros. A function
// whose signature is that of the table's member is named directly. For the others a lambda
// converts: the table has opaque pointers and plain integers instead of the library's types.
#define NCURSES_NOMACROS
#include "os/posix/curses.h"

#include <curses.h>

// Declarations of <term.h>, whose macros have the names of all terminal capabilities: `lines`,
// `columns`, `bell` and hundreds of others would no longer be usable as names. TERMINAL is void
// here.
extern "C" {
int setupterm(const char* terminal, int fd, int* found);
void* set_curterm(void* described);
int del_curterm(void* described);
char* tigetstr(const char* capability);
int tigetnum(const char* capability);
}

namespace ffind::os {
namespace {

WINDOW* window_of(void* window) {
  return static_cast<WINDOW*>(window);
}

// The numbers that os/posix/curses.h repeats, compared in the one file that sees the library's own
// header.
static_assert(curses::underline == A_UNDERLINE && curses::reverse == A_REVERSE);
static_assert(curses::dim == A_DIM && curses::bold == A_BOLD);
static_assert(curses::key_down == KEY_DOWN && curses::key_up == KEY_UP);
static_assert(curses::key_left == KEY_LEFT && curses::key_right == KEY_RIGHT);
static_assert(curses::key_home == KEY_HOME && curses::key_end == KEY_END);
static_assert(curses::key_backspace == KEY_BACKSPACE && curses::key_f0 == KEY_F0);
static_assert(curses::key_dc == KEY_DC && curses::key_enter == KEY_ENTER);
static_assert(curses::key_npage == KEY_NPAGE && curses::key_ppage == KEY_PPAGE);
static_assert(curses::key_btab == KEY_BTAB && curses::key_mouse == KEY_MOUSE);

/// One line for each member of Curses, in its order. A new one also needs a line in
/// curses_loaded.cpp.
constexpr Curses linked = {
    .use_env = [](bool on) { ::use_env(on); },
    .setupterm = ::setupterm,
    .set_curterm = ::set_curterm,
    .del_curterm = ::del_curterm,
    .tigetstr = [](const char* name) -> const char* { return ::tigetstr(name); },
    .tigetnum = [](const char* name) { return ::tigetnum(name); },
    .newterm = [](const char* terminal, std::FILE* output, std::FILE* input) -> void* {
      return ::newterm(terminal, output, input);
    },
    .delscreen = [](void* terminal) { ::delscreen(static_cast<SCREEN*>(terminal)); },
    .endwin = ::endwin,
    .newwin = [](int rows, int columns, int row, int column) -> void* {
      return ::newwin(rows, columns, row, column);
    },
    .resizeterm = ::resizeterm,
    .wresize = [](void* window, int rows,
                  int columns) { return ::wresize(window_of(window), rows, columns); },
    .use_legacy_coding = ::use_legacy_coding,
    .raw = ::raw,
    .noecho = ::noecho,
    .nonl = ::nonl,
    .keypad = [](void* window, bool on) { return ::keypad(window_of(window), on); },
    .set_escdelay = ::set_escdelay,
    .define_key = ::define_key,
    .wtimeout = [](void* window,
                   int milliseconds) { return ::wtimeout(window_of(window), milliseconds); },
    .wgetch = [](void* window) { return ::wgetch(window_of(window)); },
    .start_color = ::start_color,
    .use_default_colors = ::use_default_colors,
    .init_pair = ::init_pair,
    .werase = [](void* window) { return ::werase(window_of(window)); },
    .wmove = [](void* window, int row,
                int column) { return ::wmove(window_of(window), row, column); },
    .wattr_set =
        [](void* window, unsigned long attributes, short pair, void* reserved) {
          return ::wattr_set(window_of(window), static_cast<attr_t>(attributes), pair, reserved);
        },
    .waddnstr = [](void* window, const char* text,
                   int bytes) { return ::waddnstr(window_of(window), text, bytes); },
    .clearok = [](void* window, bool on) { return ::clearok(window_of(window), on); },
    .wrefresh = [](void* window) { return ::wrefresh(window_of(window)); },
};

}  // namespace

const Curses& curses_functions() {
  return linked;
}

}  // namespace ffind::os
