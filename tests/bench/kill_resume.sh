#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# kill_resume.sh MODEL N [SEED]: modeway reduce killed N times at random moments, resumed until done; judged.
#
# The model is reduced once without a disturbance. Then, again and again, a reduction is started in one of three ways and
# killed with SIGKILL after a random time:
#
#   alone      modeway reduce                 the process
#   workers    modeway reduce -j 2            the process, or one of its workers (then it goes on by itself)
#   ranks      mpirun -n 2 modeway reduce     one of the ranks (mpirun then ends the job); where mpirun is found
#
# and the next start resumes what is left. When a reduction gets done, its file must have the bytes of the undisturbed one,
# the folder of its units must be gone, and the units it found finished must be all those that were on disk when it started:
# nothing that was finished is done again. (One killed at its very end may have left the file, too, with the same bytes.) It
# begins anew until N kills are done. Prints a table; exit status 1 on any difference.
#
# MODEWAY names the program (default build/sim/modeway).
set -u
model=${1:?usage: kill_resume.sh MODEL N [SEED]}
n=${2:?usage: kill_resume.sh MODEL N [SEED]}
RANDOM=${3:-1}
modeway=$(realpath "${MODEWAY:-build/sim/modeway}")
model=$(realpath "$model")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
mpirun=$(command -v mpirun)
ways=2
[ -n "$mpirun" ] && "$mpirun" --allow-run-as-root --oversubscribe -n 2 "$modeway" reduce --help > /dev/null 2>&1 && ways=3

declare -A kills finished
failed=0
complain() {
  echo "FAILED: $*"
  failed=1
}
units_on_disk() { find rom.nc.parts -name '*.unit' 2> /dev/null | wc -l; }
number() { sed -n "s/^units: \([0-9]*\) done, \([0-9]*\) found finished.*/\\$1/p" out; }
# a random time up to the least that a whole run took: s
moment() { awk -v r=$RANDOM -v t="$whole" 'BEGIN { printf "%.3f", 0.02 + r / 32768 * t }'; }

# one of the processes that $1 has started: its pid
one_of() {
  local list
  list=$(pgrep -P "$1")
  [ -n "$list" ] && echo "$list" | sed -n "$((RANDOM % $(echo "$list" | wc -l) + 1))p"
}

start=$(date +%s.%N)
"$modeway" reduce "$model" -o rom.nc -q > out || [ $? -eq 1 ] || { echo "FAILED: the undisturbed run"; exit 1; }
whole=$(awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { print b - a }')
mv rom.nc undisturbed.nc
total=$(number 1)
echo "undisturbed: $total units in $whole s"

done_kills=0
runs=0
way=-1
while [ "$done_kills" -lt "$n" ]; do
  way=$((RANDOM % ways))
  before=$(units_on_disk)
  case $way in
  0) name=alone; "$modeway" reduce "$model" -o rom.nc -q > out 2> err & ;;
  1) name=workers; "$modeway" reduce "$model" -o rom.nc -q -j 2 > out 2> err & ;;
  2) name=ranks; "$mpirun" --allow-run-as-root --oversubscribe -n 2 "$modeway" reduce "$model" -o rom.nc -q > out 2> err & ;;
  esac
  job=$!
  sleep "$(moment)"
  victim=$job
  if [ $way -eq 2 ] || { [ $way -eq 1 ] && [ $((RANDOM % 2)) -eq 0 ]; }; then
    victim=$(one_of $job)
    [ $way -eq 1 ] && [ -n "$victim" ] && name=worker
  fi
  if [ -n "$victim" ] && kill -9 "$victim" 2> /dev/null; then
    done_kills=$((done_kills + 1))
    kills[$name]=$((${kills[$name]:-0} + 1))
  fi
  wait $job 2> /dev/null
  status=$?
  after=$(units_on_disk)
  if [ $status -eq 0 ] || { [ $status -eq 1 ] && [ -n "$(number 1)" ]; }; then
    # done in spite of the kill, or before it
    runs=$((runs + 1))
    finished[$name]=$((${finished[$name]:-0} + 1))
    cmp -s rom.nc undisturbed.nc || complain "run $runs ($name): other bytes than the undisturbed run"
    [ -e rom.nc.parts ] && complain "run $runs ($name): its units are still there"
    [ "$(number 2)" -eq "$before" ] || complain "run $runs ($name): $(number 2) found finished, $before were on disk"
    [ "$(($(number 1) + $(number 2)))" -eq "$total" ] || complain "run $runs ($name): $(number 1) + $(number 2) units, not $total"
    rm -f rom.nc
  else
    # killed behind the result's rename: it is whole, and units may still be there
    if [ -e rom.nc ]; then
      cmp -s rom.nc undisturbed.nc || complain "a killed run ($name) left another result"
      rm -f rom.nc
    elif [ "$after" -lt "$before" ]; then
      complain "a killed run ($name) lost units: $before, then $after"
    fi
  fi
done

# the last one to its end
before=$(units_on_disk)
"$modeway" reduce "$model" -o rom.nc -q > out 2> err
runs=$((runs + 1))
finished[alone]=$((${finished[alone]:-0} + 1))
cmp -s rom.nc undisturbed.nc || complain "the last run: other bytes than the undisturbed run"
[ "$(number 2)" -eq "$before" ] || complain "the last run: $(number 2) found finished, $before were on disk"

printf '\n%-10s %6s %10s\n' way kills "runs done"
for name in alone workers worker ranks; do
  printf '%-10s %6d %10d\n' $name "${kills[$name]:-0}" "${finished[$name]:-0}"
done
[ $failed -eq 0 ] && echo "$done_kills kills, $runs reductions done: identical bytes, nothing finished was done again"
exit $failed
