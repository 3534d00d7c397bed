# SPDX-License-Identifier: BSD-3-Clause
# files.sh: files that are damaged, and files with nonsense under a right digest.
# shellcheck shell=bash disable=SC2034,SC2154

# A copy of FILE with one bit flipped, or every tenth time cut, that belongs to K.
hurt() { # hurt FILE COPY K
  python3 - "$@" <<'END'
import random, sys
data = bytearray(open(sys.argv[1], "rb").read())
k = int(sys.argv[3])
r = random.Random(k)
at = r.randrange(len(data))
if k % 10 == 9:
    data = data[:at]
else:
    data[at] ^= 1 << r.randrange(8)
open(sys.argv[2], "wb").write(data)
END
}

# What must be refused: exit status 2 and a message with the file's name.
refused() { # refused WHAT K COMMAND...
  local what=$1 k=$2 status
  shift 2
  timeout 60 "$modeway" "$@" >"$work/stdout" 2>"$work/stderr"
  status=$?
  ((status == 2)) && grep -q "hurt" "$work/stderr" && return 0
  echo "$what $k: exit status $status: $(tail -n 1 "$work/stderr" | cut -c1-200)" >>"$state/damage.open"
  return 1
}

damage() {
  local k from end ran=0 found=0 unit whole parts=$work/rom.nc.parts
  local model=$cases/cantilever-carriage.yaml
  "$modeway" simulate "$cases/five-bar.yaml" -s swing -p rigid -o "$work/run.nc" -q >/dev/null 2>&1 &&
    "$modeway" export "$cases/portal/axis.yaml" --to component -o "$work/axis.so" >/dev/null 2>&1 &&
    "$modeway" reduce "$model" -o "$work/rom.nc" --parts "$work/whole" --shard 1/1 -q >/dev/null 2>&1 && cp -r "$work/whole" "$parts" &&
    "$modeway" reduce "$model" -o "$work/rom.nc" --parts "$parts" -q >/dev/null 2>&1
  [[ -s $work/run.nc && -s $work/axis.so && -s $work/rom.nc ]] || { echo "damage: nothing to damage" >&2; failed=1; return; }
  whole=$(sha256sum <"$work/rom.nc")
  from=$(begin damage) end=$((SECONDS + seconds))
  for ((k = from; SECONDS < end; k++)); do
    case $((k % 20)) in
    0) # a finished unit: the reduction does it again and gives the same bytes
      rm -rf "$parts" && cp -r "$work/whole" "$parts"
      unit=$(find "$parts" -type f | sort | sed -n "$((k / 20 % 20 + 1))p")
      [[ -n $unit ]] || { failed=1; break; }
      hurt "$unit" "$work/hurt" "$k" && mv "$work/hurt" "$unit"
      timeout 120 "$modeway" reduce "$model" -o "$work/rom.nc" --parts "$parts" -q >"$work/stdout" 2>"$work/stderr"
      [[ $(sha256sum <"$work/rom.nc") == "$whole" ]] ||
        { found=$((found + 1)); echo "unit $k: other bytes: $unit: $(tail -n 1 "$work/stderr")" >>"$state/damage.open"; }
      ;;
    [1-9]) hurt "$work/axis.so" "$work/hurt.so" "$k" && { refused component "$k" info "$work/hurt.so" || found=$((found + 1)); } ;;
    *) hurt "$work/run.nc" "$work/hurt.nc" "$k" && { refused run "$k" info "$work/hurt.nc" || found=$((found + 1)); } ;;
    esac
    ran=$((ran + 1))
  done
  echo "$k" >"$state/damage"
  echo "damage: $ran files, $found open (from $from on)"
  ((found == 0)) || { tail -n 20 "$state/damage.open"; failed=1; }
}

# Units with nonsense: a reduction goes on from them and ends by itself, whatever the numbers become.
behind_units() { # behind_units SECONDS
  local k from end status ran=0 done=0 found=0 unit list model=$cases/cantilever-carriage.yaml
  "$modeway" reduce "$model" -o "$work/rom.nc" --parts "$work/whole" --shard 1/1 -q >/dev/null 2>&1
  mapfile -t list < <(cd "$work/whole" 2>/dev/null && find . -name '*.unit' | sort)
  ((${#list[@]} > 0)) || { echo "behind: no units" >&2; failed=1; return; }
  from=$(begin behind.units) end=$((SECONDS + $1))
  for ((k = from; SECONDS < end; k++)); do
    rm -rf "$work/parts" && cp -r "$work/whole" "$work/parts"
    unit=${list[k % ${#list[@]}]}
    python3 "$top/tests/campaign/nonsense_unit.py" "$work/parts/$unit" "$k" || { failed=1; break; }
    timeout 120 "$modeway" reduce "$model" -o "$work/rom.nc" --parts "$work/parts" -q >"$work/stdout" 2>"$work/stderr"
    status=$?
    ran=$((ran + 1))
    ((status == 0)) && done=$((done + 1))
    ((status <= 2)) && { ((status == 0)) || [[ -s $work/stderr ]]; } ||
      { found=$((found + 1)); echo "unit $k: exit status $status: $unit: $(tail -n 1 "$work/stderr")" >>"$state/behind.open"; }
  done
  echo "$k" >"$state/behind.units"
  echo "behind: $ran units with nonsense, $done taken, $found open (from $from on)"
  ((found == 0)) || { tail -n 20 "$state/behind.open"; failed=1; }
}

behind() {
  local from line
  "$modeway" simulate "$cases/five-bar.yaml" -s swing -p rigid -o "$work/run.nc" -q >/dev/null 2>&1
  [[ -s $work/run.nc ]] || { echo "behind: no run" >&2; failed=1; return; }
  from=$(begin behind)
  line=$("$build/tests/campaign/campaign_nonsense" runs "$work" "$from" 1000000000 $((seconds / 2)) "$work/run.nc" "$modeway" |
    tee -a "$state/behind.open" | tail -n 1)
  sed -i "/ cases, /d" "$state/behind.open"
  echo $((from + $(sed -n 's/^runs: \([0-9]*\) cases.*/\1/p' <<<"$line"))) >"$state/behind"
  echo "behind: $line (from $from on)"
  [[ $line == *" 0 open" ]] || { tail -n 20 "$state/behind.open"; failed=1; }
  behind_units $((seconds / 2))
}
