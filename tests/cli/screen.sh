# SPDX-License-Identifier: MIT
# Words for cases that type and look at a terminal: a tmux server of the case's own, which ends
# with [run]. Read by prelude.sh; the cases say `needs: tmux`. Nothing here waits for
# time to pass, only for what the screen shows.

SCREEN=$HOME/../screen  # the server's socket; beside it the command, and how it ended
PATIENCE=25             # seconds

# The server's path is relative: below macOS's TMPDIR the whole path is longer than a socket's may be (104 bytes).
in_tmux() { (cd "$HOME/.." && exec tmux -u -f screen.conf -S screen "$@" 2>screen.errors); }

# wait_until WHAT COMMAND -- until COMMAND succeeds; else ends the case with WHAT and the screen.
wait_until() {
    local what=$1 end=$((SECONDS + PATIENCE))
    shift
    until "$@"; do
        if [ $SECONDS -ge $end ]; then
            { echo "waited in vain for $what; the screen:"; picture; } >&2
            exit 1
        fi
        sleep 0.02
    done
}

# on_screen COMMAND [COLUMNS [LINES [TERM]]] -- runs a shell command in a terminal, 60 by 12 if not said;
# it knows the words of prelude.sh.
on_screen() {
    if [ -S "$SCREEN" ]; then in_tmux kill-session; fi
    rm -f "$SCREEN.status"
    printf 'set -g %s\n' 'exit-empty off' 'escape-time 0' 'set-clipboard on' 'status off' \
        'default-terminal xterm-256color' >"$SCREEN.conf"
    # The history is outside of HOME, which many cases search.
    printf '. "$PRELUDE"\nexport TERM=%s XDG_STATE_HOME=%q\n%s\n' "${4-xterm-256color}" "$HOME/../state" "$1" >"$SCREEN.sh"
    in_tmux new-session -d -x "${2-60}" -y "${3-12}" -c "$PWD" -- \
        bash -c 'bash "$0.sh"; echo "status $?" >"$0.ended"; mv "$0.ended" "$0.status"
            exec cat >/dev/null' "$SCREEN"
    trap 'in_tmux kill-server' EXIT
}

# in_shell NAME [COMMAND [COLUMNS]] -- on_screen bash, zsh or fish with the keys in completions/ffind-keys.*, and
# that command of its own first; the prompt is the directory's name and "$".
in_shell() {
    local columns=${3-120} start="source '$COMPLETIONS/ffind-keys.$1'"
    case $1 in
    bash) printf '%s\n' "${2-}" "PS1='\\W\$ '" "$start" >../bashrc && set -- bash --rcfile ../bashrc ;;
    zsh) printf '%s\n' "${2-}" "PS1='%1d\$ '" "$start" >../.zshrc && set -- ZDOTDIR=.. zsh -d ;;
    fish)
        mkdir -p ../fish
        printf '%s\n' "${2-}" "set -g fish_greeting" "function fish_prompt; echo (basename \$PWD)'\$ '; end" \
            "$start" >../fish/config.fish
        set -- XDG_CONFIG_HOME=.. XDG_DATA_HOME=.. fish
        ;;
    esac
    on_screen "HISTFILE= $* -i" "$columns"
    shows '$'
}

# The screen without the blanks at the ends of its rows; -e: with colours.
picture() { in_tmux capture-pane -p "$@" | sed 's/ *$//'; }

# The colours that it has, by their numbers in SGR sequences, each once.
colours_of_screen() { picture -e | tool colours; }

has_all() {
    local text shown
    shown=$(picture)
    for text; do
        case $shown in *"$text"*) ;; *) return 1 ;; esac
    done
}
has_none() { ! has_all "$@"; }
# Without the keys that stand beside the counts.
without_keys() { picture | sed 's/ *Enter print  Esc leave  Tab mark  F1 or ? keys$//'; }
has_row() { [ "$(without_keys | sed -n "$1p")" = "$2" ]; }
is_picture() { [ "$(without_keys)" = "$1" ]; }

# What is waited for. shows: these texts, all at once. hides: not this text. counts: in the line below
# the prompt nothing but this, `2 of 3` when the search is over. looks_like: all of it, from standard input.
shows() { wait_until "$*" has_all "$@"; }
hides() { wait_until "no $1" has_none "$1"; }
counts() { wait_until "$1" has_row 2 "  $1"; }
looks_like() {
    local wanted
    wanted=$(cat)
    wait_until "
$wanted
" is_picture "$wanted"
}

# types TEXT; presses Enter C-a F1 (names of tmux); pastes TEXT.
types() { in_tmux send-keys -l -- "$1"; }
presses() { in_tmux send-keys "$@"; }
pastes() {
    in_tmux set-buffer -b pasted -- "$1"
    in_tmux paste-buffer -p -b pasted
}
# clicks COLUMN ROW [BUTTON] -- pressed and released, counted from 1; button 64 is the wheel up, 65 down.
clicks() { types $'\e'"[<${3-0};$1;$2M"$'\e'"[<${3-0};$1;$2m"; }

# opens_by KEY TEXT -- presses it until the prompt that it opens shows TEXT: a program that flushes its input
# (ranger, for every change of the terminal's size) loses keys. One that came too often is taken from the prompt.
opens_by() {
    wait_until "$2 by $1" opens_now "$1" "$2"
    presses C-u
}
opens_now() {
    local end=$((SECONDS + 2))
    presses "$1"
    until has_all "$2"; do
        [ $SECONDS -le $end ] || return 1
        sleep 0.02
    done
}

# ends_by TEXT -- types it until the command has ended: curses drops what is typed while it takes the terminal back.
ends_by() {
    wait_until "its end by $1" ends_now "$1"
    ended
}
ends_now() { types "$1" && sleep 0.1 && test -e "$SCREEN.status"; }

# ended -- waits for the end of the command and prints `status N`; the screen stays as it was left.
ended() {
    wait_until "its end" test -e "$SCREEN.status"
    cat "$SCREEN.status"
}
