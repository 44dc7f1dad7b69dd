# SPDX-License-Identifier: MIT
# Completion of ffind for bash, 3.2 and later, with or without the package bash-completion (which adds
# the arguments of the commands of -x and -X). `ffind --completions bash` writes it, from ffind.bash.in
# and its tables.

_ffind_options="-F --text -e --regex -g --glob --exact --starts --ends --query -p --full-path -i
  --ignore-case -s --case-sensitive --ignore-diacritics --where -t --type --kind --ext -S --size
  --modified --created --accessed --changed --added --newer-than --older-than --depth --empty
  --only-hidden --owner --group --perm --executable --broken --locked --links --inode --samefile --tag
  --comment --where-from --xattr --contains --contains-regex --binary --if --in --files0-from --from
  --from0 -C --base-directory -d --max-depth --min-depth --prune -E --exclude --prune-where
  --exclude-where --ignore-files --exclude-from --no-hidden --no-packages --gitignore -L --follow
  --unique --cross-volumes --volume --all-volumes --network --download -H --hidden -I --no-ignore -u
  --unrestricted --one-file-system -0 --null --json --csv --tsv --format -l --long --tree --count
  --usage --apparent --human --sort -a --absolute -k --mark -n --limit -1 -q --quiet --color
  --hyperlink --stats --progress --no-progress --no-messages --no-hints --json-errors --pick --height
  --preview --no-history -x --exec -X --exec-batch --batch-size --exec-in-dir --delete --trash
  --dry-run --confirm --yes -j --threads --method --reader --explain --list-volumes --compare-readers
  --save --saved --forget --no-config --as -h --help --completions -V --version"
_ffind_options_with_value="-F --text -e --regex -g --glob --exact --starts --ends --query --where -t
  --type --kind --ext -S --size --modified --created --accessed --changed --added --newer-than
  --older-than --depth --owner --group --perm --links --inode --samefile --tag --comment --where-from
  --xattr --contains --contains-regex --in --files0-from --from --from0 -C --base-directory -d
  --max-depth --min-depth --prune -E --exclude --prune-where --exclude-where --ignore-files
  --exclude-from --volume --format --sort -n --limit --color --height --preview --batch-size -j
  --threads --method --reader --save --forget --as --completions"
_ffind_flag_letters="pisLHIu0lak1qhV"
_ffind_value_letters="FegtSCdEnj"
_ffind_command_letters="xX"
_ffind_switches="full-path ignore-case case-sensitive ignore-diacritics binary gitignore follow
  unique cross-volumes all-volumes network download hidden unrestricted one-file-system null json csv
  tsv long tree count usage apparent human absolute mark quiet hyperlink stats progress json-errors
  pick exec-in-dir delete trash dry-run confirm yes explain"
_ffind_types="file directory symlink socket fifo block char"
_ffind_kinds="folder text code data document spreadsheet presentation ebook image audio video font
  model archive disk-image app binary database"
_ffind_fields="path name type depth stem ext dir path_length relative absolute root volume kind size
  allocated private_size mode uid gid owner group links inode device modified changed accessed created
  added target tags comment where_from last_opened type_code creator flags acl"
_ffind_sort_keys="path -path name -name type -type depth -depth stem -stem ext -ext dir -dir
  path_length -path_length relative -relative absolute -absolute root -root volume -volume kind -kind
  size -size allocated -allocated private_size -private_size mode -mode uid -uid gid -gid owner -owner
  group -group links -links inode -inode device -device modified -modified changed -changed accessed
  -accessed created -created added -added target -target comment -comment last_opened -last_opened
  type_code -type_code creator -creator match found space"
_ffind_where_words="name path absolute_path ext type kind size allocated private_size stat_size
  modified created accessed changed added last_opened newer_than older_than depth owner group uid gid
  perm flags path_length links inode same_file target target_type fstype has tag comment where_from
  type_code creator xattr contents true false hidden empty executable sparse locked dataless acl broken
  is_link loop readable writable runnable untagged alias stationery invisible custom_icon
  hidden_extension orphaned_owner orphaned_group"
_ffind_attributes="user.xdg.tags user.xdg.comment user.xdg.origin.url com.apple.quarantine
  com.apple.FinderInfo com.apple.ResourceFork com.apple.metadata:kMDItemWhereFroms"

_ffind_units="k M G T Ki Mi Gi Ti"
_ffind_sizes="1k 10k 100k 1M 10M 100M 1G 10G"
_ffind_time_units="s min h d w mo y"
_ffind_times="today yesterday monday 1h 1d 7d 1w 1mo 1y"

# The functions below share what _ffind makes local: `words` as the shell reads them, `current`, the
# last of them as far as the cursor, `value`, what of it is completed, without its quote, `kept`, how
# many characters of `value` readline leaves alone, and `quote`, if one is open.

# Puts the words together that bash splits at "=", ":" and "@". `starts` says where each began.
_ffind_read_line() {
  local rest=${COMP_LINE:0:COMP_POINT} word gap i count=0
  words=() starts=()
  for ((i = 0; i <= COMP_CWORD; ++i)); do
    gap=${rest%%[![:blank:]]*}
    rest=${rest#"$gap"}
    word=${COMP_WORDS[i]}
    if ((i == COMP_CWORD)); then word=$rest; fi
    rest=${rest#"$word"}
    if [[ $i -gt 0 && -z $gap ]]; then
      words[count-1]+=$word
    else
      words[count]=$word
      starts[count]=$i
      ((++count))
    fi
  done
  current=${words[count-1]}
}

# Takes an open quote off `value`; without one, finds what readline keeps of it.
_ffind_read_value() {
  case $value in
    \'* | \"*)
      quote=${value:0:1}
      value=${value:1}
      return ;;
  esac
  value=${value//\\/}
  local last=${value##*[=:]}
  # It breaks words at "@", too, but takes that along.
  case $last in *@*) last=@${last##*@} ;; esac
  kept=$((${#value} - ${#last}))
}

# Offers those of its arguments that begin with `value`, as they are to be typed.
_ffind_offer() {
  local word
  for word; do
    if [[ $word != "$value"* ]]; then continue; fi
    word=${word:kept}
    if [[ ! $quote && $word == *[!A-Za-z0-9_./,:@%+={}-]* ]]; then printf -v word %q "$word"; fi
    COMPREPLY+=("$word")
  done
}

# The same for what goes on behind, such as a comma.
_ffind_offer_open() {
  _ffind_offer "$@"
  compopt -o nospace 2>/dev/null
}

# Offers the last of several values separated by commas.
_ffind_offer_list() {
  local before=""
  case $value in *,*) before=${value%,*}, ;; esac
  local word list=()
  for word; do list+=("$before$word"); done
  _ffind_offer_open ${list[@]+"${list[@]}"}
}

# Sets `amounts` to what completes the range $1: the units $2 behind a number, else the words $3.
_ffind_amounts() {
  local operator=${1%%[!<>=+-]*} word
  amounts=()
  case $1 in
    *..*) operator=${1%..*}.. ;;
  esac
  if [[ $1 == *[0-9] ]]; then
    for word in $2; do amounts+=("$1$word"); done
  else
    for word in $3; do amounts+=("$operator$word"); done
  fi
}

_ffind_sizes() {
  local amounts
  _ffind_amounts "$value" "$_ffind_units" "$_ffind_sizes"
  _ffind_offer ${amounts[@]+"${amounts[@]}"}
}

_ffind_times() {
  local amounts
  _ffind_amounts "$value" "$_ffind_time_units" "$_ffind_times"
  _ffind_offer ${amounts[@]+"${amounts[@]}"}
}

# Sets `list` to the values of the field $1 of an expression or a query, the beginning of one being $2.
_ffind_values_of() {
  local amounts=() file
  list=()
  case $1 in
    type) list=($_ffind_types) ;;
    target_type) list=($_ffind_types broken) ;;
    is) list=($_ffind_types true ${_ffind_where_words##* true}) ;;
    kind) list=($_ffind_kinds) ;;
    ext)
      for file in ?*.*; do
        if [[ -e $file ]]; then list+=("${file##*.}"); fi
      done ;;
    tag) list=(none Red Orange Yellow Green Blue Purple Gray) ;;
    size | allocated | private_size | stat_size)
      _ffind_amounts "$2" "$_ffind_units" "$_ffind_sizes" ;;
    modified | created | accessed | changed | added | last_opened)
      _ffind_amounts "$2" "$_ffind_time_units" "$_ffind_times" ;;
  esac
  list+=(${amounts[@]+"${amounts[@]}"})
}

# The field behind the last brace of a template, or how it is written.
_ffind_template() {
  local before=${value%"${value##*\{}"} field=${value##*\{} how word list=()
  if [[ $before != *\{ || $field == *\}* ]]; then return; fi
  if [[ $field != *:* ]]; then
    for word in $_ffind_fields; do list+=("$before$word}"); done
  else
    case ${field%%:*} in
      size | allocated | private_size) how="h H q j" ;;
      modified | changed | accessed | created | added | last_opened) how="%F %T rfc epoch q j" ;;
      mode) how="rwx q j" ;;
      depth | uid | gid | links | inode | device | tags | where_from | flags | acl) how="q j" ;;
      *) how="q j b64 uri" ;;
    esac
    for word in $how; do list+=("$before${field%%:*}:$word}"); done
  fi
  _ffind_offer_open "${list[@]}"
}

# The last word of an expression: a field, or a value of the field whose relation is before it.
_ffind_where() {
  local last=${value##*[ (,=<>]} word list
  local before=${value%"$last"}
  local values='(^|[ (])([a-z_]+) *(=|==|!=|<|<=|>|>=|is|is not|in|not in) *(\(([^)]*,)? *)?$'
  if [[ $before =~ $values ]]; then
    _ffind_values_of "${BASH_REMATCH[2]}" "$last"
  else
    list=(not $_ffind_where_words)
  fi
  for word in "${!list[@]}"; do list[word]=$before${list[word]}; done
  _ffind_offer_open ${list[@]+"${list[@]}"}
}

# The last term of a query: a field, or a value behind its colon.
_ffind_query() {
  local last=${value##* } word list
  local before=${value%"$last"} values='^([a-z_]+):([<>=~]*)(.*,)?(.*)$'
  case $last in [-!]*) before+=${last:0:1} last=${last:1} ;; esac
  if [[ $last =~ $values ]]; then
    before+=${BASH_REMATCH[1]}:${BASH_REMATCH[2]}${BASH_REMATCH[3]}
    _ffind_values_of "${BASH_REMATCH[1]}" "${BASH_REMATCH[4]}"
  else
    list=(is:)
    for word in ${_ffind_where_words%% true *}; do list+=("$word:"); done
  fi
  for word in "${!list[@]}"; do list[word]=$before${list[word]}; done
  _ffind_offer_open ${list[@]+"${list[@]}"}
}

_ffind_users() {
  _ffind_offer_list $(compgen -u)
}

_ffind_groups() {
  _ffind_offer_list $(compgen -g)
}

_ffind_directories() {
  compopt -o dirnames 2>/dev/null
}

# Names of saved searches, after $1.
_ffind_saved() {
  local file list=()
  for file in "${XDG_CONFIG_HOME:-$HOME/.config}"/ffind/searches/*; do
    if [[ -f $file ]]; then list+=("${1-}${file##*/}"); fi
  done
  _ffind_offer ${list[@]+"${list[@]}"}
}

# Mount points, and directories.
_ffind_volumes() {
  local line path list=()
  while IFS= read -r line; do
    case $line in *'"kind":"kernel"'*) continue ;; esac
    path=${line#*\"mount_point\":\"}
    path=${path%%\",\"*}
    path=${path//\\\"/\"}
    list+=("${path//\\\\/\\}")
  done < <(ffind --list-volumes --json 2>/dev/null)
  _ffind_offer ${list[@]+"${list[@]}"}
  compopt -o plusdirs 2>/dev/null
}

# Extensions of what lies here.
_ffind_extensions() {
  local list
  _ffind_values_of ext ""
  _ffind_offer_list ${list[@]+"${list[@]}"}
}

_ffind_files() {
  COMPREPLY=()
  compopt -o default 2>/dev/null
}

# The first operand: a FIELD, before the files, which readline adds by itself only where nothing else
# is offered.
_ffind_first() {
  case $current in
    "" | n | na | nam | name | p | pa | pat | path) ;;
    *) return ;;
  esac
  local file
  COMPREPLY=($(compgen -W "name path" -- "$current"))
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$current")
  compopt -o filenames 2>/dev/null
}

# The command of -x or -X, which begins with the word number $1.
_ffind_command() {
  local last=$((${#words[@]} - 1))
  case $current in
    \{*)
      value=$current
      _ffind_template
      _ffind_offer "{}" "{/}" "{//}" "{.}" "{/.}"
      return ;;
  esac
  if declare -F _comp_command_offset >/dev/null; then
    _comp_command_offset "${starts[$1]}"
  elif declare -F _command_offset >/dev/null; then
    _command_offset "${starts[$1]}"
  elif ((last == $1)) && [[ $current != */* ]]; then
    COMPREPLY=($(compgen -c -- "$current"))
  else
    _ffind_files
  fi
}

# What stands before `current`: sets `command`, the number of the first word of a command that has not
# ended, or 0, `previous`, the option whose value `current` is, and `operands`, how many there are.
_ffind_read_words() {
  local i word with_value=" ${_ffind_options_with_value//[[:space:]]/ } "
  for ((i = 1; i < ${#words[@]} - 1; ++i)); do
    word=${words[i]}
    if ((command)); then
      case $word in '\;' | "';'" | '";"') command=0 ;; esac
    elif [[ $previous ]]; then
      previous=""
    elif [[ $dashes || $word != -?* ]]; then
      ((++operands))
    elif [[ $word == -- ]]; then
      dashes=yes
    elif [[ $word == --help ]]; then
      previous=--help
      return
    elif [[ $word =~ ^-[$_ffind_flag_letters]*[$_ffind_command_letters]$ || $word == --exec || $word == --exec-batch || $word == --if ]]; then
      command=$((i + 1))
    elif [[ $word == --exec=* || $word == --exec-batch=* || $word == --if=* ]]; then
      command=$i
    elif [[ $with_value == *" $word "* ]]; then
      previous=$word
    elif [[ $word =~ ^-[$_ffind_flag_letters]+([$_ffind_value_letters])$ ]]; then
      previous=-${BASH_REMATCH[1]}
    fi
  done
}

_ffind_value_of() {
  case $1 in
    --query) _ffind_query ;;
    --where) _ffind_where ;;
    -t | --type) _ffind_offer_list $_ffind_types ;;
    --kind) _ffind_offer_list $_ffind_kinds ;;
    --ext) _ffind_extensions ;;
    -S | --size) _ffind_sizes ;;
    --modified) _ffind_times ;;
    --created) _ffind_times ;;
    --accessed) _ffind_times ;;
    --changed) _ffind_times ;;
    --added) _ffind_times ;;
    --newer-than) _ffind_files ;;
    --older-than) _ffind_files ;;
    --owner) _ffind_users ;;
    --group) _ffind_groups ;;
    --perm) _ffind_offer 644 755 600 700 u+x go-w /o+w -111 ;;
    --samefile) _ffind_files ;;
    --tag) _ffind_offer_list none Red Orange Yellow Green Blue Purple Gray ;;
    --xattr) _ffind_offer $_ffind_attributes ;;
    --in) _ffind_directories ;;
    --files0-from) _ffind_files ;;
    --from) _ffind_files ;;
    --from0) _ffind_files ;;
    -C | --base-directory) _ffind_directories ;;
    --prune) _ffind_directories ;;
    -E | --exclude) _ffind_directories ;;
    --prune-where) _ffind_where ;;
    --exclude-where) _ffind_where ;;
    --ignore-files) _ffind_offer_list .ignore .fdignore .rgignore .gitignore ;;
    --exclude-from) _ffind_files ;;
    --volume) _ffind_volumes ;;
    --json) _ffind_offer_list lines full $_ffind_fields ;;
    --csv) _ffind_offer_list full $_ffind_fields ;;
    --tsv) _ffind_offer_list full $_ffind_fields ;;
    --format) _ffind_template ;;
    --count) _ffind_offer_list age year month day tag dir:1 dir:2 modified:%Y $_ffind_fields ;;
    --usage) _ffind_offer dirs files 1 2 3 ;;
    --human) _ffind_offer always auto never ;;
    --sort) _ffind_offer_list $_ffind_sort_keys ;;
    --color) _ffind_offer auto always never ;;
    --hyperlink) _ffind_offer auto always never ;;
    --method) _ffind_offer auto walk catalog ;;
    --reader) _ffind_offer auto getdents readdir fts bulk ;;
    --save) _ffind_saved ;;
    --forget) _ffind_saved ;;
    --as) _ffind_offer find fd ;;
    --completions) _ffind_offer bash zsh fish ;;
    --help) _ffind_offer $_ffind_options $_ffind_where_words $_ffind_fields status examples ;;
  esac
}

_ffind() {
  local words starts current value quote="" kept=0 command=0 previous="" operands=0 dashes=""
  COMPREPLY=()
  _ffind_read_line
  _ffind_read_words
  value=$current
  if ((command)); then
    _ffind_command "$command"
  elif [[ $previous ]]; then
    _ffind_read_value
    _ffind_value_of "$previous"
  elif [[ ! $dashes && $current == --*=* ]]; then
    value=${current#*=}
    _ffind_read_value
    _ffind_value_of "${current%%=*}"
  elif [[ ! $dashes && $current == -* ]]; then
    _ffind_offer $_ffind_options
    case $current in --no-*) _ffind_offer $(printf -- '--no-%s ' $_ffind_switches) ;; esac
  elif [[ ! $dashes && $operands -eq 0 && $current == @* ]]; then
    _ffind_read_value
    _ffind_saved @
    if ((${#COMPREPLY[@]} == 0)); then _ffind_files; fi
  else
    _ffind_files
    if [[ ! $dashes && $operands -eq 0 ]]; then _ffind_first; fi
  fi
}

complete -F _ffind ffind
