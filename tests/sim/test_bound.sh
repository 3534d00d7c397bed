#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_bound.sh MODEWAY CASES RUNS: what a reduced model is bound to, and what not: so many scenarios, other folders, other
# texts of the same numbers.
modeway=$1
cases=$2
runs=$3
program=$modeway
. "$(dirname "$0")/../checks.sh"
cd "$dir" || exit 1

does() { # STATUS, TEXT on stderr, ARGUMENTS...
  want=$1
  text=$2
  shift 2
  "$modeway" "$@" > out 2> err
  got=$?
  [ "$got" -eq "$want" ] && { [ -z "$text" ] || grep -qF -- "$text" err; }
  note $? "modeway $*: status $got, expected $want and \"$text\""
}

mkdir made moved apart
sed 's/^gravity: .*/&\nparameters: { payload: 0.5, v: 1.5707963267948966, end: $payload \/ $v + 1 }/
     s/mass: 0.5/mass: $payload/
     s/1.5707963267948966 }/$v }/g
     s/duration: 0.63.*/duration: 1 \/ $v/' "$cases/beam-carriage.yaml" > made/m.yaml
grep -c '[$]v' made/m.yaml > out
[ "$(cat out)" -eq 4 ]
note $? "the model has parameters"
(cd made && "$modeway" reduce m.yaml -o rom.nc -q) > out 2> err
note $? "a reduced model to work with"
cksum made/rom.nc > before

# scenarios
run=0
while [ $run -lt "$runs" ]; do
  "$modeway" simulate made/m.yaml -s half --rom made/rom.nc -o run.nc -q \
    --set "parameters.v=1.2 + $run/200" --set 'scenarios.half.duration=0.5/$v' > out 2> err || break
  cksum run.nc
  run=$((run + 1))
done > runs
[ "$run" -eq "$runs" ] && [ "$(cut -d ' ' -f 1 runs | sort -u | wc -l)" -eq "$runs" ]
note $? "$runs scenarios run, $run did, and each gives another run"
cksum made/rom.nc > after
cmp -s before after
note $? "the reduced model is as it was"
redone=$((runs - run))
echo "a scenario changed $runs times: $run runs by one reduced model, $redone reductions redone"

# history, parameters
"$modeway" simulate made/m.yaml -s half --rom made/rom.nc -o run.nc -q --set 'scenarios.half.duration=0.5 / $v' \
  --set "name=it's" > out 2> err
note $? "a run with values set"
"$modeway" info run.nc --json > out 2> err
grep -qF "\"history\": \"modeway" out && grep -qF "'scenarios.half.duration=0.5 / \$v' --set 'name=it'\\\\''s'\"" out
note $? "the history quotes values that are set: $(grep history out)"
grep -qF '"model_parameters": "payload = 0.5, v = 1.5707963267949, end = 1.31830988618379"' out
note $? "a run names the parameters: $(grep parameters out)"
"$modeway" info made/rom.nc > out 2> err
grep -qF "payload = 0.5, v = 1.5707963267949" out
note $? "a reduced model names the parameters"

# other values of the machine
does 2 "parameters were payload = 0.5, v = 1.5707963267949, end = 1.31830988618379 and are payload = 0.6" \
  simulate made/m.yaml -s half --rom made/rom.nc -o run.nc --set parameters.payload=0.6
does 2 "--set parameters.paylod=0.6:1:12: error: found no paylod in the model, did you mean \"payload\"?" \
  simulate made/m.yaml -s half --rom made/rom.nc -o run.nc --set parameters.paylod=0.6

# what stands beside the tables
does 0 "other damping, friction or stops of joint coordinates; it takes those of the model" \
  simulate made/m.yaml -s half --rom made/rom.nc -o run.nc --set joints.x.damping=0.5
does 0 "other damping, friction or stops" simulate made/m.yaml -s half --rom made/rom.nc -o run.nc \
  --set 'joints.x.drive_friction={ coulomb: 0.01 }'
"$modeway" export made/rom.nc --to c -o code --set joints.x.damping=7 > out 2> err &&
  grep -q "it takes those of the model" out && cat code/*.c | grep -A 1 "MODEL_C_THETA\[1\] =" | grep -q "  7"
note $? "exports take them, too, and say so"
does 2 "has other bodies" export made/rom.nc --to c -o code --set parameters.payload=0.6

# other texts of the same machine, in another folder
sed 's/ mass: [$]payload/ mass: 0.50/; s/^strain: linear.*/& by hand/; s/points: 25/points: $n/; s/^parameters: {/& n: 5 * 5,/
     s/gravity: \[0, 0, -1\]/gravity: [0.0, 0, -1e0]/' made/m.yaml > apart/another.yaml
does 0 "" simulate apart/another.yaml -s half --rom made/rom.nc -o run.nc
does 0 "" simulate made/rom.nc -s half -o run.nc
mv made/m.yaml made/rom.nc moved
does 0 "" simulate moved/rom.nc -s half -o run.nc
(cd moved && "$modeway" simulate rom.nc -s half -o run.nc -q) > out 2> err
note $? "a reduced model is run where it lies"
mv moved/m.yaml apart/other.yaml
does 2 "was made from the model m.yaml, which is not there, nor is m.yaml beside the reduced model" \
  simulate moved/rom.nc -s half -o run.nc
does 0 "" simulate apart/other.yaml --rom moved/rom.nc -s half -o run.nc

finish bound 20
