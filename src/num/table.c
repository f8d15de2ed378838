/* table.c - LU tables, refinement, and the walk through tables. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/table.h"

#include <string.h>

#include "num/table_internal.h"

double table_cancelled(bool is_float)
{
    return is_float ? 3e-4 : 1e-10;
}

double table_growth(double largest, bool is_float)
{
    return (is_float ? 3e-3 : 1e-7) / largest;
}

const uint32_t *table_keep(FactorTable *t, const char *name,
                           const IndexList *list, Arena *arena)
{
    uint32_t *copy = NEW_ARRAY(arena, uint32_t, list->n + 1);
    for (int i = 0; i < list->n; i++) {
        copy[i] = list->at[i];
        t->largest = copy[i] > t->largest ? copy[i] : t->largest;
    }
    t->list[t->nlist++] = (TableList){name, copy, list->n};
    return copy;
}

/* ---- LU ---- */

typedef struct LuMaker {
    const StaticLu *f;
    FactorTable *t;
    Arena *arena, *local;
    int *at;       /* place of each entry, fill included */
    int *place_of; /* place of each pivot */
    int zero;
} LuMaker;

static int has_below(const StaticLu *f, int k)
{
    return f->lstart[k + 1] > f->lstart[k];
}

/* Pivots with entries below them, the other pivots, U, L, beside, 0 and 1. */
static void place_entries(LuMaker *m)
{
    const StaticLu *f = m->f;
    int next = 0;
    m->at = NEW_ARRAY(m->local, int, f->nentry + 1);
    m->place_of = NEW_ARRAY(m->local, int, f->n + 1);
    for (int below = 1; below >= 0; below--)
        for (int k = 0; k < f->n; k++)
            if (has_below(f, k) == below)
                m->at[f->pivot[k]] = m->place_of[k] = next++;
    m->t->lu.u = (uint32_t)next;
    for (int i = 0; i < f->ustart[f->n]; i++)
        m->at[f->u[i]] = next++;
    m->t->lu.l = (uint32_t)next;
    m->t->lu.nl = (uint32_t)f->lstart[f->n];
    for (int i = 0; i < f->lstart[f->n]; i++)
        m->at[f->l[i]] = next++;
    for (int i = 0; i < f->ostart[f->n]; i++)
        m->at[f->o[i]] = next++;
    m->zero = next;
    m->t->lu.zero = (uint32_t)next;
    m->t->nfactor = next + 2;
}

static void push(LuMaker *m, IndexList *list, int x)
{
    vec_push(m->local, list, (uint32_t)x);
}

static void make_factor(LuMaker *m)
{
    const StaticLu *f = m->f;
    IndexList fill = {0}, count = {0}, target = {0};
    for (int i = f->nnz; i < f->nentry; i++)
        push(m, &fill, m->at[i]);
    if (fill.n == 0)
        push(m, &fill, m->zero);
    for (int k = 0; k < f->n; k++) {
        if (!has_below(f, k))
            continue;
        push(m, &count, f->lstart[k + 1] - f->lstart[k]);
        push(m, &count, f->ustart[k + 1] - f->ustart[k]);
    }
    for (int i = 0; i < f->ntarget; i++)
        push(m, &target, m->at[f->target[i]]);
    takt_lu32 *lu = &m->t->lu;
    lu->n = (uint32_t)f->n;
    lu->nstep = (uint32_t)(count.n / 2);
    lu->nfill = (uint32_t)fill.n;
    lu->fill = table_keep(m->t, "fill", &fill, m->arena);
    lu->count = table_keep(m->t, "count", &count, m->arena);
    lu->target = table_keep(m->t, "target", &target, m->arena);
    m->t->factor = (TableCount){
        .add = f->ntarget, .mul = f->ntarget + f->lstart[f->n], .div = f->n};
}

/* One row: v[to] = (v[from] - sum w v) * w[scale]. */
static void add_step(LuMaker *m, IndexList *list, int from, int to, int scale,
                     const IndexList *term)
{
    int n = term->n / 2;
    push(m, list, from);
    push(m, list, to);
    push(m, list, scale);
    push(m, list, n > 0 ? n : 1);
    for (int i = 0; i < term->n; i++)
        vec_push(m->local, list, term->at[i]);
    if (n == 0) {
        push(m, list, m->zero);
        push(m, list, from);
    }
    m->t->lu.nsolve++;
}

/* Forward rows work in place, backward rows go to the solution. A row without U
 * is ready at once. */
static void make_solve(LuMaker *m)
{
    const StaticLu *f = m->f;
    IndexList solve = {0};
    IndexList *left = NEW_ARRAY(m->local, IndexList, f->n + 1);
    for (int k = 0; k < f->n; k++)
        for (int i = f->ostart[k]; i < f->ostart[k + 1]; i++) {
            push(m, &left[f->row[k]], m->at[f->o[i]]);
            push(m, &left[f->row[k]], f->n + f->ocol[i]);
        }
    for (int k = 0; k < f->n; k++)
        for (int i = f->lstart[k]; i < f->lstart[k + 1]; i++) {
            push(m, &left[f->lrow[i]], m->at[f->l[i]]);
            push(m, &left[f->lrow[i]], f->row[k]);
        }
    for (int b = 0; b < f->nblock; b++) {
        for (int k = f->start[b]; k < f->start[b + 1]; k++) {
            bool last = f->ustart[k + 1] == f->ustart[k];
            int row = f->row[k];
            if (last)
                add_step(m, &solve, row, f->n + f->col[k], m->place_of[k],
                         &left[row]);
            else if (left[row].n > 0)
                add_step(m, &solve, row, row, m->zero + 1, &left[row]);
        }
        for (int k = f->start[b + 1] - 1; k >= f->start[b]; k--) {
            IndexList right = {0};
            for (int i = f->ustart[k]; i < f->ustart[k + 1]; i++) {
                push(m, &right, m->at[f->u[i]]);
                push(m, &right, f->n + f->ucol[i]);
            }
            if (right.n > 0)
                add_step(m, &solve, f->row[k], f->n + f->col[k], m->place_of[k],
                         &right);
        }
    }
    m->t->lu.solve = table_keep(m->t, "solve", &solve, m->arena);
    int terms = f->lstart[f->n] + f->ustart[f->n] + f->ostart[f->n];
    m->t->solve =
        (TableCount){.add = terms, .mul = terms + (long)m->t->lu.nsolve};
}

/* The terms that each pivot is the difference of. */
static void make_watch(LuMaker *m)
{
    const StaticLu *f = m->f;
    IndexList *term = NEW_ARRAY(m->local, IndexList, f->nentry + 1);
    IndexList watch = {0};
    const int *target = f->target;
    for (int k = 0; k < f->n; k++)
        for (int i = f->lstart[k]; i < f->lstart[k + 1]; i++)
            for (int j = f->ustart[k]; j < f->ustart[k + 1]; j++, target++) {
                push(m, &term[*target], m->at[f->l[i]]);
                push(m, &term[*target], m->at[f->u[j]]);
            }
    for (int k = 0; k < f->n; k++) {
        const IndexList *list = &term[f->pivot[k]];
        if (list->n == 0)
            continue;
        m->t->lu.nwatch++;
        push(m, &watch, m->place_of[k]);
        push(m, &watch, list->n / 2);
        for (int i = 0; i < list->n; i++)
            vec_push(m->local, &watch, list->at[i]);
        m->t->factor.mul += list->n / 2 + 1;
        m->t->factor.add += list->n / 2;
    }
    m->t->lu.watch = table_keep(m->t, "watch", &watch, m->arena);
}

const FactorTable *table_lu(const StaticLu *lu, const int *row, const int *col,
                            const TableOptions *options, Arena *arena)
{
    if (lu->lstart[lu->n] == 0)
        return NULL;
    LuMaker m = {.f = lu,
                 .t = NEW(arena, FactorTable),
                 .arena = arena,
                 .local = arena_new()};
    FactorTable *t = m.t;
    t->nrow = t->n = lu->n;
    t->nnz = lu->nnz;
    t->growth = table_growth(lu->largest, options->is_float);
    place_entries(&m);
    int *place = NEW_ARRAY(arena, int, lu->nnz + 1);
    memcpy(place, m.at, (size_t)lu->nnz * sizeof(int));
    t->place = place;
    make_factor(&m);
    make_solve(&m);
    if (options->watch)
        make_watch(&m);
    table_finish(t, row, col, options, arena);
    arena_free(m.local);
    return t;
}

/* ---- refinement ---- */

static void make_rows(FactorTable *t, const int *row, const int *col,
                      Arena *arena)
{
    Arena *local = arena_new();
    IndexList place = {0}, list = {0};
    IndexList *of = NEW_ARRAY(local, IndexList, t->n + 1);
    for (int k = 0; k < t->nnz; k++) {
        vec_push(local, &place, (uint32_t)t->place[k]);
        vec_push(local, &of[row[k]], (uint32_t)k);
        vec_push(local, &of[row[k]], (uint32_t)col[k]);
    }
    for (int i = 0; i < t->n; i++) {
        vec_push(local, &list, (uint32_t)(of[i].n / 2));
        for (int k = 0; k < of[i].n; k++)
            vec_push(local, &list, of[i].at[k]);
    }
    t->rows.n = (uint32_t)t->n;
    t->rows.nnz = (uint32_t)t->nnz;
    t->rows.copy = (uint32_t)t->nfactor;
    t->rows.place = table_keep(t, "place", &place, arena);
    t->rows.row = table_keep(t, "row", &list, arena);
    t->nfactor += t->nnz;
    arena_free(local);
}

void table_finish(FactorTable *t, const int *row, const int *col,
                  const TableOptions *options, Arena *arena)
{
    t->refine = options->refine && t->nrow == t->n;
    t->cancelled = table_cancelled(options->is_float);
    t->nvector = t->refine ? 5 * t->n : t->nrow + t->n;
    if (t->is_qr && !t->refine)
        t->nvector += t->nrow;
    if (t->refine) {
        make_rows(t, row, col, arena);
        t->solve.add += t->solve.add + t->nnz + t->n;
        t->solve.mul += t->solve.mul + t->nnz;
    }
    t->excess = NONE;
    if (options->watch)
        t->excess = t->nfactor++;
}

/* ---- the walk ---- */

void table_factor(const FactorTable *t, double *w)
{
    if (t->refine)
        takt_rows_keep32(&t->rows, w);
    if (t->is_qr)
        takt_qr_factor32(&t->qr, w);
    else
        takt_lu_factor32(&t->lu, w);
    if (t->excess == NONE)
        return;
    w[t->excess] = t->is_qr
                       ? takt_qr_watch32(&t->qr, w, t->cancelled)
                       : takt_lu_watch32(&t->lu, w, t->cancelled, t->growth);
}

static void solve_once(const FactorTable *t, const double *w, double *v)
{
    if (t->is_qr)
        takt_qr_solve32(&t->qr, w, v);
    else
        takt_lu_solve32(&t->lu, w, v);
}

void table_solve(const FactorTable *t, const double *w, double *v)
{
    if (!t->refine) {
        solve_once(t, w, v);
        return;
    }
    takt_rows_begin32(&t->rows, v);
    solve_once(t, w, v);
    takt_rows_residual32(&t->rows, w, v);
    solve_once(t, w, v);
    takt_rows_end32(&t->rows, v);
}

long table_bytes(const FactorTable *t)
{
    long n = 0;
    for (int i = 0; i < t->nlist; i++)
        n += t->list[i].n;
    return n * (t->largest < 65536 ? 2 : 4);
}
