#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A small real study from end to end: the same bytes on 1, 2 and 3 ranks and after kill -9; failures stay alone; errors name their place.
# Usage: run_test.sh PUMA SOURCE_DIR SCRATCH RANKS...
set -u
puma=$1 source=$2 scratch=$3
shift 3
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" || exit 1
failed=0
complain() { echo "FAILED: $*"; failed=1; }

write_study() {  # FILE CACHE
  cat >"$1" <<EOF
study: small
datasets:
  emoji_task0: {cache: $2, task: 0}
  emoji_task7: {cache: $source/examples/emoji, task: 7}
backbones: [emoji256]
methods: [dense, raw_topk, puma]
recipe: {preset: paper, stage2_steps: 12, stage3_steps: 4, threads: 1}
train_k: 8
k: [4, 8]
compare: {trials: 199, resamples: 199}
EOF
}

# Every result of a store, without the records that hold times.
results() {
  (cd "$1" && find . -type f \( -name '*.h5' -o -name 'measures.json' -o -name 'table.*' -o -name '*.safetensors' -o -name 'qrels.txt' \
    -o -name 'index.html' \) ! -name 'resume*' | LC_ALL=C sort | xargs sha256sum)
}

# The whole job at once, as a power cut would: the group of `puma run` and the groups it made.
kill_all() {
  local pid=$1 all
  all=$(pgrep -P "$pid")
  for child in $all; do all="$all $(pgrep -P "$child")"; done
  kill -9 "$pid" $all 2>/dev/null
  wait "$pid" 2>/dev/null
}

write_study small.yaml "$source/examples/emoji"
"$puma" plan --study small.yaml --store plan --tasks >plan1 || complain 'plan'
"$puma" plan --study small.yaml --store plan --tasks >plan2
cmp plan1 plan2 || complain 'plan is not byte-stable'

for n in "$@"; do
  "$puma" run --study small.yaml --store "ranks$n" --ranks "$n" >"out$n" 2>"err$n" || { complain "run on $n ranks"; tail -n 20 "err$n" ranks"$n"/logs/*.log; }
  results "ranks$n" >"sums$n"
  grep -q 'nDCG@10' "out$n" || complain "no table on $n ranks"
  cmp "sums$1" "sums$n" || { complain "other bytes on $n ranks"; diff "sums$1" "sums$n"; }
done
[ "$(wc -l <"sums$1")" -gt 30 ] || complain 'too few results'

for moment in 0.4 1.5 3; do
  "$puma" run --study small.yaml --store killed --ranks "$1" --quiet >/dev/null 2>&1 &
  job=$!
  sleep "$moment"
  kill_all "$job"
done
"$puma" run --study small.yaml --store killed --quiet >killed.out 2>killed.err || { complain 'run after kill -9'; cat killed.err; }
results killed >sums-killed
cmp "sums$1" sums-killed || { complain 'other bytes after kill -9'; diff "sums$1" sums-killed; }

"$puma" run --study small.yaml --store stopped --quiet >/dev/null 2>&1 &
job=$!
sleep 1
kill -TERM "$job"
wait "$job"
[ $? = 143 ] || complain 'a run stopped by SIGTERM did not end with 143'

# One bad row: its data set fails, the other one is finished.
mkdir bad
cp "$source"/examples/emoji/* bad/
chmod u+w bad/*
printf '\x00\x00\xc0\x7f' | dd of=bad/task0_train_queries.npy bs=1 seek=4096 conv=notrunc status=none
write_study bad.yaml bad
"$puma" run --study bad.yaml --store bad-store --quiet >bad.out 2>bad.err
[ $? = 1 ] || complain 'a failing task is not exit code 1'
grep -q 'task0_train_queries.npy' bad.err || { complain 'the reason is not told'; cat bad.err; }
[ "$(ls bad-store/train/*/checkpoint.safetensors 2>/dev/null | wc -l)" = 1 ] || complain 'the other training did not finish'
"$puma" status --study bad.yaml --store bad-store | grep -q 'retry the failed ones' || complain 'status does not say how to retry'

refused() {  # SED-SCRIPT EXPECTED-TEXT
  sed "$1" small.yaml >refused.yaml
  "$puma" run --study refused.yaml --store refused-store >/dev/null 2>refused.err
  [ $? = 2 ] || complain "$1 is not exit code 2"
  grep -q "$2" refused.err || { complain "$1 is not explained"; cat refused.err; }
  [ ! -e refused-store/import ] || complain "$1 wrote results"
}
refused 's/^train_k/trian_k/' "refused.yaml:8: unknown key 'trian_k'.*Did you mean 'train_k'"
refused 's/^k: .*/k: [4097]/; s/raw_topk, //' 'k=4097 is larger'
refused 's/^k: .*/k: [257]/' 'k=257 is larger'

[ "$failed" = 0 ] && rm -rf "$scratch"
exit "$failed"
