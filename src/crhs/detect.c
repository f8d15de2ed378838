/* detect.c - the pattern and the values of a Jacobian that is not known.
 *
 * Column by column, in all points: unknown j is moved by a large amount, and
 * the rows that change depend on it (a small amount could drown in rounding);
 * then by root(eps), and the quotients are the entries. A pattern of the user
 * must contain all that was seen. Derivatives of the user are taken instead of
 * the quotients and compared with them.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>

#include "base/vec.h"
#include "graph/incidence.h"
#include "crhs/crhs.h"

enum { MAX_ENTRIES = 50000000 }; /* of all samples together */

double crhs_increment(double x, double nominal)
{
    volatile double to = x + sqrt(DBL_EPSILON) * fmax(fabs(x), nominal);
    return to - x;
}

typedef struct Detect {
    const TaktRtModel *m;
    const TaktRtSetup *s;
    const Points *p;
    double *x, *f;  /* work: a state, what comes out */
    double *column; /* count * n: quotients of the column in each point */
    double *given;  /* the same as the user's function gives them */
    bool *moved;    /* n: rows that changed */
    bool *usable;   /* count: all derivatives are finite so far */
} Detect;

/* f with unknown j at `to`, in point s; false if it cannot be had. */
static bool ask(Detect *d, int s, int j, double to)
{
    int n = d->p->n;
    memcpy(d->x, d->p->x + (size_t)s * (size_t)n, (size_t)n * sizeof(double));
    d->x[j] = to;
    return d->m->rhs(d->m->user, d->p->t[s], d->x, d->f) == 0;
}

static void note_moved(Detect *d, int s)
{
    const double *f = d->p->f + (size_t)s * (size_t)d->p->n;
    for (int i = 0; i < d->p->n; i++) {
        double by = fabs(d->f[i] - f[i]);
        if (!(by <= d->s->noise * fabs(f[i])))
            d->moved[i] = true;
    }
}

/* Column j in point s. */
static void ask_column(Detect *d, int s, int j)
{
    int n = d->p->n;
    const double *x = d->p->x + (size_t)s * (size_t)n;
    const double *f = d->p->f + (size_t)s * (size_t)n;
    double size = fmax(fabs(x[j]), d->p->nominal[j]);
    if (ask(d, s, j, x[j] + 0.01 * size))
        note_moved(d, s);
    double by = crhs_increment(x[j], d->p->nominal[j]);
    if (!ask(d, s, j, x[j] + by)) {
        d->usable[s] = false;
        return;
    }
    note_moved(d, s);
    for (int i = 0; i < n; i++) {
        double q = (d->f[i] - f[i]) / by;
        d->column[(size_t)s * (size_t)n + (size_t)i] = q;
        d->usable[s] &= isfinite(q) != 0;
    }
    if (!d->m->derivative)
        return;
    memset(d->f, 0, (size_t)n * sizeof(double));
    d->f[j] = 1;
    double *out = d->given + (size_t)s * (size_t)n;
    bool fine = d->m->derivative(d->m->user, d->p->t[s], x, d->f, out) == 0;
    for (int i = 0; i < n; i++)
        fine = fine && isfinite(out[i]);
    d->usable[s] &= fine;
}

static Detect begin(const TaktRtModel *m, const TaktRtSetup *s, const Points *p,
                    Arena *local)
{
    Detect d = {.m = m, .s = s, .p = p};
    size_t all = (size_t)p->count * (size_t)p->n;
    d.x = NEW_ARRAY(local, double, p->n);
    d.f = NEW_ARRAY(local, double, p->n);
    d.column = NEW_ARRAY(local, double, all);
    d.given = NEW_ARRAY(local, double, all);
    d.moved = NEW_ARRAY(local, bool, p->n);
    d.usable = NEW_ARRAY(local, bool, p->count);
    memset(d.usable, true, (size_t)p->count);
    return d;
}

typedef struct Found {
    Vec(int) row, col;
    Vec(double) value; /* count of each entry: quotients */
    Vec(double) given; /* likewise, of the derivative function */
} Found;

static void add_entry(Found *o, const Detect *d, int i, int j, Arena *local)
{
    vec_push(local, &o->row, i);
    vec_push(local, &o->col, j);
    for (int s = 0; s < d->p->count; s++) {
        size_t at = (size_t)s * (size_t)d->p->n + (size_t)i;
        vec_push(local, &o->value, d->column[at]);
        if (d->m->derivative)
            vec_push(local, &o->given, d->given[at]);
    }
}

/* The user's pattern as rows of columns: bit of a row in `mark` is j+1. */
typedef struct Pattern {
    const Incidence *inc; /* equation = column, unknown = row */
    const int *entry;     /* entry of the user at each edge */
} Pattern;

static TaktRtStatus read_pattern(const TaktRtSetup *s, int n, Pattern *p,
                                 TaktRtReport *r, Arena *local)
{
    EdgeList edges = edges_begin(local);
    for (int k = 0; k < s->npattern; k++) {
        int i = s->prow[k], j = s->pcol[k];
        if (i < 0 || i >= n || j < 0 || j >= n)
            return crhs_say(r, TAKT_RT_BAD_SETUP, i, j,
                            "entry %d of the pattern, (%d, %d), is outside "
                            "of 0 .. %d",
                            k, i, j, n - 1);
        edges_add(&edges, j, i, EDGE_CONSTANT, 0);
    }
    p->inc = edges_end(&edges, n, n, local);
    if (p->inc->nedge != s->npattern)
        return crhs_say(r, TAKT_RT_BAD_SETUP, -1, -1,
                        "the pattern names a place twice");
    int *entry = NEW_ARRAY(local, int, s->npattern);
    for (int k = 0; k < s->npattern; k++)
        entry[incidence_find(p->inc, s->pcol[k], s->prow[k])] = k;
    p->entry = entry;
    return TAKT_RT_FINE;
}

/* Takes column j out of the work arrays. With a pattern of the user, its
 * entries are taken and no others may be there. */
static TaktRtStatus take_column(Detect *d, const Pattern *p, int j, Found *o,
                                TaktRtReport *r, Arena *local)
{
    int n = d->p->n;
    if (d->s->npattern == 0) {
        for (int i = 0; i < n; i++)
            if (d->moved[i])
                add_entry(o, d, i, j, local);
        return TAKT_RT_FINE;
    }
    for (int k = p->inc->start[j]; k < p->inc->start[j + 1]; k++) {
        d->moved[p->inc->var[k]] = false;
        add_entry(o, d, p->inc->var[k], j, local);
    }
    for (int i = 0; i < n; i++)
        if (d->moved[i])
            return crhs_say(r, TAKT_RT_BAD_PATTERN, i, j,
                            "row %d of f depends on unknown %d, which the "
                            "pattern does not say",
                            i, j);
    return TAKT_RT_FINE;
}

/* Leaves out points without derivatives, in points and in values. */
static int squeeze(Points *p, const bool *usable, Arena *arena, int *map)
{
    double *x = NEW_ARRAY(arena, double, (size_t)p->count *(size_t)p->n);
    double *t = NEW_ARRAY(arena, double, p->count);
    double *f = NEW_ARRAY(arena, double, (size_t)p->count *(size_t)p->n);
    size_t bytes = (size_t)p->n * sizeof(double);
    int kept = 0;
    for (int s = 0; s < p->count; s++) {
        if (!usable[s])
            continue;
        memcpy(x + (size_t)kept * (size_t)p->n, p->x + (size_t)s * (size_t)p->n,
               bytes);
        memcpy(f + (size_t)kept * (size_t)p->n, p->f + (size_t)s * (size_t)p->n,
               bytes);
        t[kept] = p->t[s];
        map[kept++] = s;
    }
    p->ndropped += p->count - kept;
    p->count = kept;
    p->x = x;
    p->t = t;
    p->f = f;
    return kept;
}

/* Sizes of the entries over the points: what grouping compares. */
static void measure(const Points *p, Jacobian *j, Arena *arena)
{
    double *large = NEW_ARRAY(arena, double, j->nnz);
    for (int k = 0; k < j->nnz; k++)
        for (int s = 0; s < j->nsample; s++) {
            double x = p->x[(size_t)s * (size_t)p->n + (size_t)j->col[k]];
            double a = fabs(j->value[(size_t)s * (size_t)j->nnz + (size_t)k]) *
                       crhs_increment(x, p->nominal[j->col[k]]);
            large[k] = fmax(large[k], a);
        }
    j->large = large;
}

/* Leaves out entries that are noise beside the largest of their row. */
static void drop_noise(double noise, Jacobian *j, double *quotient,
                       Arena *arena)
{
    double *rowmax = NEW_ARRAY(arena, double, j->n);
    int *row = NEW_ARRAY(arena, int, j->nnz + 1);
    int *col = NEW_ARRAY(arena, int, j->nnz + 1);
    int *from = NEW_ARRAY(arena, int, j->nnz + 1);
    double *large = NEW_ARRAY(arena, double, j->nnz + 1);
    int kept = 0;
    for (int k = 0; k < j->nnz; k++)
        rowmax[j->row[k]] = fmax(rowmax[j->row[k]], j->large[k]);
    for (int k = 0; k < j->nnz; k++) {
        if (j->large[k] <= noise * rowmax[j->row[k]])
            continue;
        row[kept] = j->row[k];
        col[kept] = j->col[k];
        large[kept] = j->large[k];
        from[kept++] = k;
    }
    size_t all = (size_t)j->nsample * (size_t)kept;
    double *value = NEW_ARRAY(arena, double, all + 1);
    for (int s = 0; s < j->nsample; s++)
        for (int k = 0; k < kept; k++) {
            size_t to = (size_t)s * (size_t)kept + (size_t)k;
            size_t was = (size_t)s * (size_t)j->nnz + (size_t)from[k];
            value[to] = j->value[was];
            quotient[to] = quotient[was]; /* to <= was */
        }
    j->nnz = kept;
    j->row = row;
    j->col = col;
    j->value = value;
    j->large = large;
}

/* Do derivatives of the user agree with the quotients? Rounding in a row is
 * measured by the largest entry of the row. */
static TaktRtStatus compare(const Points *p, const Jacobian *j,
                            const double *quotient, TaktRtReport *r,
                            Arena *local)
{
    double *rowmax = NEW_ARRAY(local, double, j->n);
    for (int k = 0; k < j->nnz; k++)
        rowmax[j->row[k]] = fmax(rowmax[j->row[k]], j->large[k]);
    for (int s = 0; s < j->nsample; s++)
        for (int k = 0; k < j->nnz; k++) {
            size_t at = (size_t)s * (size_t)j->nnz + (size_t)k;
            double x = p->x[(size_t)s * (size_t)p->n + (size_t)j->col[k]];
            double by = crhs_increment(x, p->nominal[j->col[k]]);
            double a = j->value[at], b = quotient[at];
            double f = p->f[(size_t)s * (size_t)p->n + (size_t)j->row[k]];
            double allowed = 1e-2 * fmax(fabs(a), fabs(b)) * by +
                             1e-4 * rowmax[j->row[k]] +
                             64 * DBL_EPSILON * fabs(f);
            if (fabs(a - b) * by > allowed)
                return crhs_say(r, TAKT_RT_NOTE_JACOBIAN, j->row[k], j->col[k],
                                "the derivative of row %d by unknown %d is "
                                "%g; finite differences give %g",
                                j->row[k], j->col[k], a, b);
        }
    return TAKT_RT_FINE;
}

/* Values of the user's Jacobian in all points; points where it is not finite
 * make usable[] false. */
static void ask_entries(const TaktRtModel *m, const Points *p, int nnz,
                        double *value, bool *usable)
{
    for (int s = 0; s < p->count; s++) {
        double *out = value + (size_t)s * (size_t)nnz;
        for (int k = 0; k < nnz; k++)
            out[k] = NAN;
        if (m->jacobian(m->user, p->t[s], p->x + (size_t)s * (size_t)p->n,
                        out) != 0)
            usable[s] = false;
        for (int k = 0; k < nnz; k++)
            usable[s] &= isfinite(out[k]) != 0;
    }
}

/* Entries in their final order, values by sample. `order` gives the place in
 * `found` of each entry. */
static TaktRtStatus finish(Detect *d, const Found *o, const int *order,
                           Points *p, Jacobian *j, TaktRtReport *r,
                           Arena *local, Arena *arena)
{
    int nnz = o->row.n, before = p->count;
    int *row = NEW_ARRAY(arena, int, nnz + 1);
    int *col = NEW_ARRAY(arena, int, nnz + 1);
    size_t all = (size_t)before * (size_t)nnz;
    double *mine = NEW_ARRAY(local, double, all + 1);
    double *value = NEW_ARRAY(arena, double, all + 1);
    double *quotient = NEW_ARRAY(local, double, all + 1);
    if (d->m->jacobian)
        ask_entries(d->m, p, nnz, mine, d->usable);
    if (!d->usable[0])
        return crhs_say(r, TAKT_RT_NOT_FINITE, -1, -1,
                        "a derivative is not finite at x0");
    int *map = NEW_ARRAY(local, int, before);
    int count = squeeze(p, d->usable, arena, map);
    for (int k = 0; k < nnz; k++) {
        int from = order ? order[k] : k;
        row[k] = o->row.at[from];
        col[k] = o->col.at[from];
        for (int s = 0; s < count; s++) {
            size_t at = (size_t)s * (size_t)nnz + (size_t)k;
            size_t was = (size_t)from * (size_t)before + (size_t)map[s];
            quotient[at] = o->value.at[was];
            value[at] = d->m->jacobian
                            ? mine[(size_t)map[s] * (size_t)nnz + (size_t)k]
                        : d->m->derivative ? o->given.at[was]
                                           : quotient[at];
        }
    }
    *j = (Jacobian){.n = p->n,
                    .nnz = nnz,
                    .nsample = count,
                    .row = row,
                    .col = col,
                    .value = value};
    measure(p, j, arena);
    if (d->s->npattern == 0 && d->s->noise > 0)
        drop_noise(d->s->noise, j, quotient, arena);
    if (!d->m->jacobian && !d->m->derivative)
        return TAKT_RT_FINE;
    return compare(p, j, quotient, r, local);
}

static TaktRtStatus detect(Detect *d, Points *p, Jacobian *j, TaktRtReport *r,
                           Arena *local, Arena *arena)
{
    Pattern pattern = {0};
    Found found = {0};
    if (d->s->npattern > 0) {
        TaktRtStatus bad = read_pattern(d->s, p->n, &pattern, r, local);
        if (bad)
            return bad;
    }
    for (int c = 0; c < p->n; c++) {
        memset(d->moved, 0, (size_t)p->n * sizeof(bool));
        for (int s = 0; s < p->count; s++)
            ask_column(d, s, c);
        TaktRtStatus bad = take_column(d, &pattern, c, &found, r, local);
        if (bad)
            return bad;
        if (found.value.n > MAX_ENTRIES)
            return crhs_say(r, TAKT_RT_BAD_SETUP, -1, -1,
                            "the Jacobian has too many entries (%d after "
                            "%d columns): use fewer samples or a pattern",
                            found.row.n, c + 1);
    }
    /* column order -> the user's order */
    int *order = NULL;
    if (d->s->npattern > 0) {
        order = NEW_ARRAY(local, int, found.row.n);
        for (int k = 0; k < found.row.n; k++)
            order[pattern.entry[k]] = k;
    }
    return finish(d, &found, order, p, j, r, local, arena);
}

TaktRtStatus crhs_detect(const TaktRtModel *m, const TaktRtSetup *s, Points *p,
                         Jacobian *j, TaktRtReport *r, Arena *arena)
{
    Arena *local = arena_new();
    Detect d = begin(m, s, p, local);
    TaktRtStatus status = detect(&d, p, j, r, local, arena);
    arena_free(local);
    return status;
}
