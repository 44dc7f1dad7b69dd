#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds ffind on Linux for other systems, C libraries and processors: build-TARGET/ffind.
#     tests/cross/build.sh [--unit] [TARGET...]
#   darwin-arm64 darwin-x86_64   macOS 14; checks the binaries, and the numbers of os/formats against Apple's headers
#   musl-x86_64 musl-arm64       any Linux: static
#   musl-x86 musl-arm            32 bits
#   musl-s390x                   big-endian
# Without a target, the first four. --unit adds build-TARGET/tests/unit/ffind_unit of those for Linux.
# Compiler and libraries come from PyPI and Debian, pinned, and are kept in ${XDG_CACHE_HOME:-~/.cache}/ffind-cross,
# which can be removed at any time. FFIND_XNU, a checkout of apple-oss-distributions/xnu, adds the headers that the
# compiler lacks.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Wheels for Linux on x86_64 and on arm64.
zig='ziglang==0.17.0
  --hash=sha256:97079827064a7492cce5541ceb438ae8003ce1e54e399676da2d62fb7a5dc08b
  --hash=sha256:d2804f94f54f7fcf8169f4b212a619ad688a4e2e6592e976f0cf2e58e2cd8af3'
# The libraries in the versions that the rest of the project is built with.
debian_sources=(catch2=2.13.10-1 cli11=2.1.2+ds-1 fmtlib=9.1.0+ds1-2 re2=20220601+dfsg-1 utf8proc=2.8.0-1)
# ... and what is the same for all processors: Unicode's tables, what ext4 looks like on a disk, and xxHash's header.
debian_packages=(unicode-data=15.0.0-1 'libext2fs-dev=1.47.0-2*' libxxhash-dev=0.8.1-1)

# Targets by the name that zig has for them.
declare -A triples=(
  [darwin-arm64]=aarch64-macos.14.0 [darwin-x86_64]=x86_64-macos.14.0
  [musl-x86_64]=x86_64-linux-musl [musl-arm64]=aarch64-linux-musl
  [musl-x86]=x86-linux-musl [musl-arm]=arm-linux-musleabihf [musl-s390x]=s390x-linux-musl)

# Flags in the environment are for another compiler.
unset CFLAGS CXXFLAGS LDFLAGS
cache=${XDG_CACHE_HOME:-$HOME/.cache}/ffind-cross

# quietly COMMAND...: shows what it printed only if it fails.
quietly() { "$@" >"$cache/log" 2>&1 || { cat "$cache/log"; return 1; }; }

# once NAME COMMAND...: unless NAME has been made before.
once() {
  [ ! -e "$cache/done/$1" ] || return 0
  echo "making $1"
  "${@:2}"
  touch "$cache/done/$1"
}

pip_with() { quietly python3 -m pip "${@:2}" --require-hashes --no-deps -r /dev/stdin <<<"${1//$'\n'/ }"; }

make_compiler() {
  local target
  rm -rf "$cache/zig" "$cache/bin"
  mkdir "$cache/bin"
  pip_with "$zig" install --no-compile --target "$cache/zig"
  for target in "${!triples[@]}"; do
    make_wrapper "$target-clang" cc -target "${triples[$target]}"
    # Without optimisation zig adds a sanitizer.
    make_wrapper "$target-clang++" c++ -target "${triples[$target]}" -fno-sanitize=undefined
  done
  make_wrapper ar ar
  make_wrapper ranlib ranlib
}

# zig's own cache serves what it links in; it does not keep objects compiled with -MD, ccache does.
make_wrapper() {
  cat >"$cache/bin/$1" <<END
#!/bin/sh
export ZIG_GLOBAL_CACHE_DIR='$cache/objects' ZIG_LOCAL_CACHE_DIR='$cache/objects'
exec '$cache/zig/ziglang/zig' ${*:2} "\$@"
END
  chmod +x "$cache/bin/$1"
}

# apt-get with lists of its own: the machine's need no deb-src, and nothing of /etc is changed.
make_sources() (
  rm -rf "$cache/source"
  mkdir -p "$cache/source/lists/partial"
  cd "$cache/source"
  cat >debian.sources <<END
Types: deb deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
  apt=(apt-get -q -o "Dir::Etc::SourceList=$PWD/debian.sources" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$PWD/lists" -o "Dir::Cache=$PWD" -o APT::Sandbox::User=root)
  quietly "${apt[@]}" update
  quietly "${apt[@]}" source --download-only "${debian_sources[@]}"
  quietly "${apt[@]}" download "${debian_packages[@]}"
  for archive in *.orig.tar.*; do tar xf "$archive"; done
  for archive in *.deb; do dpkg-deb -x "$archive" .; done
  rm -r lists
  make_tables re2-*/re2
)

# RE2's tables come from Unicode's, made as Debian makes them.
make_tables() {
  local table
  sed -i -e 's/^from six.moves import urllib$/import urllib.request/' \
    -e "s|^_UNICODE_DIR = .*|_UNICODE_DIR = '$PWD/usr/share/unicode'|" "$1/unicode.py"
  for table in casefold groups; do
    python3 "$1/make_unicode_$table.py" >"$1/unicode_$table.cc"
  done
  perl "$1/make_perl_groups.pl" >"$1/perl_groups.cc"
}

make_libraries() {
  local prefix=$cache/$1
  rm -rf "$prefix"
  make_library "$1" CLI11-* -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=OFF
  make_library "$1" fmtlib-* -DFMT_TEST=OFF -DFMT_DOC=OFF
  make_library "$1" utf8proc-*
  make_library "$1" re2-* -DRE2_BUILD_TESTING=OFF
  cp -r "$cache"/source/usr/include/{ext2fs,xxhash.h} "$prefix/include/"
  sed -e "s|@includedir@|$prefix/include|" -e "s|@libdir@|$prefix/lib|" \
    "$cache"/source/re2-*/re2.pc >"$prefix/lib/pkgconfig/re2.pc"
}

# make_library TARGET FOLDER OPTION...: by its own CMake.
make_library() {
  local build=$cache/build
  rm -rf "$build"
  # shellcheck disable=SC2086
  quietly cmake -S "$cache"/source/$2 -B "$build" -G Ninja -Wno-dev -DCMAKE_BUILD_TYPE=Release \
    --toolchain "$PWD/tests/cross/toolchain.cmake" -DFFIND_TARGET="$1" \
    -DCMAKE_INSTALL_PREFIX="$cache/$1" -DCMAKE_INSTALL_LIBDIR=lib "${@:3}"
  quietly cmake --build "$build"
  quietly cmake --install "$build"
  rm -r "$build"
}

# Catch2 takes half a minute, so it is made for the targets whose unit tests are built.
make_catch2() {
  make_library "$1" catch2-* -DCATCH_BUILD_TESTING=OFF -DCATCH_INSTALL_DOCS=OFF -DCATCH_BUILD_STATIC_LIBRARY=ON
}

build() {
  local unit=OFF tests=
  once "libraries-$1" make_libraries "$1"
  case $1 in musl-*) unit=$unit_tests ;; esac
  if [ "$unit" = ON ]; then
    once "catch2-$1" make_catch2 "$1"
    tests=ffind_unit
  fi
  quietly cmake --preset "$1" -D "BUILD_TESTING=$unit"
  # shellcheck disable=SC2086
  cmake --build --preset "$1" --target ffind $tests
}

unit_tests=OFF
if [ "${1-}" = --unit ]; then
  unit_tests=ON
  shift
fi
[ $# -gt 0 ] || set -- darwin-arm64 darwin-x86_64 musl-x86_64 musl-arm64
for target; do
  [ -n "${triples[$target]-}" ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
done

mkdir -p "$cache/done" "$cache/objects"
exec 9>"$cache/lock"
flock 9
recipe=$(cat tests/cross/build.sh tests/cross/toolchain.cmake | sha256sum)
if [ "$recipe" != "$(cat "$cache/recipe" 2>/dev/null)" ]; then
  rm -f "$cache"/done/*
  printf '%s\n' "$recipe" >"$cache/recipe"
fi
if [ "$(du -sm "$cache/objects" | cut -f 1)" -gt 3000 ]; then rm -rf "$cache/objects"; fi

once compiler make_compiler
once sources make_sources
for target; do build "$target"; done
for target; do
  case $target in
    darwin-*)
      tests/darwin/compare_headers.py "$cache/bin/$target-clang++" ${FFIND_XNU:+"$FFIND_XNU"}
      # The wrong programs of the self-test are for arm64.
      [ "$target" != darwin-arm64 ] || tests/darwin/check_macho.py --self-test "$cache/bin/$target-clang"
      tests/darwin/check_macho.py "build-$target/ffind" "${target#darwin-}"
      echo "built for macOS 14, ${target#darwin-}"
      ;;
    *) echo "built for ${triples[$target]}" ;;
  esac
done
