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

# parameters that the reduced model keeps, the model's values not in the middle of their ranges
cat > two.yaml << 'END'
modeway: 1
parameters: { c: 3, d: 5 }
materials: { s: { E: 200e9, nu: 0.3, rho: 7800 } }
sections: { q: { rectangle: { width: 0.05, height: 0.02 } } }
bodies:
  bed: { ground: true, beams: { points: { a: [0, 0, 0], b: [1, 0, 0] },
         members: [{ from: a, to: b, section: q, material: s, elements: 6 }] },
         supports: [{ nodes: a }, { nodes: b }], guides: { x: { from: a, to: b } } }
  car: { at: [0.5, 0, 0], rigid: { mass: 2, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }
joints:
  x: { slide: { guide: bed.x, on: car, orientation: fixed,
                runners: [{ stiffness: 1e6, damping: [$c, $d] }] }, drive: motor }
outputs: { car: { frame: car } }
reduction:
  coordinates: { x: { range: [0.3, 0.7], points: 5 } }
  modes: { count: 2 }
  parameters: { c: [1, 9], d: [1, 19] }
  certificate: { points: 2, samples: 4 }
END
"$modeway" reduce two.yaml -o two.nc -q > out 2> err
note $? "a reduced model that keeps two parameters"
"$modeway" reduce two.yaml -o same.nc -q --set parameters.c=2 > out 2> err
grep -qF "keeps c from 1 to 9, and the reduced model is made in the middle, at 5: --set parameters.c=2 changes nothing" err
note $? "reduce says that it does not take a value of a parameter that is kept"
for to in table casadi; do
  for set in "parameters.c=2" "joints.x.damping=7"; do
    CC=true "$modeway" export two.nc --to $to -o left --set "$set" > out 2> err
    CC=true "$modeway" export two.nc --to $to -o named --set parameters.c=5 --set parameters.d=10 --set "$set" > out 2> err
    diff -r left named > err && rm -r left named
    note $? "$to: a parameter that $set does not name stays in the middle"
  done
done

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

finish bound 25
