// SPDX-License-Identifier: BSD-3-Clause
// string.h: what the online model calls of the C library, for WebAssembly (wasm.c has them).
#ifndef MW_SIM_EXPORT_WASM_STRING_H
#define MW_SIM_EXPORT_WASM_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);

#endif
