// SPDX-License-Identifier: MIT
// The table of ncurses' functions, from the library loaded on the first use. Searches without
// --pick then pay nothing for it, and the program starts on a machine that lacks it.
//
// dlsym finds functions by name, without their types: each pointer is cast to the type of the
// table's member, and nothing checks that it fits. A library that lacks one of the functions is
// refused as a whole.
#include <dlfcn.h>

#include <stdexcept>
#include <string>

#include "os/posix/curses.h"

namespace ffind::os {
namespace {

// Names to try, in this order. The first is the one that a message names.
#if defined(__APPLE__)
// Apple's, with wide characters despite its name; it is in the system's shared cache.
constexpr const char* libraries[] = {"/usr/lib/libncurses.5.4.dylib", "libncurses.dylib"};
#else
constexpr const char* libraries[] = {"libncursesw.so.6", "libncursesw.so", "libncursesw.so.5"};
#endif

/// The loaded library. Throws std::runtime_error if none of the names can be loaded, or if a
/// function is missing.
class Library {
 public:
  Library() {
    // RTLD_LOCAL: its symbols serve no other library. RTLD_NOW: a broken one fails here, not later.
    for (const char* name : libraries) {
      if (handle_ == nullptr) handle_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    if (handle_ == nullptr) {
      throw std::runtime_error(std::string("the terminal library ncurses is missing (") +
                               libraries[0] + ")");
    }
  }

  template <typename Function>
  void find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(::dlsym(handle_, name));
    if (function == nullptr) {
      throw std::runtime_error(std::string("the terminal library ncurses lacks ") + name);
    }
  }

 private:
  void* handle_ = nullptr;  ///< never closed, since the library installs signal handlers
};

/// One line for each member of Curses, in its order.
Curses load() {
  const Library library;
  Curses table{};
  library.find("use_env", table.use_env);
  library.find("setupterm", table.setupterm);
  library.find("set_curterm", table.set_curterm);
  library.find("del_curterm", table.del_curterm);
  library.find("tigetstr", table.tigetstr);
  library.find("tigetnum", table.tigetnum);
  library.find("newterm", table.newterm);
  library.find("delscreen", table.delscreen);
  library.find("endwin", table.endwin);
  library.find("newwin", table.newwin);
  library.find("resizeterm", table.resizeterm);
  library.find("wresize", table.wresize);
  library.find("use_legacy_coding", table.use_legacy_coding);
  library.find("raw", table.raw);
  library.find("noecho", table.noecho);
  library.find("nonl", table.nonl);
  library.find("keypad", table.keypad);
  library.find("set_escdelay", table.set_escdelay);
  library.find("define_key", table.define_key);
  library.find("wtimeout", table.wtimeout);
  library.find("wgetch", table.wgetch);
  library.find("start_color", table.start_color);
  library.find("use_default_colors", table.use_default_colors);
  library.find("init_pair", table.init_pair);
  library.find("werase", table.werase);
  library.find("wmove", table.wmove);
  library.find("wattr_set", table.wattr_set);
  library.find("waddnstr", table.waddnstr);
  library.find("clearok", table.clearok);
  library.find("wrefresh", table.wrefresh);
  return table;
}

}  // namespace

const Curses& curses_functions() {
  // A failed load is repeated by the next call, since its exception leaves the table unset.
  static const Curses table = load();
  return table;
}

}  // namespace ffind::os
