# SPDX-License-Identifier: BSD-3-Clause
# device.cmake: the online model's own sources as one text of functions for a device, in C and CUDA C++ alike.
#
#   cmake -DFROM=<folder of rom> -DTO=<file> -P device.cmake
#
# Every function at the start of a line gets ROM_DEVICE; public ones get the name device_rom_…, next to those of the host.
set(sources rom_scalar.h rom_priv.h rom_mass.h rom_third.h rom_columns.h rom_packs.h rom_rows.h rom_data.c rom_law.c rom_work.c rom_layout.c rom_linear.c
            rom_fold.c rom_train.c rom_eval.c rom_terms.c rom_turn.h rom_exp.c rom_rhs.c rom_mid.c rom_step.c)
set(returned "void|int|unsigned|double|size_t|real|rom_pack|char|mw_rom_code|mw_rom_layout|mw_rom_shape|mw_rom_opt")
set(text "\n// Made by device.cmake of ${FROM}.\ntypedef double real;\n")
foreach(source IN LISTS sources)
  file(READ ${FROM}/${source} part)
  string(REGEX REPLACE "\n#include \"[^\n]*" "" part "\n${part}")
  string(REGEX REPLACE "\n((static|inline|ROM_INLINE|ROM_APART) )*((const )?(${returned})[ *]+[a-z0-9_]+\\()" "\nROM_DEVICE \\3" part
                       "${part}")
  string(REGEX REPLACE "([^a-z0-9_])mw_rom_([a-z0-9_]+)\\(" "\\1device_rom_\\2(" part "${part}")
  # without sizes that loops are laid out for: they take the compiler for devices minutes
  string(REGEX REPLACE "s == [123] && m == [0-9]+|k == [2-6]" "0" part "${part}")
  string(APPEND text "${part}\n")
endforeach()
file(WRITE ${TO} "${text}")
