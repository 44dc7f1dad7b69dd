#!/bin/sh
# SPDX-License-Identifier: MIT
# Stand-in for a command of macOS, called by its name through a link: it refuses the options that only
# GNU's command has, then runs the command of this machine.
#
# The letters below are the options that both commands have and mean the same by, in getopt's notation, from
# the synopses of Apple's file_cmds, shell_cmds and text_cmds. There is no long option, and options end at the
# first operand. Output that BSD's command prints in another form is converted (wc, uniq -c, stat -f).
#
# It finds this machine's commands by absolute paths: a case may change or empty the environment.

name=${0##*/}

refuse() {
  echo "$name: $* (BSD's $name, says the test's stand-in)" >&2
  exit 64
}

# Sets `real` to this machine's command of that name.
find_real() {
  for place in /usr/bin /bin /usr/sbin /sbin /usr/local/bin; do
    real=$place/$1
    if [ -x "$real" ]; then return; fi
  done
  refuse "this machine has no $1"
}

# options LETTERS ARGUMENT...: refuses all others. Sets `given` to the letters and OPTIND.
options() {
  letters=$1
  shift
  OPTIND=1 given=
  while getopts ":$letters" letter; do
    case $letter in
    '?') refuse "illegal option -- $OPTARG" ;;
    :) refuse "option requires an argument -- $OPTARG" ;;
    esac
    given=$given$letter
  done
}

# plain LETTERS ARGUMENT...: for a command that differs in its options only.
plain() {
  options "$@"
  shift
  POSIXLY_CORRECT=1 exec "$real" "$@"
}

# The same for a command that starts others, which would inherit POSIXLY_CORRECT.
starter() {
  options "$@"
  shift
  exec "$real" "$@"
}

# padded WIDTH COUNT: pads the first COUNT numbers of each line to WIDTH.
padded() {
  LC_ALL=C awk -v width="$1" -v count="$2" '{
    rest = $0
    line = ""
    for (i = 0; i < count && match(rest, /^ *[0-9]+/); i++) {
      line = line sprintf("%" width "d", substr(rest, 1, RLENGTH))
      rest = substr(rest, RLENGTH + 1)
    }
    print line rest
  }'
}

# A number for each letter of `given`, or lines, words and bytes.
wc_() {
  columns=$given
  if [ -z "$columns" ]; then columns=lwc; fi
  status=0
  counted=$("$real" "$@") || status=$?
  if [ -n "$counted" ]; then printf '%s\n' "$counted" | padded 8 ${#columns}; fi
  exit $status
}

# Apple's find has no default for its first operand, fewer primaries than GNU's, and basic expressions.
find_() {
  options EHLPXdsx "$@"
  case $given in *[EXdsx]*) refuse "-$given has no counterpart on this machine" ;; esac
  eval "first=\${$OPTIND-}"
  case $first in '' | -* | '(' | !) refuse "usage: find [-H | -L | -P] path ... [expression]" ;; esac
  command=no
  for word; do
    case $command$word in
    "yes;" | yes+) command=no ;;
    no-exec | no-execdir | no-ok | no-okdir) command=yes ;;
    no-acl | no-amin | no-and | no-anewer | no-atime | no-cmin | no-cnewer | no-ctime | no-d | no-delete) ;;
    no-depth | no-empty | no-false | no-follow | no-fstype | no-gid | no-group | no-H | no-ilname) ;;
    no-iname | no-inum | no-ipath | no-iregex | no-iwholename | no-L | no-links | no-lname | no-ls) ;;
    no-maxdepth | no-mindepth | no-mmin | no-mount | no-mtime | no-name | no-newer*) ;;
    no-nogroup | no-not | no-nouser | no-o | no-or | no-P | no-path | no-perm | no-print | no-print0) ;;
    no-prune | no-quit | no-regex | no-samefile | no-size | no-true | no-type | no-uid | no-user) ;;
    no-wholename | no-xdev) ;;
    no-[a-zA-Z]*) refuse "$word: unknown primary or operator" ;;
    esac
  done
  for word; do
    shift
    if [ "$word" = -regex ]; then set -- "$@" -regextype posix-basic; fi
    set -- "$@" "$word"
  done
  exec "$real" "$@"
}

# stat -f FORMAT, as far as GNU's --printf has the same; without -f and with GNU's -c it is refused.
stat_() {
  options Lnf: "$@"
  format= follow= end='\n'
  OPTIND=1
  while getopts Lnf: letter; do
    case $letter in
    L) follow=-L ;;
    n) end= ;;
    f) format=$OPTARG ;;
    esac
  done
  shift $((OPTIND - 1))
  if [ -z "$format" ]; then refuse "only stat -f FORMAT can be had here"; fi
  converted=
  while [ -n "$format" ]; do
    case $format in
    %i*) piece=%i as=%i ;;
    %d*) piece=%d as=%d ;;
    %z*) piece=%z as=%s ;;
    %b*) piece=%b as=%b ;;
    %l*) piece=%l as=%h ;;
    %u*) piece=%u as=%u ;;
    %g*) piece=%g as=%g ;;
    %Lp*) piece=%Lp as=%a ;;
    %OLp*) piece=%OLp as=%a ;;
    %Sp*) piece=%Sp as=%A ;;
    %Su*) piece=%Su as=%U ;;
    %Sg*) piece=%Sg as=%G ;;
    %N*) piece=%N as=%n ;;
    %a*) piece=%a as=%X ;;
    %m*) piece=%m as=%Y ;;
    %c*) piece=%c as=%Z ;;
    %Fa*) piece=%Fa as=%.9X ;;
    %Fm*) piece=%Fm as=%.9Y ;;
    %Fc*) piece=%Fc as=%.9Z ;;
    %*) refuse "$format: this conversion is not known here" ;;
    *) piece=${format%"${format#?}"} as=$piece ;;
    esac
    converted=$converted$as
    format=${format#"$piece"}
  done
  exec "$real" $follow --printf "$converted$end" -- "$@"
}

# -d takes ISO 8601 only.
touch_() {
  OPTIND=1
  while getopts acfhmr:t:d: letter; do
    case $letter$OPTARG in
    d[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9][T\ ][0-9][0-9]:[0-9][0-9]:[0-9][0-9]*) ;;
    d*) refuse "out of range or illegal time specification: YYYY-MM-DDThh:mm:SS[.frac][tz]" ;;
    esac
  done
  POSIXLY_CORRECT=1 exec "$real" "$@"
}

# %N is new: of the versions of macOS in use, most print an N.
date_() {
  case $given in *[!u]*) refuse "of the options only -u is the same everywhere" ;; esac
  shift $((OPTIND - 1))
  case ${1-} in
  '' | +*) ;;
  *) refuse "$1: would set the clock" ;;
  esac
  if [ -z "${1-}" ]; then exec "$real" ${given:+-u}; fi
  exec "$real" ${given:+-u} "$(printf '%s' "$1" | sed 's/%N/N/g')"
}

# GNU's --posix has no one-line a, c, i; what it takes besides is a command directly in front of a brace.
sed_() {
  case $* in *[\;/\{\ \!0-9\$][dDgGhHlnNpPqx=]}*) refuse "extra characters at the end of a command: ; before }" ;; esac
  exec "$real" --posix "$@"
}

case $name in
xattr) ;;
*) find_real "$name" ;;
esac

case $name in
basename) plain as: "$@" ;;
base64) plain d "$@" ;;
cat) plain benstuv "$@" ;;
chmod) plain Rfvrwxst "$@" ;;
cksum | dirname | expand | nohup | tty | unexpand) plain '' "$@" ;;
cmp) plain ls "$@" ;;
comm) plain 123 "$@" ;;
cp) plain HLPRafilnprsvx "$@" ;;
cut) plain b:c:d:f:sn "$@" ;;
diff) plain C:I:L:NTU:abdeilnpqrstuw "$@" ;;
du) plain HLPacd:hkmsx "$@" ;;
env) starter 0iu: "$@" ;;
grep) plain 0123456789A:B:C:EFHILRabce:f:hilm:noqrsvwx "$@" ;;
head)
  case "$*" in *-[nc]\ -* | *-[nc]-*) refuse "illegal line count" ;; esac
  plain 0123456789c:n: "$@"
  ;;
hostname) plain fs "$@" ;;
id) plain Ggnru "$@" ;;
ln) plain Pfinsv "$@" ;;
ls) plain 1ACFHLRSacdfghiklmnpqrstux "$@" ;;
mkdir) plain m:pv "$@" ;;
mkfifo) plain m: "$@" ;;
mktemp)
  options dp:qu "$@"
  eval "template=\${$OPTIND-X}"
  case $template in *X) ;; *) refuse "$template: X in the middle stay as they are" ;; esac
  plain dp:qu "$@"
  ;;
mv) plain finv "$@" ;;
od) plain A:bcdj:N:ost:vx "$@" ;;
readlink) plain fn "$@" ;;
realpath) plain q "$@" ;;
rm) plain IRdfirv "$@" ;;
rmdir) plain pv "$@" ;;
seq) plain f:s:w "$@" ;;
sort) plain CMRS:T:Vbcdfghik:mno:rst:uz "$@" ;;
tail) plain 0123456789Fc:fn:qrv "$@" ;;
tee) plain ai "$@" ;;
tr) plain Ccds "$@" ;;
truncate) plain cr:s: "$@" ;;
uname) plain amnprsv "$@" ;;
xargs)
  options 0E:I:L:n:oP:rs:tx "$@"
  exec "$real" -r "$@" # BSD's runs nothing for no input
  ;;
paste)
  options d:s "$@"
  if [ $OPTIND -gt $# ]; then refuse "usage: paste [-s] [-d delimiters] file ..."; fi
  plain d:s "$@"
  ;;
uniq)
  options cdif:s:u "$@"
  case $given in
  *c*) POSIXLY_CORRECT=1 "$real" "$@" | padded 4 1 ;;
  *) plain cdif:s:u "$@" ;;
  esac
  ;;
wc)
  options clmw "$@"
  wc_ "$@"
  ;;
date)
  options uRjr:v:f:z: "$@"
  date_ "$@"
  ;;
touch)
  options acfhmr:t:d: "$@"
  touch_ "$@"
  ;;
sed)
  options Ee:f:lnru "$@"
  sed_ "$@"
  ;;
stty)
  options aef:g "$@"
  case $given in *f*) refuse "-f is BSD's alone, and GNU's -F GNU's: redirect its input" ;; esac
  exec "$real" "$@"
  ;;
tmux)
  # A socket's path has 104 bytes there, its end included.
  previous=
  for word; do
    if [ "$previous" = -S ] && [ ${#word} -gt 103 ]; then refuse "$word: File name too long"; fi
    previous=$word
  done
  exec "$real" "$@"
  ;;
find) find_ "$@" ;;
stat) stat_ "$@" ;;
xattr) exec "$PYTHON" -I -S "${0%/*}/xattr.py" "$@" ;;
*) refuse "no stand-in of that name" ;;
esac
