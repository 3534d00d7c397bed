// SPDX-License-Identifier: BSD-3-Clause
// api.h: what encloses the declarations of each public header: C linkage for C++, and, while the
// library is built, names that the shared library shows. Everything else of it is hidden
// (-fvisibility=hidden).
#ifndef MW_BASE_API_H
#define MW_BASE_API_H

#if defined(__cplusplus)
#define MW_API_BEGIN extern "C" {
#define MW_API_END   }
#elif defined(MW_BUILDS_LIBRARY)
#define MW_API_BEGIN _Pragma("GCC visibility push(default)")
#define MW_API_END   _Pragma("GCC visibility pop")
#else
#define MW_API_BEGIN
#define MW_API_END
#endif

MW_API_BEGIN

const char *mw_version(void);  // of the library: "1.2.3"

MW_API_END

#endif
