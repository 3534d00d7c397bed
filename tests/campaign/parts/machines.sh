# SPDX-License-Identifier: BSD-3-Clause
# machines.sh: random machines, limits of memory, days of a controller.
# shellcheck shell=bash disable=SC2034,SC2154

# Elastic machines of families 4 to 7 in turn: compare's exit status 1 is a promise exceeded.
promise() {
  local k from end status ran=0 kept=0 missed=0 found=0 model=$work/machine.yaml
  from=$(begin promise) end=$((SECONDS + seconds))
  for ((k = from; SECONDS < end; k++)); do
    "$build/tests/campaign/campaign_machines" print $((4 + k % 4)) "$k" >"$model"
    rm -rf "$work/compared"
    timeout 300 "$modeway" compare "$model" -s run -o "$work/compared" -p gmp,full -q --json >"$work/stdout" 2>"$work/stderr"
    status=$?
    ran=$((ran + 1))
    if ((status == 0)) && grep -q '"promised": *null' "$work/stdout"; then
      missed=$((missed + 1))
    elif ((status == 0)); then
      kept=$((kept + 1))
    else
      found=$((found + 1))
      echo "family $((4 + k % 4)) number $k: exit status $status: $(tail -n 1 "$work/stderr" | cut -c1-200)" >>"$state/promise.open"
    fi
  done
  echo "$k" >"$state/promise"
  echo "promise: $ran machines, $kept kept, $missed promise nothing of some output, $found open (from $from on)"
  ((found == 0)) || { tail -n 20 "$state/promise.open"; failed=1; }
}

# ---- limits -------------------------------------------------------------------------------------

# Seconds of processor that reading the model takes (a scenario that is not there ends it).
reading() { # reading KIND N
  python3 "$top/tests/campaign/long_model.py" "$1" "$2" >"$work/long.yaml" || return 1
  (
    TIMEFORMAT=%U
    time timeout 120 "$modeway" simulate "$work/long.yaml" -s none -p rigid -o "$work/out.nc" >/dev/null 2>"$work/stderr"
  ) 2>&1
}

limits() {
  local mb status ran=0 found=0 half whole line kind words=()
  for ((mb = 60; mb <= 600; mb += 20)); do
    while read -r line; do
      read -r -a words <<<"$line"
      (ulimit -v $((mb * 1000)) && env -u OPENBLAS_NUM_THREADS -u OMP_NUM_THREADS timeout 60 "$modeway" "${words[@]}") >/dev/null 2>"$work/stderr"
      status=$?
      ran=$((ran + 1))
      # before the program begins: 127, the loader finds no room for the libraries; 130, OpenBLAS none for a thread
      ((status == 0)) || { ((status == 1 || status == 127)) && [[ -s $work/stderr ]]; } ||
        { ((status == 130)) && grep -q blas_thread_init "$work/stderr"; } ||
        { found=$((found + 1)); echo "$mb MB: $line: exit status $status: $(tail -n 1 "$work/stderr" | cut -c1-200)" | tee -a "$state/limits.open"; }
    done <<END
keys
check $cases/five-bar.yaml
check $cases/cantilever-carriage.yaml
simulate $cases/five-bar.yaml -s swing -p rigid -o $work/out.nc -q
reduce $cases/cantilever-carriage.yaml -o $work/out.nc -q
END
  done
  for kind in "points 36000" "chain 13500"; do
    read -r -a words <<<"$kind"
    half=$(reading "${words[0]}" "${words[1]}") whole=$(reading "${words[0]}" $((2 * words[1])))
    ran=$((ran + 1))
    echo "limits: ${words[0]}: $half s for 5 MB, $whole s for $(($(stat -c %s "$work/long.yaml") / 1000000)) MB"
    # twice the time, and as much again for memory that is farther away
    awk -v a="$half" -v b="$whole" 'BEGIN { exit !(a > 0 && b <= 4 * a) }' || { found=$((found + 1)); echo "$kind: not in proportion" | tee -a "$state/limits.open"; }
  done
  echo "limits: $ran commands, $found open"
  ((found == 0)) || failed=1
}

# The carriage on its cantilever, with friction and stops.
soak() {
  local model=$work/soak.yaml
  sed -e 's/^    coordinate: x$/&\n    drive_friction: { coulomb: 0.05, static: 0.07 }\n    stops: { range: [0.1, 0.9], stiffness: 1e3, damping: 0.2 }/' \
    -e 's/^strain: linear.*/&\ndamping: { modal: 0.02 }/' \
    -e 's/range: \[0, 1\], points: 25/&, max_rate: 4, max_acceleration: 40/' "$cases/cantilever-carriage.yaml" >"$model"
  "$modeway" reduce "$model" -o "$work/soak.nc" -q >/dev/null 2>"$work/stderr"
  [[ -s $work/soak.nc ]] || { cat "$work/stderr" >&2; failed=1; return; }
  "$build/tests/campaign/campaign_soak" "$work/soak.nc" "$state/soak" 86400000 "$seconds" || failed=1
}
