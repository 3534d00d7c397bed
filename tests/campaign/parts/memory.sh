# SPDX-License-Identifier: BSD-3-Clause
# memory.sh: suites by MemorySanitizer and under valgrind; what analyzers say; the same bytes from two folders.
# shellcheck shell=bash disable=SC2034,SC2154

# Suites in turn, each built first; goes on where it stopped.
watched() { # watched WHAT FOLDER SUITE... ; run by the function watched_WHAT
  local what=$1 folder=$2 from k end ran=0 found=0 suite status
  shift 2
  local -a list=("$@")
  from=$(begin "$what") end=$((SECONDS + seconds))
  for ((k = from; SECONDS < end && ran < ${#list[@]}; k++)); do
    suite=${list[(k - 1) % ${#list[@]}]}
    cmake --build "$folder" -j2 --target "$suite" >"$work/stdout" 2>&1 || { tail -n 3 "$work/stdout"; failed=1; break; }
    ran=$((ran + 1))
    status=0
    (cd "$folder/tests" && "watched_$what" "./$suite") >"$work/stdout" 2>&1 || status=$?
    ((status != 0)) || continue
    found=$((found + 1))
    { echo "$suite: exit status $status"; tail -n 40 "$work/stdout"; } >>"$state/$what.open"
    echo "open: $suite, exit status $status$( ((status == 124)) && echo ', time is up')"
  done
  echo "$k" >"$state/$what"
  echo "$what: $ran of ${#list[@]} suites (from $from on), $found open (see $state/$what.open)"
  ((found == 0)) || failed=1
}

# What is linked with uninstrumented libraries tells of their writes: suites of the online model and those of base alone.
watched_msan() { timeout 1800 "$1"; }
msan() {
  cmake -S "$top" -B "$build/msan" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo -DMW_SANITIZE=memory -DMW_TESTS=ON \
    --log-level=WARNING >/dev/null || { failed=1; return; }
  watched msan "$build/msan" "${rom_suites[@]}" test_base_expr test_base_names test_base_sha256 test_base_text test_base_pool
}

# valgrind knows no AVX-512: for any amd64.
watched_valgrind() { timeout 3600 valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite "$1"; }
valgrind_suites() {
  local -a list
  cmake -S "$top" -B "$build/valgrind" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DMW_NATIVE=OFF -DMW_TESTS=ON --log-level=WARNING >/dev/null ||
    { failed=1; return; }
  mapfile -t list < <(sed -n 's/^ *mw_add_test(\(test_[a-z_0-9]*\) .*/\1/p' "$top/tests/CMakeLists.txt")
  watched valgrind "$build/valgrind" "${list[@]}"
}

sources() { # sources analyzer|cppcheck
  local option=()
  [[ -n $first ]] && option=(--first "$first")
  python3 "$top/tests/campaign/check_sources.py" "$1" "$build" "$top" "$state" --seconds "$seconds" "${option[@]}" || failed=1
}

# The programs and libraries of two copies in folders of other names and lengths, compiled without a cache of compilers.
reproduce() {
  local folder file n=0 found=0
  local -a folders=("$work/a" "$work/another-folder/b")
  for folder in "${folders[@]}"; do
    mkdir -p "$folder" && git -C "$top" ls-files -z | tar -C "$top" --null -T - -cf - | tar -C "$folder" -xf - &&
      CCACHE_DISABLE=1 cmake -S "$folder" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DMW_TESTS=OFF --log-level=WARNING >/dev/null &&
      CCACHE_DISABLE=1 cmake --build "$folder/build" -j2 >"$work/stdout" 2>&1 || { tail -n 3 "$work/stdout"; failed=1; return; }
  done
  : >"$state/reproduce.open"
  while read -r file; do
    n=$((n + 1))
    cmp -s "${folders[0]}/build/$file" "${folders[1]}/build/$file" || { found=$((found + 1)); echo "$file" | tee -a "$state/reproduce.open"; }
  done < <(cd "${folders[0]}/build" && find . -type f -perm -u+x ! -path '*/CMakeFiles/*' -o -name '*.so*' -type f | sort)
  echo "reproduce: $n programs and libraries built in two folders, $found differ"
  ((n > 0 && found == 0)) || failed=1
}
