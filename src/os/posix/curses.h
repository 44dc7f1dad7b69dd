// SPDX-License-Identifier: MIT
// Table of the functions of ncurses that the screen uses. curses_linked.cpp fills it if the library
// is linked statically, curses_loaded.cpp if it is loaded on the first use, so that no other search
// pays for it. Declared without curses.h, which cross compilers for macOS lack; static_asserts in
// curses_linked.cpp compare the constants with it.
#pragma once

#include <cstdio>

namespace ffind::os {

/// One member for each function, under its name in ncurses. Windows (WINDOW) and terminals (SCREEN,
/// TERMINAL) are opaque pointers. Functions that return an int return -1 on failure, those that
/// return a pointer null, unless stated otherwise. All belong to the thread of the screen: ncurses
/// keeps its state in globals.
struct Curses {
  void (*use_env)(bool on);
  int (*setupterm)(const char* terminal, int fd, int* found);
  void* (*set_curterm)(void* described);  ///< from setupterm; returns the previous one
  int (*del_curterm)(void* described);
  const char* (*tigetstr)(const char* capability);  ///< null or -1 if there is none
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
  /// `code` for a sequence of bytes; wgetch then returns it.
  int (*define_key)(const char* sequence, int code);
  /// Longest wait of wgetch; 0: return -1 at once.
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

// Constants of curses.h, the same in all versions since 5.0 (1999): attributes for wattr_set, and
// codes that wgetch returns for keys, all above 255.
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

/// Throws std::runtime_error if the library is missing.
const Curses& curses_functions();

}  // namespace ffind::os
