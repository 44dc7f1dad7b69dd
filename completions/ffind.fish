# SPDX-License-Identifier: MIT
# Completion of ffind for fish. `ffind --completions fish` writes it, from ffind.fish.in and its tables.

set -g __ffind_options -F --text -e --regex -g --glob --exact --starts --ends --query -p --full-path \
    -i --ignore-case -s --case-sensitive --ignore-diacritics --where -t --type --kind --ext -S --size \
    --modified --created --accessed --changed --added --newer-than --older-than --depth --empty \
    --only-hidden --owner --group --perm --executable --broken --locked --links --inode --samefile --tag \
    --comment --where-from --xattr --contains --contains-regex --binary --if --in --files0-from --from \
    --from0 -C --base-directory -d --max-depth --min-depth --prune -E --exclude --prune-where \
    --exclude-where --ignore-files --exclude-from --no-hidden --no-packages --gitignore -L --follow \
    --unique --cross-volumes --volume --all-volumes --network --download -H --hidden -I --no-ignore -u \
    --unrestricted --one-file-system -0 --null --json --csv --tsv --format -l --long --tree --count \
    --usage --apparent --human --sort -a --absolute -k --mark -n --limit -1 -q --quiet --color \
    --hyperlink --stats --progress --no-progress --no-messages --no-hints --json-errors --pick --height \
    --preview --no-history -x --exec -X --exec-batch --batch-size --exec-in-dir --delete --trash \
    --dry-run --confirm --yes -j --threads --method --reader --explain --list-volumes --compare-readers \
    --save --saved --forget --no-config --as -h --help --completions -V --version
set -g __ffind_options_with_value -F --text -e --regex -g --glob --exact --starts --ends --query \
    --where -t --type --kind --ext -S --size --modified --created --accessed --changed --added \
    --newer-than --older-than --depth --owner --group --perm --links --inode --samefile --tag --comment \
    --where-from --xattr --contains --contains-regex --in --files0-from --from --from0 -C \
    --base-directory -d --max-depth --min-depth --prune -E --exclude --prune-where --exclude-where \
    --ignore-files --exclude-from --volume --format --sort -n --limit --color --height --preview \
    --batch-size -j --threads --method --reader --save --forget --as --completions
set -g __ffind_flag_letters pisLHIu0lak1qhV
set -g __ffind_value_letters FegtSCdEnj
set -g __ffind_command_letters xX
set -g __ffind_switches full-path ignore-case case-sensitive ignore-diacritics binary gitignore \
    follow unique cross-volumes all-volumes network download hidden unrestricted one-file-system null \
    json csv tsv long tree count usage apparent human absolute mark quiet hyperlink stats progress \
    json-errors pick exec-in-dir delete trash dry-run confirm yes explain
set -g __ffind_types file directory symlink socket fifo block char
set -g __ffind_kinds folder text code data document spreadsheet presentation ebook image audio video \
    font model archive disk-image app binary database
set -g __ffind_fields path name type depth stem ext dir path_length relative absolute root volume \
    kind size allocated private_size mode uid gid owner group links inode device modified changed \
    accessed created added target tags comment where_from last_opened type_code creator flags acl
set -g __ffind_sort_keys path -path name -name type -type depth -depth stem -stem ext -ext dir -dir \
    path_length -path_length relative -relative absolute -absolute root -root volume -volume kind -kind \
    size -size allocated -allocated private_size -private_size mode -mode uid -uid gid -gid owner -owner \
    group -group links -links inode -inode device -device modified -modified changed -changed accessed \
    -accessed created -created added -added target -target comment -comment last_opened -last_opened \
    type_code -type_code creator -creator match found space
set -g __ffind_where_words name path absolute_path ext type kind size allocated private_size \
    stat_size modified created accessed changed added last_opened newer_than older_than depth owner group \
    uid gid perm flags path_length links inode same_file target target_type fstype has tag comment \
    where_from type_code creator xattr contents true false hidden empty executable sparse locked dataless \
    acl broken is_link loop readable writable runnable untagged alias stationery invisible custom_icon \
    hidden_extension orphaned_owner orphaned_group
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
        case size allocated private_size
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
function __ffind_values_of --argument-names field value
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
        case size allocated private_size stat_size
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
        __ffind_words $before(__ffind_values_of $field "$last")
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
        __ffind_words $before(string match -r -- $relation $term)(__ffind_values_of $field "$last")
    else
        set -l fields $__ffind_where_words[..(math (contains -i true $__ffind_where_words) - 1)]
        __ffind_words $before$fields: "$before"is:
    end
end

# Extensions of what lies here.
function __ffind_extensions
    __ffind_list (__ffind_values_of ext '')
end

function __ffind_users
    __ffind_list (__fish_complete_users)
end
function __ffind_groups
    __ffind_list (__fish_complete_groups)
end
function __ffind_directories
    __fish_complete_directories (__ffind_value)
end

# Mount points with their file systems, but for what the kernel makes up, and directories.
function __ffind_volumes
    set -l tab \t
    ffind --list-volumes --json 2>/dev/null | string match -v -- '*"kind":"kernel"*' |
        string replace -r -- '^.*?"mount_point":"(.*?)","file_system":"(.*?)".*$' "\$1$tab\$2" |
        string replace -ar -- '\\\\(["\\\\])' '$1'
    __ffind_directories
end

# Names of saved searches, behind its argument.
function __ffind_saved
    set -l folder ~/.config
    if test -n "$XDG_CONFIG_HOME"
        set folder $XDG_CONFIG_HOME
    end
    set -l found $folder/ffind/searches/*
    if set -q found[1]
        __ffind_words "$argv[1]"(string replace -r -- '.*/' '' $found)
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
        else if string match -qr -- "^(-[$__ffind_flag_letters]*[$__ffind_command_letters]|--exec|--exec-batch|--if)\$" $word
            set state command
            set command
        else if string match -qr -- '^--(exec(-batch)?|if)=' $word
            set state command
            set command (string replace -r -- '^.*?=' '' $word)
        else if contains -- $word $__ffind_options_with_value
            or string match -qr -- "^-[$__ffind_flag_letters]+[$__ffind_value_letters]\$" $word
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
complete -c ffind -n "string match -q -- --sort (commandline -opc)[-1]" -f -a '(__ffind_list $__ffind_sort_keys)'

complete -c ffind -n "not __ffind_is command; and string match -q -- '--no-*' (commandline -ct)" -f -a '--no-$__ffind_switches'

set -l own -c ffind -n "not __ffind_is command"
complete $own -s F -l text -x -d "Names that contain TEXT, even if it looks like a path or a glob"
complete $own -s e -l regex -x -d "Names that match the regular expression"
complete $own -s g -l glob -x -d "Names that match the glob as a whole"
complete $own -l exact -x -d "Names that are exactly TEXT"
complete $own -l starts -x -d "Names that begin with TEXT"
complete $own -l ends -x -d "Names that end with TEXT"
complete $own -l query -x -a '(__ffind_query)' -d "Words in the path and FIELD:VALUE, all of them"
complete $own -s p -l full-path -d "Match patterns against the absolute path"
complete $own -s i -l ignore-case -d "Ignore case in all patterns"
complete $own -s s -l case-sensitive -d "Match case in all patterns"
complete $own -l ignore-diacritics -d "Ignore diacritics in all patterns"
complete $own -l where -x -a '(__ffind_where)' -d "An expression"
complete $own -s t -l type -x -a '(__ffind_list $__ffind_types)' -d "type"
complete $own -l kind -x -a '(__ffind_list $__ffind_kinds)' -d "kind"
complete $own -l ext -x -a '(__ffind_extensions)' -d "File name extension, any case"
complete $own -s S -l size -x -a '(__ffind_sizes)' -d "Size of a file"
complete $own -l modified -x -a '(__ffind_times)' -d "When the contents last changed"
complete $own -l created -x -a '(__ffind_times)' -d "When it was created"
complete $own -l accessed -x -a '(__ffind_times)' -d "When it was last read"
complete $own -l changed -x -a '(__ffind_times)' -d "When permissions, owner or contents last changed"
complete $own -l added -x -a '(__ffind_times)' -d "When it was added to its directory"
complete $own -l newer-than -r -d "Modified later than FILE, or since TIME"
complete $own -l older-than -r -d "Modified earlier than FILE, or before TIME"
complete $own -l depth -x -d "Depth below the root"
complete $own -l empty -d "Empty files and empty directories"
complete $own -l only-hidden -d "Only names that start with a dot"
complete $own -l owner -x -a '(__ffind_users)' -d "Name or number of the owner"
complete $own -l group -x -a '(__ffind_groups)' -d "Name or number of the group"
complete $own -l perm -x -a '(__ffind_words 644 755 600 700 u+x go-w /o+w -111)' -d "Permissions"
complete $own -l executable -d "Files that are executable by anyone"
complete $own -l broken -d "Symbolic links that lead nowhere"
complete $own -l locked -d "Immutable or append-only files"
complete $own -l links -x -d "Number of hard links"
complete $own -l inode -x -d "Inode number"
complete $own -l samefile -r -d "All hard links to the file PATH"
complete $own -l tag -x -a '(__ffind_list none Red Orange Yellow Green Blue Purple Gray)' -d "Has this Finder tag"
complete $own -l comment -x -d "The Finder comment contains TEXT"
complete $own -l where-from -x -d "Downloaded from an address that contains TEXT"
complete $own -l xattr -x -a '(__ffind_words $__ffind_attributes)' -d "Has this extended attribute, containing TEXT"
complete $own -l contains -x -d "Files whose contents contain TEXT"
complete $own -l contains-regex -x -d "Files whose contents match RE"
complete $own -l binary -d "Also search the contents of binary files"
complete $own -l if -x -a '(__ffind_complete_command)' -d "Keep matches for which CMD succeeds"
complete $own -l in -x -a '(__ffind_directories)' -d "Search below PATH, like a PATH argument"
complete $own -l files0-from -r -d "Read NUL-terminated roots from FILE"
complete $own -l from -r -d "Take the entries from the lines of FILE"
complete $own -l from0 -r -d "The same from paths that end with NUL"
complete $own -s C -l base-directory -x -a '(__ffind_directories)' -d "Search as if started in DIR"
complete $own -s d -l max-depth -x -d "Search at most N levels below each root"
complete $own -l min-depth -x -d "Skip anything shallower than N"
complete $own -l prune -x -a '(__ffind_directories)' -d "List directories that match, but do not enter them"
complete $own -s E -l exclude -x -a '(__ffind_directories)' -d "Skip what matches, with everything below"
complete $own -l prune-where -x -a '(__ffind_where)' -d "List directories for which the expression holds, but do not enter them"
complete $own -l exclude-where -x -a '(__ffind_where)' -d "Skip anything for which the expression holds, with everything below"
complete $own -l ignore-files -x -a '(__ffind_list .ignore .fdignore .rgignore .gitignore)' -d "Follow the rules in files of this name, as in .gitignore"
complete $own -l exclude-from -r -d "Skip what the rules in FILE match, as in .gitignore, from each root"
complete $own -l no-hidden -d "Skip names that start with a dot, with everything below"
complete $own -l no-packages -d "List applications and other macOS bundles, but do not look inside"
complete $own -l gitignore -d "Skip what git ignores, and .git itself"
complete $own -s L -l follow -d "Follow symbolic links"
complete $own -l unique -d "Visit each directory once, even if several paths lead to it"
complete $own -l cross-volumes -d "Enter volumes mounted below the roots"
complete $own -l volume -x -a '(__ffind_volumes)' -d "Search the whole volume that holds a path, or has this name"
complete $own -l all-volumes -d "Search all local volumes in parallel"
complete $own -l network -d "Include network volumes in --all-volumes and --cross-volumes"
complete $own -l download -d "Fetch what is only in iCloud, if its list or its contents are needed"
complete $own -s H -l hidden -d "Undo --no-hidden"
complete $own -s I -l no-ignore -d "Undo --gitignore"
complete $own -s u -l unrestricted -d "Undo --no-hidden and --gitignore"
complete $own -l one-file-system -d "Undo --cross-volumes"
complete $own -s 0 -l null -d "End each path with NUL, for xargs -0"
complete $own -l json -f -a '(__ffind_joined (__ffind_list lines full $__ffind_fields))' -d "NDJSON, one object per line"
complete $own -l csv -f -a '(__ffind_joined (__ffind_list full $__ffind_fields))' -d "CSV with a heading, for spreadsheets and DuckDB"
complete $own -l tsv -f -a '(__ffind_joined (__ffind_list full $__ffind_fields))' -d "The same with tabs in the place of commas"
complete $own -l format -x -a '(__ffind_template)' -d "Print this"
complete $own -s l -l long -d "Mode, links, owner, group, size, time and path"
complete $own -l tree -d "Print the matches as a sorted tree, with the directories above them"
complete $own -l count -f -a '(__ffind_joined (__ffind_list age year month day tag dir:1 dir:2 modified:%Y $__ffind_fields))' -d "Print only the number of matches"
complete $own -l usage -f -a '(__ffind_joined dirs files 1 2 3)' -d "What takes the space"
complete $own -l apparent -d "Sizes of files for --usage, instead of the space that they take"
complete $own -l human -f -a '(__ffind_joined always auto never)' -d "Sizes for people"
complete $own -l sort -x -a '(__ffind_list $__ffind_sort_keys)' -d "Sort by name, path, size, modified or other fields"
complete $own -s a -l absolute -d "Print absolute paths"
complete $own -s k -l mark -d "End the paths of directories with a slash"
complete $own -s n -l limit -x -d "Stop after N matches"
complete $own -s 1 -d "Stop after the first match"
complete $own -s q -l quiet -d "Print nothing"
complete $own -l color -x -a '(__ffind_words auto always never)' -d "color"
complete $own -l hyperlink -f -a '(__ffind_joined auto always never)' -d "Print paths as terminal hyperlinks"
complete $own -l stats -d "Print counts and the time taken on standard error"
complete $own -l progress -d "Show progress"
complete $own -l no-progress -d "No status line"
complete $own -l no-messages -d "Print no error for what cannot be searched"
complete $own -l no-hints -d "Print no hints, nor the line that was run in place of another program's"
complete $own -l json-errors -d "Print errors as NDJSON on standard error"
complete $own -l pick -f -d "Pick by hand, from a list that narrows while you type"
complete $own -l height -x -d "Show the list of --pick in N rows, or N percent of them, below the cursor"
complete $own -l preview -x -d "Show the output of CMD for the current entry of --pick"
complete $own -l no-history -d "Neither keep nor show queries of earlier lists"
complete $own -s x -l exec -x -a '(__ffind_complete_command)' -d "Run CMD for each match, in parallel"
complete $own -s X -l exec-batch -x -a '(__ffind_complete_command)' -d "Run CMD with as many matches at once as fit"
complete $own -l batch-size -x -d "Run -X with at most N matches at once"
complete $own -l exec-in-dir -d "Run each command in the match's directory, with ./name"
complete $own -l delete -d "Delete the matches"
complete $own -l trash -d "Move the matches to the Trash"
complete $own -l dry-run -d "Print what would be run, deleted or moved, quoted for a shell"
complete $own -l confirm -d "Ask before each command, deletion or move"
complete $own -l yes -d "Act without asking, whole directories included"
complete $own -s j -l threads -x -d "Threads for each volume, and commands at one time"
complete $own -l method -x -a '(__ffind_words auto walk catalog)' -d "method"
complete $own -l reader -x -a '(__ffind_words auto getdents readdir fts bulk)' -d "reader"
complete $own -l explain -d "Print what would be done and why, with -l or --json in full"
complete $own -l list-volumes -d "List the volumes, or those of each PATH, with size, free space and how each would be searched"
complete $own -l compare-readers -d "Measure every way to list a PATH"
complete $own -l save -x -a '(__ffind_saved)' -d "Save the rest of the command line as @NAME"
complete $own -l saved -d "List the saved searches"
complete $own -l forget -x -a '(__ffind_saved)' -d "Remove the saved search NAME"
complete $own -l no-config -d "Read no configuration"
complete $own -l as -x -a '(__ffind_words find fd)' -d "As the first word"
complete $own -s h -d "Help on one screen, with examples"
complete $own -l help -d "All options"
complete $own -l completions -x -a '(__ffind_words bash zsh fish)' -d "Print the completions for bash, zsh or fish"
complete $own -s V -l version -d "Version"
