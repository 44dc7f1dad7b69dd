# SPDX-License-Identifier: MIT
# Keys for zsh, sourced by ~/.zshrc: Ctrl-T puts picked paths on the command line, in place of the word
# before the cursor, or what follows NAME= in it, which the list begins with; Alt-C changes to a picked
# directory. FFIND_CTRL_T_OPTS and FFIND_ALT_C_OPTS have options of the one and the other, as
# FFIND_PICK_OPTS has those of both.
# What Option-C types on a Mac, if it is not to be Alt:  bindkey ç __ffind_keys_directory

[[ -o interactive ]] || return 0

# Leaves what was picked in the array reply.
__ffind_keys_pick() { # OPTIONS WORD...
  emulate -L zsh
  local options=$1
  shift
  reply=("${(@0)$(FFIND_PICK_OPTS="${FFIND_PICK_OPTS-} $options" command ffind --pick -0 "$@" </dev/tty; print -n .)}")
  reply[-1]=()
}

# Leaves the word before the cursor in word as typed, and in plain as the shell reads it; both empty
# if there is none, or if reading it would expand something.
__ffind_keys_word() {
  emulate -L zsh
  setopt extendedglob
  local -a words
  word= plain=
  words=("${(@z)LBUFFER}")
  local last=${words[-1]-}
  [[ -n $last && $LBUFFER == *"$last" && $last != *[\$\`\!]* && $last != [\;\&\|\(\)\<\>]* ]] || return 0
  # Only what is in no quotes is expanded.
  [[ ${last//(\\?|\"[^\"]#(\"|)|\'[^\']#(\'|))/} != *[*?[\{]* ]] || return 0
  local open read=${(Q)last}
  if [[ $last == *[\'\"]* && $read == $last ]]; then
    for open in \" \'; do
      read=${(Q)${:-$last$open}}
      [[ $read != $last$open ]] && break
      read=
    done
  fi
  [[ $last == [-+._[:alnum:]]##=* && ! -d ${read%%/*}/ ]] && last=${last#*=} read=${read#*=}
  case $last in
    (\~|\~/*) read=$HOME${read#\~} ;;
    (\~*) return 0 ;;
  esac
  [[ -n $read && $read != -* ]] || return 0
  word=$last plain=$read
}

# The prompt, cd and the hooks go by the options of the user.
__ffind_keys_paths() {
  # In vi's command mode the word ends with the character under the cursor.
  [[ $KEYMAP != vicmd ]] || zle vi-add-next
  __ffind_keys_insert
  zle reset-prompt
}

__ffind_keys_insert() {
  emulate -L zsh
  local -a reply
  local word plain directory
  __ffind_keys_word
  # The longest directory that it begins with is searched for the rest.
  directory=$plain
  while [[ $directory == */* && ! -d ${directory%/*}/ ]]; do directory=${directory%/*}; done
  [[ $directory == */* ]] && directory=${directory%/*}/ || directory=
  plain=${plain#"$directory"}
  __ffind_keys_pick "${FFIND_CTRL_T_OPTS-}" ${plain:+"--pick=$plain"} ${directory:+--in} ${directory:+"$directory"}
  (( $#reply )) && LBUFFER="${LBUFFER%"$word"}${(j: :)${(@q)reply}} "
}

__ffind_keys_directory() {
  local -a reply
  local hook
  __ffind_keys_pick "${FFIND_ALT_C_OPTS-}" -t d
  # An offset counts from 0, whether or not KSH_ARRAYS is set.
  if [[ -n ${reply[*]} ]] && CDPATH= builtin cd -- "${reply[@]:0:1}"; then
    # As before each prompt.
    for hook in precmd "${precmd_functions[@]}"; do
      (( ${+functions[$hook]} )) && $hook
    done
  fi
  zle reset-prompt
}

zle -N __ffind_keys_paths
zle -N __ffind_keys_directory
() {
  local keymap
  for keymap in emacs viins vicmd; do
    bindkey -M $keymap '^T' __ffind_keys_paths
    bindkey -M $keymap '^[c' __ffind_keys_directory
  done
}
