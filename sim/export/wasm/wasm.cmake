# SPDX-License-Identifier: BSD-3-Clause
# wasm.cmake: the online model as WebAssembly, compiled once: modeway_rom.wasm.gz.base64, a text that is embedded like the others.
# Without clang, wasm-ld, gzip and base64 there is none, and the program says so where it is asked for it.
#
# In: rom_sources, rom_folder. Out: wasm_text, its file, or empty.
find_program(MW_WASM_CLANG NAMES clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19)
find_program(MW_WASM_LD NAMES wasm-ld wasm-ld-14 wasm-ld-15 wasm-ld-16 wasm-ld-17 wasm-ld-18 wasm-ld-19)
find_program(MW_GZIP gzip)
find_program(MW_BASE64 base64)
mark_as_advanced(MW_WASM_CLANG MW_WASM_LD MW_GZIP MW_BASE64)
set(wasm_text "")
if(MW_WASM_CLANG AND MW_WASM_LD AND MW_GZIP AND MW_BASE64)
  set(wasm_text ${CMAKE_CURRENT_BINARY_DIR}/modeway_rom.wasm.gz.base64)
  set(wasm ${CMAKE_CURRENT_BINARY_DIR}/modeway_rom.wasm)
  set(wasm_exports "")
  foreach(call IN ITEMS open sizes_of title x_name x_unit u_name y_name box code_name table_name rhs step outputs jacobian
                        step_sens driven linear loaded_work modes receptance coefficients)
    list(APPEND wasm_exports -Wl,--export=modeway_rom_${call})
  endforeach()
  get_target_property(wasm_texts mw_rom MW_ONLINE_TEXTS)
  set(wasm_speed -O3)
  if(MW_SANITIZE)
    set(wasm_speed -O1)  # a third of the time to compile
  endif()
  add_custom_command(
    OUTPUT ${wasm_text}
    COMMAND ${MW_WASM_CLANG} --target=wasm32 -std=c17 ${wasm_speed} -msimd128 -ffreestanding -nostdlib -mbulk-memory -ffp-contract=off
            -fno-math-errno -fno-trapping-math -isystem ${CMAKE_CURRENT_SOURCE_DIR}/export/wasm
            -I${rom_folder} -I${rom_folder}/include -I${CMAKE_CURRENT_SOURCE_DIR}/export
            -Wl,--no-entry -Wl,--strip-all -Wl,-z,stack-size=524288 -Wl,--export=__heap_base ${wasm_exports}
            -o ${wasm} ${CMAKE_CURRENT_SOURCE_DIR}/export/wasm/wasm.c ${CMAKE_CURRENT_SOURCE_DIR}/export/wasm/small_motions.c ${CMAKE_CURRENT_SOURCE_DIR}/export/wasm/rest_motions.c ${rom_sources} ${rom_folder}/core/rom_flat.c
    COMMAND sh -c "'${MW_GZIP}' -9nc '${wasm}' | '${MW_BASE64}' -w 96 > '${wasm_text}'"
    DEPENDS ${wasm_texts} ${rom_folder}/core/rom_real.h export/wasm/wasm.c export/wasm/rest_motions.c export/wasm/small_motions.c export/wasm/small_motions_layer.h export/wasm/math.h export/wasm/string.h export/templates/table.h.in export/templates/table_api.c.in
    COMMENT "Compiling the online model to WebAssembly" VERBATIM)
else()
  message(STATUS "No WebAssembly: export --to wasm and info --page need clang, lld, gzip and base64 when modeway is built")
endif()
