#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_outputs.sh MODEWAY CASES: no command writes over what it reads, nor passes over options; what reduced models are bound to.
modeway=$1
cases=$2
program=$modeway
. "$(dirname "$0")/../checks.sh"
cd "$dir" || exit 1

refuses() { # STATUS, TEXT on stderr, ARGUMENTS...
  want=$1
  text=$2
  shift 2
  "$modeway" "$@" > out 2> err
  got=$?
  [ "$got" -eq "$want" ] && { [ -z "$text" ] || grep -q -- "$text" err; }
  note $? "modeway $*: status $got, expected $want and \"$text\""
}

cp "$cases/beam-carriage.yaml" m.yaml
ln m.yaml hard.yaml
ln -s m.yaml soft.yaml
mkdir both full
"$modeway" reduce m.yaml -o rom.nc -q > out 2> err
note $? "a reduced model to work with"
cp rom.nc both/gmp.nc
cat > bar.inp << 'END'
*INCLUDE, INPUT=nodes.inp
*ELEMENT, TYPE=C3D8, ELSET=E
1, 1, 2, 3, 4, 5, 6, 7, 8
*MATERIAL, NAME=S
*ELASTIC
210e9, 0.3
*DENSITY
7850
*SOLID SECTION, ELSET=E, MATERIAL=S
END
cat > nodes.inp << 'END'
*NODE
1, 0, 0, 0
2, 1, 0, 0
3, 1, 1, 0
4, 0, 1, 0
5, 0, 0, 1
6, 1, 0, 1
7, 1, 1, 1
8, 0, 1, 1
END
cat > bar.yaml << 'END'
modeway: 1
bodies:
  bar:
    ground: true
    mesh: bar.inp
    unit: m
    sets: { low: { plane: { point: [0, 0, 0], normal: [0, 0, 1], within: 1e-4 } } }
    supports: [{ nodes: low }]
END
"$modeway" check bar.yaml > out 2> err
note $? "a model with a mesh to work with"
cksum ./*.yaml ./*.nc ./*.inp both/* > before

for o in m.yaml ./m.yaml hard.yaml soft.yaml "$dir/both/../m.yaml"; do
  refuses 2 "would overwrite the model m.yaml" reduce m.yaml -o "$o"
done
refuses 2 "would overwrite the model m.yaml" merge m.yaml -o m.yaml
refuses 2 "would overwrite the model m.yaml" reduce m.yaml -o x.nc --shapes m.yaml
refuses 2 "would overwrite the other output rom.nc" reduce m.yaml -o rom.nc --shapes rom.nc
refuses 2 "would overwrite the model m.yaml" simulate m.yaml -s half -o m.yaml
refuses 2 "would overwrite the model m.yaml" simulate rom.nc -s half -o m.yaml
refuses 2 "would overwrite the input rom.nc" simulate rom.nc -s half -o rom.nc
refuses 2 "would overwrite the input rom.nc" simulate m.yaml -s half --rom rom.nc -o rom.nc
refuses 2 "would overwrite the model m.yaml" modes m.yaml --at x=0.3 --vtk m.yaml
refuses 2 "would overwrite the model m.yaml" check m.yaml --vtk m.yaml
refuses 2 "would overwrite the model m.yaml" check m.yaml --picture soft.yaml
refuses 2 "would overwrite the mesh bar.inp" check bar.yaml --vtk bar.inp
refuses 2 "would overwrite the included file nodes.inp" check bar.yaml --vtk nodes.inp
refuses 2 "would overwrite the model m.yaml" export rom.nc --to lpv -o m.yaml
refuses 2 "would overwrite the input rom.nc" export rom.nc --to lpv -o rom.nc
refuses 2 "would overwrite the input rom.nc" info rom.nc --picture rom.nc
refuses 2 "would overwrite the input both/gmp.nc" compare m.yaml -s half --rom both/gmp.nc -o both
refuses 2 "full: error: cannot be written: it exists and is not a regular file" reduce m.yaml -o full
refuses 2 "cannot be written in the folder none: " simulate m.yaml -s half -o none/x.nc
refuses 2 "cannot be written in the folder m.yaml: Not a directory" reduce m.yaml -o m.yaml/x.nc
refuses 2 "none: error: cannot be written to: No such file or directory, expected a folder that is there" manual -o none
refuses 2 "m.yaml: error: cannot be written to: it is not a folder" manual -o m.yaml
refuses 2 "cannot be written in the folder none: " compare m.yaml -s half -o none/x/
refuses 2 "before: error: cannot be written to: it is not a folder" compare m.yaml -s half -o before
refuses 2 "cannot be written in the folder none: " simulate m.yaml -s half -o x.nc --vtk none/x
refuses 2 "cannot be written in the folder none: " export rom.nc --to c -o none/x
if [ "$(id -u)" -ne 0 ]; then
  chmod 555 full
  refuses 2 "cannot be written in the folder full: " reduce m.yaml -o full/x.nc
fi
for path in full rigid; do
  refuses 2 "--body-modes is for --path body, found --path $path" simulate m.yaml -s half -p $path --body-modes 5 -o x.nc
done
refuses 2 "--truncated is for --path body, found --path gmp" simulate rom.nc -s half --truncated -o x.nc
refuses 2 "--body-modes is for the path body" compare m.yaml -s half -p full,gmp --body-modes 5 -o x
refuses 2 "--unproved is for direct modes" modes m.yaml --at x=0.3 --rom rom.nc --unproved
refuses 2 "--step is for --to acados, found --to c" export rom.nc --to c -o x --step 1e-3
refuses 2 "--fmi is for --to fmu, found --to lpv" export rom.nc --to lpv -o x.nc --fmi 2
refuses 2 "--name is not for --to lpv" export rom.nc --to lpv -o x.nc --name beam
refuses 2 "--quick is for reduced models" bench m.yaml --quick
cksum ./*.yaml ./*.nc ./*.inp both/* > after
cmp -s before after
note $? "every file is as it was"
[ -z "$(ls -d ./*.parts full/* none x x.nc 2> /dev/null)" ]
note $? "nothing has begun"

# a reduced model is bound to the machine, not to what its file says besides
sed 's/^name:.*/name: another/; s/^scenarios:/&\n  more: { duration: 0.01, store: 0.01 }  # a comment/' m.yaml > more.yaml
refuses 0 "" simulate more.yaml -s more --rom rom.nc -o run.nc
sed 's/points: 25/points: 24/' m.yaml > other.yaml
refuses 2 "scenarios and comments do not count" simulate other.yaml -s half --rom rom.nc -o run.nc

# nothing moves: differences have no scale
cat > still.yaml << 'END'
modeway: 1
materials: { m: { E: 210e9, nu: 0.3, rho: 7850 } }
sections: { s: { rectangle: { width: 0.02, height: 0.02 } } }
bodies:
  bar:
    ground: true
    beams:
      points: { a: [0, 0, 0], b: [1, 0, 0] }
      members: [{ from: a, to: b, section: s, material: m, elements: 4 }]
    supports: [{ nodes: a }]
    guides: { rail: { from: a, to: b } }
  cart: { at: [0.5, 0, 0.25], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }
joints: { x: { slide: { guide: bar.rail, on: cart, orientation: fixed } , drive: motor } }
outputs: { o: { body: cart } }
reduction: { coordinates: { x: [0.3, 0.6] } }
scenarios: { rest: { duration: 0.01, store: 0.01, start: { x: 0.5 }, drives: { motor: { position: 0.5 } } } }
END
"$modeway" compare still.yaml -s rest -p rigid,full -o still > out 2> err &&
  [ "$(grep -c '–$' out)" -eq 2 ] && ! grep -qi nan out
note $? "what stands still has no relative difference"
"$modeway" check still.yaml > out 2> err && grep -q "x: note: its slider stands 0.25 m off guide 'rail'" out
note $? "a slider off its guide is named"
refuses 0 "path body: strains are linear in bar" simulate still.yaml -s rest -p body -o body.nc -q
"$modeway" simulate still.yaml -s rest -p body -o body.nc -q --json > out 2> err &&
  grep -q '"notes": \[.*strains are linear in bar' out
note $? "JSON has that note"
sed 's/rest: {/& initial: undeformed, /; s/^modeway: 1/&\nassemble: true/' still.yaml > rough.yaml
refuses 2 "rough.yaml:2:11: error: rough positions" simulate rough.yaml -s rest -p full -o rough.nc
sed 's/rest: {/& elastic: { modes: [{ mode: 900, of: o.z, amplitude: 1e-6 }] }, /' still.yaml > rung.yaml
for path in rigid full body; do
  refuses 2 "rung.yaml:.*: error: found mode 900, expected 1 to " simulate rung.yaml -s rest -p $path -o rung.nc
done
sed 's/^outputs: {/& x: { coordinate: x },/' still.yaml > named.yaml
"$modeway" compare named.yaml -s rest -p rigid,full -o named > out 2> err &&
  grep -q '^ *theta\.x ' out && [ "$(grep -c '^ *x ' out)" -eq 1 ]
note $? "a coordinate and an output of its name are told apart"
# OpenBLAS would ask for its memory for ever; sanitizers want terabytes
if (ulimit -v 1000000 && "$modeway" --version) > out 2> err; then
  for kilobytes in 160000 200000 240000; do
    (ulimit -v $kilobytes && unset OPENBLAS_NUM_THREADS OMP_NUM_THREADS && exec timeout 20 "$modeway" check still.yaml) > out 2> err
    got=$?
    # 127: the loader finds no room for the libraries
    case $got in 0 | 127) true ;; *) [ $got -eq 1 ] && grep -q "out of memory" err ;; esac
    note $? "check under ulimit -v $kilobytes: status $got, expected that it ends and says why"
  done
fi

finish outputs 30
