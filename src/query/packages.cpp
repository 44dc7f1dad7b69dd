// SPDX-License-Identifier: MIT
// The table of extensions that make a directory a package. Looked up with the kinds, in one map.
#include "query/packages.h"

#include <array>

#include "query/kinds.h"

namespace ffind::query {
namespace {

// On a Mac, Launch Services collects these from what is installed: the types that conform to
// com.apple.package, and documents that applications declare with LSTypeIsPackage. Here it is a
// table, since volumes of Macs are searched on other systems too: what macOS and Apple's programs
// declare, and those of others that are in wide use. Some that may be missed, and why:
//   framework, xcframework, lproj   bundles to programs, but the Finder shows them as folders
//   xcassets, scnassets             folders to the Finder, even with Xcode
//   localized                       a folder whose name the Finder translates
//   mbox                            a mailbox, but shown as a folder inside of Mail's
//   service                         Linux's control groups are directories of such names
//   patch, template, dist           declared by MainStage, an old Pages and the installer, but
//                                   quilt, generators and compilers call plain folders so
// And some that may surprise:
//   key, pages, numbers, epub       mostly files now; as directories they are one document still
//   dsym, docset, xcarchive, xctest what Xcode makes are documents of Xcode to the Finder
//   app                             .NET has folders called Microsoft.NETCore.App; the Finder, too,
//                                   takes them for applications
constexpr auto extensions = std::to_array<std::string_view>(
    {// macOS itself
     "action", "app", "appdownload", "appex", "bundle", "caction", "colorpicker", "component",
     "definition", "dext", "dictionary", "distz", "download", "kext", "lpdf", "mdimporter", "menu",
     "mpkg", "osax", "pkg", "plugin", "pluginkit", "prefpane", "qlgenerator", "rtfd", "saver",
     "scptd", "slidesaver", "sparsebundle", "systemextension", "vst", "vst3", "wdgt", "webplugin",
     "workflow", "xpc",
     // Apple's programs: libraries, projects and documents
     "abbu", "aplibrary", "avchd", "band", "epub", "fcarch", "fcpbundle", "fcpxmld", "gbproj",
     "hvpl", "ibooks", "icbu", "ilmbplugin", "imovielibrary", "imovieproject", "ite", "itlp",
     "itmsp", "key", "key-tef", "kth", "logic", "logicx", "mailbundle", "mailstationery",
     "migratedaplibrary", "migratedphotolibrary", "musiclibrary", "nmbtemplate", "numbers",
     "numbers-tef", "pages", "pages-tef", "photolibrary", "photoslibrary", "pkpass",
     "qtpxcomposition", "theater", "tvlibrary",
     // Xcode
     "docarchive", "docset", "dsym", "dvtplugin", "gputrace", "ibplugin", "ideplugin", "mlpackage",
     "nib", "octest", "pbproj", "playground", "playgroundbook", "storyboardc", "swiftpm",
     "xcappdata", "xcarchive", "xcdatamodel", "xcdatamodeld", "xcmappingmodel", "xcode",
     "xcodeproj", "xcplugin", "xcresult", "xcsnapshots", "xctest", "xcworkspace",
     // others
     "aaxplugin", "cocatalog", "dtbase2", "graffle", "lrcat-data", "lrdata", "lrlibrary", "macvm",
     "oo3", "oo3template", "popclipext", "pvm", "qsplugin", "scriv", "sketch", "spbundle",
     "tmbundle", "tmplugin", "utm", "vmwarevm", "vpc7"});

}  // namespace

std::span<const std::string_view> package_extensions() {
  return extensions;
}

bool has_package_extension(std::string_view name) {
  return kind_of_package(name).package;
}

}  // namespace ffind::query
