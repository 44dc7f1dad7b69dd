// SPDX-License-Identifier: MIT
// The functions of ncurses that the screen uses, as a table: filled by curses_linked.cpp where the
// library can be linked statically, by curses_loaded.cpp where it is loaded when somebody picks, so
// that no other search pays for it. Declared here without curses.h, which cross compilers for macOS
// do not have; what is declared is held to it where it is. Seen by src/os only.
#pragma once

#include <cstdio>

namespace ffind::os {

/// Windows and terminals are the library's, so they are pointers to nothing here. Functions return
/// -1 where they fail.
struct Curses {
  void (*use_env)(bool on);
  int (*setupterm)(const char* terminal, int fd, int* found);
  void* (*set_curterm)(void* described);  ///< what setupterm read; returns the one before
  int (*del_curterm)(void* described);
  const char* (*tigetstr)(const char* capability);  ///< null or -1: it has none
  int (*tigetnum)(const char* capability);
  void* (*newterm)(const char* terminal, std::FILE* output, std::FILE* input);
  void (*delscreen)(void* terminal);
  int (*endwin)();
  void* (*newwin)(int rows, int columns, int row, int column);
  int (*resizeterm)(int rows, int columns);
  int (*wresize)(void* window, int rows, int columns);
  int (*use_legacy_coding)(int level);
  int (*raw)();
  int (*noecho)();
  int (*nonl)();
  int (*keypad)(void* window, bool on);
  int (*set_escdelay)(int milliseconds);
  int (*define_key)(const char* sequence, int code);
  void (*wtimeout)(void* window, int milliseconds);
  int (*wgetch)(void* window);
  int (*start_color)();
  int (*use_default_colors)();
  int (*init_pair)(short pair, short foreground, short background);
  int (*werase)(void* window);
  int (*wmove)(void* window, int row, int column);
  int (*wattr_set)(void* window, unsigned long attributes, short pair, void* reserved);
  int (*waddnstr)(void* window, const char* text, int bytes);
  int (*clearok)(void* window, bool on);
  int (*wrefresh)(void* window);
};

// From curses.h, equal in all versions since 5.0 (1999).
namespace curses {
inline constexpr unsigned long underline = 1UL << 17U;
inline constexpr unsigned long reverse = 1UL << 18U;
inline constexpr unsigned long dim = 1UL << 20U;
inline constexpr unsigned long bold = 1UL << 21U;
inline constexpr int key_down = 0402;
inline constexpr int key_up = 0403;
inline constexpr int key_left = 0404;
inline constexpr int key_right = 0405;
inline constexpr int key_home = 0406;
inline constexpr int key_backspace = 0407;
inline constexpr int key_f0 = 0410;
inline constexpr int key_dc = 0512;
inline constexpr int key_npage = 0522;
inline constexpr int key_ppage = 0523;
inline constexpr int key_enter = 0527;
inline constexpr int key_btab = 0541;
inline constexpr int key_end = 0550;
inline constexpr int key_mouse = 0631;
}  // namespace curses

/// Throws std::runtime_error where the library is not there.
const Curses& curses_functions();

}  // namespace ffind::os
