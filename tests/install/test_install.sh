#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_install.sh BUILD SOURCE CC CXX CMAKE: installs the build into a fresh folder and uses it as others would: pkg-config
# (shared and static), find_package, C and C++; what the libraries show; manual pages and completions.
build=$1
source=$2
cc=$3
cxx=$4
cmake=$5
here=$source/tests/install
. "$source/tests/checks.sh"
prefix=$dir/usr

run() { # SENTENCE COMMAND...: the command ends well
  what=$1
  shift
  "$@" > "$dir/out" 2> "$dir/err"
  note $? "$what"
}

run "install" "$cmake" --install "$build" --prefix "$prefix"
lib=$(dirname "$(find "$prefix" -name libmodeway.so)")
PKG_CONFIG_PATH=$lib/pkgconfig
LD_LIBRARY_PATH=$lib
export PKG_CONFIG_PATH LD_LIBRARY_PATH
[ "$(cd "$(pkg-config --variable=prefix modeway)" && pwd)" = "$prefix" ]
note $? "the files of pkg-config know where they were installed"
run "the program runs" "$prefix/bin/modeway" --version
says out "modeway $(pkg-config --modversion modeway)\$"

# what the libraries show is what the headers declare, and the online half needs libm alone
for name in modeway modeway-rom; do
  nm -D --defined-only "$lib/lib$name.so" | sed 's/.* //; s/@.*//' | sort > "$dir/shown"
  cat $(find "$prefix/include/modeway" -name '*.h') | grep -o 'mw_[A-Za-z0-9_]*' | sort -u > "$dir/declared"
  # the lists of classes are declared by a macro
  comm -23 "$dir/shown" "$dir/declared" | grep -v -e '^mw_elem_' -e '^mw_joint_' -e '^mw_output_' > "$dir/err"
  [ -s "$dir/shown" ] && [ ! -s "$dir/err" ]
  note $? "lib$name.so shows what no header declares"
done
# libraries built in two folders have the same bytes: they do not name the one that they were built in
for name in modeway modeway-rom; do
  file=$build/sim/package/lib$name.so
  [ -s "$file" ] && ! grep -q -a -F "$build" "$file"
  note $? "lib$name.so as built does not name its folder"
done
objdump -p "$lib/libmodeway-rom.so" | grep NEEDED | grep -v -e 'libm\.so' -e 'libc\.so' -e ld-linux > "$dir/err"
[ ! -s "$dir/err" ]
note $? "libmodeway-rom.so needs libc and libm alone"

# every header, first of its own, in C++
for header in $(cd "$prefix/include/modeway" && find . -name '*.h' | sed 's|^\./||'); do
  echo "#include <$header>" > "$dir/header.cpp"
  run "$header in C++" "$cxx" -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I "$prefix/include/modeway" "$dir/header.cpp"
done

# shellcheck disable=SC2046
run "compile the oscillator" "$cc" "$here/oscillator.c" -o "$dir/oscillator" $(pkg-config --cflags --libs modeway-rom) -lm
run "run it" "$dir/oscillator"
run "compile it with the archive" "$cc" "$here/oscillator.c" -o "$dir/oscillator-static" \
  $(pkg-config --cflags modeway-rom) "$lib/libmodeway-rom.a" -lm
run "run it without the shared library" env LD_LIBRARY_PATH= "$dir/oscillator-static"
model=$source/cases/cantilever-carriage.yaml
scenario=cycloid
run "compile the run" "$cc" "$here/user.c" -o "$dir/user-program" $(pkg-config --cflags --libs modeway)
run "run it" "$dir/user-program" "$model" "$scenario" rigid
cp "$dir/out" "$dir/first"
run "compile the run as C++" "$cxx" -x c++ "$here/user.c" -o "$dir/user-program-cpp" $(pkg-config --cflags --libs modeway)
run "run it" "$dir/user-program-cpp" "$model" "$scenario" rigid
cmp -s "$dir/first" "$dir/out"
note $? "C++ ends where C does"
run "compile the run with the archive" "$cc" "$here/user.c" -o "$dir/user-program-static" $(pkg-config --cflags modeway) \
  "$lib/libmodeway.a" "$lib/libmodeway-rom.a" $(pkg-config --libs $(pkg-config --print-requires-private modeway)) \
  $(sed -n 's/^Libs.private: //p' "$lib/pkgconfig/modeway.pc")
run "run it without the shared library" env LD_LIBRARY_PATH= "$dir/user-program-static" "$model" "$scenario" rigid
cmp -s "$dir/first" "$dir/out"
note $? "the archive ends where the shared library does"

run "configure a project by find_package" "$cmake" -S "$here" -B "$dir/user" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_C_COMPILER="$cc"
run "build it" "$cmake" --build "$dir/user"
run "run it" "$dir/user/user" "$model" "$scenario" rigid
cmp -s "$dir/first" "$dir/out"
note $? "the project ends where the program does"

site=$(dirname "$(find "$prefix" -name __init__.py)")
if [ -x /usr/bin/python3 ] && [ -d "$site" ]; then
  run "import the Python package" env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$site/.." /usr/bin/python3 -c "import modeway; print(modeway.__version__)"
  says out "^$(pkg-config --modversion modeway)\$"
  run "make a wheel" /usr/bin/python3 "$source/sim/python/wheel" "$build" "$dir/wheel"
  run "unpack it" /usr/bin/python3 -m zipfile -e "$(cat "$dir/out")" "$dir/unpacked"
  run "import the wheel's package" env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$dir/unpacked" /usr/bin/python3 -c \
    "import importlib.metadata as m; import modeway; print(m.version('modeway'), modeway.__file__)"
  says out "^$(pkg-config --modversion modeway) $dir/unpacked"
fi

pages="modeway modeway-reduce modeway-completion"
for helper in modeway-mesher modeway-eigen modeway-png; do
  if [ -x "$prefix/bin/$helper" ]; then pages="$pages $helper"; fi
done
for page in $pages; do
  [ -s "$prefix/share/man/man1/$page.1" ]
  note $? "manual page $page"
done
if command -v groff > /dev/null; then
  run "groff reads the manual pages" groff -K utf8 -man -ww -Tutf8 -z "$prefix"/share/man/man1/*.1
  [ ! -s "$dir/err" ]
  note $? "groff has no complaint"
fi
if command -v bash > /dev/null; then
  for words in "si:simulate" "reduce --sh:--shapes" "export $source/LIC:$source/LICENSE"; do
    run "bash completes ${words%%:*}" bash -c '. "$1"; COMP_WORDS=(modeway $2); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _modeway
      [[ " ${COMPREPLY[*]} " == *" $3 "* ]]' - "$prefix/share/bash-completion/completions/modeway" "${words%%:*}" "${words#*:}"
  done
fi
[ "$(sed -n 1p "$prefix/share/zsh/site-functions/_modeway")" = "#compdef modeway" ]
note $? "zsh's completion"

finish install 100
