/* static_lu.c - block triangular form, an order for each block, tables. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/static_lu.h"

#include <math.h>
#include <string.h>

#include "num/btf.h"
#include "num/order.h"
#include "takt/takt_rt_lu.h"

/* Small operations that may be spent on a matrix: some tenths of a second. */
static const long EFFORT = 60000000;
/* And where matrices are compared: some hundredths. */
static const long ROUGH_EFFORT = 4000000;

typedef struct Maker {
    int n, nnz, nsample;
    const int *row, *col;
    const double *entry;
    double threshold;
    bool keep_sign;
    const bool *late; /* of each column; NULL */
    long effort;
    const BlockForm *form;
    Arena *arena, *local;
    StaticLu *out;
    int *pivot, *prow, *pcol; /* of the result */
    IntList lstart, l, lrow, ustart, u, ucol, ostart, o, ocol, target, start;
    int *local_row, *local_col; /* number within its block */
    IntList *of_block;          /* entries of each diagonal block */
    IntList *beside;            /* entries of each row beside it */
    double *row_scale, *col_scale;
} Maker;

/* Scales so that the largest entries of rows and columns come near 1, over all
 * samples. */
static void find_scales(Maker *k)
{
    double *most = NEW_ARRAY(k->local, double, k->nnz + 1);
    k->row_scale = NEW_ARRAY(k->local, double, k->n + 1);
    k->col_scale = NEW_ARRAY(k->local, double, k->n + 1);
    for (int i = 0; i < k->n; i++)
        k->row_scale[i] = k->col_scale[i] = 1;
    for (int s = 0; s < k->nsample; s++)
        for (int i = 0; i < k->nnz; i++)
            most[i] = fmax(most[i], fabs(k->entry[(long)s * k->nnz + i]));
    double *row = NEW_ARRAY(k->local, double, k->n + 1);
    double *col = NEW_ARRAY(k->local, double, k->n + 1);
    for (int pass = 0; pass < 8 && k->nsample > 0; pass++) {
        memset(row, 0, (size_t)k->n * sizeof(double));
        memset(col, 0, (size_t)k->n * sizeof(double));
        for (int i = 0; i < k->nnz; i++) {
            double x =
                most[i] * k->row_scale[k->row[i]] * k->col_scale[k->col[i]];
            row[k->row[i]] = fmax(row[k->row[i]], x);
            col[k->col[i]] = fmax(col[k->col[i]], x);
        }
        for (int i = 0; i < k->n; i++) {
            if (row[i] > 0 && isfinite(row[i]))
                k->row_scale[i] /= sqrt(row[i]);
            if (col[i] > 0 && isfinite(col[i]))
                k->col_scale[i] /= sqrt(col[i]);
        }
    }
}

static OrderMatrix block_matrix(Maker *k, int b)
{
    const IntList *list = &k->of_block[b];
    int *row = NEW_ARRAY(k->local, int, list->n + 1);
    int *col = NEW_ARRAY(k->local, int, list->n + 1);
    double *value =
        NEW_ARRAY(k->local, double, (size_t)list->n *(size_t)k->nsample + 1);
    for (int i = 0; i < list->n; i++) {
        int id = list->at[i];
        row[i] = k->local_row[k->row[id]];
        col[i] = k->local_col[k->col[id]];
        for (int s = 0; s < k->nsample; s++)
            value[(long)i * k->nsample + s] = k->entry[(long)s * k->nnz + id] *
                                              k->row_scale[k->row[id]] *
                                              k->col_scale[k->col[id]];
    }
    int first = k->form->start[b], n = k->form->start[b + 1] - first;
    bool *late = k->late ? NEW_ARRAY(k->local, bool, n + 1) : NULL;
    for (int j = 0; late && j < n; j++)
        late[j] = k->late[k->form->col[first + j]];
    return (OrderMatrix){.n = k->form->start[b + 1] - k->form->start[b],
                         .nnz = list->n,
                         .nsample = k->nsample,
                         .row = row,
                         .col = col,
                         .value = value,
                         .threshold = k->threshold,
                         .keep_sign = k->keep_sign,
                         .late = late};
}

static void add_list(Maker *k, IntList *to, const IntList *from, const int *id)
{
    for (int i = 0; i < from->n; i++)
        vec_push(k->local, to, id[from->at[i]]);
}

/* The order of a block, in the numbers of the whole matrix. */
static void add_block(Maker *k, int b, const OrderMatrix *m, const Order *o)
{
    int first = k->form->start[b], l0 = k->l.n, u0 = k->u.n;
    int *id = NEW_ARRAY(k->local, int, o->erow.n + 1);
    for (int i = 0; i < o->erow.n; i++)
        id[i] = i < m->nnz ? k->of_block[b].at[i] : k->out->nentry + i - m->nnz;
    k->out->nentry += o->erow.n - m->nnz;
    for (int i = 0; i < o->l.n; i++)
        vec_push(k->local, &k->lrow,
                 k->form->row[first + o->erow.at[o->l.at[i]]]);
    for (int i = 0; i < o->u.n; i++)
        vec_push(k->local, &k->ucol,
                 k->form->col[first + o->ecol.at[o->u.at[i]]]);
    add_list(k, &k->l, &o->l, id);
    add_list(k, &k->u, &o->u, id);
    add_list(k, &k->target, &o->target, id);
    for (int p = 0; p < m->n; p++) {
        int e = o->pivot[p], row = k->form->row[first + o->erow.at[e]];
        k->pivot[first + p] = id[e];
        k->prow[first + p] = row;
        k->pcol[first + p] = k->form->col[first + o->ecol.at[e]];
        vec_push(k->local, &k->lstart, l0 + o->lstart.at[p + 1]);
        vec_push(k->local, &k->ustart, u0 + o->ustart.at[p + 1]);
        for (int i = 0; i < k->beside[row].n; i++) {
            vec_push(k->local, &k->o, k->beside[row].at[i]);
            vec_push(k->local, &k->ocol, k->col[k->beside[row].at[i]]);
        }
        vec_push(k->local, &k->ostart, k->o.n);
    }
    for (int p = 0; p < m->n; p++)
        for (int i = o->lstart.at[p]; i < o->lstart.at[p + 1]; i++) {
            double scale = k->row_scale[k->prow[first + p]] /
                           k->row_scale[k->lrow.at[l0 + i]];
            k->out->largest = fmax(k->out->largest, o->lmost.at[i] * scale);
        }
    vec_push(k->local, &k->start, first + m->n);
    k->out->weakest = fmin(k->out->weakest, o->weakest);
}

static void split(Maker *k)
{
    const BlockForm *f = k->form;
    k->local_row = NEW_ARRAY(k->local, int, k->n + 1);
    k->local_col = NEW_ARRAY(k->local, int, k->n + 1);
    k->of_block = NEW_ARRAY(k->local, IntList, f->nblock + 1);
    k->beside = NEW_ARRAY(k->local, IntList, k->n + 1);
    for (int b = 0; b < f->nblock; b++)
        for (int p = f->start[b]; p < f->start[b + 1]; p++) {
            k->local_row[f->row[p]] = p - f->start[b];
            k->local_col[f->col[p]] = p - f->start[b];
        }
    for (int i = 0; i < k->nnz; i++) {
        int b = f->block_row[k->row[i]];
        if (f->block_col[k->col[i]] == b)
            vec_push(k->local, &k->of_block[b], i);
        else
            vec_push(k->local, &k->beside[k->row[i]], i);
    }
}

static const int *keep(const IntList *list, Arena *arena)
{
    int *copy = NEW_ARRAY(arena, int, list->n + 1);
    if (list->n > 0)
        memcpy(copy, list->at, (size_t)list->n * sizeof(int));
    return copy;
}

static void make_tables(Maker *k)
{
    StaticLu *f = k->out;
    f->row = k->prow;
    f->col = k->pcol;
    f->pivot = k->pivot;
    f->start = keep(&k->start, k->arena);
    f->lstart = keep(&k->lstart, k->arena);
    f->ustart = keep(&k->ustart, k->arena);
    f->ostart = keep(&k->ostart, k->arena);
    f->l = keep(&k->l, k->arena);
    f->lrow = keep(&k->lrow, k->arena);
    f->u = keep(&k->u, k->arena);
    f->ucol = keep(&k->ucol, k->arena);
    f->o = keep(&k->o, k->arena);
    f->ocol = keep(&k->ocol, k->arena);
    f->target = keep(&k->target, k->arena);
    f->ntarget = k->target.n;
    f->solve_flops = 2L * (k->l.n + k->u.n + k->o.n) + k->n;
    f->flops = 2L * k->target.n + k->l.n + k->n + f->solve_flops;
}

static bool make(Maker *k)
{
    k->form = btf_find(k->n, k->nnz, k->row, k->col, k->local);
    if (!k->form)
        return false;
    StaticLu *f = k->out = NEW(k->arena, StaticLu);
    f->n = k->n;
    f->nnz = f->nentry = k->nnz;
    f->nblock = k->form->nblock;
    f->weakest = f->largest = 1;
    k->pivot = NEW_ARRAY(k->arena, int, k->n + 1);
    k->prow = NEW_ARRAY(k->arena, int, k->n + 1);
    k->pcol = NEW_ARRAY(k->arena, int, k->n + 1);
    vec_push(k->local, &k->lstart, 0);
    vec_push(k->local, &k->ustart, 0);
    vec_push(k->local, &k->ostart, 0);
    vec_push(k->local, &k->start, 0);
    find_scales(k);
    split(k);
    for (int b = 0; b < f->nblock; b++) {
        OrderMatrix m = block_matrix(k, b);
        const Order *o = order_best(&m, k->effort / f->nblock, k->local);
        if (!o)
            return false;
        add_block(k, b, &m, o);
    }
    make_tables(k);
    return true;
}

static const StaticLu *make_whole(Maker k, Arena *arena)
{
    if (k.effort == 0)
        k.effort = EFFORT;
    k.arena = arena;
    k.local = arena_new();
    bool fine = make(&k);
    arena_free(k.local);
    return fine ? k.out : NULL;
}

const StaticLu *static_lu_new(int n, int nnz, const int *row, const int *col,
                              const double *entry, int nsample,
                              double threshold, Arena *arena)
{
    Maker k = {.n = n,
               .nnz = nnz,
               .nsample = nsample,
               .row = row,
               .col = col,
               .entry = entry,
               .threshold = threshold};
    return make_whole(k, arena);
}

const StaticLu *static_lu_rough(int n, int nnz, const int *row, const int *col,
                                const double *entry, int nsample,
                                double threshold, Arena *arena)
{
    Maker k = {.n = n,
               .nnz = nnz,
               .nsample = nsample,
               .row = row,
               .col = col,
               .entry = entry,
               .threshold = threshold,
               .effort = ROUGH_EFFORT};
    return make_whole(k, arena);
}

const StaticLu *static_lu_steady(int n, int nnz, const int *row, const int *col,
                                 const double *entry, int nsample,
                                 double threshold, const bool *late,
                                 Arena *arena)
{
    Maker k = {.n = n,
               .nnz = nnz,
               .nsample = nsample,
               .row = row,
               .col = col,
               .entry = entry,
               .threshold = threshold,
               .keep_sign = true,
               .late = late};
    return make_whole(k, arena);
}

bool static_lu_count(int n, int nnz, const int *row, const int *col,
                     const double *entry, int nsample, double threshold,
                     StaticLuCount *count)
{
    Arena *local = arena_new();
    Maker k = {.n = n,
               .nnz = nnz,
               .nsample = nsample,
               .row = row,
               .col = col,
               .entry = entry,
               .threshold = threshold,
               .arena = local,
               .local = local};
    bool fine = make(&k);
    if (fine) {
        const StaticLu *f = k.out;
        *count = (StaticLuCount){.nnz = f->nentry,
                                 .nblock = f->nblock,
                                 .flops = f->flops,
                                 .solve_flops = f->solve_flops};
        for (int b = 0; b < f->nblock; b++) {
            int size = f->start[b + 1] - f->start[b];
            count->largest = size > count->largest ? size : count->largest;
        }
    }
    arena_free(local);
    return fine;
}

TAKT_RT_LU(plain, StaticLu, double, row, col)

void static_lu_factor(const StaticLu *f, double *entry, double *inverse)
{
    memset(entry + f->nnz, 0, (size_t)(f->nentry - f->nnz) * sizeof(double));
    plain_factor(f, entry, inverse);
}

void static_lu_solve(const StaticLu *f, const double *entry,
                     const double *inverse, double *rhs, double *x)
{
    plain_solve(f, entry, inverse, rhs, x);
}
