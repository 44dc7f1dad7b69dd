// SPDX-License-Identifier: MIT
// The Trash of macOS, by NSFileManager's trashItemAtURL:resultingItemURL:error:, which chooses the
// Trash of the file's volume and a free name, and notifies the Finder. Foundation and the
// Objective-C runtime are loaded when the first entry is moved: a program that links them starts
// 5 ms later, and this one imports nothing but libSystem.
//
// The call takes a path. It is that of the open directory (F_GETPATH), read immediately before, so
// that it leads to the directory that was checked. Another process could still exchange a name in
// between: macOS has no call that takes a descriptor.
#include "os/trash.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include <cerrno>
#include <optional>

#include "os/files.h"
#include "os/posix/file_system.h"
#include "text/paths.h"

namespace ffind::os {
namespace {

/// An Objective-C object, class or selector; opaque here.
using Object = void*;

/// The functions of the Objective-C runtime that are used. objc_msgSend has the signature of the
/// method that it calls, so it is cast for each.
class Runtime {
 public:
  Runtime() {
    constexpr const char* foundation = "/System/Library/Frameworks/Foundation.framework/Foundation";
    void* const library = ::dlopen(foundation, RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) return;
    get_class_ = reinterpret_cast<GetClass>(::dlsym(library, "objc_getClass"));
    register_name_ = reinterpret_cast<RegisterName>(::dlsym(library, "sel_registerName"));
    send_ = ::dlsym(library, "objc_msgSend");
    push_ = reinterpret_cast<Push>(::dlsym(library, "objc_autoreleasePoolPush"));
    pop_ = reinterpret_cast<Pop>(::dlsym(library, "objc_autoreleasePoolPop"));
  }

  bool loaded() const {
    return get_class_ != nullptr && register_name_ != nullptr && send_ != nullptr &&
           push_ != nullptr && pop_ != nullptr;
  }
  Object class_named(const char* name) const { return get_class_(name); }
  template <typename Result, typename... Arguments>
  Result send(Object object, const char* selector, Arguments... arguments) const {
    using Method = Result (*)(Object, Object, Arguments...);
    return reinterpret_cast<Method>(send_)(object, register_name_(selector), arguments...);
  }

  /// Releases what the calls in a scope have made.
  class Pool {
   public:
    explicit Pool(const Runtime& runtime) : runtime_(runtime), pool_(runtime.push_()) {}
    ~Pool() { runtime_.pop_(pool_); }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

   private:
    const Runtime& runtime_;
    void* pool_;
  };

 private:
  using GetClass = Object (*)(const char*);
  using RegisterName = Object (*)(const char*);
  using Push = void* (*)();
  using Pop = void (*)(void*);

  GetClass get_class_ = nullptr;
  RegisterName register_name_ = nullptr;
  void* send_ = nullptr;
  Push push_ = nullptr;
  Pop pop_ = nullptr;
};

class MacTrash final : public Trash {
 public:
  /// Each user's is ~/.Trash, each volume's is .Trashes at its top, iCloud Drive's is .Trash in it.
  bool holds(const std::string& path) override {
    const std::string whole = path + "/";
    return whole.find("/.Trash/") != std::string::npos ||
           whole.find("/.Trashes/") != std::string::npos;
  }
  std::string_view refuses(const std::string& path) override {
    struct ::stat status {};
    if (::lstat((path + "/.Trash").c_str(), &status) == 0) return "it contains the Trash";
    return has_volume_below(table_, path) ? "a volume is mounted in it" : std::string_view();
  }

  Moved move(int directory, const std::string& name, const std::string&) override {
    if (!runtime_) runtime_.emplace();
    if (!runtime_->loaded()) return {ENOTSUP, "the system's Trash cannot be loaded"};
    const std::string parent = path_of_descriptor(directory);
    if (parent.empty()) return {errno, {}};
    const std::string path = text::join_paths(parent, name);
    const Runtime::Pool pool(*runtime_);
    const auto text = runtime_->send<Object, const char*>(runtime_->class_named("NSString"),
                                                          "stringWithUTF8String:", path.c_str());
    // Names that are not UTF-8 exist on servers only, and Foundation cannot represent them.
    if (text == nullptr) return {EILSEQ, {}};
    // fileURLWithPath: would add a slash to the URL of a link to a directory and follow it.
    const auto url = runtime_->send<Object, Object, signed char>(
        runtime_->class_named("NSURL"), "fileURLWithPath:isDirectory:", text, 0);
    const auto manager =
        runtime_->send<Object>(runtime_->class_named("NSFileManager"), "defaultManager");
    Object error = nullptr;
    const auto moved = runtime_->send<signed char, Object, void*, Object*>(
        manager, "trashItemAtURL:resultingItemURL:error:", url, nullptr, &error);
    if (moved != 0) return {};
    return {EIO, description_of(error)};
  }

 private:
  /// The system's own words: "“x” couldn’t be moved to the trash because ...".
  std::string description_of(Object error) const {
    if (error == nullptr) return {};
    const auto text = runtime_->send<Object>(error, "localizedDescription");
    if (text == nullptr) return {};
    const auto bytes = runtime_->send<const char*>(text, "UTF8String");
    return bytes != nullptr ? bytes : std::string();
  }

  const MountTable table_ = mount_table();
  std::optional<Runtime> runtime_;
};

}  // namespace

std::unique_ptr<Trash> open_trash() {
  return std::make_unique<MacTrash>();
}

}  // namespace ffind::os
