#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_gantry_mpc.sh GANTRY-MPC MODEWAY CASES: the program from outside: exit status, table, files, wrong input on purpose.
program=$1
modeway=$2
cases=$3
model=$cases/gantry-mpc/small.yaml
. "$(dirname "$0")/../checks.sh"

"$modeway" reduce -q "$model" -o "$dir/rom.nc" > "$dir/out" 2> "$dir/err"
note $? "the small gantry is reduced"

expect 0 "help" --help
says out "usage: gantry-mpc MODEL ROM.nc SCENARIO DIR"
expect 0 "a short run with the reduced model as the plant" "$model" "$dir/rom.nc" pick "$dir/made" \
  --plant gmp --duration 0.2 --solves 300 -q
says out "^receding horizon  *0.14"
says out "^400 samples, 36 unknowns each"
for file in pd.nc mpc.nc gantry-mpc.svg report.html; do
  [ -s "$dir/made/$file" ]
  note $? "$file is written"
done
[ ! -s "$dir/err" ]
note $? "--quiet keeps stderr empty"

expect 2 "nothing given"
says err "found 0 arguments, expected MODEL ROM.nc SCENARIO DIR"
expect 2 "too much given" a b c d e
says err "unexpected argument \"e\""
expect 2 "unknown option" --fast
says err "unknown option --fast"
expect 2 "a plant that is none" --plant rigid
says err "found \"rigid\", expected full or gmp"
expect 2 "a number that is none" --duration soon
says err "duration: found \"soon\""
expect 2 "a value left out" "$model" "$dir/rom.nc" pick "$dir/made" --band
says err "band: found \"\""
expect 2 "a model that is not there" "$dir/none.yaml" "$dir/rom.nc" pick "$dir/made"
says err "none.yaml"
expect 2 "a scenario that is not there" "$model" "$dir/rom.nc" place "$dir/made"
says err "there is no scenario \"place\"; there are: pick"
expect 2 "a reduced model of another model" "$cases/beam-carriage.yaml" "$dir/rom.nc" half "$dir/made"
says err "rom.nc: error"
expect 1 "a folder that cannot be" "$model" "$dir/rom.nc" pick "$dir/rom.nc/made"
says err "cannot be made a folder"

finish gantry_mpc 25
