# SPDX-License-Identifier: MIT
# Completion of ffind for bash, 3.2 and later: the program writes it, from ffind.bash.in and its tables.
eval "$(ffind --completions bash 2>/dev/null)"
