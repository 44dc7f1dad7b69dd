#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks packages that `cpack` made: lintian finds no error, they need nothing but the C library, and where one may
# chroot, the one for Debian is installed without network in a system that has nothing else, an ordinary user
# searches with it, by README's commands too, and its removal leaves nothing.
#   packages.sh DEB RPM
# The system, of debootstrap, is kept in ${XDG_CACHE_HOME:-~/.cache}/ffind-debian, which can be removed at any time.
set -euo pipefail

deb=$(realpath "$1") rpm=$(realpath "$2")
cache=${XDG_CACHE_HOME:-$HOME/.cache}/ffind-debian
system=$cache/bookworm-$(dpkg --print-architecture).tar
work=$(mktemp -d)
made=''
trap 'rm -rf "$work" "$made"' EXIT

die() {
  printf '%s\n' "$*" >&2
  exit 1
}

# As root it says that root should not run it.
lintian --fail-on error "$deb" 2>"$work/log" || { cat "$work/log" && die "lintian has found errors"; }
needs=$(dpkg-deb -f "$deb" Depends)
[[ $needs =~ ^libc6\ \([^,]*\)$ ]] || die "$deb needs $needs"
needs=$(rpm -qp --requires "$rpm" | grep -Ev '^(libc|libm|ld-linux[-a-z0-9_]*)\.so\.[0-9]+\(|^rpmlib\(|^rtld\(') || true
[ -z "$needs" ] || die "$rpm needs $needs"
files=$(rpm -qpl "$rpm")
for file in bin/ffind share/doc/ffind/LICENSE share/doc/ffind/THIRD_PARTY share/man/man1/ffind.1.gz \
  share/zsh/site-functions/_ffind share/fish/vendor_completions.d/ffind.fish \
  share/bash-completion/completions/ffind share/ffind/ffind-keys.zsh; do
  grep -qx "/usr/$file" <<<"$files" || die "$rpm lacks /usr/$file"
done

skip() {
  echo "skipped: not installed in a system of its own: $*"
  exit
}
[ "$(id -u)" -eq 0 ] || skip "needs root"
unshare --mount --net --pid --fork true 2>/dev/null || skip "namespaces are not allowed here"
# In memory if it can: dpkg waits for the disk after each package, which takes a minute more.
make_system() {
  local place
  for place in /dev/shm "$work"; do
    [ "$(df -k "$place" | awk 'NR == 2 { print $4 }')" -ge 1000000 ] || continue
    rm -rf "$made"
    made=$(mktemp -d "$place/ffind-debian-XXXXXX")
    chmod 755 "$made"
    unshare --mount debootstrap --variant=minbase bookworm "$made" >"$work/log" 2>&1 || continue
    tar -C "$made" --exclude './var/cache/apt/archives/*.deb' --exclude './var/lib/apt/lists/*' --exclude './dev/*' \
      -cf "$work/system" .
    mkdir -p "$cache"
    mv "$work/system" "$system"
    return
  done
  tail -n 3 "$work/log"
  return 1
}
[ -e "$system" ] || make_system || skip "debootstrap failed"

mkdir "$work/root"
tar -C "$work/root" -xf "$system"
cp "$deb" "$work/root/ffind.deb"
# Those with --pick need a terminal, and programs that are not there.
grep '^    ffind ' "$(dirname "$0")/../../README.md" | grep -v -e --pick -e fzf >"$work/root/commands"
cat >"$work/root/check" <<'END'
set -eu
everything() { find / -xdev ! -path '/var/lib/dpkg/*' ! -path '/var/log/*' | sort; }
! command -v ffind
everything >/tmp/before
dpkg -i /ffind.deb
dpkg --verify ffind
for file in man/man1/ffind.1.gz bash-completion/completions/ffind zsh/vendor-completions/_ffind \
  fish/vendor_completions.d/ffind.fish ffind/ffind-keys.zsh doc/ffind/copyright; do
  [ -s "/usr/share/$file" ] || { echo "not installed: $file" && exit 1; }
done
grep -q 'RE2' /usr/share/doc/ffind/copyright
useradd --create-home somebody
su - somebody -c 'ffind readme /usr/share/doc' | sort >/tmp/found
find /usr/share/doc -iname '*readme*' | sort | diff - /tmp/found
[ -s /tmp/found ]
su - somebody -c 'mkdir Documents include node_modules src; touch a.tgz notes.md x.tmp include/a.h include/todo \
  Documents/report "Documents/invoice 2026" Documents/invoice.pdf node_modules/todo
  echo "// TODO" >src/a.c; cp src/a.c src/b.cc
  truncate -s 11M holiday.jpg; touch -d "2 months ago" old.tmp'
truncate -s 1M /srv/tram.mkv
while IFS= read -r command; do
  su - somebody -c "$command" >/tmp/found </dev/null || { echo "status $? of: $command" && exit 1; }
  case $command in *' -x '* | *' --delete'*) continue ;; esac
  [ -s /tmp/found ] || { echo "nothing is found by: $command" && exit 1; }
done </commands
[ -e /home/somebody/holiday.jpg ] && [ -e /home/somebody/x.tmp ] && ! [ -e /home/somebody/old.tmp ]
userdel --remove somebody 2>/dev/null
rm /tmp/found /srv/tram.mkv
dpkg --purge ffind
everything | diff /tmp/before - | grep '^[<>]' | grep -v ' /etc/\(passwd\|shadow\|group\|gshadow\|subuid\|subgid\)-$' ||
  echo "nothing is left"
END
# shellcheck disable=SC2016
unshare --mount --net --pid --fork sh -euc '
  mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev"
  exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 chroot "$0" sh /check' "$work/root" >"$work/log" 2>&1 ||
  { cat "$work/log" && die "installing $deb in a system of its own failed"; }
grep -qx 'nothing is left' "$work/log" || { cat "$work/log" && die "removing the package leaves something"; }
echo "installed, searched as a user, and removed in a system of its own"
