# SPDX-License-Identifier: BSD-3-Clause
# disk.sh: full disks, closed pipes.
# shellcheck shell=bash disable=SC2034,SC2154

# Every command that writes files, into $disk.
writers() {
  local elastic=$cases/cantilever-carriage.yaml rigid=$cases/five-bar.yaml rom=$work/rom.nc
  cat <<END
check $elastic --picture $disk/check.svg
check $elastic --vtk $disk/check.vtu
check $rigid --structure $disk/structure.svg
analyze $rigid kinematics -s swing -o $disk/kinematics.nc -q
modes $elastic --at x=0.3 --vtk $disk/modes -q
modes $elastic --sweep x=0:1:5 -o $disk/sweep.csv -q
reduce $elastic -o $disk/rom.nc --shapes $disk/rom.shapes -q
simulate $rom -s cycloid -o $disk/gmp.nc -q
simulate $rigid -s swing -p rigid -o $disk/rigid.nc -q
compare $elastic -s force -o $disk/compared -p gmp --rom $rom -q
frf $rom --at x=0.3 --to tip -o $disk/frf.csv -q
map $rom --to tip --over x=0:1:5 -o $disk/map.nc -q
study $elastic --at x=0.3 --vary sections.line.general.Iy=1e-8:2e-8:2 -o $disk/study.nc -q
export $rom --to c -o $disk/c
export $rom --to casadi -o $disk/casadi
export $rom --to fmu -o $disk/it.fmu
export $rom --to lpv -o $disk/lpv.mat
export $rom --to table -o $disk/it.table
export $rom --to wasm -o $disk/wasm
export $cases/portal/axis.yaml --to component -o $disk/axis.so
import $top/tests/fuzz/seeds/import/arm.urdf -o $disk/arm.yaml
info $rom --page $disk/page.html
info $rom --picture $disk/info.svg
manual -o $disk/man
END
}

# The k-th case: a command in turn, its disk with room for a share of what it writes that belongs to k.
full() {
  local disk=$work/disk from end ran=0 found=0 line k n i kb used share
  local -a list word
  mkdir -p "$disk"
  unshare -rm true 2>/dev/null || { echo "full: no disk can be mounted here (unshare -rm)" >&2; failed=1; return; }
  "$modeway" reduce "$cases/cantilever-carriage.yaml" -o "$work/rom.nc" -q >/dev/null 2>&1
  mapfile -t list < <(writers)
  from=$(begin full) end=$((SECONDS + seconds))
  for ((k = from; SECONDS < end; k++)); do
    i=$((k % ${#list[@]}))
    read -r -a word <<<"${list[i]}"
    if [[ ! -s $work/kept.$i ]]; then
      unshare -rm "$top/tests/campaign/full_disk.sh" "$disk" 400000 - "$modeway" "${word[@]}" >"$work/kept.$i" 2>"$work/stderr" ||
        { echo "full: ${list[i]}: $(tail -n 1 "$work/stderr")" | tee -a "$state/full.open" >&2; failed=1; continue; }
      cp "$disk.used" "$work/used.$i"
    fi
    n=$(wc -l <"$work/kept.$i") used=$(<"$work/used.$i")
    share=$((k / ${#list[@]} * 37 % 100))
    kb=$((4 * n + 8 + used * share / 100))
    line=$(unshare -rm "$top/tests/campaign/full_disk.sh" "$disk" "$kb" "$work/kept.$i" "$modeway" "${word[@]}" 2>&1)
    ran=$((ran + 1))
    [[ -z $line ]] || { found=$((found + 1)); sed "s|^|${word[*]}: $kb kB: |" <<<"${line//$work/}" >>"$state/full.open"; }
  done
  echo "$k" >"$state/full"
  ran=$((ran + 2))
  read_only || { found=$((found + 1)); echo "read-only cache: $(tr '\n' ' ' <"$work/ended"): $(tail -n 1 "$work/stderr")" >>"$state/full.open"; }
  echo "full: $ran commands of ${#list[@]} on full disks and read-only caches (from $from on), $found open"
  ((found == 0)) || { tail -n 20 "$state/full.open"; failed=1; }
}

# A cache that can only be read: what it holds is used, what it lacks is an error that names it.
read_only() {
  local cache=$work/cache model=$cases/cantilever-carriage.yaml kind
  rm -rf "$cache" && mkdir "$cache" && MODEWAY_CACHE=$cache "$modeway" reduce "$model" -o "$work/read.nc" -q >/dev/null 2>&1
  mv "$work/read.nc" "$work/first.nc"
  rm -f "$work/ended"
  for kind in filled empty; do
    [[ $kind == filled ]] || { rm -rf "$cache" && mkdir "$cache"; }
    MODEWAY_CACHE=$cache unshare -rm sh -c 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" || exit 9
      shift && exec "$@"' - "$cache" "$modeway" reduce "$model" -o "$work/read.nc" -q >/dev/null 2>"$work/stderr"
    echo "$kind $?" >>"$work/ended"
    [[ ! -e $work/read.nc ]] || mv "$work/read.nc" "$work/$kind.nc"
  done
  [[ $(<"$work/ended") == $'filled 0\nempty 1' ]] && cmp -s "$work/first.nc" "$work/filled.nc" && [[ ! -e $work/empty.nc ]] &&
    grep -q 'error: cannot be written: Read-only file system' "$work/stderr"
}

# What is printed to a pipe that nobody reads, to a full disk, and with no output at all.
readers() {
  writers
  cat <<END
--help
--version
reduce --help
keys
keys --json
schema
completion bash
example chain -n 3
check $cases/five-bar.yaml --json
analyze $cases/five-bar.yaml mobility
info $work/rom.nc
modes $cases/cantilever-carriage.yaml --at x=0.3
frf $work/rom.nc --at x=0.3 --to tip
END
}

pipe() {
  local disk=$work/disk ran=0 found=0 line way status printed
  export CFLAGS=-O0
  local -a word
  "$modeway" reduce "$cases/cantilever-carriage.yaml" -o "$work/rom.nc" -q >/dev/null 2>&1
  : >"$state/pipe.open"
  while read -r line; do
    read -r -a word <<<"$line"
    for way in full closed ignored none; do
      rm -rf "$disk" && mkdir -p "$disk/man"
      printed=$(timeout 120 "$modeway" "${word[@]}" 2>/dev/null | head -c 1 | wc -c)
      rm -rf "$disk" && mkdir -p "$disk/man"
      case $way in
      full) timeout 120 "$modeway" "${word[@]}" >/dev/full 2>"$work/stderr" ;;
      # the reader has ended before a word is printed
      closed) { sleep 0.2 && exec timeout 120 "$modeway" "${word[@]}" 2>"$work/stderr"; } | true ;;
      ignored) (trap '' PIPE && { sleep 0.2 && exec timeout 120 "$modeway" "${word[@]}" 2>"$work/stderr"; } | true; exit "${PIPESTATUS[0]}") ;;
      none) timeout 120 "$modeway" "${word[@]}" >&- 2>"$work/stderr" ;;
      esac
      status=${PIPESTATUS[0]}
      ran=$((ran + 1))
      if ((status == 141)) && [[ $way == closed ]]; then
        : # by SIGPIPE, as programs end whose reader has ended
      elif ((status > 2)); then
        echo "$way: $line: exit status $status"
      elif ((status == 0 && printed > 0)) && [[ $way != none ]]; then
        echo "$way: $line: exit status 0, though nothing of it was printed"
      elif ((status != 0)) && [[ ! -s $work/stderr ]]; then
        echo "$way: $line: exit status $status without a message"
      fi
      ! compgen -G "$disk/*.tmp" >/dev/null || echo "$way: $line: a temporary file is left"
    done
  done < <(readers) >"$work/found"
  ran=$(($(readers | wc -l) * 4))
  sed "s|$work/||g" "$work/found" >"$state/pipe.open"
  found=$(wc -l <"$state/pipe.open")
  echo "pipe: $ran commands to full, closed and no output, $found open"
  ((found == 0)) || { head -n 20 "$state/pipe.open"; failed=1; }
}
