#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_run_mpi.sh MODEWAY CASES: runs of path rigid over 1 to 4 MPI ranks have the bytes of one process; what is wrong is
# told once; errors of one rank end all.
program=$1
cases=$2
. "$(dirname "$0")/../checks.sh"
if [ -z "$(command -v mpirun)" ]; then
  echo "FAILED: there is no mpirun (Debian: openmpi-bin)"
  exit 1
fi
cd "$dir" || exit 1

ranks() { # N ARGUMENTS...: status, streams in out and err
  n=$1
  shift
  timeout 120 mpirun --allow-run-as-root --oversubscribe -n "$n" "$program" "$@" > out 2> err
  status=$?
}

# same RANKS MODEL SCENARIO OPTIONS...: the same bytes, the same last lines, one file
same() {
  many=$1 model=$2 scenario=$3
  shift 3
  "$program" simulate "$model" -s "$scenario" --path rigid -q -o run.nc "$@" > alone.out 2> alone.err
  note $? "$model by one process: $*"
  mv run.nc alone.nc
  for n in $many; do
    ranks "$n" simulate "$model" -s "$scenario" --path rigid -q -o run.nc "$@"
    note $status "$model by $n ranks: status $status, $*"
    cmp -s run.nc alone.nc
    note $? "$n ranks give $model the bytes of one process: $*"
    [ "$(sed 's/, [^,]* s, .*//' alone.out)" = "$(sed 's/, [^,]* s, .*//' out)" ]
    note $? "$n ranks say of $model what one process says: $*"
    rm -f run.nc
  done
}

# A tree: links in a row, an arm on each; with springs, a force, a controller, a prescribed coordinate and a limit.
tree() { # LINKS
  awk -v n="$1" 'BEGIN {
    print "modeway: 1\nname: tree\ngravity: [0, 1, -9.81]\nbodies:"
    for (i = 0; i < n; i++)
      for (k = 0; k < 2; k++)
        printf "  %s%d: { at: [%g, %g, 0], rigid: { mass: 1, com: [0.5, 0.1, 0], inertia: [2e-2, 0.08, 0.09, 0, 0, 0] }, " \
               "frames: { end: { point: [1, 0, 0] }, side: { point: [0.5, 0.5, 0] } } }\n",
               k ? "arm" : "link", i, i + 0.5 * k, 0.5 * k
    print "joints:"
    for (i = 0; i < n; i++) {
      printf "  h%d: { revolute: { a: %s, b: link%d, axis: [0, %d, %d] }, coordinate: c%d%s }\n", i,
             i ? "link" i - 1 ".end" : "ground", i, i % 2, 1 - i % 2, i, i == 1 ? ", limits: [-3, 0.01]" : ""
      printf "  g%d: { revolute: { a: link%d.side, b: arm%d, axis: [1, 0, 0] }, coordinate: d%d%s }\n", i, i, i, i,
             i % 5 == 2 ? ", damping: 0.1" : ""
    }
    print "drives:\n  m0: { coordinate: c20 }\n  m1: { coordinate: d9 }\n  m2: { coordinate: c30 }\nforces:"
    print "  rope: { spring: { a: link3.end, b: link40.end }, stiffness: 5, damping: 0.2 }"
    print "outputs:\n  tip: { frame: link40.end }\nscenarios:"
    print "  drive:\n    initial: undeformed\n    duration: 4e-3\n    step: 1e-3\n    store: 2e-3\n    drives:"
    print "      m0: { position: { ramp: { from: 0, velocity: 0.5 } } }\n      m1: { force: 2 }"
    print "      m2: { follow: { sine: { amplitude: 0.1, frequency: 3 } }, kp: 50, kd: 2 }"
    print "  fall: { initial: undeformed, duration: 1, step: 2e-3, store: 4e-3, start: { c1: { at: 0, velocity: 5 } } }"
  }'
}

"$program" example chain -n 520 > chain.yaml
"$program" example n-four-bar -n 180 > loops.yaml
tree 260 > tree.yaml
same "1 2 3 4" chain.yaml fall --threads 1 --set scenarios.fall.duration=0.02 --set scenarios.fall.store=0.01
same "2 3" loops.yaml ride --threads 1 --set scenarios.ride.duration=0.01
same "2 4" tree.yaml drive --threads 1
same "2" tree.yaml drive --threads 1 --method leapfrog
same "2 3" tree.yaml fall --threads 1 --method dopri5
[ "$(grep -c 'the run ends there' err)" -eq 1 ] && [ "$(cat err | grep 'ends there')" = "$(grep 'ends there' alone.err)" ]
note $? "a limit ends the run of 3 ranks as of one process, and that is said once"

# stiff: auto goes over to radau, whose right-hand sides ranks share, too
sed 's/damping: 0.1/damping: 1000/; s/duration: 1, step: 2e-3, store: 4e-3/duration: 1000, step: 2e-3, store: 1/' tree.yaml > stiff.yaml
same "2" stiff.yaml fall --threads 1
[ "$(grep -c 'radau from t = ' err)" -eq 1 ]
note $? "ranks go over to radau"

# without --threads 1: the same trajectory, by another command
ranks 2 simulate chain.yaml -s fall --path rigid -q -o run.nc --json --set scenarios.fall.duration=0.01
note $status "2 ranks without --threads: status $status"
[ "$(grep -c '"wall_s"' out)" -eq 1 ]
note $? "2 ranks print one JSON object"

# few joints: rank 0 alone, which is said
same "1 3" "$cases/car.yaml" ride --set scenarios.ride.duration=0.02
[ "$(grep -c 'one process instead of 3 ranks: the mechanism has 24 joints' err)" -eq 1 ]
note $? "a mechanism of few joints is run by one process, which is said once"

# refused STATUS TEXT SENTENCE ARGUMENTS...: once
refused() {
  want=$1 text=$2 what=$3
  shift 3
  ranks 3 "$@"
  [ $status -eq "$want" ] && [ "$(grep -c 'error: ' err)" -eq 1 ] && grep -q -- "error: $text" err
  note $? "$what is told once: status $status, expected $want"
}
go="simulate chain.yaml -s fall --path rigid -q --set scenarios.fall.duration=0.02"
# shellcheck disable=SC2086
{
  refused 2 'simulate: unknown option --bogus' "a wrong option" simulate chain.yaml --bogus
  refused 2 '' "a missing model" simulate none.yaml -s fall --path rigid -o run.nc
  refused 2 'there is no scenario "fly"' "a missing scenario" simulate chain.yaml -s fly --path rigid -o run.nc
  refused 2 'simulate: mpirun is for --path rigid alone' "another path" simulate chain.yaml -s fall -o run.nc
  refused 2 'method radau is not made over ranks' "another method" $go -o run.nc --method radau
  refused 2 'found 2 threads under mpirun' "threads beside ranks" $go -o run.nc --threads 2
  refused 2 'cannot be written in the folder' "a folder that is not there" $go -o none/run.nc
  refused 1 '' "a file that cannot be written" $go -o "$(printf '%0252d' 0)"
  mkdir -p frames/fall-rigid-0001.vtu
  refused 1 'cannot be written: it exists' "a frame that cannot be written on the way" $go -o run.nc --vtk frames
}
[ ! -e run.nc ]
note $? "a run that failed leaves no file"

# a rank that dies takes the run with it
timeout 120 mpirun --allow-run-as-root --oversubscribe -n 2 "$program" simulate chain.yaml -s fall --path rigid -q -o run.nc \
  --set scenarios.fall.duration=1000 > out 2> err &
run=$!
victim=
for i in 1 2 3 4 5 6 7 8 9 10; do
  sleep 1
  victim=$(ps -eo pid=,args= | awk -v d="$program simulate chain.yaml" 'index($0, d) && !/mpirun/ { print $1; exit }')
  [ -n "$victim" ] && [ "$i" -ge 3 ] && break
done
kill -9 "$victim"
wait $run
status=$?
[ $status -ne 0 ] && [ $status -ne 124 ]
note $? "a run ends with a rank killed: status $status"
[ ! -e run.nc ]
note $? "a run with a rank killed leaves no file"

finish run_mpi 40
