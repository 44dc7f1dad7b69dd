// SPDX-License-Identifier: MIT
// The Trash of macOS, by NSFileManager's trashItemAtURL:resultingItemURL:error:, which chooses the
// Trash of the file's volume and a free name, and notifies the Finder. Foundation and the
// Objective-C runtime are loaded when the first entry is moved: a program that links them starts
// 5 ms later, and this one imports nothing but libSystem.
//
// The call takes a path. It is that of the open directory (F_GETPATH), read immediately before, so
// that it leads to the directory that was checked. Another process could still exchange a name in
// between: macOS has no call that takes a descriptor.
//
// Below the folder of a cloud service the call may delete at once, or move to a place of the
// service's own, and succeed (electron#37606, #38541). So such folders are refused unless they are
// iCloud's, whose Trash is known, and the place that the call returns must be a Trash.
#include "os/trash.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/attr.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "os/darwin/file_system.h"
#include "os/files.h"
#include "os/machine.h"
#include "os/posix/file_system.h"
#include "text/paths.h"

namespace ffind::os {
namespace {

using namespace darwin;

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

/// Allows downloads to this thread: a file that leaves its sync root is downloaded first, or
/// EDEADLK (renameatx in XNU, vfs_syscalls.c). The policy of a thread goes before that of the
/// process (kern_resource.c), under which a search may go on in others.
class AllowedDownloads {
 public:
  AllowedDownloads() { set(IOPOL_MATERIALIZE_DATALESS_FILES_ON); }
  ~AllowedDownloads() { set(before_ >= 0 ? before_ : IOPOL_MATERIALIZE_DATALESS_FILES_DEFAULT); }
  AllowedDownloads(const AllowedDownloads&) = delete;
  AllowedDownloads& operator=(const AllowedDownloads&) = delete;

 private:
  static constexpr int type = IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES;
  static void set(int policy) { ::setiopolicy_np(type, IOPOL_SCOPE_THREAD, policy); }
  const int before_ = ::getiopolicy_np(type, IOPOL_SCOPE_THREAD);
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
    if (is_of_cloud_service(path)) {
      return "a cloud service stores it, and macOS might delete it at once: use the Finder";
    }
    return has_volume_below(table_, path) ? "a volume is mounted in it" : std::string_view();
  }

  Moved move(int directory, const std::string& name, const std::string&) override {
    if (!runtime_) runtime_.emplace();
    if (!runtime_->loaded()) return {ENOTSUP, "the system's Trash cannot be loaded"};
    const std::string parent = path_of_descriptor(directory);
    if (parent.empty()) return {errno, {}};
    const std::string path = text::join_paths(parent, name);
    const Runtime::Pool pool(*runtime_);
    // Takes the bytes as they are: fileURLWithPath: decomposes letters with diacritics (CF,
    // CFURL.c), which is another file on volumes that tell the forms apart. "No directory", since a
    // slash at its end would follow a link to one.
    const auto url = runtime_->send<Object, const char*, signed char, Object>(
        runtime_->class_named("NSURL"),
        "fileURLWithFileSystemRepresentation:isDirectory:relativeToURL:", path.c_str(), 0, nullptr);
    // Names that are not UTF-8 exist on servers only.
    if (url == nullptr) return {EILSEQ, {}};
    const auto manager =
        runtime_->send<Object>(runtime_->class_named("NSFileManager"), "defaultManager");
    Object place = nullptr;
    Object error = nullptr;
    const AllowedDownloads allowed;
    const auto moved = runtime_->send<signed char, Object, Object*, Object*>(
        manager, "trashItemAtURL:resultingItemURL:error:", url, &place, &error);
    if (moved == 0) return {EIO, description_of(error)};
    if (place == nullptr) return {EIO, "macOS does not say where it is now", true};
    const std::string found = runtime_->send<const char*>(place, "fileSystemRepresentation");
    if (holds(found)) return {};
    return {EIO, "macOS has moved it to " + found, true};
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

  /// True if `path` is, or is below, a folder of a cloud service other than iCloud. The nearest
  /// folder that names its service decides.
  bool is_of_cloud_service(std::string path) {
    if ((path + "/").find("/Library/CloudStorage/") != std::string::npos) return true;
    const bool of_icloud = path.find("/Library/Mobile Documents/") != std::string::npos;
    for (; path.size() > 1; path.resize(std::max<std::size_t>(path.rfind('/'), 1))) {
      std::string service;
      if (file_system_->attribute(nullptr, path.c_str(), false, "com.apple.file-provider-domain-id",
                                  service) == 0) {
        return !service.starts_with("com.apple.CloudDocs.");
      }
      if (!of_icloud && is_sync_root(path)) return true;
    }
    return false;
  }

  static bool is_sync_root(const std::string& path) {
    struct {
      std::uint32_t length;
      std::uint32_t returned[5];
      std::uint64_t extended_flags;
    } answer{};
    AttributeSet wanted;
    wanted.common = attr::cmn_returned_attrs;
    wanted.fork = attr::cmnext_ext_flags;
    ::attrlist list = list_of(wanted);
    return ::getattrlist(path.c_str(), &list, &answer, sizeof answer,
                         FSOPT_NOFOLLOW | FSOPT_ATTR_CMN_EXTENDED) == 0 &&
           (answer.extended_flags & EF_IS_SYNC_ROOT) != 0;
  }

  const MountTable table_ = mount_table();
  const std::unique_ptr<FileSystem> file_system_ = open_file_system({});
  std::optional<Runtime> runtime_;
};

}  // namespace

std::unique_ptr<Trash> open_trash() {
  return std::make_unique<MacTrash>();
}

/// The Finder alone knows where they were. It dates them when they are added.
void read_trashes(const MountTable& table, const std::vector<std::string>&,
                  TrashContents& contents) {
  std::vector<std::string> places;
  if (const auto home = environment("HOME"); home && home->starts_with('/')) {
    places.push_back(resolved(*home + "/.Trash"));
  }
  for (const Volume& volume : table) {
    if (volume.kind != VolumeKind::local || volume.firmlink || !volume.browsable) continue;
    places.push_back(
        resolved(text::join_paths(volume.mount_point, ".Trashes/") + std::to_string(::geteuid())));
  }
  const std::unique_ptr<FileSystem> file_system = open_file_system({});
  for (const std::string& place : places) {
    if (place.empty()) continue;
    const int error = for_each_name(AT_FDCWD, place.c_str(), {}, [&](std::string_view name) {
      if (name == ".DS_Store") return true;  // has the places of Put Back
      const std::string path = text::join_paths(place, name);
      Metadata metadata{};
      Needs got = needs::none;
      file_system->stat(nullptr, path.c_str(), {}, needs::added, metadata, got);
      Trashed& entry = contents.entries.emplace_back(Trashed{.path = path, .place = path});
      if ((got & needs::added) != 0) entry.deleted = metadata.added;
      return true;
    });
    if (error != 0 && error != ENOENT) contents.issues.push_back({place, "", error});
  }
}

const bool can_restore = false;

std::string_view reason_of_unknown_place() {
  return "only the Finder knows where it was: select it in the Trash and choose Put Back";
}

Trash::Moved restore(const Trashed&, const Identity&) {
  return {ENOTSUP};
}

int remove_trashed(const Trashed& trashed, const Identity& known) {
  Descriptor directory;
  Identity now;
  int error = open_directory(-1, std::string(text::parent_of(trashed.place)), directory);
  if (error == 0) error = identify(trashed.place, false, now);
  if (error == 0 && (now.id != known.id || now.type != known.type)) error = ESTALE;
  if (error != 0) return error;
  return remove_whole(directory.get(), std::string(text::name_of(trashed.place)), known.id.device);
}

void remove_trash_info(int, const std::string&, std::string_view) {}

}  // namespace ffind::os
