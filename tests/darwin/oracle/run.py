#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Apple's own code makes the records, the program's decoders read them: on Linux, in user space.

    run.py [--xnu DIR] [--hfs DIR] [--libc DIR] [--shell_cmds DIR] [--ffind FFIND] [--rounds N] [--seed N]
           [bulk|search|volume|find]...

The folders are checkouts of apple-oss-distributions/xnu, /hfs, /Libc and /shell_cmds; without them those of
FFIND_XNU, FFIND_HFS, FFIND_LIBC and FFIND_SHELL_CMDS are taken, and what there is none for is skipped (status 77 when
that is all). Nothing of Apple's is in here: what is compiled is taken out of the checkouts into a
folder that is gone afterwards.

    bulk     vfs_attrlist.c: getattrlistbulk and its imitation by readdir, against RecordDecoder
    search   hfs_search.c and what it stands on, against search_request and RecordDecoder
    volume   whole catalogs by hfs_vnop_search, with links, private directories and rights, against the
             program's own reader of searchfs (os/darwin/catalog.cpp)
    find     Apple's find against FFIND, built for the simulated Mac, standing in for it (find_lines.py)
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from find_lines import check_find

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
C = ["-std=gnu11", "-O1", "-g", "-w", "-Werror=implicit-function-declaration", "-ffreestanding", "-fno-builtin",
     "-fno-strict-aliasing"]


class Checkout:
    """Pieces of the files of a checkout."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def text(self, path):
        file = self.folder / path
        return file.read_text(errors="replace") if file.exists() else ""

    def header(self, path):
        return without_includes(self.text(path))

    def lines(self, path, pattern):
        return "\n".join(re.findall(pattern, self.text(path), flags=re.M)) + "\n"

    def between(self, path, first, last):
        return between(self.text(path), first, last)

    def functions(self, path, *names):
        return "".join(function(self.text(path), name) for name in names)


def without_includes(code):
    return re.sub(r"^[ \t]*#[ \t]*include\b.*$", "", code, flags=re.M)


def between(code, first, last, with_last=True):
    begin = re.search(first, code, flags=re.M).start()
    end = re.compile(last, flags=re.M).search(code, begin + 1)
    return code[begin:end.end() if with_last else end.start()] + "\n"


def function(code, name):
    """The definition, whose name begins a line or ends one with its return type."""
    for found in re.finditer(rf"^(?:[A-Za-z_][\w \t\*]*[ \t\*]\**)?{name}[ \t]*\(", code, flags=re.M):
        brace = code.find("{", found.end())
        head = re.sub(r"/\*.*?\*/", "", code[found.end():brace], flags=re.S)
        old_style = re.match(r"[\w\s,]*\)", head) and re.match(r"[\w\s,]*\)\s*\w", head)
        if brace < 0 or (";" in head and not old_style):
            continue
        begin = found.start()
        previous = code.rfind("\n", 0, begin - 1) + 1
        line = code[previous:begin].strip()
        if re.fullmatch(r"(static\s+)?(inline\s+)?[\w ]+\*?", line) and code[begin:].startswith(name):
            begin = previous
        return code[begin:re.compile(r"^}", flags=re.M).search(code, brace).end()] + "\n"
    sys.exit(f"run.py: no function {name}")


def write(folder, **files):
    (folder / "apple").mkdir(exist_ok=True)
    for name, text in files.items():
        suffix = ".inc" if name.endswith("_inc") else ".h"
        (folder / "apple" / (name.removesuffix("_inc") + suffix)).write_text(text)


def extract_bulk(xnu, folder):
    vnode, mount = xnu.text("bsd/sys/vnode.h"), xnu.text("bsd/sys/mount.h")
    source = xnu.header("bsd/vfs/vfs_attrlist.c")
    volume = mount[mount.index("struct vfs_attr {") + len("struct vfs_attr {"):]
    write(folder,
          vnode_attr=without_includes(
              between(vnode, r"^enum vtype\b", r"^};") + between(vnode, r"^enum vtagtype\b", r"^};") +
              between(vnode, r"^#define VATTR_INIT\(v\)", r"^/\*\n \*  Modes\.", False) +
              xnu.lines("bsd/sys/vnode.h", r"^#define VNODE_READDIR_.*$") +
              xnu.between("bsd/sys/vnode_internal.h", r"^struct fd_vn_data {", r"^};") +
              xnu.lines("bsd/sys/vnode_internal.h", r"^#define (?:FV_DIRBUF_|V(?:ROOT|FMLINKTARGET)\b).*$")),
          vfs_attr="#pragma pack(4)\n" + between(mount, r"^struct vfsstatfs {", r"^};") + "\n#pragma pack()\n" +
          between(mount, r"^#define VFSATTR_INIT", r"^struct vfs_attr {") + between(volume, r"\A", r"^};") +
          "\n#pragma pack()\n",
          attr=xnu.header("bsd/sys/attr.h"),
          attr_private=xnu.header("bsd/sys/attr_private.h"),  # younger than macOS 13
          vfs_attrlist_inc=source[:source.index("static int\nattrlist_unpack_fixed(")],
          dirent=xnu.between("bsd/sys/dirent.h", r"^#define __DARWIN_STRUCT_DIRENTRY", r"^}$"))


def extract_search(xnu, hfs, folder):
    wanted = "core/hfs_catalog.h"
    search, attributes, catalog = "core/hfs_search.c", "core/hfs_attrlist.c", "core/hfs_catalog.c"
    write(folder,
          hfs_unistr=hfs.header("core/hfs_unistr.h"),
          hfs_format=hfs.header("core/hfs_format.h"),
          hfs_catalog=hfs.between(wanted, r"^struct cat_desc {", r"^};") +
          hfs.lines(wanted, r"^#define[ \t]+CD_\w+[ \t]+0x\w+") +
          hfs.between(wanted, r"^struct cat_attr {", r"^};") +
          hfs.lines(wanted, r"^#define[ \t]+ca_\w+[ \t]+ca_union.*$") +
          hfs.between(wanted, r"^struct cat_fork {", r"^};") +
          hfs.between(wanted, r"^union CatalogKey {", r"^typedef union CatalogRecord .*$"),
          UCStringCompareData=hfs.header("core/UCStringCompareData.h"),
          compare_inc=hfs.functions("core/UnicodeWrappers.c", "FastUnicodeCompare", "UnicodeBinaryCompare"),
          attrblock=hfs.between("core/hfs_attrlist.h", r"^struct attrblock {", r"^};"),
          search_inc=hfs.between(search, r"^struct directoryInfoSpec", r"^typedef struct searchinfospec searchinfospec_t;") +
          hfs.functions(search, "CompareRange", "CompareWideRange", "CompareMasked", "ComparePartialUnicodeName") +
          hfs.functions(catalog, "getencoding", "getcnid", "isadir") +
          hfs.functions("core/MacOSStubs.c", "to_bsd_time") +
          hfs.functions(catalog, "getbsdattr", "builddesc", "cat_convertattr", "cat_convertkey", "cat_releasedesc") +
          hfs.functions(attributes, "mountpointname", "packnameattr", "packcommonattr", "packdirattr", "packfileattr",
                        "hfs_packattrblk", "hfs_attrblksize") +
          hfs.functions(search, "CheckCriteria", "InsertMatch", "UnpackSearchAttributeBlock"),
          volume_inc=hfs.functions(search, "ResolveHardlink", "CheckAccess", "hfs_vnop_search"),
          utfconv_inc=xnu.header("bsd/vfs/vfs_utfconv.c"),
          vfs_utfconvdata=xnu.text("bsd/vfs/vfs_utfconvdata.h"),
          utfconv=xnu.lines("bsd/sys/utfconv.h", r"^#define[ \t]+UTF_\w+.*$"),
          vtype=xnu.between("bsd/sys/vnode.h", r"^enum vtype\b", r"^};") +
          xnu.between("bsd/sys/vnode.h", r"^enum vtagtype\b", r"^};"),
          attr=xnu.header("bsd/sys/attr.h"))


def compile_and_run(folder, name, kernel, arguments, parts=(), flags=()):
    """kernel: C files around Apple's; parts: files of the program's source, in addition to the rooms' own."""
    headers = [f"-I{folder}", f"-I{HERE}", f"-I{ROOT}/src", f"-I{ROOT}/include"]
    objects = []
    for file in kernel:
        objects.append(folder / f"{file}.o")
        subprocess.run(["gcc", *C, *headers, "-c", HERE / f"{file}.c", "-o", objects[-1]], check=True)
    # An archive of all that is pure: the linker takes what is called.
    pure = [file for room in ("text", "os", "os/formats") for file in (ROOT / "src" / room).glob("*.cpp")]
    compiled = [folder / f"{file.stem}.o" for file in pure]
    for file in [HERE / f"{name}.cpp", *(ROOT / "src" / part for part in parts), *pure]:
        subprocess.run(["g++", "-std=c++20", "-O1", "-g", "-Wall", *headers, *flags, "-c", file,
                        "-o", folder / f"{file.stem}.o"], check=True)
        if file not in pure:
            objects.append(folder / f"{file.stem}.o")
    subprocess.run(["ar", "rcs", folder / "pure.a", *compiled], check=True)
    subprocess.run(["g++", *objects, folder / "pure.a", "-lutf8proc", "-lfmt", "-o", folder / name], check=True)
    print(f"{name}:", flush=True)
    return subprocess.run([folder / name, *arguments], check=False).returncode == 0


def check_bulk(given, folder):
    extract_bulk(given["xnu"], folder)
    return compile_and_run(folder, "check_bulk", ["vfs_kernel"], given["arguments"])


def check_search(given, folder):
    extract_search(given["xnu"], given["hfs"], folder)
    return compile_and_run(folder, "check_search", ["hfs_kernel", "hfs_names"], given["arguments"])


def check_volume(given, folder):
    extract_search(given["xnu"], given["hfs"], folder)
    return compile_and_run(folder, "check_volume", ["hfs_volume", "hfs_names"], given["arguments"],
                           ["os/darwin/catalog.cpp"], ["-isystem", str(HERE.parent / "include")])


CHECKOUTS = ("xnu", "hfs", "libc", "shell_cmds")
CHECKS = {"bulk": (check_bulk, ("xnu",)), "search": (check_search, ("xnu", "hfs")),
          "volume": (check_volume, ("xnu", "hfs")), "find": (check_find, ("shell_cmds",))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in CHECKOUTS:
        parser.add_argument(f"--{name}", default=os.environ.get(f"FFIND_{name.upper()}"))
    parser.add_argument("--ffind")
    parser.add_argument("--rounds", default="3000")
    parser.add_argument("--seed", default="1")
    parser.add_argument("checks", nargs="*")
    options = parser.parse_args()
    given = {name: Checkout(folder) for name in CHECKOUTS if (folder := getattr(options, name))}
    given["arguments"] = [options.rounds, options.seed]
    given["program"] = options.ffind and pathlib.Path(options.ffind).resolve()
    ran, agree = 0, True
    for name in options.checks or CHECKS:
        check, needed = CHECKS[name]
        if missing := [checkout for checkout in needed if checkout not in given]:
            print(f"{name}: skipped, no checkout of Apple's {' and '.join(missing)} (--{missing[0]})")
            continue
        with tempfile.TemporaryDirectory() as folder:
            agree = check(given, pathlib.Path(folder)) and agree
        ran += 1
    return (0 if agree else 1) if ran else 77


if __name__ == "__main__":
    sys.exit(main())
