# SPDX-License-Identifier: BSD-3-Clause
# device.cmake: the online model's own sources as one text of functions for a device, in C and CUDA C++ alike.
#
#   cmake "-DSOURCES=<file>;<file>;…" -DTO=<file> -P device.cmake
#
# Every function at the start of a line gets ROM_DEVICE; public ones get the name device_rom_…, next to those of the host.
set(returned "void|int|unsigned|double|size_t|real|rom_pack|char|mw_rom_code|mw_rom_layout|mw_rom_shape|mw_rom_opt")
# without sizes that loops are laid out for (rom_sizes.h): they take the compiler for devices minutes
set(text "\n// Made by device.cmake of reduction/rom.\ntypedef double real;\n#define ROM_S 0\n#define ROM_M 0\n")
foreach(source IN LISTS SOURCES)
  file(READ ${source} part)
  string(REGEX REPLACE "\n#include \"[^\n]*" "" part "\n${part}")
  # C linkage of the host's functions
  string(REGEX REPLACE "\n#ifdef __cplusplus\n[^#]*#endif\n" "\n" part "${part}")
  string(REGEX REPLACE "\n((static|inline|ROM_INLINE|ROM_APART|ROM_SHARED) )*((const )?(${returned})[ *]+[a-z0-9_]+\\()" "\nROM_DEVICE \\3" part
                       "${part}")
  string(REGEX REPLACE "([^a-z0-9_])mw_rom_([a-z0-9_]+)\\(" "\\1device_rom_\\2(" part "${part}")
  string(REGEX REPLACE "k == [2-6]" "0" part "${part}")
  string(APPEND text "${part}\n")
endforeach()
file(WRITE ${TO} "${text}")
