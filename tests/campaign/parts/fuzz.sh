# SPDX-License-Identifier: BSD-3-Clause
# fuzz.sh: the fuzzers of tests/fuzz.
# shellcheck shell=bash disable=SC2034,SC2154

seeds() { # seeds NAME FOLDER: what the tree has for a fuzzer to begin with
  case $1 in
  model) find "$top/cases" "$top/tests/fem" "$top/tests/bad/model" -name '*.yaml' -size -12 -exec cp -n {} "$2" \; ;;
  msh | inp) find "$top/tests/bad/mesh" "$top/tests/fem" -name "*.$1" -size -40 -exec cp -n {} "$2" \; ;;
  import) cp "$top"/tests/fuzz/seeds/import/* "$2" ;;
  flat)
    (cd "$work" && "$modeway" reduce "$cases/cantilever-carriage.yaml" -o seed.nc -q && "$modeway" export seed.nc --to table -o "$2/table") >/dev/null 2>&1
    ;;
  esac
}

# Words of model files, from the table that the reader checks them against.
dictionary() {
  "$build/fuzz/sim/modeway" keys 2>/dev/null | grep -o '[a-z_]\{2,\}' | sort -u | sed 's/.*/"&"/'
  printf '"%s"\n' 'modeway: 1' ': ' '- ' '{' '}' '[' ']' NaN .inf 1e308 -1 '&a' '*a' '!!' '---'
}

fuzz() {
  local name n=0 share ran=0 found=0 list=() total memory=$work
  for name in "$build"/fuzz/tests/fuzz/fuzz_*; do [[ -x $name ]] && list+=("$name"); done
  ((${#list[@]} > 0)) || { echo "fuzz: not built, expected cmake --preset fuzz && cmake --build build/fuzz" >&2; failed=1; return; }
  share=$((seconds / ${#list[@]} + 1))
  dictionary >"$work/dictionary"
  [[ -w /dev/shm ]] && memory=$(mktemp -d -p /dev/shm) # inputs are files: in memory they cost least
  for name in "${list[@]}"; do
    local kind=${name##*/fuzz_} option=()
    mkdir -p "$state/fuzz.$kind" "$work/seeds"
    seeds "$kind" "$work/seeds"
    [[ $kind == model ]] && option=(-dict="$work/dictionary")
    TMPDIR=$memory "$name" -max_total_time="$share" -timeout=10 -rss_limit_mb=2048 -close_fd_mask=1 -print_final_stats=1 \
      -artifact_prefix="$state/fuzz.open-$kind-" "${option[@]}" "$state/fuzz.$kind" "$work/seeds" >"$work/log" 2>&1 || {
      found=$((found + 1))
      grep -m 3 -e ERROR -e SUMMARY -e 'does not hold' "$work/log"
    }
    n=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
    ran=$((ran + ${n:-0}))
    printf 'fuzz %s: %s executions\n' "$kind" "${n:-0}"
    rm -rf "$work/seeds"
  done
  [[ $memory == "$work" ]] || rm -rf "$memory"
  total=$(($(cat "$state/fuzz.ran" 2>/dev/null || echo 0) + ran))
  echo "$total" >"$state/fuzz.ran"
  echo "fuzz: $ran executions, $found open; $total in this build folder"
  ((found == 0)) || failed=1
}
