/* text.h - numbers as texts of Modelica (3.7.1.1). All live in in->arena. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_VALUE_TEXT_H
#define TAKT_VALUE_TEXT_H

#include "value/context.h"

/* %.{digits}g of C, which is what the specification asks for. */
const char *string_of_real(const Context *in, double x, int digits);
/* At least `width` characters. */
const char *string_pad(const Context *in, const char *s, int width, bool left);
/* By a format of C without the %: "-0.4f", "12.6g", "5d". NULL: it is none. */
const char *string_formatted(const Context *in, const char *f, double x,
                             bool real);

#endif
