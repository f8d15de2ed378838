/* sample.c - states to ask a function in C at.
 *
 * x0 first, then the states of the user, then x0 with every unknown moved at
 * random by up to `spread` of its size. A scattered state may lie outside of
 * the function's domain; those where it fails or is not finite are left out.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "crhs/crhs.h"

/* splitmix64, in [-1, 1) */
static double random_sign(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

static bool all_finite(const double *v, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(v[i]))
            return false;
    return true;
}

static const double *sizes(const TaktRtSetup *s, int n, Arena *arena)
{
    double *nominal = NEW_ARRAY(arena, double, n);
    for (int i = 0; i < n; i++)
        nominal[i] = s->nominal ? s->nominal[i] : 1;
    return nominal;
}

/* State number k: 0 is x0, then own ones, then scattered ones. */
static void make_state(const TaktRtSetup *s, const double *nominal, int n,
                       int k, uint64_t *seed, double *x, double *t)
{
    const double *from =
        k >= 1 && k <= s->nown ? s->own + (size_t)(k - 1) * (size_t)n : s->x0;
    double share = (random_sign(seed) + 1) / 2;
    *t = k == 0 ? s->t0 : s->t0 + share * (s->t1 - s->t0);
    for (int i = 0; i < n; i++) {
        double by = s->spread * fmax(fabs(from[i]), nominal[i]);
        x[i] = from[i] + (k > s->nown ? by * random_sign(seed) : 0);
    }
}

TaktRtStatus crhs_sample(const TaktRtModel *m, const TaktRtSetup *s, Points *p,
                         TaktRtReport *r, Arena *arena)
{
    int n = m->n, want = 1 + s->nown + s->nsample;
    double *x = arena_array(arena, (size_t)want * (size_t)n, sizeof *x);
    double *f = arena_array(arena, (size_t)want * (size_t)n, sizeof *f);
    double *t = NEW_ARRAY(arena, double, want);
    const double *nominal = sizes(s, n, arena);
    uint64_t seed = s->seed;
    *p = (Points){.n = n, .x = x, .t = t, .f = f, .nominal = nominal};
    for (int k = 0; k < want; k++) {
        double *here = x + (size_t)p->count * (size_t)n;
        double *out = f + (size_t)p->count * (size_t)n;
        make_state(s, nominal, n, k, &seed, here, &t[p->count]);
        for (int i = 0; i < n; i++)
            out[i] = NAN; /* a row that is never set is noticed */
        bool fine = m->rhs(m->user, t[p->count], here, out) == 0;
        if (fine && all_finite(out, n)) {
            p->count++;
            continue;
        }
        if (k == 0 && !fine)
            return crhs_say(r, TAKT_RT_RHS, -1, -1,
                            "the function could not be evaluated at x0");
        for (int i = 0; k == 0 && i < n; i++)
            if (!isfinite(out[i]))
                return crhs_say(r, TAKT_RT_NOT_FINITE, i, -1,
                                "row %d of f is not finite at x0", i);
        p->ndropped++;
    }
    return TAKT_RT_FINE;
}
