# SPDX-License-Identifier: MIT
# Completion of ffind for bash. Values of options are completed where there are few of them.

_ffind_list() {
  # Completes the last of several values separated by commas.
  local done_part=""
  case $2 in *,*) done_part=${2%,*}, ;; esac
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$done_part$word")
  done < <(compgen -W "$1" -- "${2##*,}")
}

_ffind() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  # bash splits --option=value at the "=".
  if [[ $current == = ]]; then current=""; fi
  if [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi
  COMPREPLY=()
  case $previous in
    -t|--type)
      _ffind_list "file directory symlink socket fifo block char" "$current"
      compopt -o nospace 2>/dev/null
      return ;;
    --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
    --method) COMPREPLY=($(compgen -W "auto walk catalog" -- "$current")); return ;;
    --reader)
      COMPREPLY=($(compgen -W "auto getdents readdir fts bulk" -- "$current")); return ;;
    -S|--size) COMPREPLY=($(compgen -W "1k 10k 100k 1M 10M 100M 1G" -- "$current")); return ;;
    --kind)
      _ffind_list "folder text code data document spreadsheet presentation ebook image audio video font model archive disk-image app binary database" "$current"
      compopt -o nospace 2>/dev/null
      return ;;
    --tag)
      COMPREPLY=($(compgen -W "none Red Orange Yellow Green Blue Purple Gray" -- "$current"))
      return ;;
    --owner) COMPREPLY=($(compgen -u -- "$current")); return ;;
    --group) COMPREPLY=($(compgen -g -- "$current")); return ;;
    --modified|--created|--accessed|--changed|--added)
      COMPREPLY=($(compgen -W "today yesterday 1h 1d 7d 1w 1mo 1y" -- "$current")); return ;;
    --in|--volume) compopt -o dirnames 2>/dev/null; return ;;
    --files0-from|--newer-than|--older-than|--samefile) compopt -o default 2>/dev/null; return ;;
    -e|--regex|-g|--glob|--exact|--starts|--ends|--ext|--depth|-d|--max-depth|--min-depth|\
    --where|--perm|--links|--inode|--comment|--where-from|--xattr|--contains|--contains-regex|\
    --prune|-E|--exclude|-n|--limit|-j|--threads) return ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "-e --regex -g --glob --exact --starts --ends -i --ignore-case -s
      --case-sensitive --ignore-diacritics --where -t --type --kind --ext -S --size --modified
      --created --accessed --changed --added --newer-than --older-than --depth --empty
      --only-hidden --owner --group --perm --executable --locked --links --inode --samefile --tag
      --comment --where-from --xattr --contains --contains-regex --binary --in
      --files0-from -d --max-depth --min-depth --prune -E --exclude --no-hidden --no-packages
      --gitignore
      -L --follow --unique --cross-volumes --volume --all-volumes --network
      -H --hidden -I --no-ignore -u --unrestricted -0 --null --json -a --absolute -n --limit -1 -q --quiet --color --stats --no-messages
      -j --threads --method --reader --explain --volumes -h --help -V --version" -- "$current"))
    return
  fi
  if ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W "name path" -- "$current")); fi
  compopt -o default 2>/dev/null
}

complete -F _ffind ffind
