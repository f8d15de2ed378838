/* picture.h - stability domains and damping of methods: SVG, and a page. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_THEORY_PICTURE_H
#define TAKT_THEORY_PICTURE_H

#include <stdio.h>

#include "theory/theory.h"

/* Eigenvalues of a model times its step. */
typedef struct Modes {
    const char *name; /* "Hires, step 0.01"; NULL: none */
    const double *re, *im;
    int n;
} Modes;

typedef struct Window {
    double left, right, low, high;
} Window;

/* A window that shows the domains of these methods. */
Window theory_window(const Theory *const *t, int n);
/* The lines |F(z)| = 1; what is stable is shaded. */
void theory_domain_svg(const Theory *const *t, int n, const Modes *modes,
                       Window w, FILE *out);
/* -ln |F(-x)| over x, beside the line of exp. */
void theory_damping_svg(const Theory *const *t, int n, FILE *out);
/* Both in a page that zooms, with the value under the cursor. */
void theory_page(const Theory *const *t, int n, const Modes *modes, Window w,
                 FILE *out);

#endif
