# SPDX-License-Identifier: MIT
# Words for [setup] and [run] of the cases; read by bash 3.2 and later (see run.py).

tool() { "$PYTHON" -I -S "$TOOL" "$@"; }
files() { "$PYTHON" -I -S "${TOOL%/*}/files.py" "$@"; }
skip() { echo "$*" >&2; exit 77; }

# tree a/b.txt c/ -- empty files and, with a trailing slash, directories; parents are made.
tree() {
    local path
    for path in "$@"; do
        case $path in
        */) mkdir -p -- "$path" ;;
        */*) mkdir -p -- "${path%/*}" && : >"$path" ;;
        *) : >"./$path" ;;
        esac
    done
}

# sized 1024 a b -- files of so many bytes (sparse).   dated 2020-01-31T12:00:00Z a b -- sets mtimes,
# makes what is missing.   ago 8d a b -- the same, so long ago (units s m h d; -1h is in the future).
sized() { files sized "$@"; }
dated() { files dated "$@"; }
ago() { files ago "$@"; }

deep() { files deep "$@"; }         # deep 40 DIR NAME LEAF   a chain of NAME/NAME/.. 40 deep with LEAF at its end
many() { files many "$@"; }         # many 1000 DIR [SUFFIX]  files 0000000SUFFIX, 0000001SUFFIX, ...
sock() { files sock "$@"; }         # sock PATH               a socket
json_lines() { tool json_lines; }  # checks NDJSON on standard input and prints how many lines: `3 objects`

# finder KIND ARGS...                Finder metadata, to standard output: see tests/data/finder/make.py
# attribute FILE NAME [VALUE]        sets an extended attribute, without VALUE to standard input; `needs: attributes`.
#                                    NAME is Linux's; macOS's has no `user.` in front
finder() { "$PYTHON" -I -S "${TOOL%/*}/finder.py" "$@"; }
attribute() {
    local hexadecimal
    if [ $# -gt 2 ]; then hexadecimal=$(printf %s "$3" | hexadecimal); else hexadecimal=$(hexadecimal); fi
    if command -v setfattr >/dev/null; then
        setfattr -n "$2" -v "0x$hexadecimal" -- "$1"
    else
        xattr -wx "${2#user.}" "$hexadecimal" "$1"
    fi 2>/dev/null || skip "no attribute $2 can be set here"
}
hexadecimal() { od -An -v -tx1 | tr -d ' \n'; }

# mount_or_skip ARGS -- for `mount: yes` cases on machines that forbid it all the same.
mount_or_skip() { mount "$@" || skip "mount $* is not allowed here"; }

# ext4 DIR [MIB [OPTION]] -- a loop-mounted ext4 image on DIR; OPTION is for mkfs.
ext4() {
    mkdir -p -- "$1"
    dd if=/dev/zero of="$HOME/../${1##*/}.img" bs=1048576 count="${2:-8}" 2>/dev/null
    mkfs.ext4 -q -F ${3-} "$HOME/../${1##*/}.img" 2>/dev/null || skip "mkfs.ext4 failed"
    mount_or_skip -o loop "$HOME/../${1##*/}.img" "$1"
    rmdir "$1/lost+found"
}

# traced COMMAND -- runs it under strace, the calls of all its threads go to $TRACE; `needs: strace`.
TRACE=$HOME/../trace
traced() {
    ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 strace -f -o "$TRACE" "$@"
}

# fuse DIR NODE... -- a FUSE volume on DIR whose directories may be below themselves: see fuse.py; `mount: yes`.
fuse() {
    mkdir -p -- "$1"
    "$PYTHON" -I -S "${TOOL%/*}/fuse.py" "$@" || skip "no FUSE here"
}

# injected CALL[,CALL]:error=EIO[:when=1] [-P PATH] COMMAND -- runs it while that fails, by when=... once, or from
# there on (1+), by -P of PATH alone; the rest of strace's words are in its manual. `needs: strace`.
injected() {
    local status calls=$1
    shift
    traced -e "trace=${calls%%:*}" -e "inject=$calls" "$@"
    status=$?
    grep -q INJECTED "$TRACE" || echo "$calls: nothing was injected"
    return $status
}

# mac -- makes ./mac the root of a machine with macOS's two volumes, the program in it; the Data
# volume's Users and private show through firmlinks (`mount: yes`, root). in_mac runs ffind there.
mac() {
    local part data=mac/System/Volumes/Data
    tree mac/{Users,private,bin,proc,usr/share,System/Library,System/Volumes/Data}/
    ldd "$(command -v ffind)" | grep -o '/[^ ]*' | xargs cp -L --parents -t mac
    cp "$(command -v ffind)" mac/bin
    mount_or_skip --bind mac mac
    mount_or_skip -t tmpfs none "$data"
    mount_or_skip --bind /proc mac/proc
    for part in Users private; do
        mkdir "$data/$part"
        mount_or_skip --bind "$data/$part" "mac/$part"
    done
}
in_mac() {
    FFIND_DARWIN="volume /System/Volumes/Data apfs data; firmlink /Users Users; firmlink /private private" \
        chroot mac /bin/ffind "$@"
}

. "${PRELUDE%/*}/screen.sh"
