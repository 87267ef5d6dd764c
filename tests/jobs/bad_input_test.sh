#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What people really feed to programs: every malformed input ends with exit code 2, one message that names the file, what is wrong, what was expected and what was
# found, and no result file. And one bad cache in the store fails its own training alone.
# Usage: bad_input_test.sh PUMA SOURCE_DIR SCRATCH PLANT_NAN
set -u
puma=$1 source=$2 scratch=$3 plant_nan=$4
emoji=$source/examples/emoji
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" || exit 1
failed=0
complain() { echo "FAILED: $*"; failed=1; }

# refused NAME RESULT TEXT... -- COMMAND...: exit code 2, exactly one error line holding every TEXT, and no file RESULT.
refused() {
  local name=$1 result=$2 texts=() text
  shift 2
  while [ "$1" != -- ]; do texts+=("$1"); shift; done
  shift
  "$@" >"$name.out" 2>"$name.err"
  local code=$?
  [ "$code" = 2 ] || { complain "$name: exit code $code, expected 2"; cat "$name.err"; }
  [ "$(grep -c 'error' "$name.err")" = 1 ] || { complain "$name: not exactly one message"; cat "$name.err"; }
  for text in "${texts[@]}"; do
    grep 'error' "$name.err" | grep -qF -- "$text" || { complain "$name: the message lacks '$text'"; cat "$name.err"; }
  done
  [ ! -e "$result" ] || complain "$name: left $result"
}

# Bytes for the cases: small arrays, with and without an npy header.
python3 - <<'EOF'
import json, struct
def npy(name, rows, dim, values):
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (rows, dim)
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    open(name, "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack("<%df" % len(values), *values))
def ids(name, values):
    json.dump(values, open(name, "w"))
good = [float(i % 7) + 1 for i in range(5 * 8)]
npy("good.npy", 5, 8, good)
npy("zero.npy", 0, 8, [])
npy("nan.npy", 5, 8, good[:19] + [float("nan")] + good[20:])
npy("inf.npy", 5, 8, good[:19] + [float("inf")] + good[20:])
open("cut.npy", "wb").write(open("good.npy", "rb").read()[:-6])
open("raw.npy", "wb").write(struct.pack("<39f", *good[:39]))
ids("ids.json", ["d1", "d2", "d3", "d4", "d5"])
ids("twice.json", ["d1", "d2", "d3", "d2", "d5"])
ids("four.json", ["d1", "d2", "d3", "d4"])
ids("none.json", [])
open("good.qrels", "w").write("d1 0 d2 1\nd3 0 d4 1\n")
open("unknown.qrels", "w").write("d1 0 d2 1\nd9 0 d4 1\n")
open("three.qrels", "w").write("d1 0 d2 1\nd3 0 d4\n")
open("lies.safetensors", "wb").write(struct.pack("<Q", 1 << 50) + b'{"W_enc":{}}')
EOF

import_vectors() { "$puma" import --role queries --backbone b --vectors "$1" --ids "$2" --qrels "${3:-good.qrels}" --out "${4:-imported}"; }
cache=imported/vectors.h5
refused truncated-npy $cache cut.npy expected found -- import_vectors cut.npy ids.json
refused raw-size $cache raw.npy expected found 156 -- import_vectors raw.npy ids.json
refused nan-row $cache nan.npy expected found nan d3 -- import_vectors nan.npy ids.json
refused inf-row $cache inf.npy expected found inf d3 -- import_vectors inf.npy ids.json
refused duplicate-ids $cache twice.json d2 -- import_vectors good.npy twice.json
refused other-number $cache four.json expected found 5 4 -- import_vectors good.npy four.json
refused zero-rows $cache zero.npy expected found -- import_vectors zero.npy none.json
refused unknown-query $cache unknown.qrels d9 -- import_vectors good.npy ids.json unknown.qrels
refused three-columns $cache three.qrels:2 expected found 3 -- import_vectors good.npy ids.json three.qrels

import_vectors good.npy ids.json good.qrels small >/dev/null 2>&1 || complain 'the good cache is not imported'
"$puma" import --role candidates --backbone emoji256 --vectors "$emoji/docs.npy" --ids "$emoji/docs_ids.json" --out pool >/dev/null 2>&1 || complain 'emoji docs'
"$puma" import --role queries --backbone emoji256 --vectors "$emoji/task7_train_queries.npy" --ids "$emoji/task7_train_queries_ids.json" \
  --qrels "$emoji/task7_train_qrels.txt" --out queries >/dev/null 2>&1 || complain 'emoji queries'
train() { "$puma" train --queries queries/vectors.h5 --qrels queries/qrels.txt --candidates pool/vectors.h5 --recipe paper --set stage2_steps=4 --set stage3_steps=2 "$@"; }
train --k 8 --out model >/dev/null 2>train.err || { complain 'training on emoji'; cat train.err; }

refused k-over-D wide/checkpoint.safetensors 4097 4096 -- train --k 4097 --out wide
refused other-dimension codes.h5 small/vectors.h5 256 8 -- "$puma" encode --vectors small/vectors.h5 --checkpoint model/checkpoint.safetensors --k-max 8 --out codes.h5
refused lying-header codes.h5 lies.safetensors expected found -- "$puma" encode --vectors pool/vectors.h5 --checkpoint lies.safetensors --k-max 8 --out codes.h5
head -c 300000 pool/vectors.h5 >short.h5
refused short-hdf5 run.h5 short.h5 expected found 300000 -- "$puma" score --queries queries/vectors.h5 --candidates short.h5 --out run.h5
refused two-dimensions run.h5 small/vectors.h5 pool/vectors.h5 -- "$puma" score --queries small/vectors.h5 --candidates pool/vectors.h5 --out run.h5
refused not-ours run.h5 good.npy -- "$puma" score --queries good.npy --candidates pool/vectors.h5 --out run.h5
refused unknown-file nothing good.nothing -- "$puma" inspect good.nothing

# A cache with one NaN row that lies in the store already, its checksums right: its training fails alone.
cat >study.yaml <<EOF
study: planted
datasets:
  emoji_task0: {cache: $emoji, task: 0}
  emoji_task7: {cache: $emoji, task: 7}
backbones: [emoji256]
methods: [dense, puma]
recipe: {preset: paper, stage2_steps: 4, stage3_steps: 2, threads: 1}
train_k: 8
k: [8]
compare: {trials: 99, resamples: 99}
EOF
"$puma" import --study study.yaml --store store >/dev/null 2>&1 || complain 'importing the study'
victim=$(for f in store/import/*/vectors.h5; do "$puma" inspect --json "$f" | grep -q 4989 && echo "$f"; done)
"$plant_nan" "$victim" 17 3 || complain "planting a NaN into $victim"
"$puma" train --study study.yaml --store store >planted.out 2>planted.err
[ $? = 1 ] || { complain 'a failing training is not exit code 1'; cat planted.err; }
[ "$(find store/train -name checkpoint.safetensors | wc -l)" = 1 ] || complain 'the other training did not finish'
"$puma" status --study study.yaml --store store | grep -qi 'nan' || { complain 'status does not name the NaN'; "$puma" status --study study.yaml --store store; }

[ "$failed" = 0 ] && rm -rf "$scratch"
exit "$failed"
