# SPDX-License-Identifier: MIT
# The tree that every recipe is tried in (recipes.py): names with blanks, line ends, quotes and dashes among it.
# Read by bash after tests/cli/prelude.sh, which has `tree` and `ago`.
zeros() { head -c "$1" /dev/zero | tee -- "${@:2}" >/dev/null; }  # as `sized`, without starting Python each time
tree Documents/ Pictures/ Videos/ logs/ .cache/ empty/ src/
zeros 700 Documents/report.pdf
zeros 300 "Documents/annual report.pdf"
zeros 4000 "Pictures/tram 28.jpg" $'Pictures/two\nlines.jpg'
zeros 2500 "Pictures/Ada's garden.png"
zeros 9000000 Videos/tram.mp4
zeros 100 logs/web.log ./-rf.log
zeros 10 .cache/page.tmp
printf 'int main() {}\n// TODO: the sun\n' >src/main.cc
printf '// shadows\n' >src/shadow.h
printf '# TODO: leap seconds\n' >"src/high noon.py"
find . -type f -exec touch -t 202405011200 {} +
ago 1h Documents/report.pdf
ago 2h src/main.cc
