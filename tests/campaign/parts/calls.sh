# SPDX-License-Identifier: BSD-3-Clause
# calls.sh: allocations and calls of files that fail, full disks, closed pipes.
# shellcheck shell=bash disable=SC2034,SC2154

# What is run: a name, how many outputs, the command; out is written by it.
commands() {
  cat <<END
check check $cases/five-bar.yaml
json check $cases/cantilever-carriage.yaml --json
info info $work/rom.nc
gmp simulate $work/rom.nc -s $scenario -o $work/out.nc -q
run simulate $cases/five-bar.yaml -s $rigid -o $work/out.nc -q --path rigid
table export $work/rom.nc --to table -o $work/out.table
reduce reduce $cases/cantilever-carriage.yaml -o $work/out.nc -q
END
}

prepare() {
  local lib=$work/fail.so
  "${CC:-cc}" -O1 -shared -fPIC -std=c17 -o "$lib" "$top/tests/campaign/fail.c" -ldl || return 1
  "$modeway" reduce "$cases/cantilever-carriage.yaml" -o "$work/rom.nc" -q >/dev/null 2>&1
  [[ -s $work/rom.nc ]] || return 1
  scenario=$(sed -n '/^scenarios:/,$ s/^  \([a-z_]*\):.*/\1/p' "$cases/cantilever-carriage.yaml" | head -n 1)
  rigid=$(sed -n '/^scenarios:/,$ s/^  \([a-z_]*\):.*/\1/p' "$cases/five-bar.yaml" | head -n 1)
}

# One command with its n-th call failing; says what is open of it.
one() { # one KIND N NAME COMMAND...
  local kind=$1 n=$2 name=$3 status old=
  shift 3
  rm -f "$work/count"
  find "$work" -mindepth 1 -maxdepth 1 -name 'out*' -exec rm -rf {} +
  [[ $* == *"$work/out.nc"* ]] && echo old >"$work/out.nc" && old=$(<"$work/out.nc")
  timeout 60 env MODEWAY_MPI_SECONDS=20 LD_PRELOAD="$work/fail.so" MW_FAIL="$kind" MW_FAIL_AT="$n" MW_FAIL_COUNT="$work/count" \
    "$modeway" "$@" >"$work/stdout" 2>"$work/stderr"
  status=$?
  if [[ $kind == alloc && $status -eq 255 ]]; then
    echo hdf5
  elif ((status > 2)); then
    echo "$name: $kind $n: exit status $status: $(tail -n 1 "$work/stderr" | cut -c1-200)"
  elif ((status != 0)) && [[ ! -s $work/stderr ]]; then
    echo "$name: $kind $n: exit status $status without a message"
  elif ((status == 2 && n > 0)) && [[ -n $old && $(<"$work/out.nc") != "$old" ]]; then
    echo "$name: $kind $n: failed, and the old output is changed"
  elif compgen -G "$work/*.tmp" >/dev/null; then
    echo "$name: $kind $n: a temporary file is left: $(cd "$work" && echo *.tmp)"
    rm -f "$work"/*.tmp
  fi 2>/dev/null
}

# The n-th call of each command in turn, each command until it has no n-th call.
calls() { # calls alloc|io
  local from n how line end ran=0 found=0 total=0 hdf5=0 counts=
  local -a word list number=(28 5 4 24 short) # ENOSPC EIO EINTR EMFILE, half of what is written
  prepare || { echo "$1: the program or its library is not there" >&2; failed=1; return; }
  declare -A most
  while read -r -a word; do
    one "$1" 0 "${word[@]}" >/dev/null
    most[${word[0]}]=$(cat "$work/count" 2>/dev/null)
    most[${word[0]}]=$((${most[${word[0]}]:-0}))
    total=$((total + ${most[${word[0]}]}))
    counts+=" ${word[0]} ${most[${word[0]}]}"
  done < <(commands)
  # the commands take turns; of each the calls by a stride that meets all of them
  mapfile -t list < <(commands)
  from=$(begin "$1") end=$((SECONDS + seconds))
  for ((k = from; SECONDS < end; k++)); do
    read -r -a word <<<"${list[k % ${#list[@]}]}"
    n=${most[${word[0]}]}
    ((n > 0 && k / ${#list[@]} < n)) || { ((k < total)) && continue || break; }
    n=$((k / ${#list[@]} * 7919 % n + 1))
    how=${number[k % 5]}
    if [[ $how == short ]]; then
      line=$(MW_FAIL_SHORT=1 one "$1" "$n" "${word[@]}")
    else
      line=$(MW_FAIL_ERRNO=$how one "$1" "$n" "${word[@]}")
    fi
    ran=$((ran + 1))
    [[ $line != hdf5 ]] || { hdf5=$((hdf5 + 1)); line=; }
    [[ -z $line ]] || { found=$((found + 1)); echo "$line" >>"$state/$1.open"; }
  done
  echo "$k" >"$state/$1"
  echo "$1: $ran of $total calls (from $from on;$counts), $hdf5 ended by HDF5, $found open"
  ((found == 0)) || { head -n 20 "$state/$1.open"; failed=1; }
}
