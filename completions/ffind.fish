# SPDX-License-Identifier: MIT
# Completion of ffind for fish: the program writes it, from ffind.fish.in and its tables.
ffind --completions fish 2>/dev/null | source
