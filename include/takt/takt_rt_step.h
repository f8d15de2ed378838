/* takt_rt_step.h - the half of takt_rt.h that runs on the machine.
 *
 * C99 for one source file of a program that does not link libtakt; needs no
 * library and no header of a hosted environment. Define TAKT_RT_FLOAT for
 * single precision. Numbers are selected by masks rather than by branches, and
 * loops have counts that the table gives, so the work of a step does not depend
 * on data as long as that of the user's functions does not.
 *
 *     open_table ─▶ place ─▶ takt_rt_init
 *     jacobian ─▶ assemble ─▶ factor ─▶ march (solve, refine) ─▶ extrapolate
 *              ─▶ damp ─▶ estimate ─▶ commit
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAKT_RT_STEP_H
#define TAKT_TAKT_RT_STEP_H

#include "takt_rt.h"
#include "takt_rt_lu.h"

#ifdef TAKT_RT_FLOAT
typedef uint32_t takt_rt_word;
#define TAKT_RT_ROOT_EPS ((takt_rt_real)3.4526698300124393e-4)
#define TAKT_RT_SUSPECT  ((takt_rt_real)0.05) /* correction worth a note */
#else
typedef uint64_t takt_rt_word;
#define TAKT_RT_ROOT_EPS ((takt_rt_real)1.4901161193847656e-8)
#define TAKT_RT_SUSPECT  ((takt_rt_real)1e-4)
#endif

/* ---- numbers without branches ---- */

typedef union TaktRtBits {
    takt_rt_real x;
    takt_rt_word w;
} TaktRtBits;

/* All ones if yes, hidden from the optimiser, which would make a branch. */
static inline takt_rt_word takt_rt_mask_(int yes)
{
    takt_rt_word m = (takt_rt_word)0 - (takt_rt_word)(yes != 0);
#if defined(__GNUC__)
    __asm__("" : "+r"(m));
#endif
    return m;
}

static inline takt_rt_real takt_rt_pick_(takt_rt_word mask, takt_rt_real a,
                                         takt_rt_real b)
{
    TaktRtBits p, q;
    p.x = a;
    q.x = b;
    p.w = (p.w & mask) | (q.w & ~mask);
    return p.x;
}

static inline takt_rt_real takt_rt_abs_(takt_rt_real a)
{
    TaktRtBits p;
    p.x = a;
    p.w &= ~(takt_rt_word)0 >> 1;
    return p.x;
}

/* The larger; b if a is not a number. */
static inline takt_rt_real takt_rt_max_(takt_rt_real a, takt_rt_real b)
{
    return takt_rt_pick_(takt_rt_mask_(a > b), a, b);
}

static inline double takt_rt_double_(const uint32_t *w)
{
    union {
        double x;
        uint64_t w;
    } p;
    p.w = (uint64_t)w[0] | (uint64_t)w[1] << 32;
    return p.x;
}

/* ---- the table ---- */

enum {
    TAKT_RT_MAGIC_ = 0x54524b54, /* "TKRT" */
    TAKT_RT_VERSION_ = 1,
    TAKT_RT_HEADER_ = 32, /* words; the numbers begin at 22 */
    TAKT_RT_COUNTS_ = 17
};

/* CRC-32 (IEEE 802.3) of the words as bytes, low byte first. */
static inline uint32_t takt_rt_crc_(const uint32_t *words, size_t n)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < n; i++) {
        crc ^= words[i];
        for (int b = 0; b < 32; b++)
            crc = crc >> 1 ^ (0xedb88320u & ((uint32_t)0 - (crc & 1u)));
    }
    return ~crc;
}

typedef struct TaktRtCursor {
    const uint32_t *at;
    size_t left;
    int bad;
} TaktRtCursor;

static inline const uint32_t *takt_rt_take_(TaktRtCursor *c, size_t n)
{
    const uint32_t *p = c->at;
    if (n > c->left) {
        c->bad = 1;
        return p;
    }
    c->at += n;
    c->left -= n;
    return p;
}

static inline const int32_t *takt_rt_ints_(TaktRtCursor *c, int32_t n)
{
    return (const int32_t *)(const void *)takt_rt_take_(c, (size_t)n);
}

/* Size, version, checksum; then the arrays are where they should be and fill
 * the table exactly. */
static inline TaktRtStatus takt_rt_layout_(TaktRtTable *t,
                                           const uint32_t *words, size_t nword)
{
    TaktRtCursor c = {words, nword, 0};
    if (!words || nword < TAKT_RT_HEADER_ || nword > (size_t)1 << 28 ||
        words[0] != (uint32_t)TAKT_RT_MAGIC_ || words[1] != TAKT_RT_VERSION_ ||
        words[2] != nword || words[3] != takt_rt_crc_(words + 4, nword - 4))
        return TAKT_RT_BAD_TABLE;
    for (int i = 4; i < 4 + TAKT_RT_COUNTS_; i++)
        if (words[i] >= (uint32_t)1 << 28)
            return TAKT_RT_BAD_TABLE;
    t->n = (int32_t)words[4];
    t->kind = (int32_t)words[5];
    t->order = (int32_t)words[6];
    t->refine = (int32_t)words[7];
    t->nj = (int32_t)words[8];
    t->na = (int32_t)words[9];
    t->nentry = (int32_t)words[10];
    t->nl = (int32_t)words[11];
    t->nu = (int32_t)words[12];
    t->ntarget = (int32_t)words[13];
    t->ngroup = (int32_t)words[14];
    t->ncolumn = (int32_t)words[15];
    t->npattern = (int32_t)words[16];
    t->nalgrow = (int32_t)words[17];
    t->nalgcol = (int32_t)words[18];
    t->nblock = (int32_t)words[19];
    t->no = (int32_t)words[20];
    t->step = takt_rt_double_(words + 22);
    t->damping = takt_rt_double_(words + 24);
    t->rtol = takt_rt_double_(words + 26);
    t->atol = takt_rt_double_(words + 28);
    (void)takt_rt_take_(&c, TAKT_RT_HEADER_);
    t->row = takt_rt_ints_(&c, t->nentry);
    t->col = takt_rt_ints_(&c, t->nentry);
    t->prow = takt_rt_ints_(&c, t->n);
    t->pcol = takt_rt_ints_(&c, t->n);
    t->pivot = takt_rt_ints_(&c, t->n);
    t->lstart = takt_rt_ints_(&c, t->n + 1);
    t->l = takt_rt_ints_(&c, t->nl);
    t->lrow = takt_rt_ints_(&c, t->nl);
    t->ustart = takt_rt_ints_(&c, t->n + 1);
    t->u = takt_rt_ints_(&c, t->nu);
    t->ucol = takt_rt_ints_(&c, t->nu);
    t->start = takt_rt_ints_(&c, t->nblock + 1);
    t->ostart = takt_rt_ints_(&c, t->n + 1);
    t->o = takt_rt_ints_(&c, t->no);
    t->ocol = takt_rt_ints_(&c, t->no);
    t->target = takt_rt_ints_(&c, t->ntarget);
    t->gstart = takt_rt_ints_(&c, t->ngroup + 1);
    t->cstart = takt_rt_ints_(&c, t->ngroup + 1);
    t->column = takt_rt_ints_(&c, t->ncolumn);
    t->source = takt_rt_ints_(&c, t->kind == TAKT_RT_ENTRIES ? t->nj : 0);
    t->algrow = takt_rt_ints_(&c, t->nalgrow);
    t->algcol = takt_rt_ints_(&c, t->nalgcol);
    t->lvalue = takt_rt_take_(&c, 2 * (size_t)t->na);
    t->nominal = takt_rt_take_(&c, 2 * (size_t)t->n);
    if (c.bad || c.left != 0 || t->n < 1 || t->n > TAKT_RT_MAX_N ||
        t->kind > TAKT_RT_ENTRIES || t->order < 1 ||
        t->order > TAKT_RT_MAX_ORDER || t->refine > 1 || t->nj > t->na ||
        t->na > t->nentry || t->nl + t->nu + t->no + t->n != t->nentry ||
        !(t->step > 0) || t->step - t->step != 0 || !(t->damping >= 0) ||
        !(t->damping <= 1) || !(t->rtol >= 0) || !(t->atol >= 0))
        return TAKT_RT_BAD_TABLE;
    return TAKT_RT_FINE;
}

static inline int takt_rt_within_(const int32_t *a, int32_t n, int32_t limit)
{
    for (int32_t i = 0; i < n; i++)
        if (a[i] < 0 || a[i] >= limit)
            return 0;
    return 1;
}

/* a[0] = 0, ascending, a[n] = last */
static inline int takt_rt_starts_(const int32_t *a, int32_t n, int32_t last)
{
    if (a[0] != 0 || a[n] != last)
        return 0;
    for (int32_t i = 0; i < n; i++)
        if (a[i] > a[i + 1])
            return 0;
    return 1;
}

/* rank[a[k]] = k for a permutation a of 0 .. n-1 */
static inline int takt_rt_ranks_(const int32_t *a, int32_t n, int32_t *rank)
{
    for (int32_t i = 0; i < n; i++)
        rank[i] = -1;
    for (int32_t k = 0; k < n; k++) {
        if (a[k] < 0 || a[k] >= n || rank[a[k]] != -1)
            return 0;
        rank[a[k]] = k;
    }
    return 1;
}

/* Are the entries of pivot k, in the block of pivots first .. last-1, where
 * they must be: L and U further on in the block, the others in earlier blocks?
 */
static inline int takt_rt_placed_(const TaktRtTable *t, const int32_t *rrank,
                                  const int32_t *crank, int32_t k,
                                  int32_t first, int32_t last)
{
    int ok =
        t->row[t->pivot[k]] == t->prow[k] && t->col[t->pivot[k]] == t->pcol[k];
    for (int32_t j = t->ustart[k]; j < t->ustart[k + 1]; j++)
        ok &= t->row[t->u[j]] == t->prow[k] && t->col[t->u[j]] == t->ucol[j] &&
              crank[t->ucol[j]] > k && crank[t->ucol[j]] < last;
    for (int32_t i = t->lstart[k]; i < t->lstart[k + 1]; i++)
        ok &= t->col[t->l[i]] == t->pcol[k] && t->row[t->l[i]] == t->lrow[i] &&
              rrank[t->lrow[i]] > k && rrank[t->lrow[i]] < last;
    for (int32_t j = t->ostart[k]; j < t->ostart[k + 1]; j++)
        ok &= t->row[t->o[j]] == t->prow[k] && t->col[t->o[j]] == t->ocol[j] &&
              crank[t->ocol[j]] < first;
    return ok;
}

/* Are the operations an elimination: does every update go to the place where
 * it belongs? */
static inline int takt_rt_eliminates_(const TaktRtTable *t,
                                      const int32_t *rrank,
                                      const int32_t *crank)
{
    int64_t next = 0;
    for (int32_t b = 0; b < t->nblock; b++)
        for (int32_t k = t->start[b]; k < t->start[b + 1]; k++)
            if (!takt_rt_placed_(t, rrank, crank, k, t->start[b],
                                 t->start[b + 1]))
                return 0;
    for (int32_t k = 0; k < t->n; k++)
        for (int32_t i = t->lstart[k]; i < t->lstart[k + 1]; i++)
            for (int32_t j = t->ustart[k]; j < t->ustart[k + 1]; j++, next++)
                if (next >= t->ntarget ||
                    t->row[t->target[next]] != t->lrow[i] ||
                    t->col[t->target[next]] != t->ucol[j])
                    return 0;
    return next == t->ntarget;
}

/* Reads and checks everything; `scratch` has 2 n integers. */
static inline TaktRtStatus takt_rt_open_(TaktRtTable *t, int32_t *scratch)
{
    int ok = takt_rt_within_(t->row, t->nentry, t->n) &&
             takt_rt_within_(t->col, t->nentry, t->n) &&
             takt_rt_within_(t->pivot, t->n, t->nentry) &&
             takt_rt_starts_(t->lstart, t->n, t->nl) &&
             takt_rt_within_(t->l, t->nl, t->nentry) &&
             takt_rt_within_(t->lrow, t->nl, t->n) &&
             takt_rt_starts_(t->ustart, t->n, t->nu) &&
             takt_rt_within_(t->u, t->nu, t->nentry) &&
             takt_rt_within_(t->ucol, t->nu, t->n) &&
             takt_rt_starts_(t->start, t->nblock, t->n) &&
             takt_rt_starts_(t->ostart, t->n, t->no) &&
             takt_rt_within_(t->o, t->no, t->nentry) &&
             takt_rt_within_(t->ocol, t->no, t->n) &&
             takt_rt_within_(t->target, t->ntarget, t->nentry) &&
             takt_rt_starts_(t->gstart, t->ngroup, t->nj) &&
             takt_rt_starts_(t->cstart, t->ngroup, t->ncolumn) &&
             takt_rt_within_(t->column, t->ncolumn, t->n) &&
             takt_rt_within_(t->algrow, t->nalgrow, t->n) &&
             takt_rt_within_(t->algcol, t->nalgcol, t->n);
    if (ok && t->kind == TAKT_RT_ENTRIES)
        ok = takt_rt_within_(t->source, t->nj, t->npattern);
    ok = ok && takt_rt_ranks_(t->prow, t->n, scratch) &&
         takt_rt_ranks_(t->pcol, t->n, scratch + t->n) &&
         takt_rt_eliminates_(t, scratch, scratch + t->n);
    for (int32_t i = 0; ok && i < t->na; i++) {
        double v = takt_rt_double_(t->lvalue + 2 * (size_t)i);
        ok = v - v == 0;
    }
    for (int32_t i = 0; ok && i < t->n; i++) {
        double v = takt_rt_double_(t->nominal + 2 * (size_t)i);
        ok = v > 0 && v - v == 0;
    }
    return ok ? TAKT_RT_FINE : TAKT_RT_BAD_TABLE;
}

/* ---- memory ---- */

static inline takt_rt_real *takt_rt_place_(takt_rt_real *base, size_t *used,
                                           size_t n)
{
    takt_rt_real *p = base ? base + *used : NULL;
    *used += n;
    return p;
}

/* Places the arrays at `base`, or only counts if it is NULL. */
static inline size_t takt_rt_arrays_(TaktRt *s, takt_rt_real *base)
{
    const TaktRtTable *t = &s->table;
    const size_t n = (size_t)t->n;
    size_t used = 0;
    s->x = takt_rt_place_(base, &used, n);
    s->y = takt_rt_place_(base, &used, n);
    s->z = takt_rt_place_(base, &used, n);
    s->f = takt_rt_place_(base, &used, n);
    s->g = takt_rt_place_(base, &used, n);
    s->b = takt_rt_place_(base, &used, n);
    s->d = takt_rt_place_(base, &used, n);
    s->nominal = takt_rt_place_(base, &used, n);
    s->inverse = takt_rt_place_(base, &used, n);
    s->lvalue = takt_rt_place_(base, &used, (size_t)t->na);
    s->jac = takt_rt_place_(base, &used, (size_t)t->nj);
    s->matrix = takt_rt_place_(base, &used, (size_t)t->na);
    s->entry = takt_rt_place_(base, &used, (size_t)t->nentry);
    s->pattern = takt_rt_place_(base, &used, (size_t)t->npattern);
    s->tableau =
        takt_rt_place_(base, &used, t->order > 1 ? n * (size_t)t->order : 0);
    return used;
}

size_t takt_rt_memory(const uint32_t *words, size_t nword)
{
    TaktRt s;
    if (takt_rt_layout_(&s.table, words, nword) != TAKT_RT_FINE)
        return 0;
    return takt_rt_arrays_(&s, NULL) * sizeof(takt_rt_real);
}

static inline int takt_rt_kind_(const TaktRtModel *m)
{
    return m->jacobian     ? TAKT_RT_ENTRIES
           : m->derivative ? TAKT_RT_DIRECTIONS
                           : TAKT_RT_DIFFERENCES;
}

TaktRtStatus takt_rt_init(TaktRt *s, const uint32_t *words, size_t nword,
                          const TaktRtModel *model, void *memory, size_t bytes)
{
    TaktRtStatus status = takt_rt_layout_(&s->table, words, nword);
    if (status != TAKT_RT_FINE)
        return status;
    const TaktRtTable *t = &s->table;
    if (!model || !model->rhs || model->n != t->n ||
        takt_rt_kind_(model) != t->kind)
        return TAKT_RT_BAD_MODEL;
    const size_t used = takt_rt_arrays_(s, NULL);
    if (!memory || bytes / sizeof(takt_rt_real) < used)
        return TAKT_RT_NO_MEMORY;
    /* 9 n numbers are there, so 2 n integers are */
    status = takt_rt_open_(&s->table, (int32_t *)memory);
    if (status != TAKT_RT_FINE)
        return status;
    takt_rt_real *base = (takt_rt_real *)memory;
    for (size_t i = 0; i < used; i++)
        base[i] = 0;
    (void)takt_rt_arrays_(s, base);
    for (int32_t i = 0; i < t->na; i++)
        s->lvalue[i] = (takt_rt_real)takt_rt_double_(t->lvalue + 2 * (size_t)i);
    for (int32_t i = 0; i < t->n; i++)
        s->nominal[i] =
            (takt_rt_real)takt_rt_double_(t->nominal + 2 * (size_t)i);
    s->model = *model;
    s->t0 = 0;
    s->count = 0;
    s->where = -1;
    s->error = 0;
    s->correction = 0;
    s->factor = 1;
    return TAKT_RT_FINE;
}

/* ---- the Jacobian ---- */

/* Entries of a group from f with all its columns moved (Curtis, Powell and
 * Reid 1974). s->f is f(x, time); s->y, s->d, s->g are work. */
static inline int takt_rt_differences_(TaktRt *s, takt_rt_real time)
{
    const TaktRtTable *t = &s->table;
    int bad = 0;
    for (int32_t i = 0; i < t->n; i++) {
        s->y[i] = s->x[i];
        takt_rt_real d = TAKT_RT_ROOT_EPS *
                         takt_rt_max_(takt_rt_abs_(s->x[i]), s->nominal[i]);
        s->z[i] = s->x[i] + d;                           /* where it moves to */
        s->d[i] = (takt_rt_real)1 / (s->z[i] - s->x[i]); /* as it is rounded */
    }
    for (int32_t c = 0; c < t->ngroup; c++) {
        for (int32_t i = t->cstart[c]; i < t->cstart[c + 1]; i++)
            s->y[t->column[i]] = s->z[t->column[i]];
        bad |= s->model.rhs(s->model.user, time, s->y, s->g);
        for (int32_t i = t->cstart[c]; i < t->cstart[c + 1]; i++)
            s->y[t->column[i]] = s->x[t->column[i]];
        for (int32_t k = t->gstart[c]; k < t->gstart[c + 1]; k++)
            s->jac[k] = (s->g[t->row[k]] - s->f[t->row[k]]) * s->d[t->col[k]];
    }
    return bad;
}

static inline int takt_rt_directions_(TaktRt *s, takt_rt_real time)
{
    const TaktRtTable *t = &s->table;
    int bad = 0;
    for (int32_t i = 0; i < t->n; i++)
        s->y[i] = 0;
    for (int32_t c = 0; c < t->ngroup; c++) {
        for (int32_t i = t->cstart[c]; i < t->cstart[c + 1]; i++)
            s->y[t->column[i]] = 1;
        bad |= s->model.derivative(s->model.user, time, s->x, s->y, s->g);
        for (int32_t i = t->cstart[c]; i < t->cstart[c + 1]; i++)
            s->y[t->column[i]] = 0;
        for (int32_t k = t->gstart[c]; k < t->gstart[c + 1]; k++)
            s->jac[k] = s->g[t->row[k]];
    }
    return bad;
}

static inline int takt_rt_entries_(TaktRt *s, takt_rt_real time)
{
    int bad = s->model.jacobian(s->model.user, time, s->x, s->pattern);
    for (int32_t k = 0; k < s->table.nj; k++)
        s->jac[k] = s->pattern[s->table.source[k]];
    return bad;
}

static inline int takt_rt_jacobian_(TaktRt *s, takt_rt_real time)
{
    if (s->table.kind == TAKT_RT_ENTRIES)
        return takt_rt_entries_(s, time);
    if (s->table.kind == TAKT_RT_DIRECTIONS)
        return takt_rt_directions_(s, time);
    return takt_rt_differences_(s, time);
}

/* ---- linear algebra ---- */

/* matrix = L - h J, and a copy in entry */
static inline void takt_rt_assemble_(TaktRt *s, takt_rt_real h)
{
    const TaktRtTable *t = &s->table;
    for (int32_t k = 0; k < t->nj; k++)
        s->matrix[k] = s->lvalue[k] - h * s->jac[k];
    for (int32_t k = t->nj; k < t->na; k++)
        s->matrix[k] = s->lvalue[k];
    for (int32_t k = 0; k < t->na; k++)
        s->entry[k] = s->matrix[k];
    for (int32_t k = t->na; k < t->nentry; k++)
        s->entry[k] = 0;
}

TAKT_RT_LU(takt_rt_lu, TaktRtTable, takt_rt_real, prow, pcol)

/* d = A^-1 (h f), refined once if the table says so. The size of the correction
 * is the condition number times the rounding error, so it tells of a matrix
 * that has become singular and of pivots that have become bad. */
static inline void takt_rt_direction_(TaktRt *s, takt_rt_real h,
                                      const takt_rt_real *f)
{
    const TaktRtTable *t = &s->table;
    for (int32_t i = 0; i < t->n; i++)
        s->b[i] = h * f[i];
    takt_rt_lu_solve(t, s->entry, s->inverse, s->b, s->d);
    if (!t->refine)
        return;
    for (int32_t i = 0; i < t->n; i++)
        s->b[i] = h * f[i];
    for (int32_t k = 0; k < t->na; k++)
        s->b[t->row[k]] -= s->matrix[k] * s->d[t->col[k]];
    takt_rt_lu_solve(t, s->entry, s->inverse, s->b, s->z);
    takt_rt_real change = 0, size = 0;
    for (int32_t i = 0; i < t->n; i++) {
        change = takt_rt_max_(takt_rt_abs_(s->z[i]) / s->nominal[i], change);
        size = takt_rt_max_(takt_rt_abs_(s->d[i]) / s->nominal[i], size);
        s->d[i] += s->z[i];
    }
    const takt_rt_real ratio =
        change / takt_rt_pick_(takt_rt_mask_(size > 0), size, 1);
    s->correction = takt_rt_max_(ratio, s->correction);
}

/* ---- the step ---- */

/* The model's function at (x, time), and from there j substeps of h/j with the
 * factors at hand; the end is s->y. With one substep s->f is taken as it is. */
static inline int takt_rt_march_(TaktRt *s, int32_t j, takt_rt_real time,
                                 takt_rt_real h)
{
    const int32_t n = s->table.n;
    const takt_rt_real sub = h / (takt_rt_real)j;
    int bad = 0;
    for (int32_t i = 0; i < n; i++)
        s->y[i] = s->x[i];
    for (int32_t i = 1; i <= j; i++) {
        const takt_rt_real *f = s->f;
        if (s->table.order > 1) {
            bad |= s->model.rhs(s->model.user, time + (takt_rt_real)i * sub,
                                s->y, s->g);
            f = s->g;
        }
        takt_rt_direction_(s, sub, f);
        for (int32_t k = 0; k < n; k++)
            s->y[k] += s->d[k];
    }
    return bad;
}

/* Row j of the tableau of Aitken and Neville from s->y; its end in s->y. */
static inline void takt_rt_extrapolate_(TaktRt *s, int32_t j)
{
    const int32_t n = s->table.n;
    for (int32_t k = 0; k + 1 < j; k++) {
        takt_rt_real *old = s->tableau + (size_t)k * (size_t)n;
        const takt_rt_real w = /* 1 / (j / (j-1-k) - 1) */
            (takt_rt_real)(j - 1 - k) / (takt_rt_real)(k + 1);
        for (int32_t i = 0; i < n; i++) {
            const takt_rt_real above = old[i];
            old[i] = s->y[i];
            s->y[i] += (s->y[i] - above) * w;
        }
    }
    for (int32_t i = 0; i < n; i++)
        s->tableau[(size_t)(j - 1) * (size_t)n + (size_t)i] = s->y[i];
}

/* Square of the algebraic residual with algebraic unknowns moved by lambda. */
static inline takt_rt_real takt_rt_residual_(TaktRt *s, takt_rt_real lambda,
                                             takt_rt_real time, int *bad)
{
    const TaktRtTable *t = &s->table;
    for (int32_t i = 0; i < t->nalgcol; i++) {
        const int32_t j = t->algcol[i];
        s->y[j] = s->x[j] + lambda * s->d[j];
    }
    *bad |= s->model.rhs(s->model.user, time, s->y, s->g);
    takt_rt_real sum = 0;
    for (int32_t i = 0; i < t->nalgrow; i++)
        sum += s->g[t->algrow[i]] * s->g[t->algrow[i]];
    return sum;
}

/* Schiela 5.5: of twice, once and half the last factor the one with the
 * smallest residual. */
static inline int takt_rt_damp_(TaktRt *s, takt_rt_real time)
{
    const takt_rt_real least = (takt_rt_real)s->table.damping;
    const takt_rt_real old = s->factor;
    takt_rt_real best = -takt_rt_max_(-1, -2 * old), norm;
    int bad = 0;
    norm = takt_rt_residual_(s, best, time, &bad);
    for (int i = 0; i < 2; i++) {
        const takt_rt_real next = i == 0 ? old : takt_rt_max_(old / 2, least);
        const takt_rt_real r = takt_rt_residual_(s, next, time, &bad);
        const takt_rt_word better = takt_rt_mask_(!(r >= norm));
        best = takt_rt_pick_(better, next, best);
        norm = takt_rt_pick_(better, r, norm);
    }
    for (int32_t i = 0; i < s->table.nalgcol; i++) {
        const int32_t j = s->table.algcol[i];
        s->y[j] = s->x[j] + best * s->d[j];
    }
    s->factor = best;
    return bad;
}

/* Schiela 5.6: the difference from the method of the order below, which is the
 * old state for order 1, over max(rtol |x|, atol nominal). */
static inline void takt_rt_estimate_(TaktRt *s)
{
    const TaktRtTable *t = &s->table;
    const takt_rt_real *low = s->x;
    const takt_rt_real rtol = (takt_rt_real)t->rtol;
    const takt_rt_real atol = (takt_rt_real)t->atol;
    uint32_t worst = 0;
    if (t->order > 1)
        low = s->tableau + (size_t)(t->order - 2) * (size_t)t->n;
    takt_rt_real most = 0;
    for (int32_t i = 0; i < t->n; i++) {
        const takt_rt_real scale =
            takt_rt_max_(rtol * takt_rt_abs_(s->x[i]), atol * s->nominal[i]);
        const takt_rt_real e =
            takt_rt_abs_(s->y[i] - low[i]) /
            takt_rt_pick_(takt_rt_mask_(scale > 0), scale,
                          TAKT_RT_ROOT_EPS * TAKT_RT_ROOT_EPS);
        const takt_rt_word more = takt_rt_mask_(e > most);
        most = takt_rt_pick_(more, e, most);
        worst = (worst & ~(uint32_t)more) | ((uint32_t)i & (uint32_t)more);
    }
    s->error = most;
    s->where = (int32_t)worst;
}

/* The new state if every value is finite. Returns the first that is not, -1 if
 * none is; `bad` says that the step has failed already. */
static inline int32_t takt_rt_commit_(TaktRt *s, int bad)
{
    const int32_t n = s->table.n;
    uint32_t first = 0xffffffffu;
    for (int32_t i = n - 1; i >= 0; i--) {
        const takt_rt_real zero = s->y[i] - s->y[i];
        const uint32_t m = (uint32_t)takt_rt_mask_(!(zero == 0));
        first = (first & ~m) | ((uint32_t)i & m);
    }
    const takt_rt_word keep =
        takt_rt_mask_(bad != 0) | takt_rt_mask_(first != 0xffffffffu);
    for (int32_t i = 0; i < n; i++)
        s->x[i] = takt_rt_pick_(keep, s->x[i], s->y[i]);
    s->count += 1u & ~(uint32_t)keep;
    return (int32_t)first;
}

TaktRtStatus takt_rt_step(TaktRt *s)
{
    const TaktRtTable *t = &s->table;
    const takt_rt_real h = (takt_rt_real)t->step;
    const takt_rt_real now = s->t0 + (takt_rt_real)s->count * h;
    const takt_rt_real end = s->t0 + (takt_rt_real)(s->count + 1u) * h;
    const takt_rt_real at = t->order > 1 ? now : end; /* of the Jacobian */
    const takt_rt_real old = s->factor;
    int bad = s->model.rhs(s->model.user, at, s->x, s->f);
    bad |= takt_rt_jacobian_(s, at);
    s->correction = 0;
    s->where = -1;
    for (int32_t j = 1; j <= t->order; j++) {
        takt_rt_assemble_(s, h / (takt_rt_real)j);
        takt_rt_lu_factor(&s->table, s->entry, s->inverse);
        bad |= takt_rt_march_(s, j, now, h);
        if (t->order > 1)
            takt_rt_extrapolate_(s, j);
    }
    if (t->damping > 0)
        bad |= takt_rt_damp_(s, end);
    if (t->rtol > 0 || t->atol > 0)
        takt_rt_estimate_(s);
    const int32_t first = takt_rt_commit_(s, bad);
    if (bad || first >= 0) {
        s->where = first;
        s->factor = old;
        return bad ? TAKT_RT_RHS : TAKT_RT_FAILED;
    }
    if (!(s->correction <= TAKT_RT_SUSPECT))
        return TAKT_RT_NOTE_SOLVE;
    if (s->error > 1)
        return TAKT_RT_NOTE_ERROR;
    s->where = -1;
    return TAKT_RT_FINE;
}

#endif
