#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# full_disk.sh FOLDER KB KEPT COMMAND...: a command that writes into FOLDER, where a disk of KB kilobytes (pages of 4) is mounted.
#
# For `unshare -rm`. KEPT: a file with names and digests of what the command writes where there is room ("-": none is known
# yet, the list is printed, with the kilobytes that are taken at its end). Of each name an old file of a few bytes is there
# first. Prints what is open: a signal, no message, no output though it said that it was done, an old file that is neither old
# nor new, a temporary file that is left.
set -u
folder=$1 kb=$2 kept=$3
shift 3
mount -t tmpfs -o size="${kb}k" none "$folder" || exit 3
list() { (cd "$folder" && find . -type f -exec sha256sum {} +); }
if [[ $kept != - ]]; then
  while read -r _ name; do
    mkdir -p "$folder/${name%/*}" && echo old >"$folder/$name" || exit 3
  done <"$kept"
else
  mkdir -p "$folder/man"
fi
CFLAGS=-O0 timeout 300 "$@" >/dev/null 2>"$folder.messages"
status=$?
if [[ $kept == - ]]; then
  ((status == 0)) || { echo "exit status $status: $(tail -n 1 "$folder.messages")" >&2; exit 3; }
  list
  df --output=used "$folder" | tail -n 1 >"$folder.used"
  exit 0
fi
say() { echo "$*: $(tail -n 1 "$folder.messages" | cut -c1-160)"; }
((status <= 2)) || say "exit status $status"
((status == 0)) || [[ -s $folder.messages ]] || say "exit status $status without a message"
old=$(echo old | sha256sum)
while read -r sum name; do
  now=$(sha256sum 2>/dev/null <"$folder/$name")
  [[ $now == "$sum  -" ]] || { ((status != 0)) && [[ $now == "$old" ]]; } || case $name in
    # with times in them, and what compilers make of the same sources
    *.html | */compare.nc | *.fmu | *.so | *.md) [[ -s $folder/$name ]] || say "exit status $status: $name is empty" ;;
    *) say "exit status $status: $name is neither old nor new" ;;
  esac
done <"$kept"
while read -r name; do
  # finished units and points of a study stay: the same command goes on from them
  [[ $name == *.parts/* || $name == */study.nc.part ]] || grep -qF "  $name" "$kept" || say "exit status $status: $name is left"
done < <(cd "$folder" && find . -type f)
exit 0
