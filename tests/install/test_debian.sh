#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_debian.sh VERSION SOURCE: the files of sim/package/debian/ agree with the project and with one another. Building the packages takes
# minutes: by hand, `sim/package/place && dpkg-buildpackage -us -uc -b` in a copy.
version=$1
source=$2
. "$source/tests/checks.sh"
debian=$source/sim/package/debian

head -1 "$debian/changelog" > "$dir/err"
grep -q "^modeway ($version) " "$dir/err"
note $? "changelog begins with version $version"

# what the program is built with, is built with there as well
sed -n '/^Build-Depends:/,/^Standards/p' "$debian/control" > "$dir/err"
for package in $(tr '\n' ' ' < "$source/tests/install-packages" | grep -o -e ' program=([^)]*' -e ' cad=([^)]*' | sed 's/.*(//'); do
  [ "$package" = build-essential ] && continue
  grep -q "[ :]$package\\( \\|,\\|\$\\)" "$dir/err"
  note $? "$package is among the Build-Depends"
done

# each package has its files, each test its script, and what scripts name is there
for package in $(sed -n 's/^Package: //p' "$debian/control"); do
  [ -s "$debian/$package.install" ]
  note $? "$package says what it holds"
done
for test in $(sed -n 's/^Tests: //p' "$debian/tests/control"); do
  [ -x "$debian/tests/$test" ]
  note $? "tests/$test can be run"
done
for model in $(grep -ho 'cases/[a-z-]*\.yaml' "$debian"/tests/*) tests/install/user.c tests/install/oscillator.c; do
  [ -s "$source/$model" ]
  note $? "$model is there"
done
# dh_compress takes files above 4 kB of /usr/share/doc, which models cannot be read as
grep -q "dh_compress -X/cases/" "$debian/rules"
note $? "models are left uncompressed"

# conda's recipe: the same version, a package of conda-forge for each of Debian's libraries
recipe=$source/sim/package/conda/meta.yaml
grep -q "^  version: \"$version\"\$" "$recipe"
note $? "conda's recipe is of version $version"
for pair in libarpack2:arpack libgmsh:gmsh liblapack:liblapack libmumps-seq:mumps-seq libnetcdf:libnetcdf libopenblas:libblas \
  libpng:libpng librsvg2:librsvg libsuitesparse:suitesparse libsundials:sundials libyaml:yaml libzip:libzip zlib1g:zlib; do
  grep -q "[ :]${pair%:*}-dev" "$debian/control" && grep -q "^    - ${pair#*:}\$" "$recipe"
  note $? "conda's recipe has ${pair#*:} for ${pair%:*}-dev"
done
for package in $(sed -n '/^Build-Depends/,/^Standards/s/.*[ :]\(lib[a-z0-9-]*\|zlib1g\)-dev.*/\1/p' "$debian/control"); do
  grep -q "$package:" "$0"
  note $? "$package-dev has a package of conda-forge beside it here"
done
soversion=${version%.*}
grep -q "^Package: libmodeway$soversion\$" "$debian/control"
note $? "the libraries' package is named after their version, $soversion"

finish test_debian 50
