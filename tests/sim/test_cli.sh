#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_cli.sh MODEWAY CASES: the program from outside: exit status, streams, JSON, files, wrong input on purpose.
modeway=$1
cases=$2
model=$cases/beam-carriage.yaml
program=$modeway
. "$(dirname "$0")/../checks.sh"

empty() {
  [ ! -s "$dir/$1" ]
  note $? "$1 is empty"
}
noted() { # the model declares no rates: a run says that it is faster than what is judged, and nothing else
  says err "note: path gmp: faster than what the certificate judges forces of motion for"
  [ "$(grep -c . "$dir/err")" -eq 1 ]
  note $? "nothing else on err"
}
vtu() { # FILE, python expression over what check_vtu.py finds in it, true
  if command -v python3 > /dev/null; then
    python3 "$(dirname "$0")/check_vtu.py" "$1" > "$dir/vtu.json" 2> "$dir/err" &&
      python3 -c "import json; d = json.load(open('$dir/vtu.json'))[0]; assert $2, d" 2> "$dir/err"
    note $? "VTU: $2"
  fi
}
picture() { # FILE, python expression over what check_picture.py finds in it, true
  if command -v python3 > /dev/null; then
    python3 "$(dirname "$0")/check_picture.py" "$1" > "$dir/picture.json" 2> "$dir/err" &&
      python3 -c "import json; d = json.load(open('$dir/picture.json'))[0]; assert $2, d" 2> "$dir/err"
    note $? "picture: $2"
  fi
}
json() { # python expression over the object d, true
  if command -v python3 > /dev/null; then
    python3 -c "import json, math; d = json.load(open('$dir/out')); assert $1, d" 2> "$dir/err"
    note $? "JSON: $1"
  fi
}

# help, version, usage
expect 0 "version" --version
says out "modeway [0-9]"
expect 0 "help" --help
says out "compare MODEL"
for c in check analyze modes reduce merge simulate compare info frf map lobes export import example bench schema keys manual completion; do
  expect 0 "help of $c" $c --help
  says out "usage: modeway $c"
done
if [ -c /dev/full ]; then
  for c in --help --version "reduce --help" keys; do
    # shellcheck disable=SC2086
    "$program" $c > /dev/full 2> "$dir/err"
    [ $? -eq 1 ]
    note $? "$c on a full disk"
    says err "cannot be written to standard output"
  done
fi
expect 2 "no command"
empty out
expect 2 "unknown command" dance
says err "error: there is no command dance"
expect 2 "operand missing" check
expect 2 "unknown option" check "$model" --wrong
says err "unknown option --wrong"
expect 2 "option without value" modes "$model" --at
expect 2 "required option missing" modes "$model"
says err "--at"
expect 2 "a second operand" check "$model" "$model"
expect 2 "flag with a value" check "$model" --json=yes
expect 0 "schema" schema
json "d['type'] == 'object'"
expect 0 "keys" keys
expect 0 "keys as JSON" keys --json
json "any(k['path'] == 'bodies.NAME.rigid.mass' and k['needed'] == 'one of its kind' for k in d['keys'])"
json "any(k['path'] == 'scenarios.NAME.step' and k['default'] == 1e-3 for k in d['keys'])"
json "any(k['path'] == 'joints.NAME.slide.runners.-.offset' for k in d['keys'])"

# generated models
for name in chain n-four-bar; do
  expect 0 "example $name" example $name -n 3
  empty err
  cp "$dir/out" "$dir/example.yaml"
  expect 0 "check of example $name" check "$dir/example.yaml"
done
expect 2 "an example there is not" example chains
says err "there are: chain, n-four-bar"
expect 2 "an example of size 0" example chain -n 0

# analyze
bar=$cases/four-bar.yaml
expect 0 "mobility" analyze "$bar" mobility
says out "infinitesimal mobility      1"
empty err
expect 0 "mobility as JSON" analyze "$bar" mobility --json --along rocker --at rocker=2 -o "$dir/bar.nc" --picture "$dir/bar.svg"
json "d['gruebler'] == -2 and d['mobility'] == 1 and d['hyperstatic'] == 3 and len(d['along']['singular']) == 2"
json "abs(d['along']['lo'] - 1.7700284140400675) < 1e-11 and d['along']['lo_singular']"
expect 0 "info of an analysis" info "$dir/bar.nc"
says out "kind     analysis"
expect 2 "WHAT is missing" analyze "$bar"
says err "WHAT is missing"
expect 2 "an unknown topic" analyze "$bar" agility
says err "expected one of: mobility, inverse, reach, linearize, statics, dynamics, kinematics"
expect 2 "no such coordinate" analyze "$bar" mobility --at x=1
says err "expected a coordinate of the mechanism: crank, rocker"
expect 2 "a coordinate without a number" analyze "$bar" mobility --at crank
says err "expected crank=NUMBER"
expect 2 "a range without a coordinate" analyze "$bar" mobility --range 0,1
says err "--range belongs to --along"
expect 2 "a range elsewhere" analyze "$bar" mobility --along crank --range 3,4
says err "expected one around crank"
arm=$cases/parallelogram.yaml
expect 0 "a crank that turns all around" analyze "$bar" mobility --along crank --json
json "d['along']['all_around'] and 'hi' not in d['along']"
expect 0 "inverse" analyze "$arm" inverse --json --at q1=1.1,q2=-0.25 --rate q1=2,q2=2.166666666666667
json "abs(d['drives']['m1'] - 17.15783886244868) < 1e-10 and abs(d['inertia'][0][0] - 1.126) < 1e-12"
expect 2 "no position" analyze "$arm" inverse
says err "found neither --at nor --scenario"
five=$cases/five-bar.yaml
expect 0 "inverse along a scenario" analyze "$five" inverse -s swing --json -o "$dir/five.nc" --picture "$dir/five.svg"
json "d['instants'] == 101 and abs(d['drives']['m1']['rate'] - 1.0) < 1e-12 and d['not_driven'] < 1e-12"
expect 2 "two motions" analyze "$five" inverse -s swing --at q1=1
says err "found --at beside --scenario"
expect 0 "shares of redundant drives" analyze "$cases/star.yaml" inverse --at s1=0.001,s2=0.002,s3=0.001 --acceleration s1=3,s2=-1,s3=2 --share largest --json
json "abs(max(abs(x) for x in d['drives'].values()) / sorted(abs(x) for x in d['drives'].values())[2] - 1) < 1e-9"
expect 1 "a motion beyond limits" analyze "$arm" inverse --at q1=1.1,q2=-0.25 --acceleration q1=5 --force m1=1,m2=1
says err "times these are needed"
expect 2 "a share of nothing" analyze "$arm" inverse --at q1=1.1,q2=-0.25 --share most
says err "expected norm or largest"
rods=$cases/2r.yaml
round='x=-0.6+0.35*cos(2*pi*t),y=0.9-0.35*sin(2*pi*t)'
expect 0 "reach" analyze "$rods" reach --path "$round" --force m1=32,m2=14 --speed m1=4,m2=5
says out "fastest from rest to rest     0.8122"
expect 0 "reach as JSON" analyze "$rods" reach --path "$round" --force m1=-32:32,m2=14 --json -o "$dir/rods.nc" --picture "$dir/rods.svg"
json "abs(d['duration'] - 0.80719933) < 5e-5 and len(d['points']) == 101 and len(d['points'][0]['region']) == 4"
json "d['along'] == ['tip.x', 'tip.y']"
expect 0 "reach of coordinates" analyze "$rods" reach --path 'q1=t,q2=1+0*t' --force m1=32,m2=14
says out ", in q1 q2, along q1 q2"
printf 'p,x,y\n0,1.2,0.3\n0.5,1,0.6\n1,0.8,0.8\n' > "$dir/path.csv"
expect 0 "reach along a table" analyze "$rods" reach --path "$dir/path.csv" --force m1=32,m2=14 --points 11 --json
json "d['freedoms'] == 2 and d['cannot_stand'] == 0 and len(d['points']) == 11"
printf 'x,y\n1.2,0.3\n1\n' > "$dir/path.csv"
expect 2 "a table with a hole" analyze "$rods" reach --path "$dir/path.csv" --force m1=32,m2=14
says err "path.csv:3:1: error: found \"1\", expected 2 numbers"
expect 2 "no limit" analyze "$rods" reach --path "$round" --force m1=32
says err "found no limit of the force of m2"
expect 2 "a limit that is none" analyze "$rods" reach --path "$round" --force m1=3:2
says err "expected m1=NUMBER or LO:HI"
expect 2 "a path of nothing" analyze "$rods" reach --path "w=1" --force m1=32,m2=14
says err "found \"w\", expected x, y, z, rx, ry, rz"
expect 1 "a path too far" analyze "$rods" reach --path "x=3*t,y=0.5" --force m1=32,m2=14
says err "the path"
expect 2 "a rate of what follows" analyze "$bar" inverse --at crank=1.5 --rate rocker=1
says err "rocker is not among the coordinates of --at"
expect 1 "no drives" analyze "$bar" inverse --at crank=1.5 --acceleration crank=1
says err "the drives cannot give this motion"
expect 2 "an option of another topic" analyze "$arm" inverse --at q1=1.1,q2=0 --along q1
says err "--along does not belong to it"
expect 2 "no freedom left" analyze "$bar" mobility --along crank --hold rocker
says err "found 0 freedoms there, expected one"
gear=$cases/elastic-joint.yaml
expect 0 "linearize" analyze "$gear" linearize
says out "80.6225775"
expect 0 "linearize as JSON" analyze "$gear" linearize --json --gain 1,100 --to tip.y -o "$dir/gear.nc" --picture "$dir/gear.svg"
json "abs(d['poles'][2]['im'] - 80.62257748298549) < 1e-10 and abs(d['A'][3][1] + 5200) < 1e-8 and len(d['locus']['re']) == 400"
expect 0 "info of a linearization" info "$dir/gear.nc"
expect 0 "linearize on a motion" analyze "$gear" linearize -s turn --time 0.5 --json
json "abs(d['states'][2]['at'] + 0.25 * (d['states'][3]['at'] - d['states'][2]['at']) / 1.25 - 0.4) < 1e-12"
expect 2 "a time that is not stored" analyze "$gear" linearize -s turn --time 0.501
says err "expected a stored instant"
expect 2 "a time without a scenario" analyze "$gear" linearize --time 0.5
says err "--time belongs to --scenario"
expect 2 "no such output" analyze "$gear" linearize --to hand
says err "expected one of: q, tip.x, tip.y, tip.z"
expect 2 "a locus of many outputs" analyze "$gear" linearize --gain 1,2
says err "expected --from DRIVE and --to OUTPUT"
column=$cases/spring-column.yaml
expect 0 "statics" analyze "$column" statics --force push=6 --starts 30
says out "3 equilibria, 2 freedoms"
expect 0 "a load path" analyze "$column" statics --force push=1 --factor 0,30
says out "branch at the factor 3.8196601125"
expect 0 "a load path as JSON" analyze "$cases/spring-arch.yaml" statics --force push=-20 --factor -1.5,1.5 --json -o "$dir/arch.nc" --picture "$dir/arch.svg"
json "abs(d['critical'][0]['factor'] - 1.0728581432806181) < 1e-12 and d['critical'][1]['kind'] == 'fold' and d['path'][-1]['factor'] == 1.5"
expect 0 "equilibria as JSON" analyze "$rods" statics --starts 40 --json -o "$dir/rods.nc" --picture "$dir/rods.svg"
json "len(d['equilibria']) == 4 and sum(e['stability'] == 'stable' for e in d['equilibria']) == 1"
expect 1 "no equilibrium" analyze "$gear" statics --force motor=1
says err "no equilibrium"
expect 0 "an elastic column" analyze "$cases/column.yaml" statics --elastic --weight
says out "critical factor 3.601"
expect 0 "an elastic load path" analyze "$cases/beam-carriage.yaml" statics --elastic --weight --factor 0,2 --points 3 --json -o "$dir/e.nc" --picture "$dir/e.svg"
says out '"factor": 2, "at": {"x": '
expect 0 "critical factors beyond those asked for" analyze "$cases/column.yaml" statics --elastic --weight --factor 0,2 --points 3 --json
json "all(k['beyond'] == (not 0 <= k['factor'] <= 2) for k in d['critical'])"
expect 2 "elastic statics from starts" analyze "$cases/column.yaml" statics --elastic --starts 3
says err "beside --elastic"
expect 0 "limits of power" analyze "$cases/2r.yaml" reach --path 'x=0.9+0.3*cos(2*pi*t),y=0.3+0.3*sin(2*pi*t)' --force m1=200,m2=100 --power m1=300,m2=80
says out "0.433521"
expect 0 "usable accelerations" analyze "$rods" dynamics --over q1=0.1:1:3,q2=-1.5:1.5:7 --force m1=50,m2=20 --json --picture "$dir/u.svg"
json "len(d['over']['usable']) == 21 and d['over']['usable'][3] == 0 and max(d['over']['usable']) > 0"
expect 2 "limits of no map" analyze "$rods" dynamics --at q1=0.3,q2=0.5 --force m1=50,m2=20
says err "belongs to --over"
expect 2 "a factor of nothing" analyze "$column" statics --factor 0,1
says err "expected what the factor takes"
expect 2 "no such drive" analyze "$column" statics --force pull=1
says err "expected the name of a drive"
expect 0 "dynamics" analyze "$rods" dynamics --at q1=0.3,q2=0.5 --rate q1=1,q2=2
says out "moves in 2 directions"
expect 0 "dynamics over a work space" analyze "$rods" dynamics --over q1=0:1:3,q2=-1.5:1.5:7 --json -o "$dir/inertia.nc" --picture "$dir/inertia.svg"
json "len(d['M']) == 2 and d['over']['points'] == 21 and d['over']['singular'] == 3 and len(d['over']['heavy']) == 21"
expect 2 "a work space of nothing" analyze "$rods" dynamics --over q3=0:1:3
says err "expected COORDINATE=LO:HI:POINTS"
expect 2 "a picture of nothing" analyze "$rods" dynamics --picture "$dir/none.svg"
says err "expected one or two"
expect 2 "no such tool" analyze "$rods" dynamics --tool hand
says err "expected the name of a position"
expect 0 "kinematics" analyze "$rods" kinematics --at q1=0.3,q2=0.5 --rate q1=1,q2=2 --json
json "abs(d['instants'][0]['velocity']['tip'][0] + 3 * math.sin(0.8) + math.sin(0.3)) < 1e-12"
expect 0 "attitudes" analyze "$rods" kinematics --at q1=0.3,q2=0.5 --set 'outputs.hand={orientation: fore.tip}' --json
json "'not_among_outputs' not in d and abs(d['instants'][0]['attitude']['hand'][0] - math.cos(0.4)) < 1e-12"
expect 0 "attitudes of assembly modes" analyze "$rods" kinematics --at q1=0.3,q2=0.5 --starts 3 --set 'outputs.hand={orientation: fore.tip}' --json
json "'not_among_outputs' not in d and len(d['assemblies'][0]['attitude']['hand']) == 4"
expect 0 "assembly modes" analyze "$bar" kinematics --at crank=1 --starts 40
says out "2 assembly modes"
expect 0 "kinematics along a scenario" analyze "$five" kinematics -s swing -o "$dir/five.nc" --picture "$dir/five.svg"
expect 2 "no instant" analyze "$rods" kinematics
says err "found neither --at nor --scenario"

# check
expect 0 "check" check "$model"
empty err
expect 0 "check as JSON" check "$model" --json
empty err
json "d['mobility'] == 1 and abs(d['mass_kg'] - 1.5) < 1e-12 and len(d['bodies']) == 3 and d['redundant'] == []"
json "{'name', 'mass_kg', 'com', 'inertia', 'unknowns', 'rigid_residual'} <= set(d['bodies'][1])"
json "d['bodies'][1]['zero_modes'] == dict(d['bodies'][1]['zero_modes'], found=0, expected=0)"
expect 0 "the blocks of an elimination" check "$cases/bricard.yaml" --json --structure "$dir/blocks.svg"
json "d['structure'] == {'nodes': 11, 'groups': 1, 'blocks': 15, 'fill': 5, 'entries': 620, 'fill_entries': 125}"
expect 0 "check of solids, with a picture" check "$cases/gantry.yaml" --json --deep --vtk "$dir/machine.vtu" \
  --picture "$dir/machine.png"
json "[b['zero_modes']['found'] for b in d['bodies'] if b['unknowns']] == [6, 6]"
json "d['bodies'][6]['elements'] == {'10-node tetrahedron': 1769} and 0 < d['bodies'][6]['worst_element']['quality'] < 1"
vtu "$dir/machine.vtu" "d['kinds'] == {'1': 3, '3': 88, '24': 1769} and d['fields'] == {}"
picture "$dir/machine.png" "d['size'] == [1400, 1000] and d['colors'] > 20 and d['white'] > 700000"
expect 0 "picture as SVG" check "$model" --picture "$dir/machine.svg" --view 0,-1,0.2
picture "$dir/machine.svg" "{'beam', 'carriage', 'runner', 'guide', 'x', 'y', 'z'} <= set(d['texts'])"
expect 0 "picture as a page" check "$model" --picture "$dir/machine.html"
grep -q "<svg" "$dir/machine.html" && grep -q "</html>" "$dir/machine.html"
note $? "the picture in a page"
expect 0 "a mode in motion" modes "$model" --at x=0.3 -n 3 --mode 2 --picture "$dir/mode.svg" --animation "$dir/mode.png"
picture "$dir/mode.png" "d['size'] == [1000, 700] and d['frames'] == 24 and d['different'] >= 12"
picture "$dir/mode.svg" "d['frames'] == 1 and {'beam', 'runner'} <= set(d['texts'])"
expect 2 "a mode beyond those counted" modes "$model" --at x=0.3 -n 3 --mode 4 --picture "$dir/mode.svg"
says err "found 4, expected 1 to 3"
expect 2 "a mode without a picture" modes "$model" --at x=0.3 --mode 2
says err "found none of them"
expect 2 "a film of another kind" modes "$model" --at x=0.3 --animation "$dir/mode.gif"
says err "animated PNG"
expect 0 "a run as pictures" simulate "$model" -s half --path rigid -o "$dir/seen.nc" --picture "$dir/seen.html" --animation "$dir/seen.png" --frames 4 -q
says out "pictures of"
picture "$dir/seen.png" "2 <= d['frames'] <= 4 and d['different'] == d['frames']"
grep -q "distance from where they start" "$dir/seen.html"
note $? "outputs over time"
expect 0 "times as bars" bench "$cases/pendulum.yaml" --picture "$dir/bars.svg"
grep -q "right-hand side" "$dir/bars.svg"
note $? "a bar a call"
expect 2 "picture of another kind" check "$model" --picture "$dir/machine.jpg"
expect 2 "view without a picture" check "$model" --view 1,1,1
for view in 1,1 1,1,x 1,1,1,1 0,0,0 1,1,inf ''; do
  expect 2 "--view \"$view\"" check "$model" --picture "$dir/view.png" --view "$view"
done
expect 2 "model missing" check "$dir/none.yaml"
says err "none.yaml"
expect 2 "model is a folder" check "$dir"
printf 'modeway: 1\nname: wrong\ncolour: red\n' > "$dir/wrong.yaml"
expect 2 "unknown key" check "$dir/wrong.yaml"
says err "wrong.yaml:3:[0-9]*: error"
head -c 300 "$model" > "$dir/short.yaml"
expect 2 "half a model" check "$dir/short.yaml"
: > "$dir/empty.yaml"
expect 2 "empty model" check "$dir/empty.yaml"

# components
expect 0 "component" export "$cases/portal/axis.yaml" --to component -o "$dir/axis.so"
expect 0 "what is seen of it" info "$dir/axis.so" --json
json "d['kind'] == 'component' and d['ports'] == ['foot', 'top'] and d['outputs'] == ['slide'] and d['frames'] == 3"
json "[x['name'] for x in d['drives']] == ['motor'] and d['parameters'] == {'shoe': '2', 'stroke': '0.5'}"
sed "s|portal/axis.yaml,|$dir/axis.so,|" "$cases/portal.yaml" > "$dir/portal.yaml"
expect 0 "machine of components" simulate "$dir/portal.yaml" -s pick --path rigid --set scenarios.pick.duration=0.05 -o "$dir/portal.nc"
says err "not judged for stability: component left.axis: its forces do not follow small rates as those of dampers do"
expect 2 "picture of a component" info "$dir/axis.so" --picture "$dir/axis.svg"
says err "axis.so: error: is a component, --picture is for reduced models"

# modes
expect 0 "modes" modes "$model" --at x=0.3 -n 4 --json
json "d['at'] == {'x': 0.3} and len(d['frequencies_hz']) == 4 and d['frequencies_hz'] == sorted(d['frequencies_hz'])"
cp "$dir/out" "$dir/direct.json"
# an angle in degrees: 90 rad are (90 - pi)/(2 pi) = 13.8 turns beyond pi; two turns may be meant
expect 0 "a cyclic angle far off" modes "$cases/polar.yaml" --at phi=90,r=0.5 -n 1 --unproved
says err "phi is 90 rad, 13.8 turns outside of its range .*in rad, 90 degrees are 1.5708 rad"
expect 0 "a turn on" modes "$cases/polar.yaml" --at phi=7.5,r=0.5 -n 1 --unproved -q
empty err
expect 0 "shapes" modes "$model" --at x=0.3 -n 2 --vtk "$dir/shapes.vtu"
vtu "$dir/shapes.vtu" "d['kinds'] == {'1': 1, '3': 64} and len(d['fields']) == 2"
expect 0 "shapes with stress" modes "$cases/gantry.yaml" --at x=0.7,y=0.5 -n 2 --vtk "$dir/g.vtu" --stress
vtu "$dir/g.vtu" "set(d['kinds']) == {'1', '3', '24'} and len(d['fields']) == 6"
vtu "$dir/g.vtu" "all(abs(f['largest']) <= 1 for f in d['fields'].values() if f['components'] == 3)"
expect 0 "modes along a coordinate" modes "$model" --sweep x=0.2:0.3:3 -n 4 --json -o "$dir/sweep.csv" --picture "$dir/sweep.svg"
json "d['sweep'] == 'x' and len(d['frequencies_hz'][2]) == 4 and d['frequencies_hz'][2] == json.load(open('$dir/direct.json'))['frequencies_hz']"
json "d['modes'][0] == [1, 2, 3, 4] and d['shares_kept'][0] == [0, 0, 0, 0] and d['shapes_lost'] == 0"
test "$(wc -l < "$dir/sweep.csv")" = 13
note $? "a row a frequency"
expect 2 "a sweep along none" modes "$model" --sweep q
expect 2 "a sweep of one point" modes "$model" --sweep x=0.2:0.3:1
expect 2 "a sweep as shapes" modes "$model" --sweep x --vtk "$dir/sweep.vtu"
expect 2 "a table without a sweep" modes "$model" --at x=0.3 -o "$dir/sweep.csv"
expect 0 "a study" study "$model" --vary materials.unit.E=1e8:4e8:2 --at x=0.3 -j 2 -o "$dir/study.nc" --page "$dir/study.html" --json
json "d['points'] == 2 and d['failed'] == 0 and abs(d['criteria'][0]['value'][1] / d['criteria'][0]['value'][0] - 2) < 1e-6"
expect 0 "info of a study" info "$dir/study.nc"
expect 2 "a study of nothing" study "$model" --vary materials.unit.E=1e8 --at x=0.3 -o "$dir/study.nc"
expect 1 "a study with a point that fails" study "$model" --vary materials.unit.E=-1e8:1e8:2 --at x=0.3 -o "$dir/study.nc"
slide="$dir/slide.yaml"
printf '%s\n' 'modeway: 1' 'name: slide' 'parameters: { m: 2 }' 'bodies: { b: { rigid: { mass: $m, inertia: [1, 1, 1, 0, 0, 0] } } }' \
  'joints: { A: { prismatic: { a: ground, b: b, axis: [1, 0, 0] }, coordinate: x, drive: f } }' 'outputs: { t: { body: b } }' > "$slide"
expect 2 "a path varied twice" study "$slide" --vary parameters.m=1:4:3,parameters.m=1:2:2 -o "$dir/slides.nc"
says err "parameters.m is given twice"
expect 2 "a path varied and set" study "$slide" --vary parameters.m=1:4:3 --set parameters.m=2 -o "$dir/slides.nc"
says err "found parameters.m in both"
expect 2 "a limit given twice" analyze "$slide" reach --path x=t --force f=50,f=5
says err "f is given twice"
expect 2 "a force given twice" analyze "$column" statics --force push=1,push=2
says err "push is given twice"
expect 2 "an aim given twice" study "$slide" --vary parameters.m=1:4:3 --of start --path x=t --force f=50 --aims start=small,start=large -o "$dir/slides.nc"
says err "start is given twice"
expect 2 "a picture of one aim" study "$slide" --vary parameters.m=1:4:3 --of start,duration --path x=t --force f=50 --aims start \
  --pareto "$dir/pareto.svg" -o "$dir/slides.nc"
expect 0 "a picture of points that none beats" study "$slide" --vary parameters.m=1:4:3 --of start,duration --path x=t --force f=50 \
  --pareto "$dir/pareto.svg" --picture "$dir/slides.svg" -o "$dir/slides.nc" --json
grep -q "Parallel coordinates" "$dir/slides.svg" && [ "$(grep -c polyline "$dir/slides.svg")" = 3 ]
note $? "a line a point"
json "d['unbeaten'] == [0] and [c['aim'] for c in d['criteria']] == [-1, 1] and abs(d['criteria'][0]['value'][2] - 12.5) < 1e-9"
expect 2 "a path without its criteria" study "$slide" --vary parameters.m=1:4:3 --path x=t -o "$dir/slides.nc"
expect 0 "static patterns" modes "$cases/gantry.yaml" --at x=0.7,y=0.5 --patterns --json --vtk "$dir/p.vtu"
json "len(d['patterns']) == 7 and all(p['compliance'] > 0 for p in d['patterns'])"
vtu "$dir/p.vtu" "'pattern gravity' in d['fields']"
expect 0 "static patterns as text" modes "$model" --at x=0.3 --patterns
says out "m/N"
expect 2 "stress without a file" modes "$model" --at x=0.3 --stress
expect 2 "patterns and free drives" modes "$model" --at x=0.3 --patterns --free
expect 2 "shapes into no folder" modes "$model" --at x=0.3 -n 2 --vtk "$dir/none/shapes.vtu"
expect 0 "free drives" modes "$model" --at x=0.3 -n 2 --free
cat > "$dir/bar.yaml" << END
modeway: 1
materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }
bodies:
  arm:
    ground: true
    mesh: $cases/gantry-arm.msh
    material: steel
    sets: { top: { plane: { point: [0, 0, 0], normal: [0, 0, 1], within: 1e-4 } } }
    supports: [{ nodes: top }]
END
expect 0 "modes of a part alone" modes "$dir/bar.yaml" -n 3 --json
json "len(d['frequencies_hz']) == 3 and d['at'] == {}"
cp "$dir/out" "$dir/proved"
expect 0 "without the proof" modes "$dir/bar.yaml" -n 3 --unproved --json
json "all(abs(a / b - 1) < 1e-9 for a, b in zip(d['frequencies_hz'], __import__('json').load(open('$dir/proved'))['frequencies_hz']))"
for at in y=0.3 x=0.3,x=0.4 x= x 0.3 x=0.3y '' x=nan; do
  expect 2 "--at \"$at\"" modes "$model" --at "$at"
done
expect 2 "--at out of range" modes "$model" --at x=1.2
says err "x is 1.2 m, outside of its range \[0, 1\]"
expect 2 "more modes than there are" modes "$model" --at x=0.3 -n 900
says err "900 modes asked for, expected at most [0-9]*: the mechanism has no more motions"
most=$(sed 's/.*at most \([0-9]*\):.*/\1/' "$dir/err")
expect 0 "all modes there are" modes "$model" --at x=0.3 -n "$most" --json
json "len(d['frequencies_hz']) == $most"
expect 2 "one mode more" modes "$model" --at x=0.3 -n $((most + 1))
sed 's/count: 4/count: 900/' "$model" > "$dir/many.yaml"
expect 2 "a model of more modes than there are" reduce "$dir/many.yaml" -o "$dir/many.nc" -q
says err "many.yaml:[0-9]*:[0-9]*: error: count is 900, but .* expected at most [0-9]*, or a larger"
cat > "$dir/few.yaml" <<'END'
modeway: 1
bodies:
  post: { ground: true, rigid: { mass: 0 }, frames: { c: { point: [0, 0, 0] } } }
  block: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] }, frames: { c: { point: [0, 0, 0] } } }
springs: { k: { a: post.c, b: block.c, stiffness: [200, 200, 200, 100, 100, 100] } }
END
expect 0 "fewer motions than modes printed as a rule" modes "$dir/few.yaml"
says out "the mechanism has no other motions"
expect 0 "the same for programs" modes "$dir/few.yaml" --json
json "len(d['frequencies_hz']) == 6 and all(abs(f * 2 * 3.141592653589793 / 10 - 1) < 1e-9 for f in d['frequencies_hz'])"
expect 2 "as many as a rule, by name" modes "$dir/few.yaml" -n 10
says err "10 modes asked for, expected at most 6"
expect 2 "count is no number" modes "$model" --at x=0.3 -n many
expect 2 "count too small" modes "$model" --at x=0.3 -n 0

# reduce
expect 0 "reduce" reduce "$model" -o "$dir/rom.nc" --json -q
empty err
json "d['certificate']['met'] is True and d['grid_points'] == 25 and d['modes'] > 0 and 'x' in d['certificate']['quantities']['frequencies']['worst']"
json "{'met', 'min_mac', 'points', 'tolerance', 'quantities'} <= set(d['certificate'])"
json "(lambda a: a['points'] == 2 and a['version'] and a['modes_proved'] >= 3 and 0 < a['frequency_difference'] <= 1e-9)(d['certificate']['arpack'])"
cp "$dir/rom.nc" "$dir/same.nc"
expect 0 "reduce again" reduce "$model" -o "$dir/rom.nc" -q
says out "2 of the 8 samples on the meshes by ARPACK-NG"
cmp -s "$dir/rom.nc" "$dir/same.nc"
note $? "the same model gives the same bytes"
json_units() { # python expression over the units u
  json "(lambda u: $1)(d['units'])"
}
# a third of the work, for what does it
sed 's/range: \[0, 1\], points: 25/range: [0.3, 0.7], refine: 1, points: 9/; s/points: 8/points: 4, samples: 10/; s/1e-3/1e-2/; s/count: 4/count: 2/' \
  "$model" > "$dir/small.yaml"
expect 0 "reduce a smaller one" reduce "$dir/small.yaml" -o "$dir/small.nc" -q --picture "$dir/small.html"
grep -q "<svg" "$dir/small.html"
note $? "a picture of the reduced model with it"
says out "tables of 9"
cp "$dir/small.nc" "$dir/same_small.nc"
expect 0 "reduce by two workers" reduce "$dir/small.yaml" -o "$dir/small.nc" -q -j 2 --json
json_units "u['done'] > 0 and u['found'] == u['missing'] == 0 and u['bytes'] > 0"
cmp -s "$dir/small.nc" "$dir/same_small.nc"
note $? "workers give the same bytes"
expect 0 "reduce without keeping units" reduce "$dir/small.yaml" -o "$dir/small.nc" -q --no-parts
cmp -s "$dir/small.nc" "$dir/same_small.nc"
note $? "whether units are kept does not show"
rm "$dir/small.nc"
expect 1 "merge of nothing" merge "$dir/small.yaml" -o "$dir/small.nc" -q
says err "no finished unit"
for round in 1 2 3 4 5 6 7 8; do
  for i in 1 2 3; do
    expect 0 "shard $i/3" reduce "$dir/small.yaml" -o "$dir/small.nc" -q --shard $i/3
  done
  if [ $round -eq 1 ]; then
    expect 0 "a shard again does nothing twice" reduce "$dir/small.yaml" -o "$dir/small.nc" -q --shard 1/3 --json
    json_units "u['found'] > 0"
  fi
  grep -q "units of all shards are finished" "$dir/out" && break
done
[ ! -e "$dir/small.nc" ]
note $? "shards write no reduced model"
expect 0 "merge" merge "$dir/small.yaml" -o "$dir/small.nc" -q --json
json_units "u['done'] == 0 and u['found'] > 0"
cmp -s "$dir/small.nc" "$dir/same_small.nc"
note $? "merged shards give the same bytes"
[ ! -e "$dir/small.nc.parts" ]
note $? "no unit stays behind"
for shard in 0/3 4/3 1 1/0 1/3x x; do
  expect 2 "--shard $shard" reduce "$model" -o "$dir/x.nc" --shard $shard
done
expect 2 "--shard without units" reduce "$model" -o "$dir/x.nc" --shard 1/2 --no-parts
expect 2 "no worker" reduce "$model" -o "$dir/x.nc" -j 0
expect 2 "--cache and --no-cache" reduce "$model" -o "$dir/x.nc" --cache "$dir/c" --no-cache
expect 1 "a cache inside a file" reduce "$model" -o "$dir/x.nc" --cache "$model/cache"
if command -v python3 > /dev/null; then
  # another process has the output
  mkdir "$dir/x.nc.parts"
  python3 -c "import fcntl, time
f = open('$dir/x.nc.parts/lock', 'w')
fcntl.lockf(f, fcntl.LOCK_EX)
f.write('process 1 on moon\\n')
f.flush()
open('$dir/held', 'w').close()
time.sleep(60)" &
  holder=$!
  while [ ! -e "$dir/held" ]; do sleep 0.05; done
  expect 2 "two at one output" reduce "$dir/small.yaml" -o "$dir/x.nc" -q
  says err "process 1 on moon works on this output"
  expect 2 "two at one output, units elsewhere" reduce "$dir/small.yaml" -o "$dir/x.nc" -q --parts "$dir/elsewhere"
  expect 2 "two at one output, units nowhere" reduce "$dir/small.yaml" -o "$dir/x.nc" -q --no-parts
  kill $holder
  wait $holder 2> /dev/null
  expect 0 "the lock ends with its process" reduce "$dir/small.yaml" -o "$dir/x.nc" -q --parts "$dir/elsewhere"
  [ ! -e "$dir/elsewhere" ] && [ ! -e "$dir/x.nc.parts" ]
  note $? "folders are removed"
fi
expect 0 "columns on the mesh" reduce "$model" -o "$dir/again.nc" --shapes "$dir/shapes.nc" -q
sed 's/points: 25[^}]*/points: 7, refine: 1 /' "$model" > "$dir/coarse.yaml"
expect 1 "certificate missed" reduce "$dir/coarse.yaml" -o "$dir/coarse.nc" --json -q
says err "more grid points"
json "d['certificate']['met'] is False and d['grid_points'] == 7"
[ -s "$dir/coarse.nc" ]
note $? "the file is written all the same"
expect 1 "a run by a reduced model that misses its certificate" simulate "$dir/coarse.yaml" --rom "$dir/coarse.nc" -s half -o "$dir/missed.nc" -q
says err "warning: path gmp: the reduced model misses its certificate: .*(tolerance "
says err "missed.nc: error: nothing is promised of the run"
[ -s "$dir/missed.nc" ]
note $? "the run is written all the same"
expect 1 "a comparison with one" compare "$dir/coarse.yaml" --rom "$dir/coarse.nc" -s half --paths gmp,rigid -o "$dir/missed" -q
[ -s "$dir/missed/report.html" ]
note $? "the comparison is written all the same"
expect 0 "responses of one" frf "$dir/coarse.nc" --to mid.z --at x=0.3 -n 4
says err "warning: .*coarse.nc misses its certificate: "
expect 2 "folder missing" reduce "$model" -o "$dir/none/rom.nc" -q
expect 2 "a URL" reduce "$model" -o "http://localhost/rom.nc" -q
expect 0 "linearize the reduced model" analyze "$dir/rom.nc" linearize --at x=0.3 --hold x --json
json "len(d['states']) == len(d['A']) and all(p['re'] <= 1e-9 for p in d['poles']) and d['estimated_error'] == 0"
expect 0 "linearize the reduced model on its way" analyze "$dir/rom.nc" linearize --at x=0.3 --rate x=1 --json
expect 2 "a rate of no coordinate" analyze "$dir/rom.nc" linearize --at x=0.3 --rate y=1
says err "of the reduction"
expect 0 "linearize a run of the reduced model" analyze "$dir/rom.nc" linearize -s half --time 0.3183098861837907 --json
json "len(d['states']) == len(d['A']) and all(s['name'] != 'x' for s in d['states'])"
expect 2 "linearize a run and a position" analyze "$dir/rom.nc" linearize -s half --time 0.3183098861837907 --at x=0.3
says err "expected one of them"
expect 0 "linearize the elastic mechanism on its way" analyze "$model" linearize --modes 3 --at x=0.3 --rate x=1
says out "reduced around the position"
expect 2 "mobility of a reduced model" analyze "$dir/rom.nc" mobility
says err "analyze mobility: found a netCDF file, expected a model; of reduced models there are linearize"
way='x=0.2+0.5*t'
expect 0 "reach of the reduced model" analyze "$dir/rom.nc" reach --path "$way" --tool carriage --force motor_x=5 --deflect mid=1e-2 --moving
says out "at rest it swings by"
expect 0 "reach of the reduced model as JSON" analyze "$dir/rom.nc" reach --path "$way" --tool carriage --force motor_x=5 --deflect carriage=1 --json -o "$dir/reach.nc" --picture "$dir/reach.svg"
json "[m['rise'] for m in d['elastic']['moves']] == [0, 1] and d['elastic']['moves'][1]['outputs']['carriage']['bound'] == 1"
expect 2 "a bound of nothing" analyze "$dir/rom.nc" reach --path "$way" --force motor_x=5 --deflect hand=1
says err "expected the name of a position among the outputs"
expect 2 "a bound of rigid bodies" analyze "$model" reach --path "$way" --force motor_x=5 --deflect mid=1
says err "expected a reduced model"
expect 1 "a path out of range" analyze "$dir/rom.nc" reach --path 'x=0.2+2*t' --tool carriage --force motor_x=5
says err "leaves the range of x"
expect 0 "feed-forward" analyze "$dir/rom.nc" inverse -s half --tool carriage
says out "motors lead it"
expect 0 "a feed-forward beyond limits" analyze "$dir/rom.nc" inverse -s half --tool carriage --force motor_x=1e-6
says out "is beyond its limit of"
expect 0 "feed-forward as JSON" analyze "$dir/rom.nc" inverse -s half --tool carriage --json -o "$dir/feed.nc" --picture "$dir/feed.svg"
json "d['best'] >= 1 and d['mean'] == 0 and set(d['runs']) == {'motor', 'position', 'force'} and d['drives']['motor_x']['rms'] > 0"
expect 0 "info of a feed-forward" info "$dir/feed.nc"
expect 2 "the mean of a motion that begins at a rate" analyze "$dir/rom.nc" inverse -s half --tool carriage --rise 1
says err "expected from rest"
expect 2 "feed-forward of an instant" analyze "$dir/rom.nc" inverse --at x=0.3
says err "expected --scenario and --tool"
expect 2 "feed-forward of nothing" analyze "$dir/rom.nc" inverse -s half --tool hand
says err "expected the name of a position among the outputs"
expect 2 "feed-forward of rigid bodies" analyze "$model" inverse -s half --tool mid
says err "expected a reduced model"
expect 0 "modes of the reduced model" modes "$model" --at x=0.3 -n 4 --rom "$dir/rom.nc" --json
json "all(abs(a / b - 1) < 1e-3 for a, b in zip(d['frequencies_hz'], json.load(open('$dir/direct.json'))['frequencies_hz']))"
expect 0 "info" info "$dir/rom.nc" --json
json "d['kind'] == 'rom' and d['inputs'] == ['motor_x'] and 's:x' in d['fields']"
json "d['certificate']['ranges']['input_bandwidth_hz'] > 0 and d['certificate']['ranges']['rates_judged']['x'] > 0"
expect 0 "info as text" info "$dir/rom.nc"
says out "bandwidth of inputs"
expect 0 "export with ranges" export "$dir/rom.nc" --to c --name ranges -o "$dir/ranges"
grep -q "^#define RANGES_BANDWIDTH [1-9]" "$dir/ranges/ranges.h" && grep -q "//   bandwidth of inputs" "$dir/ranges/ranges.h" && grep -q "bandwidth of inputs" "$dir/ranges/README.md"
note $? "exports say the bandwidth of inputs"
expect 0 "picture of a reduced model" info "$dir/rom.nc" --picture "$dir/rom.svg"
expect 0 "page of a reduced model" info "$dir/rom.nc" --picture "$dir/rom.html" --json
json "d['kind'] == 'rom'"
if command -v python3 > /dev/null; then
  python3 -c "import xml.dom.minidom as m; m.parse('$dir/rom.svg')
for s in open('$dir/rom.html').read().split('<svg xmlns=')[1:]: m.parseString('<svg xmlns=' + s[: s.rindex('</svg>')] + '</svg>')" 2> "$dir/err"
  note $? "pictures of a reduced model are XML"
fi
expect 2 "picture of a reduced model, another kind" info "$dir/rom.nc" --picture "$dir/rom.gif"
expect 2 "a form of tables without a page" info "$dir/rom.nc" --table full
expect 2 "a form of tables that is none" info "$dir/rom.nc" --page "$dir/rom.html" --table small
head -c 5000 "$dir/rom.nc" > "$dir/cut.nc"
expect 2 "a truncated file" info "$dir/cut.nc"
says err "cut.nc: error: .*truncated"
(cat "$dir/rom.nc"; printf x) > "$dir/long.nc"
expect 2 "a longer file" info "$dir/long.nc"
expect 2 "a model is no netCDF" info "$model"
printf 'scenarios:\n  short: { duration: 0.1, step: 1e-3, drives: { motor_x: { position: { ramp: { from: 0, velocity: 1 } } } } }\n' \
  > "$dir/short.yaml"
expect 0 "a scenario from a file of its own" simulate "$model" --rom "$dir/rom.nc" -s "$dir/short.yaml:short" -o "$dir/run.nc" -q
expect 0 "a scenario that is changed" simulate "$model" --rom "$dir/rom.nc" -s half --set scenarios.half.duration=0.1 -o "$dir/run.nc" -q
expect 2 "no such scenario in the file" simulate "$model" --rom "$dir/rom.nc" -s "$dir/short.yaml:long" -o "$dir/run.nc"
says err 'there is no scenario "long"; there are: .*short'
expect 2 "a scenario of the model, not of the file" simulate "$model" --rom "$dir/rom.nc" -s "$dir/short.yaml:half" -o "$dir/run.nc"
says err 'short.yaml: error: there is no scenario "half"; there are: short'
expect 2 "a misspelt scenario" simulate "$model" --rom "$dir/rom.nc" -s "$dir/short.yaml:shrot" -o "$dir/run.nc"
says err 'there is no scenario "shrot", did you mean "short"?; there are: short'
expect 2 "a misspelt scenario of the model" simulate "$model" --rom "$dir/rom.nc" -s hlaf -o "$dir/run.nc"
says err 'there is no scenario "hlaf", did you mean "half"?'
expect 2 "a change of a reduced model" bench "$dir/rom.nc" --set gravity.2=-1
expect 2 "a run over its file of scenarios" simulate "$model" --rom "$dir/rom.nc" -s "$dir/short.yaml:short" -o "$dir/short.yaml"
says err "would overwrite the file of scenarios"
expect 2 "a machine changed under its ROM" simulate "$model" --rom "$dir/rom.nc" -s half --set "gravity=[0, 0, -7]" -o "$dir/run.nc"
says err "or --set what it was made with"
printf 'modeway: 1\nbodies:\n  a: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\njoints:\n  r: { distance: { a: ground, b: a } }\n' > "$dir/rod.yaml"
expect 2 "a rod between points in one place" check "$dir/rod.yaml"
says err "rod.yaml:5:3: error: joint r: found a rod without length between points 0 m apart"
expect 2 "a key that is none" check "$model" --set gravity.x=1
says err "^--set gravity.x=1:1:9: error: found x in a list"
expect 2 "another model's ROM" simulate "$cases/beam-carriage-light.yaml" -s nine_tenths --rom "$dir/rom.nc" -o "$dir/run.nc"
says err "moving mass on a simply supported beam"

# bench
expect 0 "bench of a model" bench "$model" -s half --paths --json
json "[p['path'] for p in d['paths']] == ['full', 'body'] and all(p['step_flops'] > 0 for p in d['paths'])"
json "d['elimination_flops'] > 0 and d['natural_flops'] > d['elimination_flops']"
empty err
json "d['kind'] == 'rigid' and d['bodies'] == 1 and d['redundant_rows'] == 0 and d['rhs_ns'] > 0"
json "[m['method'] for m in d['methods']] == ['rk4', 'leapfrog', 'alpha', 'midpoint']"
json "all(abs(m['real_time_factor'] * m['step_ns'] / (1e9 * d['step_s']) - 1) < 1e-12 for m in d['methods'] if 'failed' not in m)"
expect 0 "bench with a step" bench "$cases/bricard.yaml" --step 1e-4
says out "1 redundant"
says out "steps of 0.0001 s"
says out "^leapfrog  *[0-9]"
expect 0 "bench of assemblies" bench "$cases/car.yaml" --json
json "d['groups'] > 1 and d['groups_ns'] > 0 and d['dense_ns'] > 0 and d['dense_apart'] < 1e-9"
expect 0 "bench of a reduced model" bench "$dir/rom.nc" --quick --json -q
empty err
json "d['kind'] == 'rom' and d['coordinates'] == 1 and d['table_bytes'] > 0 and d['step_ns'] > d['rhs_ns'] > 0"
json "d['kernel'] and d['peak_flops_per_s'] > 1e8 and d['copy_bytes_per_s'] > 1e8 and d['clock_ns'] > 0"
json "len(d['calls']) == 8 and not any('failed' in c for c in d['calls'])"
json "all(c['flops'] == c['additions'] + c['products'] + c['quotients'] + c['roots'] > 0 for c in d['calls'])"
json "all(0 < c['table_bytes'] <= d['table_bytes'] and c['work_bytes'] <= d['sens_bytes'] for c in d['calls'])"
json "d['steps']['n'] == 100000 and d['steps']['p50_ns'] <= d['steps']['p99_ns'] <= d['steps']['p9999_ns'] <= d['steps']['worst_ns']"
json "all(d[r]['same_bits'] and d[r]['steps_made'] == d[r]['rollouts'] * d[r]['steps_each'] for r in ('rollouts_near', 'rollouts_far'))"
expect 0 "bench of a reduced model as text" bench "$dir/rom.nc" --step 1e-4 --quick
says out "step of 0.0001 s"
says out "^step, exponential  *[0-9]"
says err "bench: done"
expect 2 "bench of a scenario there is not" bench "$model" -s quarter
expect 2 "bench of a reduced model's scenario" bench "$dir/rom.nc" -s half
expect 2 "bench with a negative step" bench "$model" --step -1
expect 2 "bench of a damaged file" bench "$dir/cut.nc"

# simulate
expect 0 "simulate the reduced model" simulate "$model" -s half --rom "$dir/rom.nc" -o "$dir/run.nc" --json -q
noted
json "d['path'] == 'gmp' and d['unknowns'] > 1 and d['steps'] == 2000 and d['energy_drift'] < 1e-3"
json "d['constraint_residual'] is None"
cp "$dir/run.nc" "$dir/same.nc"
expect 0 "again" simulate "$model" -s half --rom "$dir/rom.nc" -o "$dir/run.nc" -q
says out "constraint residual none"
cmp -s "$dir/run.nc" "$dir/same.nc"
note $? "the same run gives the same bytes"
expect 0 "simulate the rigid model" simulate "$model" -s half --path rigid -o "$dir/rigid.nc" --json -q
json "d['path'] == 'rigid' and d['constraint_residual'] < 1e-8"
for m in adams ida dopri5 dop853 radau rk4 leapfrog alpha midpoint; do
  expect 0 "method $m" simulate "$cases/bricard.yaml" -s fall --path rigid --method $m --tolerance 1e-8 \
    --step 1e-2 -o "$dir/bricard.nc" --json -q
  json "d['method'] == '$m' and d['redundant_rows'] >= 1 and d['constraint_residual'] < 1e-6"
done
expect 0 "threads" simulate "$cases/bricard.yaml" -s fall --path rigid --threads 2 -o "$dir/bricard.nc" --json -q
json "any('one thread instead of 2' in n for n in d['notes'])"
expect 0 "combinations of inertial parameters" analyze "$cases/puma.yaml" inverse --regressor --at q1=0.1,q2=0.2,q3=0.3,q4=0.4,q5=0.5,q6=0.6 --json
json "d['parameters'] == 60 and len(d['combinations']) == 36 and d['condition'] > 1"
json "d['combinations'][0]['shares']['link1.Jyy'] == 1"
expect 2 "a picture of combinations" analyze "$cases/puma.yaml" inverse --regressor --at q1=0.1 --picture "$dir/p.svg"
says err "beside --regressor"
expect 2 "threads of another path" simulate "$model" -s half --threads 2 -o "$dir/run.nc"
says err "found --threads with --path full"
for m in exponential rk4 midpoint; do
  expect 0 "method $m of the reduced model" simulate "$dir/rom.nc" -s half --method $m --step 1e-4 -o "$dir/$m.nc" --json -q
  json "d['path'] == 'gmp' and d['energy_drift'] < 1e-2"
done
! cmp -s "$dir/exponential.nc" "$dir/midpoint.nc" && ! cmp -s "$dir/exponential.nc" "$dir/rk4.nc"
note $? "each method gives a run of its own"
expect 0 "linear systems" export "$dir/rom.nc" --to lpv -o "$dir/lpv.nc"
expect 0 "linear systems for MATLAB" export "$dir/rom.nc" --to lpv -o "$dir/lpv.mat"
expect 2 "linear systems as what is no such file" export "$dir/rom.nc" --to lpv -o "$dir/lpv.csv"
says err "expected one of these endings"
expect 0 "info on linear systems" info "$dir/lpv.nc" --json
json "d['kind'] == 'lpv' and d['states'] > 2 and d['inputs'] == 1 and d['outputs'] > 2"

# frequency responses
expect 0 "responses" frf "$dir/rom.nc" --to mid.z --at x=0.3 -n 50 --json
json "d['response'] == 'receptance' and d['free'] == [] and len(d['hz']) == 50 and d['hz'][-1] > d['bandwidth_hz'] > 0"
json "abs(d['places'][0]['at']['x'] - 0.3) < 1e-12 and d['places'][0]['responses'][0]['unit'] == 'm/N'"
expect 0 "responses along a coordinate" frf "$dir/rom.nc" --to mid --sweep x=0.2:0.4:3 --worst -n 20 --free all \
  --as accelerance -o "$dir/frf.csv" --picture "$dir/frf.svg"
says out "x is free"
says out "the certificate judges up to"
[ "$(wc -l < "$dir/frf.csv")" = 61 ] && head -1 "$dir/frf.csv" | grep -q "(m/s²)/N"
note $? "a row a place and frequency"
grep -q "phase" "$dir/frf.svg" && grep -q "accelerance" "$dir/frf.svg"
note $? "a picture of moduli and phases"
expect 0 "responses to the force on a held coordinate" frf "$dir/rom.nc" --to mid.z --from x --at x=0.3 -n 4 --json
says err "note: --from x: coordinate x is held, responses to forces on it are zero; --free x has it free"
json "all(v == 0 for p in d['places'] for r in p['responses'] for v in r['real'] + r['imag'])"
expect 0 "responses to the force on a free coordinate" frf "$dir/rom.nc" --to mid.z --from x --at x=0.3 -n 4 --free x --json
empty err
json "any(v != 0 for p in d['places'] for r in p['responses'] for v in r['real'] + r['imag'])"
expect 0 "responses as netCDF" frf "$dir/rom.nc" --to mid.z --at x=0.3 -n 20 -o "$dir/frf.nc"
expect 0 "info on responses" info "$dir/frf.nc" --json
json "d['kind'] == 'frf' and d['response'] == 'receptance' and d['frequencies'] == 20"
# scalars over the work space
expect 0 "a map" map "$dir/rom.nc" --to mid.z --over x --of compliance,peak,peak_hz,frequency -o "$dir/map.csv" --picture "$dir/map.svg" -q
says out "compliance  least"
[ "$(wc -l < "$dir/map.csv")" = 102 ] && head -1 "$dir/map.csv" | grep -q "compliance \[m/N\],peak \[m/N\],peak_hz \[Hz\]"
note $? "a row a place"
grep -q "peak_hz" "$dir/map.svg"
note $? "a panel a value"
expect 0 "a map as netCDF" map "$dir/rom.nc" --to mid --over x=0.2:0.4:5 --of stiffness,direction --json -q -o "$dir/map.nc"
json "len(d['axes'][0]['at']) == 5 and [v['name'] for v in d['values']][:2] == ['stiffness', 'direction mid.x'] and all(x > 0 for x in d['values'][0]['value'])"
expect 0 "info on a map" info "$dir/map.nc" --json
json "d['kind'] == 'map' and d['axes'] == ['x'] and 'stiffness' in d['values']"
expect 2 "a map of nothing" map "$dir/rom.nc" --to mid.z --over x --of softness
says err "expected compliance, stiffness"
expect 2 "a map over nothing" map "$dir/rom.nc" --to mid.z --over z
says err "is not a coordinate of the reduction"
expect 2 "a map over the same twice" map "$dir/rom.nc" --to mid.z --over x,x
says err "twice"

# depths of cuts
{ cat "$dir/small.yaml"; echo 'damping: {modal: 0.01}'; } >"$dir/damped.yaml"
expect 0 "reduce with damping" reduce "$dir/damped.yaml" -o "$dir/damped.nc" -q --no-parts
expect 0 "lobes" lobes "$dir/damped.nc" --to mid.z --force 1e6 --rpm 100:3000 --at x=0.3 -o "$dir/lobes.csv" --picture "$dir/lobes.svg" -q
says out "stable at any speed up to"
[ "$(wc -l < "$dir/lobes.csv")" = 201 ] && head -1 "$dir/lobes.csv" | grep -q "speed \[1/min\],depth \[m\],chatter \[Hz\]"
note $? "a row a speed"
expect 0 "lobes of a band that ends early" lobes "$dir/damped.nc" --to mid.z --force 1e6 --rpm 100:3000:40 --at x=0.3 --hi 1.8 --json -q
json "0 < d['places'][0]['depth'].count(None) < 40"
json "any('limits the depth at %d of 40' % d['places'][0]['depth'].count(None) in n for n in d['notes'])"
expect 0 "lobes over a coordinate" lobes "$dir/damped.nc" --to mid.x,mid.z --force 1e6 --radial 0.3 --teeth 4 --rpm 100:3000:7 --sweep x=0.3:0.5:3 \
  --json -q -o "$dir/lobes.nc"
json "d['process'] == 'milling' and len(d['places']) == 3 and len(d['places'][0]['depth']) == 7"
expect 0 "info on lobes" info "$dir/lobes.nc" --json
json "d['kind'] == 'lobes' and d['axes'] == ['speed', 'x'] and d['values'] == ['depth', 'chatter']"
# the same process, from a scenario
cat >"$dir/cuts.yaml" <<'END'
scenarios:
  mill: { duration: 1, cutting: { to: [mid.x, mid.z], force: 1e6, radial: 0.3, teeth: 4, rpm: [100, 3000] } }
  turn: { duration: 1, cutting: { to: mid.z, force: 1e6, rpm: [100, 3000] } }
  odd: { duration: 1, cutting: { to: mid.q, force: 1e6, rpm: [100, 3000] } }
END
expect 0 "lobes of a scenario" lobes "$dir/damped.nc" -s "$dir/cuts.yaml:mill" --rpm 100:3000:7 --sweep x=0.3:0.5:3 --json -q -o "$dir/mill.csv"
json "d['scenario'] == 'mill' and d['process'] == 'milling'"
expect 0 "lobes by options" lobes "$dir/damped.nc" --to mid.x,mid.z --force 1e6 --radial 0.3 --teeth 4 --rpm 100:3000:7 --sweep x=0.3:0.5:3 -q -o "$dir/mill2.csv"
cmp -s "$dir/mill.csv" "$dir/mill2.csv"
note $? "a scenario's process is that of the options"
expect 0 "an option over the scenario's" lobes "$dir/damped.nc" -s "$dir/cuts.yaml:turn" --force 2e6 --at x=0.3 --json -q
json "d['process'] == 'turning' and len(d['rpm']) == 200 and d['rpm'][0] == 100 and d['rpm'][-1] == 3000"
half=$(python3 -c "import json; print(json.load(open('$dir/out'))['places'][0]['depth_any_speed'])")
expect 0 "lobes of the scenario" lobes "$dir/damped.nc" -s "$dir/cuts.yaml:turn" --at x=0.3 --json -q
json "abs(d['places'][0]['depth_any_speed'] / $half - 2) < 1e-12"
expect 2 "an end that the model does not have" lobes "$dir/damped.nc" -s "$dir/cuts.yaml:odd" --at x=0.3
says err "cuts.yaml:4:"
says err 'found "mid.q", expected one of'
expect 2 "a scenario without a process" lobes "$dir/damped.nc" -s half --at x=0.3
says err "has no process, expected the key cutting"
expect 2 "lobes without a force" lobes "$dir/damped.nc" --to mid.z --rpm 100:3000 --at x=0.3
says err "found no --force"
expect 2 "milling along one end" lobes "$dir/damped.nc" --to mid.z --force 1e6 --teeth 4 --rpm 100:3000 --at x=0.3
says err "expected two: along the feed and normal to it"
expect 2 "immersion of turning" lobes "$dir/damped.nc" --to mid.z --force 1e6 --immersion 0.1 --rpm 100:3000 --at x=0.3
says err "--immersion is of milling"
expect 2 "speeds downwards" lobes "$dir/damped.nc" --to mid.z --force 1e6 --rpm 3000:100 --at x=0.3
says err "expected LO:HI or LO:HI:N"
expect 2 "lobes of what nothing damps" lobes "$dir/rom.nc" --to mid.z --force 1e6 --rpm 100:3000 --at x=0.3
says err "is not damped, so that no depth of cut is stable"
expect 2 "milling along one end named twice" lobes "$dir/damped.nc" --to mid.z,mid.z --force 1e6 --teeth 4 --rpm 100:3000 --at x=0.3
says err "which are one direction"
expect 2 "a picture of another kind" map "$dir/damped.nc" --to mid.z --over x --picture "$dir/map.gif" -q
says err "found a name without .svg, .html or .png"

expect 2 "responses of no end" frf "$dir/rom.nc" --to none.z --at x=0.3
says err "expected one of"
expect 2 "responses nowhere" frf "$dir/rom.nc" --to mid.z
says err "coordinate x is missing"
expect 2 "responses outside" frf "$dir/rom.nc" --to mid.z --at x=1e3
says err "outside of its range"
expect 2 "a sweep of nothing" frf "$dir/rom.nc" --to mid.z --sweep x=0.3:0.2:4
says err "expected x=LO:HI:N"
expect 2 "a sweep along nothing" frf "$dir/rom.nc" --to mid.z --sweep y
expect 2 "a response there is not" frf "$dir/rom.nc" --to mid.z --at x=0.3 --as stiffness
expect 2 "a free coordinate there is not" frf "$dir/rom.nc" --to mid.z --at x=0.3 --free y
expect 2 "a band from its end" frf "$dir/rom.nc" --to mid.z --at x=0.3 --lo 10 --hi 5
expect 2 "responses in what is no such file" frf "$dir/rom.nc" --to mid.z --at x=0.3 -o "$dir/frf.txt"
expect 2 "a method the reduced model has not" simulate "$dir/rom.nc" -s half --method alpha -o "$dir/none.nc"
says err "expected exponential, rk4 or midpoint"
expect 2 "an option the reduced model has not" simulate "$dir/rom.nc" -s half --ggl -o "$dir/none.nc"
says err "found --ggl with --path gmp"
expect 2 "a method there is not" simulate "$model" -s half --path rigid --method heun -o "$dir/none.nc"
says err "expected auto, cvode, adams, ida, dopri5, dop853, radau, rk4, euler"
expect 2 "a method of another path" simulate "$model" -s half --path full --method rk4 -o "$dir/none.nc"
says err "path rigid"
cat > "$dir/fall.yaml" << 'END'
modeway: 1
name: fall
gravity: [0, 0, -9.81]
bodies:
  block: { at: [0, 0, 0], rigid: { mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0] } }
joints:
  way: { prismatic: { a: ground, b: block, axis: [0, 0, 1] }, coordinate: z, limits: [-1, 1] }
outputs:
  block: { body: block }
scenarios:
  run: { duration: 1, store: 0.01 }
END
expect 0 "a run that meets a limit" simulate "$dir/fall.yaml" -s run --path rigid -o "$dir/fall.nc" --json -q
says err "joint way reached its limit -1 m at t = 0.45"
json "abs(d['end_s'] - (2 / 9.81) ** 0.5) < 1e-7 and d['event'].startswith('joint way')"
expect 0 "info of a run" info "$dir/run.nc" --json
json "d['kind'] == 'run' and d['scenario'] == 'half' and d['path'] == 'gmp' and d['instants'] == 201"
expect 2 "picture of a run" info "$dir/run.nc" --picture "$dir/run.svg"
expect 2 "a run is no ROM" simulate "$model" -s half --rom "$dir/run.nc" -o "$dir/x.nc"
says err "kind \"run\""
expect 0 "frames of a rigid run" simulate "$model" -s half --path rigid -o "$dir/r.nc" -q --vtk "$dir/frames" --frames 5
expect 0 "frames of a reduced run" simulate "$dir/rom.nc" -s half -o "$dir/r.nc" -q --vtk "$dir/frames" --frames 5 \
  --shapes "$dir/shapes.nc" --magnify 10 --stress
vtu "$dir/frames/half-rigid-0004.vtu" "d['kinds'] == {'3': 64, '1': 1} and d['fields']['displacement']['largest'] == 0"
vtu "$dir/frames/half-gmp-0002.vtu" "len(d['fields']) == 3 and d['fields']['displacement']['largest'] > 0"
[ "$(grep -c "half-gmp-000.\.vtu" "$dir/frames/half-gmp.pvd")" -eq 5 ]
note $? "five frames stand in the series"
expect 2 "frames of a reduced run without shapes" simulate "$dir/rom.nc" -s half -o "$dir/x.nc" --vtk "$dir/frames"
says err "modeway reduce MODEL -o ROM.nc --shapes"
expect 2 "shapes of another model" simulate "$dir/rom.nc" -s half -o "$dir/x.nc" --vtk "$dir/frames" --shapes "$dir/rom.nc"
expect 2 "shapes of another path" simulate "$model" -s half --path rigid -o "$dir/x.nc" --vtk "$dir/frames" --shapes "$dir/shapes.nc"
expect 2 "magnified nothing" simulate "$model" -s half --path rigid -o "$dir/x.nc" --magnify 10
expect 2 "one frame" simulate "$model" -s half --path rigid -o "$dir/x.nc" --vtk "$dir/frames" --frames 1
expect 2 "frames into no folder" simulate "$model" -s half --path rigid -o "$dir/x.nc" --vtk "$dir/none/frames"
expect 2 "unknown scenario" simulate "$model" -s quarter -o "$dir/x.nc"
says err "half"
expect 2 "unknown path" simulate "$model" -s half --path fast -o "$dir/x.nc"
expect 2 "gmp without a ROM" simulate "$model" -s half --path gmp -o "$dir/x.nc"
expect 2 "a negative step" simulate "$model" -s half --step -1 -o "$dir/x.nc"

# curves as pixels
for command in "reduce $model -o $dir/pixels.nc" "simulate $model -s half --path rigid -o $dir/x.nc" "frf $dir/rom.nc --to mid.z --at x=0.3" \
  "map $dir/rom.nc --to mid.z --over x" "info $dir/rom.nc" "study $model --vary materials.unit.E=1e8:4e8:2 --at x=0.3 -o $dir/pixels.nc"; do
  # shellcheck disable=SC2086
  expect 2 "a picture of another kind of ${command%% *}" $command --picture "$dir/pixels.gif"
  says err "pixels.gif"
done
if [ -x "${program%/*}/png/modeway-png" ]; then
  expect 0 "simulate as pixels" simulate "$model" -s half --path rigid -o "$dir/x.nc" --picture "$dir/run.png" -q
  picture "$dir/run.png" "d['colors'] > 20 and d['white'] > 100000"
  expect 0 "info as pixels" info "$dir/rom.nc" --picture "$dir/rom.png"
  if command -v python3 > /dev/null; then
    python3 -c "import struct, xml.etree.ElementTree as t
svg = t.parse('$dir/rom.svg').getroot(); size = struct.unpack('>II', open('$dir/rom.png', 'rb').read()[16:24])
assert size == tuple(2 * int(float(svg.get(k))) for k in ('width', 'height')), size" 2> "$dir/err"
    note $? "the PNG has two samples a px of the SVG, either way"
  fi
  MODEWAY_PNG=/bin/false
  export MODEWAY_PNG
  expect 1 "a program that draws nothing" info "$dir/rom.nc" --picture "$dir/none.png"
  says err "/bin/false drew no PNG"
  [ ! -e "$dir/none.png" ]
  note $? "no picture is left"
  MODEWAY_PNG=$dir/none
  expect 2 "no such program" frf "$dir/rom.nc" --to mid.z --at x=0.3 --picture "$dir/none.png"
  says err "MODEWAY_PNG is"
  unset MODEWAY_PNG
else
  echo "modeway-png was not built: pictures of curves as pixels are not tested"
fi
# compare
expect 0 "compare" compare "$model" -s half --rom "$dir/rom.nc" -o "$dir/both" --page "$dir/both.html" --json -q
noted
if command -v python3 > /dev/null; then
  python3 -c "
import base64, gzip, json, re
page = open('$dir/both.html').read()
runs = json.loads(gzip.decompress(base64.b64decode(re.search('id=\"runs\">([^<]*)<', page).group(1))))
error, paths = {k: v['error'] for k, v in json.load(open('$dir/out'))['paths'].items()}, [p['label'] for p in runs['paths']]
assert paths == ['rigid', 'body', 'gmp', 'full'] and paths[runs['full']] == 'full' and 'http:' not in page
for q in runs['quantities']:
  for p, y in zip(paths, q['difference']):
    assert len(y) == len(runs['time']) and abs(max(y) - error[p][q['name']]['max']) <= 1e-6 * max(y)
  y = q['value'][0]
  assert len(y) == (3 if q['what'] == 'deflection' else 1) and all(len(c) == len(runs['time']) for c in y)
" 2> "$dir/err"
  note $? "the page of a comparison has its differences"
fi
json "set(d['paths']) == {'rigid', 'body', 'gmp', 'full'} and set(d['paths']['gmp']['error']) == {'mid', 'carriage', 'x'}"
json "d['paths']['full']['error']['mid']['max'] == 0 and d['paths']['gmp']['error']['mid']['relative'] < 0.02"
json "d['paths']['rigid']['error']['mid']['relative'] > 0.9"
for f in rigid.nc body.nc gmp.nc full.nc compare.nc compare.svg report.html; do
  [ -s "$dir/both/$f" ]
  note $? "compare writes $f"
done
if command -v python3 > /dev/null; then
  python3 -c "import xml.dom.minidom as m; m.parse('$dir/both/compare.svg')" 2> "$dir/err"
  note $? "compare.svg is XML"
fi
grep -q "<svg" "$dir/both/report.html"
note $? "the report holds its picture"
expect 0 "info of a comparison" info "$dir/both/compare.nc"
expect 0 "some paths only" compare "$model" -s half --rom "$dir/rom.nc" -o "$dir/both" --paths gmp,rigid -q
expect 0 "compare by halved steps" compare "$model" -s half --rom "$dir/rom.nc" -o "$dir/halved" --paths gmp,full --halved --json -q
json "list(d['paths']) == ['gmp', 'full', 'full_halved', 'full_quartered', 'gmp_halved', 'gmp_quartered']"
json "all(d['paths'][p + '_halved']['steps'] == 2 * d['paths'][p]['steps'] for p in ('gmp', 'full'))"
json "all(0 <= e['known'] <= e['own'] for q in d['time'].values() for e in (q, q['gmp']))"
json "all(d['promise'][k]['error'] is not None for k in d['time'])"
for f in gmp_halved.nc gmp_quartered.nc full_quartered.nc; do
  [ -s "$dir/halved/$f" ]
  note $? "compare --halved writes $f"
done
grep -q "reduced path's own error" "$dir/halved/report.html"
note $? "the report says what the reduced path errs by in time"
cat > "$dir/leaves.yaml" <<'EOF'
modeway: 1
materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }
sections: { r: { rectangle: { width: 0.03, height: 0.01 } } }
bodies:
  sled: { rigid: { mass: 2, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }
  beam:
    beams: { points: { a: [0, 0, 0], b: [0.8, 0, 0] }, members: [{ from: a, to: b, section: r, material: alu, elements: 8 }] }
    frames: { a: { node: a }, b: { node: b } }
joints:
  z: { prismatic: { a: ground, b: sled, axis: [0, 0, 1] }, coordinate: z, drive: m }
  c: { fixed: { a: sled, b: beam.a } }
outputs: { tip: { frame: beam.b } }
reduction: { coordinates: { z: { range: [-0.01, 0.01], points: 5 } }, modes: { band: 100 } }
scenarios: { push: { duration: 0.1, step: 1e-3, drives: { m: { force: 20 } } } }
EOF
expect 1 "a path that leaves its range" compare "$dir/leaves.yaml" -s push -o "$dir/left" --json -q
says err "path gmp: at t = .* left the range"
json "set(d['paths']) == {'rigid', 'body', 'full'} and d['paths']['rigid']['error']['tip']['max'] > 1e-4"
[ -s "$dir/left/report.html" ] && [ ! -e "$dir/left/gmp.nc" ]
note $? "the other paths are compared"
expect 1 "no path is left beside the full one" compare "$dir/leaves.yaml" -s push -p gmp,full -o "$dir/alone" -q
! grep -q "difference from full" "$dir/out"
note $? "a table of differences has rows"
sed 's/\[-0.01, 0.01\]/[-1, 1]/; s/points: 5/points: 5, max_acceleration: 1/' "$dir/leaves.yaml" > "$dir/hasty.yaml"
"$modeway" reduce "$dir/hasty.yaml" -o "$dir/hasty.nc" -q > "$dir/out" 2> "$dir/err"
expect 0 "accelerations beyond the declared one" simulate "$dir/hasty.yaml" --rom "$dir/hasty.nc" -s push -o "$dir/hasty_run.nc" -q
says err "z accelerates by .* m/s2 .*, 1 are declared"
expect 2 "unknown path" compare "$model" -s half -o "$dir/both" --paths gmp,fast
expect 0 "mode sets side by side" compare "$cases/cantilever-carriage.yaml" -s cycloid --sets rubin:1,nopatterns:2 -o "$dir/sets" --json -q
json "[s['name'] for s in d['sets']] == ['rubin:1', 'nopatterns:2'] and d['sets'][0]['columns'] == 4 and d['sets'][0]['relative']['tip'] < 1e-3"
expect 2 "no mode set" compare "$cases/cantilever-carriage.yaml" -s cycloid --sets rubin -o "$dir/sets"
says err "expected rubin:N"
expect 2 "halved without full" compare "$model" -s half -o "$dir/both" --paths rigid --halved
expect 2 "folder is a file" compare "$model" -s half -o "$dir/rom.nc/x" --paths rigid

# import
cat > "$dir/robot.urdf" << 'EOF'
<robot name="one arm">
  <link name="base"/>
  <link name="arm"><inertial><origin xyz="0 0 0.5"/><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.01"/></inertial><visual/></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint>
</robot>
EOF
expect 0 "import of a robot" import "$dir/robot.urdf" -o "$dir/robot.yaml"
says err "robot.urdf:2:3: note: link base, the root, is fixed to ground"
says err "robot.urdf:3:.*: note: visual of link arm: not taken over"
expect 0 "what was imported is a model" check "$dir/robot.yaml"
expect 0 "import without messages" import "$dir/robot.urdf" -o "$dir/robot.yaml" --json -q
empty err
json "d['bodies'] == 2 and d['joints'] == 1 and d['from'] == 'urdf' and len(d['notes']) == 2"
expect 2 "import over its own file" import "$dir/robot.urdf" -o "$dir/robot.urdf"
expect 2 "import of what is none" import "$model" -o "$dir/robot.yaml"
says err "yaml:1:1: error: found text, expected an XML file"
expect 2 "a density of a robot" import "$dir/robot.urdf" -o "$dir/robot.yaml" --density 1
ls "$dir" "$dir/both" | grep -q "tmp$"
[ $? -ne 0 ]
note $? "no temporary file is left"

finish cli 101
