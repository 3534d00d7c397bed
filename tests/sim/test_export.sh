#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_export.sh MODEWAY CASES: modeway export from outside: folders that build with what is in them, exit status, wrong input.
modeway=$1
cases=$2
program=$modeway
. "$(dirname "$0")/../checks.sh"

works() { # SENTENCE COMMAND...: of a folder made here, without a word on stderr
  what=$1
  shift
  "$@" > "$dir/out" 2> "$dir/err"
  status=$?
  [ "$status" -eq 0 ] && [ ! -s "$dir/err" ]
  note $? "$what: status $status, and nothing on stderr"
}

rom=$dir/rom.nc
expect 0 "reduce" reduce "$cases/beam-carriage.yaml" -o "$rom" -q --no-parts --no-cache

# C
expect 0 "export to C" export "$rom" --to c -o "$dir/c" --name beam --json
if command -v python3 > /dev/null; then
  python3 -c "
import json, os
d = json.load(open('$dir/out'))
assert d['to'] == 'c' and d['name'] == 'beam' and all(os.path.getsize(f) > 0 for f in d['files']), d
assert {os.path.basename(f) for f in d['files']} == set(os.listdir('$dir/c')), d" 2> "$dir/err"
  note $? "JSON names the files of the folder"
fi
says c/COST.md "| .beam_step. |"
works "make" make -C "$dir/c" CFLAGS="-O1 -Werror"
works "the example" "$dir/c/example"
says out "t = 0.100 s"
cp "$dir/out" "$dir/first"
works "cmake" cmake -S "$dir/c" -B "$dir/c/build" -DCMAKE_C_FLAGS_RELEASE=-O0
works "cmake --build" cmake --build "$dir/c/build"
works "the example, built by CMake" "$dir/c/build/example"
cmp -s "$dir/out" "$dir/first"
note $? "both examples print the same"
cp "$dir/c/beam.c" "$dir/same.c"
expect 0 "export again" export "$rom" --to c -o "$dir/c" --name beam
cmp -s "$dir/c/beam.c" "$dir/same.c"
note $? "the same model gives the same bytes"
expect 0 "export in single precision" export "$rom" --to c -o "$dir/single" --single
works "make of it" make -C "$dir/single" CFLAGS="-O0 -Werror"
works "its example" "$dir/single/example"
says out "t = 0.100 s"

# CasADi. What a compiler is given by itself is looked at, not waited for.
printf '#!/bin/sh\necho "$@" > "%s"\nexec cc "$@" -O0\n' "$dir/given" > "$dir/cc"
chmod +x "$dir/cc"
CC=$dir/cc expect 0 "export to CasADi" export "$rom" --to casadi -o "$dir/casadi" --name beam
says given "^-O3 -std=c99 -fPIC -shared -o "
[ -s "$dir/casadi/beam.so" ]
note $? "the library is there"
CFLAGS="-O0 -march=native" expect 0 "flags of its own" export "$rom" --to casadi -o "$dir/casadi" --name beam
CFLAGS=--no-such-flag expect 1 "wrong flags" export "$rom" --to casadi -o "$dir/casadi" --name beam
rm "$dir/casadi/beam.so"
works "make of the library" make -C "$dir/casadi" CFLAGS="-O0 -Werror"
[ -s "$dir/casadi/beam.so" ]
note $? "make makes the library"
CC=$dir/none expect 0 "without a compiler" export "$rom" --to casadi -o "$dir/none" --name beam
says out "no C compiler"
[ ! -e "$dir/none/beam.so" ] && [ -s "$dir/none/beam_casadi.c" ]
note $? "the sources are there, the library is not"
CC=false expect 1 "with a compiler that fails" export "$rom" --to casadi -o "$dir/false" --name beam
says err "beam.so: error: cannot be built"

# acados
expect 0 "export to acados" export "$rom" --to acados -o "$dir/acados" --name beam --step 5e-4
says acados/beam_acados.c "BEAM_STEP 0x1.0624dd2f1a9fcp-11 *// s, 0.0005"

# functional mock-up units
has() { # ARCHIVE ENTRY
  python3 -c "import sys, zipfile; sys.exit(sys.argv[2] not in zipfile.ZipFile(sys.argv[1]).namelist())" "$1" "$2"
  note $? "$2 is in $1"
}
printf '#!/bin/sh\necho "$@" >> "%s"\nexec cc "$@"\n' "$dir/compiled" > "$dir/cc"
CC=$dir/cc CFLAGS=-O0 expect 0 "export to FMU" export "$rom" --to fmu -o "$dir/beam.fmu" --name beam --fmi both
says out "$dir/beam-fmi2.fmu"
[ "$(grep -c shared-1.c "$dir/compiled")" -eq 1 ] && [ "$(grep -c shared-2.c "$dir/compiled")" -eq 2 ]
note $? "the model is compiled once for both units"
has "$dir/beam-fmi2.fmu" binaries/linux64/beam.so
has "$dir/beam-fmi3.fmu" binaries/x86_64-linux/beam.so
CC=$dir/none expect 0 "FMU without a compiler" export "$rom" --to fmu -o "$dir/source.fmu" --model none
says out "no binary inside"
has "$dir/source.fmu" modelDescription.xml
expect 2 "FMI 4" export "$rom" --to fmu -o "$dir/x" --fmi 4
expect 2 "a name that stands inside" export "$rom" --to fmu -o "$dir/x.fmu" --name fmu_model
expect 2 "an archive of another name" export "$rom" --to fmu -o "$dir/x"
expect 2 "a model that is not there" export "$rom" --to fmu -o "$dir/x.fmu" --model "$dir/none.yaml"
expect 2 "another model" export "$rom" --to fmu -o "$dir/x.fmu" --model "$cases/cantilever-carriage.yaml"
cat > "$dir/points.yaml" << 'END'
modeway: 1
bodies:
  a: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }
  b: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }
joints:
  x: { prismatic: { a: ground, b: a, axis: [1, 0, 0] }, coordinate: x, drive: m }
  y: { primitives: { a: a, b: b, hold: [y, z, xy, xz, yz] } }
springs: { k: { a: a, b: b, stiffness: [800, 0, 0] } }
outputs: { b: { body: b } }
reduction: { coordinates: { x: { range: [-1, 1], points: 4 } }, modes: { count: 1 } }
END
expect 0 "reduce what has no extent" reduce "$dir/points.yaml" -o "$dir/points.nc" -q --no-parts --no-cache
for model in "" "--model $dir/points.yaml"; do
  CC=$dir/cc CFLAGS=-O0 expect 0 "a machine without extent, $model" export "$dir/points.nc" --to fmu -o "$dir/points.fmu" $model
  says out "points.yaml: there is nothing to see: no body has an extent; the picture inside shows frequencies"
done
CC=false expect 1 "FMU with a compiler that fails" export "$rom" --to fmu -o "$dir/x.fmu" --model none
says err "binary cannot be built"
[ ! -e "$dir/x.fmu" ]
note $? "nothing is written then"

# what is wrong
expect 2 "no such target" export "$rom" --to fortran -o "$dir/x"
says err "found \"fortran\", expected one of c, casadi"
expect 2 "target missing" export "$rom" -o "$dir/x"
expect 0 "export as a table" export "$rom" --to table -o "$dir/table" --name beam --json
(cd "$dir/table" && make -s CFLAGS="-O0 -Wall -Wextra -Werror" && ./example beam.table) > "$dir/table.txt" && [ "$(wc -l < "$dir/table.txt")" = 5 ]
note $? "the example of a table runs"
cut -c-80 "$dir/table/modeway_rom.c" | grep -q "modeway_rom.c: see modeway_rom.h"
note $? "one text for all models"

# WebAssembly, and the page that runs it (tests/interop/page runs both)
expect 0 "export as WebAssembly" export "$rom" --to wasm -o "$dir/wasm" --name beam
cmp -s "$dir/wasm/beam.table" "$dir/table/beam.table"
note $? "the table is that of --to table"
[ "$(head -c 4 "$dir/wasm/modeway_rom.wasm" | od -An -tx1)" = " 00 61 73 6d" ]
note $? "the module begins as one does"
expect 0 "a page" info "$rom" --page "$dir/page.html"
says page.html "id=\"machine\""
expect 0 "a page without the machine" info "$rom" --page "$dir/bare.html" --model none
says bare.html "it was left out"
expect 2 "a page of another model" info "$rom" --page "$dir/x.html" --model "$cases/cantilever-carriage.yaml"
[ ! -e "$dir/x.html" ]
note $? "no page is written then"
expect 2 "a model without a page" info "$rom" --model "$cases/beam-carriage.yaml"
expect 2 "output missing" export "$rom" --to c
expect 2 "no identifier" export "$rom" --to c -o "$dir/x" --name 2beams
says err "2beams"
expect 2 "a name that the text has itself" export "$rom" --to c -o "$dir/x" --name model
says err "which the exported text has itself"
expect 2 "costs of CasADi" export "$rom" --to casadi -o "$dir/x" --cost
expect 2 "single precision for CasADi" export "$rom" --to casadi -o "$dir/x" --single
expect 2 "a step of 0" export "$rom" --to acados -o "$dir/x" --step 0
expect 2 "a model is no reduced model" export "$cases/beam-carriage.yaml" --to c -o "$dir/x"
expect 2 "no such file" export "$dir/none.nc" --to c -o "$dir/x"
head -c 5000 "$rom" > "$dir/short.nc"
expect 2 "half a file" export "$dir/short.nc" --to c -o "$dir/x"
[ ! -e "$dir/x" ]
note $? "nothing is written then"
: > "$dir/file"
expect 1 "the folder is a file" export "$rom" --to c -o "$dir/file"
expect 2 "the folder is the reduced model" export "$rom" --to c -o "$rom"
expect 2 "no folder for the folder" export "$rom" --to c -o "$dir/no/where"
ls "$dir"/* | grep -q "tmp$"
[ $? -ne 0 ]
note $? "no temporary file is left"

finish export 60
