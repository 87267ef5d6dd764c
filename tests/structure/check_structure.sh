#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The rules of the source tree that a machine can hold: arrows between folders, who includes which library, licence headers, file sizes.
# Usage: check_structure.sh SOURCE_DIR
set -u
cd "$1" || exit 2
bad=0
complain() { printf '%s\n%s\n\n' "$1" "$2"; bad=1; }

# refuse PATTERN WHY FOLDER...: no file below the folders may include what the pattern says.
refuse() {
  local pattern=$1 why=$2 hits
  shift 2
  hits=$(grep -rnE "#include *[<\"]$pattern" --include='*.hpp' --include='*.cpp' --include='*.cu' --include='*.h' "$@" 2>/dev/null)
  [ -z "$hits" ] || complain "$why" "$hits"
}
refuse '(mpi|nccl|hdf5)\.h' 'only src/dist may include mpi.h, nccl.h and hdf5.h:' src/config src/data src/kernels src/model src/eval src/study jobs
refuse '(torch|ATen|c10)/' 'only src/model may include LibTorch:' src/dist src/config src/data src/kernels src/eval src/study jobs
refuse 'spdlog/' 'only src/dist/log.cpp may include spdlog:' src/config src/data src/kernels src/model src/eval src/study jobs
refuse '(config|data|kernels|model|eval|study|jobs)/' 'src/dist includes nothing of ours above it:' src/dist
refuse '(config|data|dist|model|eval|study|jobs)/' 'src/kernels includes nothing of ours:' src/kernels
refuse '(data|kernels|model|eval|study|jobs)/' 'src/config includes only dist:' src/config
refuse '(config|kernels|model|eval|study|jobs)/' 'src/data includes only dist:' src/data
refuse '(eval|study|jobs)/' 'src/model includes only dist, config, data and kernels:' src/model
refuse '(config|model|study|jobs)/' 'src/eval includes only dist, data and kernels:' src/eval
refuse '(data|kernels|model|eval|jobs)/' 'src/study includes only dist and config:' src/study

sources=$(find src jobs tests bench -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' 2>/dev/null)
[ "$(printf '%s\n' "$sources" | wc -l)" -gt 50 ] || complain 'too few sources were found to check:' "$sources"

unlicensed=$(for f in $sources scripts/*; do head -3 "$f" | grep -q 'SPDX-License-Identifier: Apache-2.0' || echo "$f"; done)
[ -z "$unlicensed" ] || complain 'files without the SPDX line:' "$unlicensed"

headers=$(for f in $sources; do case "$f" in *.hpp) grep -q '^#pragma once' "$f" || echo "$f" ;; esac; done)
[ -z "$headers" ] || complain 'headers without #pragma once:' "$headers"

long=$(for f in $sources; do n=$(wc -l <"$f"); [ "$n" -le 400 ] || echo "$n $f"; done)
[ -z "$long" ] || complain 'files over 400 lines (a reader would find two ideas in them):' "$long"

jobs_long=$(for f in $(grep -lE '^Command [a-z]+_command\(\)' jobs/*.cpp); do n=$(wc -l <"$f"); [ "$n" -le 170 ] || echo "$n $f"; done)
[ -z "$jobs_long" ] || complain 'subcommands are tables of contents; these are too long:' "$jobs_long"

[ "$bad" = 0 ] && echo 'structure: all rules hold'
exit "$bad"
