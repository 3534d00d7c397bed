# SPDX-License-Identifier: BSD-3-Clause
# sources.sh: mutants, lines and conditions covered.
# shellcheck shell=bash disable=SC2034,SC2154

# Files of the checkout that differ, into TREE; times of equal ones stay, so that only what changed is built.
refresh() { # refresh TREE
  local file
  while read -r -d '' file; do
    cmp -s "$top/$file" "$1/$file" || { mkdir -p "$(dirname "$1/$file")" && cp "$top/$file" "$1/$file"; }
  done < <(git -C "$top" ls-files -z)
}

# A checkout of its own, configured once, without WebAssembly, which would be compiled anew of each changed reduction/rom.
mutants() {
  local tree=$state/tree how=(-DCMAKE_BUILD_TYPE=Release)
  [[ -z $many ]] || tree=$state/tree-many
  [[ -z $asan ]] || tree=$tree-asan how=(-DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang -DMW_SANITIZE=ON -DMW_TESTS=ON)
  mkdir -p "$tree" && refresh "$tree"
  export CCACHE_BASEDIR=$tree
  if [[ ! -f $tree/build/Makefile ]]; then
    cmake -S "$tree" -B "$tree/build" -G "Unix Makefiles" "${how[@]}" -DMW_WERROR=OFF --log-level=WARNING \
      -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DMW_WASM_CLANG=OFF ${CCACHE_DIR:+-DCMAKE_C_COMPILER_LAUNCHER=ccache} >/dev/null &&
      cmake --build "$tree/build" -j2 --target mw_sim mw_test >/dev/null || { failed=1; return; }
  fi
  if [[ -n $many ]]; then
    python3 "$top/tests/campaign/mutants_many.py" "$dir" --tree "$tree" --state "$state" --seconds "$seconds" --many "$many" $again ||
      failed=1
  else
    python3 "$top/tests/campaign/mutants.py" "$dir" --tree "$tree" --state "$state" --seconds "$seconds" $again || failed=1
  fi
}

# ---- coverage -----------------------------------------------------------------------------------

# Suites that need the online model alone.
rom_suites=(test_rom_flat test_rom_rhs test_rom_law test_rom_fold test_rom_exp test_rom_step test_rom_sens test_rom_outputs test_rom_jacobian
  test_rom_zeros test_rom_parts test_rom_kinds test_rom_limits test_rom_choice test_rom_silent)

# Of another folder than the online model's: quick suites of its layer, all of modeway counting; `all`: of all layers, two at a time.
coverage() {
  local suite cover=$build/cover layers=${dir%%/*} folder
  local -a suites=("${rom_suites[@]}") how=(-DMW_COVERAGE=ON)
  [[ $dir == reduction/rom ]] || { cover=$build/cover-all how=(-DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=--coverage); }
  [[ $dir == all ]] && layers='(fem|reduction|sim)'
  cmake -S "$top" -B "$cover" -DCMAKE_C_COMPILER=gcc "${how[@]}" -DMW_WERROR=OFF ${CCACHE_DIR:+-DCMAKE_C_COMPILER_LAUNCHER=ccache} \
    --log-level=WARNING >/dev/null || { failed=1; return; }
  [[ $dir == reduction/rom ]] || mapfile -t suites < <(comm -12 <(ctest --test-dir "$cover" -N -L quick | sed -n 's/^ *Test .*: //p' | sort) \
    <(sed -nE "s#^mw_add_test\(([a-z_0-9]*) $layers/.*#\1#p" "$top/tests/CMakeLists.txt" | sort))
  cmake --build "$cover" -j2 --target "${suites[@]}" >/dev/null || { failed=1; return; }
  find "$cover" -name '*.gcda' -delete
  # shellcheck disable=SC2016
  printf '%s\n' "${suites[@]}" | (cd "$cover/tests" &&
    xargs -P 2 -I{} sh -c 'timeout 300 ./{} >"$0/{}.out" 2>&1 || echo "{}: $(tail -n 1 "$0/{}.out")"' "$work") >"$work/ended"
  [[ ! -s $work/ended ]] || { cat "$work/ended"; failed=1; }
  echo "coverage: ${#suites[@]} suites"
  for folder in $([[ $dir == all ]] && echo fem reduction sim || echo "$dir"); do
    python3 "$top/tests/campaign/coverage.py" "$cover" "$top" "$folder" >"$state/coverage.${folder//\//-}" || failed=1
    cat "$state/coverage.${folder//\//-}" | if [[ $dir == all ]]; then tail -n 1; else cat; fi
  done
}

# Of clang and llvm the versions from 18 on count conditions. Processors that lack instructions: by qemu, where it is.
mcdc() {
  local suite version processor
  for version in 22 21 20 19 18 ''; do
    command -v "clang${version:+-$version}" >/dev/null && command -v "llvm-cov${version:+-$version}" >/dev/null && break
  done
  version=${version:+-$version}
  cmake -S "$top" -B "$build/mcdc" -DCMAKE_C_COMPILER="clang$version" -DMW_COVERAGE=ON -DMW_WERROR=OFF -DMW_NATIVE=OFF \
    ${CCACHE_DIR:+-DCMAKE_C_COMPILER_LAUNCHER=ccache} --log-level=WARNING >/dev/null &&
    cmake --build "$build/mcdc" -j2 --target "${rom_suites[@]}" >"$work/built" 2>&1 ||
    { tail -n 20 "$work/built"; echo "mcdc: clang$version does not build the suites (clang 18 or later, its llvm and libclang-rt-dev)" >&2; failed=1; return; }
  grep 'unsupported MC/DC' "$work/built" && failed=1
  find "$build/mcdc" -name '*.profraw' -delete
  for suite in "${rom_suites[@]}"; do
    (cd "$build/mcdc/tests" && LLVM_PROFILE_FILE="$suite.profraw" "./$suite") >"$work/stdout" 2>&1 || { tail -n 3 "$work/stdout"; failed=1; }
  done
  for processor in $([[ $(uname -m) == x86_64 ]] && command -v qemu-x86_64 >/dev/null && echo Nehalem Haswell); do
    (cd "$build/mcdc/tests" && LLVM_PROFILE_FILE="$processor.profraw" qemu-x86_64 -cpu "$processor" ./test_rom_kinds) >"$work/stdout" 2>&1 ||
      { tail -n 3 "$work/stdout"; failed=1; }
  done
  "llvm-profdata$version" merge -o "$work/profdata" "$build"/mcdc/tests/*.profraw &&
    "llvm-cov$version" export --format=text -instr-profile="$work/profdata" "${rom_suites[@]/#/-object=$build/mcdc/tests/}" >"$work/export" &&
    python3 "$top/tests/campaign/mcdc.py" "$work/export" "$top" reduction/rom || failed=1
}
