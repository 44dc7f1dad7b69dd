# SPDX-License-Identifier: MIT
# Completion of ffind for fish. A unit test holds the words to the program's tables; tests/completions
# run it.

set -g __ffind_with_value -F --text -e --regex -g --glob --exact --starts --ends --query --where -t --type --kind --ext \
    -S --size --modified --created --accessed --changed --added --newer-than --older-than --depth \
    --owner --group --perm --links --inode --samefile --tag --comment --where-from --xattr --contains \
    --contains-regex --in --files0-from -C --base-directory -d --max-depth --min-depth --prune -E --exclude \
    --prune-where --exclude-where --ignore-files --exclude-from --volume \
    --fields --format --sort -n --limit --color --pick-order --pick-query --height --preview --batch-size -j --threads --method --reader --save --forget --completions
set -g __ffind_types file directory symlink socket fifo block char
set -g __ffind_kinds folder text code data document spreadsheet presentation ebook image audio video \
    font model archive disk-image app binary database
set -g __ffind_fields path name type depth stem ext dir relative absolute root volume kind size \
    allocated mode uid gid owner group links inode device modified changed accessed created added \
    target tags comment where_from last_opened type_code creator resource_size total_size flags acl alias_target
set -g __ffind_sort_keys path name type depth stem ext dir relative absolute root volume kind size \
    allocated mode uid gid owner group links inode device modified changed accessed created added \
    target comment last_opened type_code creator resource_size total_size alias_target
set -g __ffind_where_words name path absolute_path ext type kind size allocated stat_size resource_size total_size modified \
    created accessed changed added last_opened newer_than older_than depth owner group uid gid perm \
    flags links inode same_file target target_type alias_target fstype has tag comment where_from \
    type_code creator xattr contents true false hidden empty executable locked dataless acl broken is_link loop \
    readable writable runnable untagged alias stationery invisible custom_icon hidden_extension \
    orphaned_owner orphaned_group
set -g __ffind_switches full-path ignore-case case-sensitive ignore-diacritics binary gitignore follow unique \
    cross-volumes one-file-system all-volumes network download hidden unrestricted null json long \
    tree count usage apparent human absolute mark quiet hyperlink stats progress json-errors pick exec-in-dir delete trash \
    dry-run confirm yes explain
set -g __ffind_attributes user.xdg.tags user.xdg.comment user.xdg.origin.url com.apple.quarantine \
    com.apple.FinderInfo com.apple.ResourceFork com.apple.metadata:kMDItemWhereFroms

# What is typed of a value, without an option and "=" before it, nor an open quote.
function __ffind_value
    string replace -r -- '^--[a-z0-9-]+=' '' (commandline -ct) | string replace -r -- '^[\'"]' ''
end

# Words for a value. Those without a description get an empty one: fish would repeat the option's
# behind each.
function __ffind_words
    string replace -r -- '^[^\t]*$' '$0'\t $argv
end

# The last of several values separated by commas.
function __ffind_list
    __ffind_words (string replace -r -- '[^,]*$' '' (__ffind_value))$argv
end

# A value that stands behind "=" only.
function __ffind_joined
    if string match -q -- '--*=*' (commandline -ct)
        __ffind_words $argv
    end
end

# Units behind a number, else words, behind whatever sign or other end of a range.
function __ffind_amount --argument-names units
    __ffind_words (__ffind_amounts (__ffind_value) $argv)
end
function __ffind_amounts --argument-names value units
    if string match -qr -- '[0-9]$' $value
        string join \n -- $value(string split ' ' -- $units)
    else
        set -l before (string replace -r -- '^(.*\.\.|[<>=+-]*).*$' '$1' $value)
        string join \n -- $before$argv[3..]
    end
end
function __ffind_sizes
    __ffind_amount 'k M G T Ki Mi Gi Ti' 1k 10k 100k 1M 10M 100M 1G 10G
end
function __ffind_times
    __ffind_amount 's min h d w mo y' today yesterday monday 1h 1d 7d 1w 1mo 1y
end

# The field behind the last brace of a template, or how it is written.
function __ffind_template
    set -l value (__ffind_value)
    set -l before (string match -r -- '^.*\{' $value); or return
    set -l field (string sub -s (math 1 + (string length -- $before)) -- $value)
    if not string match -q -- '*:*' $field
        __ffind_words $before$__ffind_fields'}'
        return
    end
    set field (string replace -r -- ':.*' '' $field)
    set -l how q j b64 uri
    switch $field
        case size allocated resource_size total_size
            set how h H q j
        case modified changed accessed created added last_opened
            set how %F %T rfc epoch q j
        case mode
            set how rwx q j
        case depth uid gid links inode device tags where_from flags acl
            set how q j
    end
    __ffind_words $before$field:$how'}'
end

# Values of a field of an expression or a query, of which the second argument is the beginning.
function __ffind_values --argument-names field value
    switch "$field"
        case type
            string join \n -- $__ffind_types
        case target_type
            string join \n -- $__ffind_types broken
        case is
            string join \n -- $__ffind_types $__ffind_where_words[(contains -i true $__ffind_where_words)..]
        case kind
            string join \n -- $__ffind_kinds
        case ext
            set -l found *.*
            string replace -r -- '.*\.' '' $found | sort -u
        case tag
            string join \n -- none Red Orange Yellow Green Blue Purple Gray
        case size allocated stat_size resource_size total_size
            __ffind_amounts "$value" 'k M G T Ki Mi Gi Ti' 1k 10k 100k 1M 10M 100M 1G 10G
        case modified created accessed changed added last_opened
            __ffind_amounts "$value" 's min h d w mo y' today yesterday monday 1h 1d 7d 1w 1mo 1y
    end
end

# The last word of an expression: a field, or a value of the field whose relation is before it.
function __ffind_where
    set -l value (__ffind_value)
    set -l before (string replace -r -- '[^ (,=<>]*$' '' $value)
    set -l last (string match -r -- '[^ (,=<>]*$' $value)
    set -l relation '(^|[ (])([a-z_]+) *(=|==|!=|<|<=|>|>=|is|is not|in|not in) *(\(([^)]*,)? *)?$'
    set -l field (string match -r -- $relation $before)[3]
    if test -n "$field"
        __ffind_words $before(__ffind_values $field "$last")
    else
        __ffind_words $before(string join \n -- not $__ffind_where_words)
    end
end

# The last term of a query: a field, or a value behind its colon.
function __ffind_query
    set -l value (__ffind_value)
    set -l before (string match -r -- '^(?:.* )?[-!]?' $value)
    set -l term (string replace -r -- '^(?:.* )?[-!]?' '' $value)
    set -l relation '^[a-z_]+:[<>=~]*(?:.*,)?'
    if string match -qr -- $relation $term
        set -l field (string replace -r -- ':.*' '' $term)
        set -l last (string replace -r -- $relation '' $term)
        __ffind_words $before(string match -r -- $relation $term)(__ffind_values $field "$last")
    else
        set -l fields $__ffind_where_words[..(math (contains -i true $__ffind_where_words) - 1)]
        __ffind_words $before$fields: "$before"is:
    end
end

# Extensions of what lies here.
function __ffind_extensions
    __ffind_list (__ffind_values ext '')
end

# Mount points with their file systems, but for what the kernel makes up.
function __ffind_volumes
    set -l tab \t
    ffind --list-volumes --json 2>/dev/null | string match -v -- '*"kind":"kernel"*' |
        string replace -r -- '^.*?"mount_point":"(.*?)","file_system":"(.*?)".*$' "\$1$tab\$2" |
        string replace -ar -- '\\\\(["\\\\])' '$1'
end

# Names of saved searches, behind its argument.
function __ffind_saved
    set -l folder ~/.config
    if test -n "$XDG_CONFIG_HOME"
        set folder $XDG_CONFIG_HOME
    end
    set -l found $folder/ffind/searches/*
    if set -q found[1]
        __ffind_words $argv[1](string replace -r -- '.*/' '' $found)
    end
end

# What the words before the cursor lead up to: "first" operand or FIELD, another "operand", a
# word for --help ("help"), or a "command" of -x or -X, whose words follow.
function __ffind_state
    set -l words (commandline -opc)
    set -e words[1]
    set -l state first
    set -l command
    set -l is_value no
    for word in $words
        if test $state = help
            break
        else if test $state = command
            set -a command (string escape -- $word)
            if test "$word" = ';'
                set state operand
            end
        else if test $is_value = yes
            set is_value no
        else if test "$word" = --help
            set state help
        else if string match -qr -- '^(-[isLHIu0la1qk]*[xX]|--exec|--exec-batch|--if)$' $word
            set state command
            set command
        else if string match -qr -- '^--(exec(-batch)?|if)=' $word
            set state command
            set command (string replace -r -- '^.*?=' '' $word)
        else if contains -- $word $__ffind_with_value
            or string match -qr -- '^-[isLHIu0la1qk]+[egtSdEnj]$' $word
            set is_value yes
        else if not string match -q -- '-?*' $word
            or test "$word" = --
            set state operand
        end
    end
    echo $state
    if test $state = command
        string join \n -- $command
    end
end

function __ffind_is --argument-names wanted
    set -l state (__ffind_state)
    test $state[1] = $wanted
end

# As that command would complete by itself.
function __ffind_complete_command
    set -l command (__ffind_state)
    set -e command[1]
    set -l token (string replace -r -- '^--(exec(-batch)?|if)=' '' (commandline -ct))
    complete -C "$(string join ' ' -- $command $token)"
end

complete -c ffind -n "__ffind_is command" -f -a "(__ffind_complete_command)"
complete -c ffind -n "__ffind_is help" -f -a '(__ffind_words $__ffind_where_words $__ffind_fields status examples)'
complete -c ffind -n "__ffind_is first" -a "name\t'match patterns against the name' path\t'match patterns against the path'"
complete -c ffind -n "__ffind_is first; and string match -q -- '@*' (commandline -ct)" -a "(__ffind_saved @)" -d "Saved search"
# What begins with a dash is an option to fish, even where it is a value.
complete -c ffind -n "string match -q -- --sort (commandline -opc)[-1]" -f -a '(__ffind_list -$__ffind_sort_keys)'

complete -c ffind -n "not __ffind_is command; and string match -q -- '--no-*' (commandline -ct)" -f -a '--no-$__ffind_switches'

set -l own -c ffind -n "not __ffind_is command"
complete $own -s e -l regex -x -d "Regular expression for the name"
complete $own -s g -l glob -x -d "Glob for the whole name"
complete $own -s F -l text -x -d "Text in the name"
complete $own -l exact -x -d "Exact name"
complete $own -l starts -x -d "Name begins with"
complete $own -l ends -x -d "Name ends with"
complete $own -l query -x -a "(__ffind_query)" -d "Words and FIELD:VALUE"
complete $own -s p -l full-path -d "Match the absolute path"
complete $own -s i -l ignore-case -d "Ignore case"
complete $own -s s -l case-sensitive -d "Match case"
complete $own -l ignore-diacritics -d "Ignore diacritics"
complete $own -l where -x -a "(__ffind_where)" -d "Expression"
complete $own -s t -l type -x -a '(__ffind_list $__ffind_types)' -d "Type"
complete $own -l kind -x -a '(__ffind_list $__ffind_kinds)' -d "Kind"
complete $own -l ext -x -a "(__ffind_extensions)" -d "File name extension"
complete $own -s S -l size -x -a "(__ffind_sizes)" -d "Size of a file"
complete $own -l modified -x -a "(__ffind_times)" -d "When contents last changed"
complete $own -l created -x -a "(__ffind_times)" -d "When created"
complete $own -l accessed -x -a "(__ffind_times)" -d "When last read"
complete $own -l changed -x -a "(__ffind_times)" -d "When permissions, owner or contents last changed"
complete $own -l added -x -a "(__ffind_times)" -d "When added to its directory"
complete $own -l newer-than -r -d "Modified later than a file or time"
complete $own -l older-than -r -d "Modified earlier than a file or time"
complete $own -l depth -x -d "Depth below the root"
complete $own -l empty -d "Empty files and directories"
complete $own -l only-hidden -d "Only names that start with a dot"
complete $own -l owner -x -a "(__ffind_list (__fish_complete_users))" -d "Owner"
complete $own -l group -x -a "(__ffind_list (__fish_complete_groups))" -d "Group"
complete $own -l perm -x -a "(__ffind_words 644 755 600 700 u+x go-w /o+w -111)" -d "Permissions"
complete $own -l executable -d "Files executable by anyone"
complete $own -l broken -d "Broken symbolic links"
complete $own -l locked -d "Immutable or append-only files"
complete $own -l links -x -d "Number of hard links"
complete $own -l inode -x -d "Inode number"
complete $own -l samefile -r -d "Hard links to this file"
complete $own -l tag -x -a "(__ffind_list none Red Orange Yellow Green Blue Purple Gray)" -d "Finder tag"
complete $own -l comment -x -d "Finder comment contains"
complete $own -l where-from -x -d "Downloaded from"
complete $own -l xattr -x -a '(__ffind_words $__ffind_attributes)' -d "Has extended attribute"
complete $own -l contains -x -d "Contents contain"
complete $own -l contains-regex -x -d "Contents match"
complete $own -l binary -d "Search binary files too"
complete $own -l if -x -a "(__ffind_complete_command)" -d "Matches for which a command succeeds"
complete $own -l in -x -a "(__fish_complete_directories (__ffind_value))" -d "Search below"
complete $own -l files0-from -r -d "Read roots from"
complete $own -s C -l base-directory -x -a "(__fish_complete_directories)" -d "Search as if started in"
complete $own -s d -l max-depth -x -d "Search at most this deep"
complete $own -l min-depth -x -d "Skip anything shallower"
complete $own -l prune -x -a "(__fish_complete_directories (__ffind_value))" -d "List, but do not enter"
complete $own -s E -l exclude -x -a "(__fish_complete_directories (__ffind_value))" -d "Neither list nor enter"
complete $own -l prune-where -x -a "(__ffind_where)" -d "List, but do not enter, by an expression"
complete $own -l exclude-where -x -a "(__ffind_where)" -d "Neither list nor enter, by an expression"
complete $own -l ignore-files -x -a "(__ffind_list .ignore .fdignore .rgignore .gitignore)" -d "Follow rules in files of this name"
complete $own -l exclude-from -r -d "Skip what rules in a file match"
complete $own -l no-hidden -d "Skip names that start with a dot"
complete $own -l no-packages -d "Do not enter macOS bundles"
complete $own -l gitignore -d "Skip what git ignores"
complete $own -s L -l follow -d "Follow symbolic links"
complete $own -l unique -d "Visit each directory once"
complete $own -l one-file-system -d "Undo --cross-volumes"
complete $own -l cross-volumes -d "Enter volumes mounted below"
complete $own -l volume -x -a "(__ffind_volumes; __fish_complete_directories (__ffind_value))" -d "Search a whole volume"
complete $own -l all-volumes -d "Search all local volumes"
complete $own -l network -d "Include network volumes"
complete $own -l download -d "Fetch what is only in iCloud and needed"
complete $own -s H -l hidden -d "Undo --no-hidden"
complete $own -s I -l no-ignore -d "Undo --gitignore"
complete $own -s u -l unrestricted -d "Undo --gitignore and --no-hidden"
complete $own -s 0 -l null -d "End each path with NUL"
complete $own -l json -f -a "(__ffind_joined lines full)" -d "One JSON object per line"
complete $own -l fields -x -a '(__ffind_list $__ffind_fields)' -d "NDJSON with these fields"
complete $own -l format -x -a "(__ffind_template)" -d "Print with a template"
complete $own -s l -l long -d "Print metadata before each path"
complete $own -l tree -d "Print a tree"
complete $own -l count -f -a "(__ffind_joined dir kind ext owner group type dir:1 dir:2)" -d "Print only the number of matches"
complete $own -l usage -f -a "(__ffind_joined 1 2 3)" -d "Print what takes the space"
complete $own -l apparent -d "Sizes instead of the space taken"
complete $own -l sort -x -a '(__ffind_list $__ffind_sort_keys -$__ffind_sort_keys)' -d "Sort by"
complete $own -s a -l absolute -d "Print absolute paths"
complete $own -s k -l mark -d "End directories with a slash"
complete $own -s n -l limit -x -d "Stop after this many matches"
complete $own -s 1 -d "Stop after the first match"
complete $own -s q -l quiet -d "Print nothing, only set the status"
complete $own -l color -x -a "(__ffind_words auto always never)" -d "Colours"
complete $own -l hyperlink -f -a "(__ffind_joined auto always never)" -d "Print paths as hyperlinks"
complete $own -l human -f -a "(__ffind_joined always auto never)" -d "Sizes for people"
complete $own -l json-errors -d "Report errors as NDJSON"
complete $own -l pick -d "Pick by hand from a list that narrows while you type"
complete $own -l pick-order -x -a "(__ffind_words match found name path size space modified time)" -d "First order of --pick"
complete $own -l pick-query -x -d "Begin the list with that query in its prompt"
complete $own -l height -x -d "Show the list in so many rows, or N% of them"
complete $own -l preview -x -d "Show the output of a command for the current entry"
complete $own -l no-history -d "Neither keep nor show queries of earlier lists"
complete $own -l stats -d "Print counts and time"
complete $own -l progress -d "Show progress"
complete $own -l no-progress -d "Show no progress"
complete $own -l no-messages -d "Do not report what cannot be searched"
complete $own -s x -l exec -x -a "(__ffind_complete_command)" -d "Run a command for each match"
complete $own -s X -l exec-batch -x -a "(__ffind_complete_command)" -d "Run a command with many matches"
complete $own -l batch-size -x -d "At most this many matches for -X"
complete $own -l exec-in-dir -d "Run in each match's directory"
complete $own -l delete -d "Delete the matches"
complete $own -l trash -d "Move the matches to the Trash"
complete $own -l dry-run -d "Only print what would be done"
complete $own -l confirm -d "Ask before each"
complete $own -l yes -d "Allow --delete or --trash without a filter, and --trash of directories"
complete $own -s j -l threads -x -d "Threads for each volume"
complete $own -l method -x -a "(__ffind_words auto walk catalog)" -d "How to search"
complete $own -l reader -x -a "(__ffind_words auto getdents readdir fts bulk)" -d "How to read directories"
complete $own -l explain -d "Print the plan"
complete $own -l list-volumes -d "List the volumes"
complete $own -l compare-readers -d "Measure every way to list a path"
complete $own -l save -x -a "(__ffind_saved '')" -d "Save this search as"
complete $own -l saved -d "List the saved searches"
complete $own -l forget -x -a "(__ffind_saved '')" -d "Remove a saved search"
complete $own -l no-config -d "Read no configuration"
complete $own -s h -d "Help on one screen"
complete $own -l help -d "All options, or about a word"
complete $own -l completions -x -a "(__ffind_words bash zsh fish)" -d "Print completions"
complete $own -s V -l version -d "Version"
