# SPDX-License-Identifier: MIT
# Keys for zsh, sourced by ~/.zshrc: Ctrl-T puts picked paths on the command line, Alt-C changes to a
# picked directory; what was typed stays. FFIND_CTRL_T_OPTS and FFIND_ALT_C_OPTS have options of the
# one and the other, as FFIND_PICK_OPTS has those of both.

[[ -o interactive ]] || return 0

# Leaves what was picked in the array reply.
__ffind_keys_pick() { # OPTIONS WORD...
  emulate -L zsh
  local options=$1
  shift
  reply=("${(@0)$(FFIND_PICK_OPTS="${FFIND_PICK_OPTS-} $options" command ffind --pick -0 "$@" </dev/tty; print -n .)}")
  reply[-1]=()
}

__ffind_keys_paths() {
  local -a reply
  __ffind_keys_pick "${FFIND_CTRL_T_OPTS-}"
  (( $#reply )) && LBUFFER+="${(j: :)${(@q)reply}} "
  zle reset-prompt
}

__ffind_keys_directory() {
  local -a reply
  local hook
  __ffind_keys_pick "${FFIND_ALT_C_OPTS-}" -t d
  if (( $#reply )) && CDPATH= builtin cd -- "${reply[1]}"; then
    # As before each prompt.
    for hook in precmd "${(@)precmd_functions}"; do
      (( $+functions[$hook] )) && $hook
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
