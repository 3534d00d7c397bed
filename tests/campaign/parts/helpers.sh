# SPDX-License-Identifier: BSD-3-Clause
# helpers.sh: jobs of the program modeway-eigen; functional mock-up units called in any order.
# shellcheck shell=bash disable=SC2034,SC2154

# A job with nonsense: the program ends by itself, with a message unless it is done.
jobs_of_eigen() {
  local program=$build/fem/eigen/modeway-eigen from end k status ran=0 done=0 found=0
  python3 "$top/tests/campaign/nonsense_job.py" "$work/job" 0
  "$program" "$work/job" "$work/result" >"$work/stdout" 2>&1 ||
    { echo "jobs: $program: $(tail -n 1 "$work/stdout")" >&2; failed=1; return; }
  from=$(begin jobs) end=$((SECONDS + seconds))
  for ((k = from; SECONDS < end; k++)); do
    python3 "$top/tests/campaign/nonsense_job.py" "$work/job" "$k" || { failed=1; break; }
    rm -f "$work/result"
    (ulimit -v 4000000 && timeout 120 "$program" "$work/job" "$work/result") >"$work/stdout" 2>"$work/stderr"
    status=$?
    ran=$((ran + 1))
    ((status == 0)) && done=$((done + 1))
    ((status <= 2)) && { ((status == 0)) || grep -q 'modeway-eigen: error' "$work/stderr"; } ||
      { found=$((found + 1)); echo "job $k: exit status $status: $(tail -n 1 "$work/stderr")" >>"$state/jobs.open"; }
  done
  echo "$k" >"$state/jobs"
  echo "jobs: $ran jobs of modeway-eigen with nonsense (from $from on), $done taken, $found open"
  ((found == 0)) || { tail -n 20 "$state/jobs.open"; failed=1; }
}

# Units of both versions, random calls; what it finds it prints as failed checks.
sequences() {
  local from line
  from=$(begin sequences)
  cmake --build "$build" --target campaign_sequences >/dev/null 2>&1
  "$build/tests/campaign/campaign_sequences" "$from" 1000000000 "$seconds" >"$work/stdout" 2>&1 || failed=1
  line=$(grep '^sequences: ' "$work/stdout" | tail -n 1)
  [[ -n $line ]] || { line="sequences: ended before its end"; failed=1; }
  ((failed == 0)) || { tail -n 40 "$work/stdout" >>"$state/sequences.open"; tail -n 5 "$work/stdout"; }
  echo $((from + $(sed -n 's/^sequences: \([0-9]*\) .*/\1/p' <<<"$line"))) >"$state/sequences"
  echo "$line (from $from on)"
}
