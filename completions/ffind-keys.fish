# SPDX-License-Identifier: MIT
# Keys for fish, sourced by ~/.config/fish/config.fish: Ctrl-T puts picked paths on the command line,
# Alt-C changes to a picked directory; what was typed stays. FFIND_CTRL_T_OPTS and FFIND_ALT_C_OPTS
# have options of the one and the other, as FFIND_PICK_OPTS has those of both.

if status is-interactive
    function __ffind_keys_pick
        set -lx FFIND_PICK_OPTS "$FFIND_PICK_OPTS $argv[1]"
        command ffind --pick -0 $argv[2..] | string split0
    end

    function __ffind_keys_paths
        set -l paths (__ffind_keys_pick "$FFIND_CTRL_T_OPTS")
        # At once: each insertion copies the line.
        set -q paths[1]; and commandline -i -- (string join ' ' -- (string escape -- $paths))' '
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
