// SPDX-License-Identifier: MIT
// The part of Foundation and of the Objective-C runtime that moves a file to the Trash: ~/.Trash,
// whatever the volume. Objects live as long as their autorelease pool; one that is used after that,
// or without a pool, ends the program. Written from the documentation of NSFileManager, NSURL and
// NSString; must not include anything of src/.
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <utf8proc.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kernel.h"

namespace simulated {
namespace {

constexpr const char* foundation = "/System/Library/Frameworks/Foundation.framework/Foundation";
int library;  // its address is the handle

struct Object {
  enum class Kind { klass, string, url, manager, error } kind;
  std::string text;
};

/// Classes live for ever, other objects in the pool of the one thread that may have one.
struct Heap {
  std::mutex mutex;
  std::vector<std::unique_ptr<Object>> classes;
  std::vector<std::unique_ptr<Object>> pooled;
  bool has_pool = false;
};
Heap& heap() {
  static Heap objects;
  return objects;
}

Object* make(Object::Kind kind, std::string text) {
  const std::lock_guard lock(heap().mutex);
  if (!heap().has_pool) abort();
  heap().pooled.push_back(std::make_unique<Object>(Object{kind, std::move(text)}));
  return heap().pooled.back().get();
}

void* get_class(const char* name) {
  const std::lock_guard lock(heap().mutex);
  heap().classes.push_back(std::make_unique<Object>(Object{Object::Kind::klass, name}));
  return heap().classes.back().get();
}

void* register_name(const char* name) {
  static std::mutex mutex;
  static std::vector<std::unique_ptr<std::string>> names;
  const std::lock_guard lock(mutex);
  for (const auto& known : names) {
    if (*known == name) return known.get();
  }
  names.push_back(std::make_unique<std::string>(name));
  return names.back().get();
}

void* push() {
  const std::lock_guard lock(heap().mutex);
  if (heap().has_pool) abort();
  heap().has_pool = true;
  return &heap();
}
void pop(void* pool) {
  const std::lock_guard lock(heap().mutex);
  if (pool != &heap()) abort();
  heap().pooled.clear();
  heap().has_pool = false;
}

/// Decomposed, as CFStringGetFileSystemRepresentation makes it (CF, CFURL.c); empty if it is not
/// UTF-8.
std::string decomposed(const char* text) {
  utf8proc_uint8_t* const bytes = utf8proc_NFD(reinterpret_cast<const utf8proc_uint8_t*>(text));
  const std::string copy = bytes != nullptr ? reinterpret_cast<const char*>(bytes) : "";
  free(bytes);
  return copy;
}

/// Whether the file, or what is in it, is only in a cloud.
bool is_evicted(const std::string& path) {
  for (const auto& [marked, marks] : orders().marked) {
    const bool inside = marked == path || marked.starts_with(path + "/");
    if (inside && (marks & marks::dataless) != 0) return true;
  }
  return false;
}

/// Moves the file, under another name if that is taken. `moved_to` gets a URL.
long move_to_trash(const std::string& path, void** moved_to, void** error) {
  const auto refuse = [&](const std::string& why) {
    if (error != nullptr) {
      *error = make(Object::Kind::error,
                    "\xE2\x80\x9C" + path.substr(path.rfind('/') + 1) +
                        "\xE2\x80\x9D couldn\xE2\x80\x99t be moved to the trash " + why);
    }
    return 0L;
  };
  host::Status status;
  if (host::status(host::current_directory, path.c_str(), false, status) != 0) {
    return refuse("because it doesn\xE2\x80\x99t exist.");
  }
  if (orders().trash == "none") return refuse("because the volume doesn\xE2\x80\x99t have one.");
  if (is_evicted(path)) {
    // renameatx of a file that leaves its sync root: EDATALESS, then EDEADLK by the policy.
    if (is_off(IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES)) {
      return refuse("because of a resource deadlock.");
    }
    log("downloaded " + path);
  }
  if (orders().trash == "deletes") {
    log("deleted " + path);
    host::remove(host::current_directory, path.c_str(), host::may_read(path + "/."));
    return 1;
  }
  const char* const home = getenv("HOME");
  const std::string trash = std::string(home != nullptr ? home : "") +
                            (orders().trash == "elsewhere" ? "/Elsewhere" : "/.Trash");
  host::make_directory(trash.c_str());
  std::string name = path.substr(path.rfind('/') + 1);
  const std::string stem = name;
  for (int number = 2;
       host::status(host::current_directory, (trash + "/" + name).c_str(), false, status) == 0;
       ++number) {
    name = stem + " " + std::to_string(number);
  }
  if (host::rename(path.c_str(), (trash + "/" + name).c_str()) != 0) {
    return refuse("because you don\xE2\x80\x99t have permission.");
  }
  log("trashed " + path);
  if (moved_to != nullptr) *moved_to = make(Object::Kind::url, trash + "/" + name);
  return 1;
}

void* send(void* object, void* selector, void* one, void* two, void* three) {
  const auto& self = *static_cast<Object*>(object);
  const std::string& name = *static_cast<std::string*>(selector);
  using Kind = Object::Kind;
  if (self.kind == Kind::klass && self.text == "NSString" && name == "stringWithUTF8String:") {
    const auto* const text = static_cast<const char*>(one);
    return decomposed(text).empty() ? nullptr : make(Kind::string, text);
  }
  if (self.kind == Kind::klass && self.text == "NSURL" && name == "fileURLWithPath:isDirectory:") {
    return make(Kind::url, decomposed(static_cast<Object*>(one)->text.c_str()));
  }
  if (self.kind == Kind::klass && self.text == "NSURL" &&
      name == "fileURLWithFileSystemRepresentation:isDirectory:relativeToURL:") {
    return make(Kind::url, static_cast<const char*>(one));
  }
  if (self.kind == Kind::url && name == "fileSystemRepresentation") {
    return const_cast<char*>(self.text.c_str());
  }
  if (self.kind == Kind::klass && self.text == "NSFileManager" && name == "defaultManager") {
    return make(Kind::manager, {});
  }
  if (self.kind == Kind::manager && name == "trashItemAtURL:resultingItemURL:error:") {
    return reinterpret_cast<void*>(move_to_trash(
        static_cast<Object*>(one)->text, static_cast<void**>(two), static_cast<void**>(three)));
  }
  if (self.kind == Kind::error && name == "localizedDescription") {
    return make(Kind::string, self.text);
  }
  if (self.kind == Kind::string && name == "UTF8String") {
    return const_cast<char*>(self.text.c_str());
  }
  abort();  // unrecognized selector
}

}  // namespace
}  // namespace simulated

using namespace simulated;

void* dlopen(const char* path, int mode) {
  if (strcmp(path, foundation) != 0) return host::load(path, mode);
  log("loaded Foundation");
  return &library;
}

void* dlsym(void* handle, const char* name) {
  if (handle != &library) return host::symbol(handle, name);
  const std::string wanted = name;
  if (wanted == "objc_getClass") return reinterpret_cast<void*>(&get_class);
  if (wanted == "sel_registerName") return reinterpret_cast<void*>(&register_name);
  if (wanted == "objc_msgSend") return reinterpret_cast<void*>(&send);
  if (wanted == "objc_autoreleasePoolPush") return reinterpret_cast<void*>(&push);
  if (wanted == "objc_autoreleasePoolPop") return reinterpret_cast<void*>(&pop);
  return nullptr;
}
