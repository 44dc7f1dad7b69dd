# SPDX-License-Identifier: MIT
# Keys for fish, sourced by ~/.config/fish/config.fish: Ctrl-T puts picked paths on the command line, in
# place of the word before the cursor, or what follows NAME= in it, which the list begins with; Alt-C
# changes to a picked directory. FFIND_CTRL_T_OPTS and FFIND_ALT_C_OPTS have options of the one and the
# other, as FFIND_PICK_OPTS has those of both.
# What Option-C types on a Mac, if it is not to be Alt:  bind ç __ffind_keys_directory

if status is-interactive
    function __ffind_keys_pick
        set -lx FFIND_PICK_OPTS "$FFIND_PICK_OPTS $argv[1]"
        command ffind --pick -0 $argv[2..] | string split0
    end

    # Prints a word as the shell reads it; fails if reading it would expand something.
    function __ffind_keys_read
        string match -qr '[$()]|^-|^~[^/]' -- $argv[1]; and return 1
        # Only what is in no quotes is expanded.
        string replace -ar '\\\\.|"[^"]*"?|\'[^\']*\'?' '' -- $argv[1] | string match -qr '[*?{]'; and return 1
        set -l home
        string match -qr '^~' -- $argv[1]; and set home $HOME
        set -l word (string replace -r '^~' '' -- $argv[1] | string collect)
        for open in '' \' \"
            set -l plain (string unescape -- "$word$open" | string collect -a); or continue
            string match -q -- '-*' "$home$plain"; and return 1
            printf %s "$home$plain"
            return 0
        end
        return 1
    end

    function __ffind_keys_paths
        # In vi's command mode the word ends with the character under the cursor.
        if contains -- "$fish_key_bindings" fish_vi_key_bindings fish_hybrid_key_bindings; and test "$fish_bind_mode" = default
            commandline -C (math (commandline -C) + 1)
            set fish_bind_mode insert
        end
        set -l word (commandline -ct | string collect)
        set -l name (string match -r '^[-+.\w]+=' -- "$word")
        test -d (string replace -r '/.*' '' -- "$word")/; and set name ''
        set word (string sub -s (math (string length -- "$name") + 1) -- "$word" | string collect)
        set -l plain (__ffind_keys_read "$word" | string collect)
        test -n "$plain"; or set word ''
        # The longest directory that it begins with is searched for the rest.
        set -l directory "$plain"
        while string match -q -- '*/*' $directory; and not test -d (string replace -r '[^/]*$' '' -- $directory)
            set directory (string replace -r '/[^/]*$' '' -- $directory)
        end
        set directory (string match -r '^(?s:.*)/' -- $directory)
        set -l query (string sub -s (math (string length -- "$directory") + 1) -- "$plain")
        set -l more
        test -n "$query"; and set -a more --pick="$query"
        test -n "$directory"; and set -a more --in "$directory"
        set -l paths (__ffind_keys_pick "$FFIND_CTRL_T_OPTS" $more)
        if set -q paths[1]
            # At once: each insertion copies the line.
            set -l text (string join ' ' -- (string escape -- $paths))' '
            if test -n "$word"
                set -l rest (string sub -s (math (string length -- "$name$word") + 1) -- (commandline -t))
                set -l place (math (commandline -C) - (string length -- $word) + (string length -- $text))
                commandline -t -- "$name"$text$rest
                commandline -C $place
            else
                commandline -i -- $text
            end
        end
        commandline -f repaint
    end

    function __ffind_keys_directory
        set -l paths (__ffind_keys_pick "$FFIND_ALT_C_OPTS" -t d)
        if set -q paths[1]
            set -lx CDPATH
            cd -- $paths[1]
        end
        commandline -f repaint
    end

    for mode in default insert
        bind -M $mode \ct __ffind_keys_paths
        bind -M $mode \ec __ffind_keys_directory
    end
end
