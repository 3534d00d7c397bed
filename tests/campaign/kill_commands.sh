#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# kill_commands.sh MODEWAY CASES SECONDS [SEED]: simulate, compare and reductions on one cache killed at random moments; judged.
#
#   run       modeway simulate, path gmp or rigid, over a file that is there: afterwards that file or the new one
#   compare   into a folder that is there: each file of it as it was or as it becomes (times of the wall stand in two of them)
#   cache     two reductions on one cache, one of them killed: the other ends with the bytes of an undisturbed one
#
# Then the same command runs undisturbed: same bytes, and what the killed process was writing (NAME.N.tmp) is gone. In a cache
# it stays, where the other process has written NAME. Prints one line; exit status 1 on any difference.
set -u
modeway=$(realpath "${1:?usage: kill_commands.sh MODEWAY CASES SECONDS [SEED]}") || exit 1
cases=$(realpath "${2:?usage: kill_commands.sh MODEWAY CASES SECONDS [SEED]}") || exit 1
seconds=${3:?usage: kill_commands.sh MODEWAY CASES SECONDS [SEED]}
RANDOM=${4:-1}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
model=$cases/cantilever-carriage.yaml
failed=0
declare -A kills whole

complain() {
  echo "FAILED: $*"
  failed=$((failed + 1))
}
nothing_left() { # nothing_left FOLDER
  ! compgen -G "$1/*.tmp" >/dev/null || complain "left: $(echo "$1"/*.tmp)"
}
sum() { sha256sum <"$1" 2>/dev/null; }

# Seconds that a command takes: as many as moments are drawn from.
measure() {
  local from
  from=$(date +%s.%N)
  "$@" >/dev/null 2>stderr || complain "undisturbed: $*: $(tail -n 1 stderr)"
  awk -v a="$from" -v b="$(date +%s.%N)" 'BEGIN { print b - a }'
}

# A command killed at a moment of its time; 0: it was, 1: it had ended.
strike() { # strike TIME COMMAND...
  local time=$1 process
  shift
  "$@" >/dev/null 2>&1 &
  process=$!
  sleep "$(awk -v r=$RANDOM -v t="$time" 'BEGIN { printf "%.3f", 0.9 * r / 32768 * t }')"
  kill -KILL "$process" 2>/dev/null
  wait "$process" 2>/dev/null
  (($? == 137))
}

# One output that must be the old or the whole one after a kill, and the whole one after a run.
one_file() { # one_file NAME TIME COMMAND...
  local name=$1 time=$2 now
  shift 2
  echo old >"$name.nc"
  strike "$time" "$@" && kills[$name]=$((${kills[$name]:-0} + 1))
  now=$(sum "$name.nc")
  [[ $now == "$(echo old | sha256sum)" || $now == "${whole[$name]}" ]] || complain "$name: neither the old file nor the new one"
  "$@" >/dev/null 2>stderr || complain "$name after a kill: $(tail -n 1 stderr)"
  [[ $(sum "$name.nc") == "${whole[$name]}" ]] || complain "$name: other bytes after a kill"
  nothing_left .
}

folder() { # folder TIME COMMAND...
  local time=$1 file now
  shift
  rm -rf out && mkdir out && for file in gmp.nc rigid.nc compare.svg compare.nc; do echo old >"out/$file"; done
  strike "$time" "$@" && kills[compare]=$((${kills[compare]:-0} + 1))
  for file in gmp.nc rigid.nc compare.svg; do
    now=$(sum "out/$file")
    [[ $now == "$(echo old | sha256sum)" || $now == "${whole[$file]}" ]] || complain "compare: $file is neither old nor new"
  done
  [[ $(<out/compare.nc) == old ]] 2>/dev/null || "$modeway" info out/compare.nc >/dev/null 2>stderr ||
    complain "compare: compare.nc: $(tail -n 1 stderr)"
  "$@" >/dev/null 2>stderr || complain "compare after a kill: $(tail -n 1 stderr)"
  for file in gmp.nc rigid.nc compare.svg; do
    [[ $(sum "out/$file") == "${whole[$file]}" ]] || complain "compare: $file has other bytes after a kill"
  done
  nothing_left out
}

reduction() { (mkdir -p "$1" && cd "$1" && exec "$modeway" reduce "$model" -o rom.nc --cache "$dir/cache" --no-parts -q) >/dev/null 2>&1; }

cached() { # cached TIME
  local other
  rm -rf cache one two
  reduction one &
  other=$!
  mkdir -p two
  (cd two && strike "$1" "$modeway" reduce "$model" -o rom.nc --cache "$dir/cache" --no-parts -q) && kills[cache]=$((${kills[cache]:-0} + 1))
  wait "$other" || complain "cache: the reduction that was not killed: exit status $?"
  [[ $(sum one/rom.nc) == "${whole[rom]}" ]] || complain "cache: other bytes beside a kill"
  reduction two || complain "cache: the reduction after a kill: exit status $?"
  [[ $(sum two/rom.nc) == "${whole[rom]}" ]] || complain "cache: other bytes after a kill"
}

t_rom=$(measure reduction rom)
whole[rom]=$(sum rom/rom.nc)
gmp_run=("$modeway" simulate rom/rom.nc -s cycloid -o gmp.nc -q)
rigid_run=("$modeway" simulate "$cases/five-bar.yaml" -s swing -p rigid -o rigid.nc -q)
compare_run=("$modeway" compare "$model" -s cycloid -o out -p gmp,rigid --rom rom/rom.nc -q)
t_gmp=$(measure "${gmp_run[@]}") t_rigid=$(measure "${rigid_run[@]}") t_compare=$(measure "${compare_run[@]}")
whole[gmp]=$(sum gmp.nc) whole[rigid]=$(sum rigid.nc)
for file in gmp.nc rigid.nc compare.svg; do whole[$file]=$(sum "out/$file"); done
((failed == 0)) || exit 1

end=$((SECONDS + seconds))
for ((k = 0; SECONDS < end; k++)); do
  case $((k % 12)) in
  0) cached "$t_rom" ;;
  [1-3]) folder "$t_compare" "${compare_run[@]}" ;;
  [4-7]) one_file rigid "$t_rigid" "${rigid_run[@]}" ;;
  *) one_file gmp "$t_gmp" "${gmp_run[@]}" ;;
  esac
done
echo "kills: simulate gmp ${kills[gmp]:-0}, rigid ${kills[rigid]:-0}, compare ${kills[compare]:-0}, two reductions on one cache ${kills[cache]:-0}, $failed open"
((failed == 0))
