# SPDX-License-Identifier: BSD-3-Clause
# against.cmake: adds against_side.c of this checkout to another commit's build (tests/bench/against), behind its own targets.
cmake_language(EVAL CODE "
  cmake_language(DEFER CALL add_executable against_side \"${CMAKE_CURRENT_LIST_DIR}/against_side.c\")
  cmake_language(DEFER CALL target_link_libraries against_side PRIVATE mw_reduction)")
