#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the fuzz targets (preset "fuzz": clang 14, libFuzzer, AddressSanitizer and
# UndefinedBehaviorSanitizer) and runs each for some seconds, a line for each; fails on a finding.
#
#     tests/fuzz/run.sh SECONDS [--keep] [NAME...]       all targets without a NAME
#
# A run starts from corpus/NAME, which is kept in the repository, and from the seeds of seeds.py.
# With --keep that corpus becomes the smallest set of inputs that reaches all that was reached; the
# normal build replays it as the test fuzz-corpus:NAME. Inputs with a finding are put in
# build-fuzz/findings: fix it, and add the input to the corpus.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1?usage: tests/fuzz/run.sh SECONDS [--keep] [NAME...]}
shift
keep=
if [ "${1-}" = --keep ]; then
  keep=yes
  shift
fi
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  for source in tests/fuzz/*_fuzz.cpp; do
    name=$(basename "$source" _fuzz.cpp)
    names+=("$name")
  done
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
build() {
  cmake --preset fuzz && cmake --build --preset fuzz
}
build >"$scratch/build" 2>&1 || { cat "$scratch/build"; exit 1; }
mkdir -p build-fuzz/findings

# What decoders do, they do in 1 KiB; longer inputs take longer and fill the repository.
limits=(-max_len=1024 -timeout=10 -rss_limit_mb=1024)
failed=
for name in "${names[@]}"; do
  target=build-fuzz/tests/fuzz/${name}_fuzz
  kept=tests/fuzz/corpus/$name
  grown=$scratch/$name/grown
  log=build-fuzz/findings/$name.log
  mkdir -p "$grown" "$kept"
  python3 tests/fuzz/seeds.py "$name" "$scratch/$name/seeds"
  if "$target" "${limits[@]}" -max_total_time="$seconds" -print_final_stats=1 \
    -artifact_prefix="build-fuzz/findings/$name-" \
    "$grown" "$kept" "$scratch/$name/seeds" >"$log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    covered=$(sed -n 's/.* cov: \([0-9]*\) ft: \([0-9]*\).*/\1 edges, \2 features/p' "$log" | tail -1)
    printf 'fuzz %-18s ok: %s inputs, %s\n' "$name" "$runs" "$covered"
  else
    failed=yes
    printf 'fuzz %-18s FOUND SOMETHING: %s\n' "$name" "$log"
    grep -E 'does not hold:|ERROR:|runtime error:|SUMMARY:|Test unit written' "$log" || true
    continue
  fi
  if [ -n "$keep" ]; then
    mkdir "$scratch/$name/least"
    "$target" "${limits[@]}" -merge=1 "$scratch/$name/least" "$kept" "$scratch/$name/seeds" "$grown" \
      >"$log" 2>&1
    rm -rf "$kept"
    cp -r "$scratch/$name/least" "$kept"
  fi
done
[ -z "$failed" ]
