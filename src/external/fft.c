/* fft.c - the Fourier transform of Modelica.Math.FastFourierTransform. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "external/external_internal.h"
#include "takt_rt_fft.h"

enum { MOST_POINTS = 4096 }; /* each result is a node with all of them */

static void values(const ExprFunction *f, const double *arg, double *out)
{
    takt_fft(f->nlist, arg, out);
}

static const char *c_call(const ExprFunction *f, int out, bool is_float,
                          const char *const *plain, const char *list,
                          Arena *arena)
{
    (void)out, (void)is_float;
    return arena_printf(arena, "takt_fft(%d, %s, %s)", f->nlist, list,
                        plain[0]);
}

static int add_function(Dag *d, int n)
{
    double terms;
    takt_fft_factor(n, &terms);
    ExprFunction f = {.name = "fft",
                      .nlist = n,
                      .nout = 1 + 2 * (n / 2 + 1),
                      .values = values,
                      .c_call = c_call,
                      .header = "takt_rt_fft.h",
                      .needs_double = true,
                      .instructions = (int)(6 * terms) + (n / 2 + 1) * 200};
    return dag_add_function(d, &f);
}

static Value *results(ExternalCall *c, int fn, int first, int nf)
{
    const Value *u = c->arg[0];
    Expr *y = NEW_ARRAY(c->in->arena, Expr, nf + 1);
    for (int k = 0; k < nf; k++)
        y[k] = expr_call(c->in->dag, fn, first + k, ET_REAL, u->scalar,
                         u->nscalar);
    return value_new(c->in, type_builtin(TYPE_REAL), 1, &nf, y, u->variability);
}

/* info = f(u, nu, work, nwork, amplitudes, phases) */
static bool transform(ExternalCall *c)
{
    const Value *u = c->narg == 6 ? c->arg[0] : NULL;
    if (!u || u->ndim != 1 || !is_kind(u, TYPE_REAL) || u->nscalar < 2)
        return external_unsupported(c, "it is not called as takt knows it");
    int n = u->nscalar, nf = n / 2 + 1;
    if (n % 2)
        return external_unsupported(c, "the number of its values is odd");
    if (n > MOST_POINTS)
        return external_unsupported(c, "it has more than 4096 values");
    int fn = add_function(c->in->dag, n);
    return external_set_arg(c, 4, results(c, fn, 1, nf)) &&
           external_set_arg(c, 5, results(c, fn, 1 + nf, nf)) &&
           external_set_result(c, value_int(c->in, 0));
}

const ExternalKnown external_fft[] = {
    {"ModelicaFFT_kiss_fftr", transform},
    {NULL, NULL},
};
