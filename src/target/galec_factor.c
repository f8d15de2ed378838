/* galec_factor.c - factorisations by tables as statements: the loops of
 * takt_lu_* and takt_qr_* (runtime/takt_rt_factor.h), unrolled in their order.
 * Entry k of w is slot factors + k, entry k of v is slot vector + k. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/table.h"
#include "target/galec_internal.h"

static const char *at_w(const GalecWork *w, const TapeSystem *s, uint32_t k)
{
    return w->ref[s->factors + (int)k];
}

static const char *at_v(const GalecWork *w, const TapeSystem *s, uint32_t k)
{
    return w->ref[s->vector + (int)k];
}

int galec_factor_writes(const TapeSystem *s, bool solves, int *first)
{
    *first = solves ? s->vector : s->factors;
    return solves ? s->table->nvector : s->table->nfactor;
}

static void keep_rows(GalecWork *w, const TapeSystem *s)
{
    const takt_rows32 *t = &s->table->rows;
    for (uint32_t i = 0; i < t->nnz; i++)
        galec_line(w, "%s := %s;", at_w(w, s, t->copy + i),
                   at_w(w, s, t->place[i]));
}

/* ---- LU ---- */

static void factor_lu(GalecWork *w, const TapeSystem *s)
{
    const takt_lu32 *t = &s->table->lu;
    const uint32_t *count = t->count, *target = t->target;
    uint32_t u = t->u, l = t->l, k = 0;
    for (uint32_t i = 0; i < t->nfill || i == 0; i++)
        galec_line(w, "%s := 0.0;", at_w(w, s, t->fill[i]));
    galec_line(w, "%s := 0.0;", at_w(w, s, t->zero));
    galec_line(w, "%s := 1.0;", at_w(w, s, t->zero + 1));
    for (; k < t->nstep; k++, count += 2) {
        galec_line(w, "%s := 1.0 / %s;", at_w(w, s, k), at_w(w, s, k));
        for (uint32_t end = l + count[0]; l < end; l++) {
            galec_line(w, "%s := %s * %s;", at_w(w, s, l), at_w(w, s, l),
                       at_w(w, s, k));
            for (uint32_t p = u; p < u + count[1]; p++, target++)
                galec_line(w, "%s := %s - %s * %s;", at_w(w, s, *target),
                           at_w(w, s, *target), at_w(w, s, l), at_w(w, s, p));
        }
        u += count[1];
    }
    for (; k < t->n; k++)
        galec_line(w, "%s := 1.0 / %s;", at_w(w, s, k), at_w(w, s, k));
}

static void solve_lu(GalecWork *w, const TapeSystem *s)
{
    const takt_lu32 *t = &s->table->lu;
    const uint32_t *p = t->solve;
    for (uint32_t i = 0; i < t->nsolve; i++) {
        uint32_t to = p[1], scale = p[2], n = p[3];
        galec_line(w, "'takt.sum' := %s;", at_v(w, s, p[0]));
        p += 4;
        for (uint32_t k = 0; k < n; k++, p += 2)
            galec_line(w, "'takt.sum' := 'takt.sum' - %s * %s;",
                       at_w(w, s, p[0]), at_v(w, s, p[1]));
        galec_line(w, "%s := 'takt.sum' * %s;", at_v(w, s, to),
                   at_w(w, s, scale));
    }
}

/* ---- QR ---- */

/* What rotates a number b into a: c and s, in their places of w. */
static void find_rotation(GalecWork *w, const char *a, const char *b,
                          const char *c, const char *s)
{
    galec_line(w, "'takt.a' := absolute(%s);", a);
    galec_line(w, "'takt.b' := absolute(%s);", b);
    galec_line(w, "'takt.sum' := (if 'takt.a' > 'takt.b' then 'takt.a' else "
                  "'takt.b');");
    galec_line(w, "'takt.sum' := (if 'takt.sum' < 1.0e-300 then 'takt.sum' + "
                  "1.0 else 'takt.sum');");
    galec_line(w, "'takt.sum' := 1.0 / 'takt.sum';");
    galec_line(w, "'takt.a' := %s * 'takt.sum';", a);
    galec_line(w, "'takt.b' := %s * 'takt.sum';", b);
    galec_line(w, "'takt.sum' := 'takt.a' * 'takt.a' + 'takt.b' * 'takt.b';");
    galec_line(w, "'takt.sum' := sqrt(absolute('takt.sum'));");
    galec_line(w, "%s := (if 'takt.sum' == 0.0 then 1.0 else 0.0);", c);
    galec_line(w, "'takt.sum' := 1.0 / ('takt.sum' + %s);", c);
    galec_line(w, "%s := 'takt.a' * 'takt.sum' + %s;", c, c);
    galec_line(w, "%s := 'takt.b' * 'takt.sum';", s);
}

/* The row of R from `r` on with the row at work. */
static void rotate(GalecWork *w, const TapeSystem *s, uint32_t r, uint32_t n,
                   uint32_t cs)
{
    const takt_qr32 *t = &s->table->qr;
    const uint32_t *column = t->column + r;
    const char *c = at_w(w, s, cs), *si = at_w(w, s, cs + 1);
    find_rotation(w, at_w(w, s, t->r + r), at_w(w, s, t->x + column[0]), c, si);
    for (uint32_t i = 0; i < n; i++) {
        const char *ri = at_w(w, s, t->r + r + i);
        const char *xi = at_w(w, s, t->x + column[i]);
        galec_line(w, "'takt.sum' := %s;", ri);
        galec_line(w, "%s := %s * %s + %s * %s;", ri, c, ri, si, xi);
        if (i == 0)
            galec_line(w, "%s := 0.0;", xi);
        else
            galec_line(w, "%s := %s * %s - %s * 'takt.sum';", xi, c, xi, si);
    }
}

static void factor_qr(GalecWork *w, const TapeSystem *s)
{
    const takt_qr32 *t = &s->table->qr;
    const uint32_t *p = t->factor;
    uint32_t a = 0, cs = t->cs;
    for (uint32_t i = 0; i < t->n; i++)
        galec_line(w, "%s := 0.0;", at_w(w, s, t->x + i));
    for (uint32_t i = 0; i < t->m; i++) {
        for (uint32_t k = *p++; k > 0; k--)
            galec_line(w, "%s := %s;", at_w(w, s, t->x + *p++),
                       at_w(w, s, a++));
        for (uint32_t k = *p++; k > 0; k--, cs += 2, p += 2)
            rotate(w, s, p[0], p[1], cs);
        for (uint32_t k = 0; k < p[1]; k++) {
            const char *x = at_w(w, s, t->x + t->column[p[0] + k]);
            galec_line(w, "%s := %s;", at_w(w, s, t->r + p[0] + k), x);
            galec_line(w, "%s := 0.0;", x);
        }
        p += 2;
    }
    for (uint32_t i = 0; i < t->n; i++) {
        const char *d = at_w(w, s, t->r + t->diag[i]);
        galec_line(w, "%s := 1.0 / %s;", d, d);
    }
}

/* A row of Q' rhs. Returns the tables after it. */
static const uint32_t *rotate_back(GalecWork *w, const TapeSystem *s,
                                   const uint32_t *p, uint32_t *cs)
{
    const takt_qr32 *t = &s->table->qr;
    uint32_t y = t->m + t->n;
    galec_line(w, "'takt.sum' := %s;", at_v(w, s, *p++));
    for (uint32_t k = *p++; k > 0; k--, p += 2)
        galec_line(w, "'takt.sum' := 'takt.sum' - %s * %s;", at_w(w, s, p[0]),
                   at_v(w, s, p[1]));
    for (uint32_t k = *p++; k > 0; k--, p++, *cs += 2) {
        const char *c = at_w(w, s, *cs), *si = at_w(w, s, *cs + 1);
        const char *to = at_v(w, s, y + *p);
        galec_line(w, "'takt.a' := %s;", to);
        galec_line(w, "%s := %s * 'takt.a' + %s * 'takt.sum';", to, c, si);
        galec_line(w, "'takt.sum' := %s * 'takt.sum' - %s * 'takt.a';", c, si);
    }
    galec_line(w, "%s := 'takt.sum';", at_v(w, s, y + *p++));
    return p;
}

static void solve_qr(GalecWork *w, const TapeSystem *s)
{
    const takt_qr32 *t = &s->table->qr;
    const uint32_t *p = t->solve;
    uint32_t cs = t->cs, y = t->m + t->n, z = t->m;
    for (uint32_t b = 0; b < t->nblock; b++) {
        uint32_t m = p[0], n = p[1];
        p += 2;
        for (uint32_t i = 0; i < m; i++)
            p = rotate_back(w, s, p, &cs);
        for (uint32_t i = 0; i < n; i++, p += 4) {
            galec_line(w, "'takt.sum' := %s;", at_v(w, s, y + p[0]));
            for (uint32_t k = 1; k < p[3]; k++)
                galec_line(w, "'takt.sum' := 'takt.sum' - %s * %s;",
                           at_w(w, s, t->r + p[2] + k),
                           at_v(w, s, z + t->column[p[2] + k]));
            galec_line(w, "%s := 'takt.sum' * %s;", at_v(w, s, z + p[1]),
                       at_w(w, s, t->r + p[2]));
        }
    }
}

/* ---- either, with refinement ---- */

void galec_factor(GalecWork *w, const TapeSystem *s)
{
    if (s->table->refine)
        keep_rows(w, s);
    if (s->table->is_qr)
        factor_qr(w, s);
    else
        factor_lu(w, s);
}

static void solve_once(GalecWork *w, const TapeSystem *s)
{
    if (s->table->is_qr)
        solve_qr(w, s);
    else
        solve_lu(w, s);
}

static void residual(GalecWork *w, const TapeSystem *s)
{
    const takt_rows32 *t = &s->table->rows;
    const uint32_t *p = t->row;
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t n = *p++;
        galec_line(w, "'takt.sum' := %s;", at_v(w, s, 3 * t->n + i));
        for (uint32_t k = 0; k < n; k++, p += 2)
            galec_line(w, "'takt.sum' := 'takt.sum' - %s * %s;",
                       at_w(w, s, t->copy + p[0]), at_v(w, s, t->n + p[1]));
        galec_line(w, "%s := 'takt.sum';", at_v(w, s, i));
        galec_line(w, "%s := %s;", at_v(w, s, 4 * t->n + i),
                   at_v(w, s, t->n + i));
    }
}

void galec_solve(GalecWork *w, const TapeSystem *s)
{
    const takt_rows32 *t = &s->table->rows;
    if (!s->table->refine) {
        solve_once(w, s);
        return;
    }
    for (uint32_t i = 0; i < t->n; i++)
        galec_line(w, "%s := %s;", at_v(w, s, 3 * t->n + i), at_v(w, s, i));
    solve_once(w, s);
    residual(w, s);
    solve_once(w, s);
    for (uint32_t i = 0; i < t->n; i++)
        galec_line(w, "%s := %s + %s;", at_v(w, s, t->n + i),
                   at_v(w, s, 4 * t->n + i), at_v(w, s, t->n + i));
}
