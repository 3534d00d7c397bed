// SPDX-License-Identifier: BSD-3-Clause
// certificate.h: was the accuracy asked for met, and what would help.
#ifndef MW_REDUCTION_CERTIFICATE_H
#define MW_REDUCTION_CERTIFICATE_H

#include <stdbool.h>
#include <stddef.h>

#include "reduction/romfile.h"

// Frequencies within the tolerance, and receptances where a tolerance was given for them.
bool mw_certificate_met(const mw_certificate *c);

// A sentence on what would help where it was not met: more grid points on a coordinate, more modes or patterns, finer
// bases of the bodies; "" where it was met. Written to text, at most n bytes with the closing zero.
void mw_certificate_advice(const mw_rom_file *f, char *text, size_t n);

#endif
