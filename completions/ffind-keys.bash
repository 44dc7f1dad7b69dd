# SPDX-License-Identifier: MIT
# Keys for bash, sourced by ~/.bashrc: Ctrl-T puts picked paths on the command line, in place of the word
# before the cursor, or what follows NAME= in it, which the list begins with; Alt-C changes to a picked
# directory. FFIND_CTRL_T_OPTS and FFIND_ALT_C_OPTS have options of the one and the other, as
# FFIND_PICK_OPTS has those of both.
#
# In bash 3.2 a key's command sees nothing of the line, so what was picked is typed by readline itself:
# each key is a macro of a command that binds what comes next, and of what comes next. Readline draws
# the line again after each character of a macro, which takes 40 s for 1,500 paths, so from bash 4.4 on,
# which counts READLINE_POINT in characters, the line is edited in its variables.

[[ $- == *i* ]] || return 0

__ffind_keys_pick() { # OPTIONS WORD...
    local options=$1
    shift
    # Bash exports the line, and no command takes a variable of 128 KiB.
    export -n READLINE_LINE
    FFIND_PICK_OPTS="${FFIND_PICK_OPTS-} $options" command ffind --pick -0 "$@"
}

__ffind_keys_next() { # BINDING
    local keymap
    for keymap in emacs-standard vi-insert vi-command; do bind -m $keymap "\"\\C-x\\C-]n\": $1"; done
}

# Reads a line up to the cursor. Prints its last word as typed and as the shell reads it, after a \001
# each; nothing if there is none, or if reading it would expand something.
__ffind_keys_word() {
    LC_ALL=C awk '
        { line = line separator $0; separator = "\n" }
        END {
            size = length(line)
            for (i = 1; i <= size; i++) {
                c = substr(line, i, 1)
                if (c == "\001" || c == "`" || c == "$" || c == "!") odd = 1
                if (quote != "" && c == quote) { quote = ""; continue }
                if (quote == "" && (c == "\042" || c == "\047")) {
                    quote = c
                    if (word == "" && c2 == "") quoted = 1
                    continue
                }
                if (c == "\\" && quote != "\047") {
                    next_c = substr(line, i + 1, 1)
                    if (quote == "" || index("\\\042$`", next_c)) { c = next_c; i++; if (word == "") quoted = 1 }
                    if (c == "\n" || c == "") odd = 1
                } else if (quote == "" && index(" \t\n&;|()<>", c)) {
                    word = ""; begin = i; odd = quoted = 0
                    continue
                } else if (quote == "" && index("*?[{", c)) odd = 1
                word = word c
            }
            if (odd || begin == size) exit
            if (substr(line, begin + 1, 1) == "~" && word != "~" && word !~ /^~\//) exit
            if (substr(line, begin + 1, 1) == "~" && !quoted) word = ENVIRON["HOME"] substr(word, 2)
            printf "\001%s\001%s", substr(line, begin + 1), word
        }'
}

__ffind_keys_paths() {
    local text path word='' plain='' prefix='' query
    if [[ ${BASH_VERSINFO[0]}${BASH_VERSINFO[1]} -ge 44 ]]; then
        prefix=${READLINE_LINE:0:READLINE_POINT}
        word=$(printf %s "$prefix" | __ffind_keys_word && printf .)
        word=${word%.}
        plain=${word##*$'\001'} word=${word#$'\001'}
        word=${word%%$'\001'*}
        if [[ $word =~ ^[-+._[:alnum:]]+= && ! -d ${plain%%/*}/ ]]; then
            word=${word#*=} plain=${plain#*=}
            case $word in
            '~/'*) plain=$HOME${plain#'~'} ;;
            '~'*) plain='' word='' ;;
            esac
        fi
        [[ $plain != -* ]] || plain='' word=''
    fi
    # The longest directory that it begins with is searched for the rest.
    local directory=$plain
    while [[ $directory == */* && ! -d ${directory%/*}/ ]]; do directory=${directory%/*}; done
    [[ $directory == */* ]] && directory=${directory%/*}/ || directory=''
    query=${plain#"$directory"}
    text=$(__ffind_keys_pick "${FFIND_CTRL_T_OPTS-}" ${query:+"--pick=$query"} ${directory:+--in "$directory"} |
        while IFS= read -r -d '' path; do printf '%q ' "$path"; done) || :
    if [[ ${BASH_VERSINFO[0]}${BASH_VERSINFO[1]} -ge 44 ]]; then
        [[ -n $text ]] || word=''
        READLINE_LINE=${prefix%"$word"}$text${READLINE_LINE:READLINE_POINT}
        ((READLINE_POINT += ${#text} - ${#word})) || :
        __ffind_keys_next '""'
    else
        __ffind_keys_next "\"$(printf %s "$text" | LC_ALL=C sed 's/[\\"]/\\&/g')\""
    fi
}

__ffind_keys_directory() {
    local directory
    directory=$(__ffind_keys_pick "${FFIND_ALT_C_OPTS-}" -t d | {
        IFS= read -r -d '' directory && printf %s/ "$directory"
    }) || :
    __ffind_keys_next '""'
    [[ -n $directory ]] && CDPATH='' builtin cd -- "$directory" || return 0
    # An empty line is entered for a new prompt. Without READLINE_LINE it has to wait.
    [[ ${BASH_VERSINFO[0]} -ge 4 ]] || return 0
    __ffind_keys_line=$READLINE_LINE __ffind_keys_point=$READLINE_POINT
    READLINE_LINE='' READLINE_POINT=0
    __ffind_keys_next '"\C-x\C-]e\C-x\C-]r"'
}

__ffind_keys_restore() {
    READLINE_LINE=$__ffind_keys_line READLINE_POINT=$__ffind_keys_point
}

__ffind_keys_bind() {
    local keymap
    for keymap in emacs-standard vi-insert vi-command; do
        bind -m $keymap -x '"\C-x\C-]t": __ffind_keys_paths'
        bind -m $keymap -x '"\C-x\C-]c": __ffind_keys_directory'
        bind -m $keymap -x '"\C-x\C-]r": __ffind_keys_restore'
        bind -m $keymap '"\C-x\C-]e": accept-line'
        bind -m $keymap '"\C-t": "\C-x\C-]t\C-x\C-]n"'
        bind -m $keymap '"\ec": "\C-x\C-]c\C-x\C-]n"'
    done
    # The word ends with the character under the cursor.
    bind -m vi-command '"\C-t": "a\C-x\C-]t\C-x\C-]n"'
}
__ffind_keys_bind
unset -f __ffind_keys_bind
