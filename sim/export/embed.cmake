# SPDX-License-Identifier: BSD-3-Clause
# embed.cmake: text files as strings of a C file.
#
#   cmake -DOUT=FILE.c "-DFILES=a.c;b.h;…" -P embed.cmake
#
# The C file defines mw_export_texts (export/export_layer.h): a name (that of the file, without its folder) and the lines of
# each, in the order of FILES. A string a line: compilers need not take long ones.
set(text "// Made by embed.cmake.\n#include <stddef.h>\n\n#include \"export/export_layer.h\"\n\n")
set(table "")
set(k 0)
foreach(path IN LISTS FILES)
  get_filename_component(name "${path}" NAME)
  file(READ "${path}" body)
  string(REPLACE "\\" "\\\\" body "${body}")
  string(REPLACE "\"" "\\\"" body "${body}")
  string(REPLACE "\n" "\\n\",\n  \"" body "${body}")
  string(APPEND text "static const char *const text${k}[] = {\n  \"${body}\", NULL,\n};\n")
  string(APPEND table "  { \"${name}\", text${k} },\n")
  math(EXPR k "${k} + 1")
endforeach()
string(APPEND text "\nconst mw_export_text mw_export_texts[] = {\n${table}  { NULL, NULL },\n};\n")
file(WRITE "${OUT}" "${text}")
