#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the fuzz targets in build-asan (clang 14, libFuzzer, AddressSanitizer and
# UndefinedBehaviorSanitizer), runs each for some seconds, as many at once as there are processors, and
# prints a line for each; fails on a finding.
#
#     tests/fuzz/run.sh SECONDS [--keep] [NAME...]       all targets without a NAME
#
# A run starts from the inputs in corpus.tar.xz, a folder for each target. With --keep that folder becomes, by
# libFuzzer's merge, the small inputs that reach every edge that was reached, without those that only take an
# edge more often (of mount tables and names these were nine lines in ten); the normal build replays it in the
# test fuzz-corpus. Inputs with a finding are put in build-asan/findings: fix it, and add the input to the corpus.
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
  cmake --preset asan && cmake --build --preset fuzz
}
build >"$scratch/build" 2>&1 || { cat "$scratch/build"; exit 1; }
mkdir -p build-asan/findings

# What decoders do, they do in 1 KiB; longer inputs take longer and fill the repository.
cmake -E chdir "$scratch" cmake -E tar xf "$PWD/tests/fuzz/corpus.tar.xz"

limits=(-max_len=1024 -timeout=10 -rss_limit_mb=1024)

# fuzz NAME: one target; 1 if it found something.
fuzz() {
  local name=$1 target=build-asan/tests/fuzz/$1_fuzz kept=$scratch/corpus/$1
  local place=$scratch/$1 log=build-asan/findings/$1.log runs covered
  mkdir -p "$kept" "$place/grown"
  if ! "$target" "${limits[@]}" -max_total_time="$seconds" -print_final_stats=1 \
    -artifact_prefix="build-asan/findings/$name-" \
    "$place/grown" "$kept" >"$log" 2>&1; then
    printf 'fuzz %-18s FOUND SOMETHING: %s\n' "$name" "$log"
    grep -E 'does not hold:|ERROR:|runtime error:|SUMMARY:|Test unit written' "$log" || true
    return 1
  fi
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  covered=$(sed -n 's/.* cov: \([0-9]*\) ft: \([0-9]*\).*/\1 edges, \2 features/p' "$log" | tail -1)
  printf 'fuzz %-18s ok: %s inputs, %s\n' "$name" "$runs" "$covered"
  if [ -n "$keep" ]; then
    mkdir "$place/least"
    "$target" "${limits[@]}" -use_counters=0 -merge=1 "$place/least" "$kept" "$place/grown" \
      >"$log" 2>&1
    rm -r "$kept" && mv "$place/least" "$kept"
  fi
}

export -f fuzz
export seconds keep scratch limits_words="${limits[*]}"
printf '%s\n' "${names[@]}" | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I '{}' \
  bash -c 'set -euo pipefail; read -ra limits <<<"$limits_words"; fuzz "$1"' fuzz '{}'

if [ -n "$keep" ]; then
  cmake -E chdir "$scratch" cmake -E tar cJf "$PWD/tests/fuzz/corpus.tar.xz" --mtime=1970-01-01 corpus
fi
