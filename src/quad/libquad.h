/* libquad.h - functions of libquadmath, which not every compiler has the header
 * of. Where long double has 113 bits itself, it is taken. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_QUAD_LIBQUAD_H
#define TAKT_QUAD_LIBQUAD_H

#include <stddef.h>

#ifdef __SIZEOF_FLOAT128__
#define QUAD_FORMAT "%.33Qe"
__float128 strtoflt128(const char *text, char **end);
int quadmath_snprintf(char *out, size_t size, const char *format, ...);
__float128 sinq(__float128 x);
__float128 cosq(__float128 x);
__float128 tanq(__float128 x);
__float128 asinq(__float128 x);
__float128 acosq(__float128 x);
__float128 atanq(__float128 x);
__float128 sinhq(__float128 x);
__float128 coshq(__float128 x);
__float128 tanhq(__float128 x);
__float128 expq(__float128 x);
__float128 logq(__float128 x);
__float128 log10q(__float128 x);
__float128 sqrtq(__float128 x);
__float128 fabsq(__float128 x);
__float128 floorq(__float128 x);
__float128 ceilq(__float128 x);
__float128 truncq(__float128 x);
__float128 powq(__float128 x, __float128 y);
__float128 atan2q(__float128 y, __float128 x);
#else
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define QUAD_FORMAT       "%.33Le"
#define strtoflt128       strtold
#define quadmath_snprintf snprintf
#define sinq              sinl
#define cosq              cosl
#define tanq              tanl
#define asinq             asinl
#define acosq             acosl
#define atanq             atanl
#define sinhq             sinhl
#define coshq             coshl
#define tanhq             tanhl
#define expq              expl
#define logq              logl
#define log10q            log10l
#define sqrtq             sqrtl
#define fabsq             fabsl
#define floorq            floorl
#define ceilq             ceill
#define truncq            truncl
#define powq              powl
#define atan2q            atan2l
#endif

#endif
