#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# job_end_test.sh PROGRAM END EXIT_CODE MESSAGE TIMES RANKS... : runs PROGRAM END on each number of ranks (mpirun in $MPIEXEC, empty without MPI).
# It must end within 30 s with EXIT_CODE, print MESSAGE so many times (TIMES may be "any") and leave no process.
set -u
program=$1 end=$2 expected=$3 message=$4 times=$5
shift 5
failures=0
complain() { echo "FAILED: $end on $ranks rank(s): $*"; cat "$log"; failures=$((failures + 1)); }
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
for ranks in "$@"; do
  token="token-$$-$ranks-$RANDOM"
  launcher=()
  [ -n "${MPIEXEC:-}" ] && launcher=("$MPIEXEC" --oversubscribe --bind-to none -n "$ranks")
  timeout --kill-after=5 30 "${launcher[@]}" "$program" "$end" "$token" > "$log" 2>&1
  code=$?
  [ "$code" -eq "$expected" ] || complain "exit code $code, expected $expected (124: it did not end)"
  seen=$(grep -cF -- "$message" "$log")
  [ "$times" = any ] || [ "$seen" -eq "$times" ] || complain "'$message' printed $seen times, expected $times"
  if [ -n "$message" ] && [ "$seen" -eq 0 ]; then complain "'$message' was not printed"; fi
  for _ in 1 2 3 4 5 6 7 8 9 10; do  # the launcher's own helpers need a moment
    left=$(pgrep -f -- "$token") || break
    sleep 0.2
  done
  [ -z "$left" ] || complain "processes are left: $left"
done
exit $((failures > 0))
