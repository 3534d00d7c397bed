// SPDX-License-Identifier: BSD-3-Clause
// version.h: the version of the program, written into every file it makes.
#ifndef MW_BASE_VERSION_H
#define MW_BASE_VERSION_H

#define MW_VERSION "0.1.0"

#endif
