# SPDX-License-Identifier: BSD-3-Clause
# checks.sh: what scripts share that try a program from outside: a folder with a cache of their own, counted checks.
# program: what is tried
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
MODEWAY_CACHE=$dir/cache
export MODEWAY_CACHE
failed=0
checks=0

# Debian's Python itself: a shim before it on the path takes several times as long to start
PATH=/usr/bin:$PATH

note() { # condition status, sentence
  checks=$((checks + 1))
  if [ "$1" -ne 0 ]; then
    failed=$((failed + 1))
    echo "FAILED: $2"
    sed 's/^/    /' "$dir/err" | head -5
  fi
}

# expect STATUS SENTENCE ARGUMENTS...: runs the program, keeps its streams in $dir/out and $dir/err
expect() {
  want=$1
  what=$2
  shift 2
  "$program" "$@" > "$dir/out" 2> "$dir/err"
  got=$?
  [ "$got" -eq "$want" ]
  note $? "$what: status $got, expected $want"
}
says() { # FILE TEXT
  grep -q -- "$2" "$dir/$1"
  note $? "\"$2\" stands in $1"
}

# finish SUITE LEAST: the summary line. Fails where a check failed, or fewer than LEAST (at least one) were made: a script
# that ends early, or tests nothing, is none that passes.
finish() {
  echo "$1: $checks checks, $failed failed"
  [ "$checks" -gt 0 ] && [ "$checks" -ge "$2" ] && [ "$failed" -eq 0 ]
}
