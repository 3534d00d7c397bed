#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_work_mpi.sh WORK_WORKER MODEWAY CASES: units of work done by 1, 2 and 4 MPI ranks: same results, errors told, a killed
# rank's work resumed; a reduced model by ranks.
worker=$1
modeway=$2
model=$3/beam-carriage.yaml
program=$modeway
. "$(dirname "$0")/../checks.sh"
mpirun=$(command -v mpirun)
if [ -z "$mpirun" ]; then
  echo "FAILED: there is no mpirun (Debian: openmpi-bin)"
  exit 1
fi

ranks() { # N ARGUMENTS...
  n=$1
  shift
  timeout 100 mpirun --allow-run-as-root --oversubscribe -n "$n" "$worker" "$@" > "$dir/out" 2> "$dir/err"
  status=$?
}

PLAIN=0 FAILS=1 LARGE=5 FRAIL=3
"$worker" $PLAIN 50 - - > "$dir/alone"
for n in 1 2 4; do
  ranks $n $PLAIN 50 - -
  note $status "$n ranks end well: status $status"
  cmp -s "$dir/alone" "$dir/out"
  note $? "$n ranks give the results of one process"
done

# larger than the pieces a message is sent in (16 MiB)
"$worker" $LARGE 3 - - > "$dir/alone"
ranks 3 $LARGE 3 - -
cmp -s "$dir/alone" "$dir/out"
note $? "40 MB travel whole"

# the first unit's error is told, once, and everybody ends
for n in 1 2 4; do
  ranks $n $FAILS 9 - -
  [ $status -eq 1 ] && [ "$(grep -c 'toy.yaml:.*error: x is' "$dir/err")" -eq 1 ]
  note $? "an error of $n ranks is told: status $status"
done

# a folder that cannot be made: ranks are sent home
ranks 3 $PLAIN 9 "$dir/none/parts" -
[ $status -ne 0 ] && [ $status -ne 124 ] && grep -q "cannot be made" "$dir/err"
note $? "a start that fails sends the ranks home: status $status"

# a rank that dies takes the job with it; the same command resumes and does no finished unit again
"$worker" $PLAIN 40 - - > "$dir/alone"
ranks 3 $FRAIL 40 "$dir/parts" "$dir/log"
[ $status -ne 0 ] && [ $status -ne 124 ]
note $? "the job ends with a rank killed: status $status"
kept=$(ls "$dir/parts" | grep -c unit)
[ "$kept" -ge 10 ] && [ "$kept" -lt 40 ]
note $? "what was finished is kept: $kept of 40"
ranks 3 $FRAIL 40 "$dir/parts" "$dir/log"
[ "$(head -n 1 "$dir/out")" = "$(head -n 1 "$dir/alone")" ]
note $? "the resumed job gives the same results"
grep -qx "$((40 - kept)) done, $kept found" "$dir/out"
note $? "it does no finished unit again: $(tail -n 1 "$dir/out"), $kept were finished"
# at most the units at work, two ranks, were begun twice
begun=$(wc -l < "$dir/log")
[ "$begun" -le 42 ]
note $? "$begun units begun for 40"

# the reduced model by ranks
MODEWAY_CACHE=$dir/cache
export MODEWAY_CACHE
worker=$modeway
"$modeway" reduce "$model" -o "$dir/rom.nc" -q > "$dir/alone" 2> "$dir/err"
mv "$dir/rom.nc" "$dir/alone.nc"
for n in 1 2 4; do
  ranks $n reduce "$model" -o "$dir/rom.nc" -q
  note $status "$n ranks reduce: status $status"
  cmp -s "$dir/rom.nc" "$dir/alone.nc"
  note $? "$n ranks give the bytes of one process"
  [ ! -e "$dir/rom.nc.parts" ]
  note $? "$n ranks leave no units"
  rm -f "$dir/rom.nc"
done
ranks 2 reduce "$dir/none.yaml" -o "$dir/rom.nc"
[ $status -eq 2 ] && [ "$(grep -c 'none.yaml: error' "$dir/err")" -eq 1 ]
note $? "a missing model is told once: status $status"
ranks 2 info "$dir/alone.nc"
[ $status -eq 2 ] && [ "$(grep -c 'mpirun is for' "$dir/err")" -eq 1 ]
note $? "other commands refuse mpirun: status $status"

finish work_mpi 20
