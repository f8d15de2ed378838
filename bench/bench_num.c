/* bench_num.c - factor and solve: KLU, static tables, straight-line code.
 *
 *   bench_num MATRIX klu|table|qr   does it, for callgrind to count
 *   bench_num MATRIX count          unknowns, entries, with fill, operations
 *   bench_num MATRIX emit           prints C that does it without tables
 *
 * MATRIX is pipe (a chain of 25), heat (50) or heat2d (10 by 10): I + h K with
 * new values in a fixed pattern; or a file that bench_driver has written. The
 * base is klu_refactor and klu_solve with KLU's defaults (block triangular
 * form, AMD), but without scaling of rows, which is KLU at its best.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <klu.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "num/table.h"

typedef struct Matrix {
    int n, nnz, nsample;
    int *start, *row, *col; /* by columns */
    double *sample;         /* nsample times nnz */
    double *value;          /* the last of them */
    double *rhs;
} Matrix;

static void allocate(Matrix *m, Arena *arena)
{
    m->start = NEW_ARRAY(arena, int, m->n + 1);
    m->row = NEW_ARRAY(arena, int, m->nnz + 1);
    m->col = NEW_ARRAY(arena, int, m->nnz + 1);
    m->sample = NEW_ARRAY(arena, double, (size_t)m->nsample *(size_t)m->nnz);
    m->value = m->sample + (size_t)(m->nsample - 1) * (size_t)m->nnz;
    m->rhs = NEW_ARRAY(arena, double, m->n);
    for (int j = 0; j < m->n; j++)
        m->rhs[j] = 1 + 0.01 * j;
}

static double grid_value(int n, int width, int i, int j)
{
    int dx = abs(i % width - j % width), dy = abs(i / width - j / width);
    double wave = 1 + 0.1 * sin(i + 3.0 * j);
    (void)n;
    return i == j ? 1 + 4.4 * wave : dx + dy == 1 ? -wave : 0;
}

/* Neighbours on a grid of `width` columns; width n is a chain. */
static void make_grid(Matrix *m, int n, int width, Arena *arena)
{
    m->n = n;
    m->nsample = 1;
    for (int k = 0; k < n * n; k++)
        m->nnz += grid_value(n, width, k % n, k / n) != 0;
    allocate(m, arena);
    int at = 0;
    for (int k = 0; k < n * n; k++) {
        double x = grid_value(n, width, k % n, k / n);
        if (x == 0)
            continue;
        m->row[at] = k % n;
        m->col[at] = k / n;
        m->value[at++] = x;
    }
}

/* What bench_driver prints. */
static bool read_matrix(Matrix *m, const char *path, Arena *arena)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    bool fine = fscanf(f, "%d %d %d", &m->n, &m->nnz, &m->nsample) == 3;
    if (fine)
        allocate(m, arena);
    for (int k = 0; fine && k < m->nnz; k++)
        fine = fscanf(f, "%d %d", &m->row[k], &m->col[k]) == 2;
    for (long k = 0; fine && k < (long)m->nsample * m->nnz; k++)
        fine = fscanf(f, "%lf", &m->sample[k]) == 1;
    fclose(f);
    return fine;
}

static void set_columns(Matrix *m)
{
    for (int k = 0; k < m->nnz; k++)
        m->start[m->col[k] + 1] = k + 1;
}

/* Named, so that callgrind can count what happens inside. */
__attribute__((noinline)) static void measured_klu(klu_symbolic *s,
                                                   klu_numeric *f, Matrix *m,
                                                   klu_common *c)
{
    klu_refactor(m->start, m->row, m->value, s, f, c);
    klu_solve(s, f, m->n, 1, m->rhs, c);
}

__attribute__((noinline)) static void measured_table(const takt_lu16 *t,
                                                     double *w, double *v)
{
    takt_lu_factor16(t, w);
    takt_lu_solve16(t, w, v);
}

__attribute__((noinline)) static void measured_qr(const takt_qr16 *t, double *w,
                                                  double *v)
{
    takt_qr_factor16(t, w);
    takt_qr_solve16(t, w, v);
}

static void run_klu(Matrix *m)
{
    klu_common c;
    klu_defaults(&c);
    c.scale = -1; /* the base is KLU at its best: rows are not scaled */
    klu_symbolic *s = klu_analyze(m->n, m->start, m->row, &c);
    klu_numeric *f = klu_factor(m->start, m->row, m->value, s, &c);
    measured_klu(s, f, m, &c);
    klu_free_numeric(&f, &c);
    klu_free_symbolic(&s, &c);
}

static double residual(const Matrix *m, const double *x)
{
    double worst = 0, *r = malloc((size_t)m->n * sizeof(double));
    memcpy(r, m->rhs, (size_t)m->n * sizeof(double));
    for (int k = 0; k < m->nnz; k++)
        r[m->row[k]] -= m->value[k] * x[m->col[k]];
    for (int i = 0; i < m->n; i++)
        worst = fmax(worst, fabs(r[i]));
    free(r);
    return worst;
}

/* A table with indices of 16 bits, as generated code has. */
static const uint16_t *narrow(const FactorTable *t, const char *name,
                              Arena *arena)
{
    for (int k = 0; k < t->nlist; k++) {
        if (strcmp(t->list[k].name, name))
            continue;
        uint16_t *out = NEW_ARRAY(arena, uint16_t, t->list[k].n + 1);
        for (int i = 0; i < t->list[k].n; i++)
            out[i] = (uint16_t)t->list[k].at[i];
        return out;
    }
    return NULL;
}

static void run_table(const FactorTable *t, Matrix *m, Arena *arena)
{
    double *w = NEW_ARRAY(arena, double, t->nfactor);
    double *v = NEW_ARRAY(arena, double, t->nvector);
    for (int k = 0; k < m->nnz; k++)
        w[t->place[k]] = m->value[k];
    memcpy(v, m->rhs, (size_t)m->n * sizeof(double));
    if (t->is_qr) {
        takt_qr16 qr = {t->qr.n,
                        t->qr.m,
                        t->qr.nblock,
                        t->qr.r,
                        t->qr.cs,
                        t->qr.x,
                        narrow(t, "factor", arena),
                        narrow(t, "column", arena),
                        narrow(t, "diag", arena),
                        narrow(t, "solve", arena)};
        measured_qr(&qr, w, v);
    } else {
        takt_lu16 lu = {t->lu.n,
                        t->lu.nstep,
                        t->lu.u,
                        t->lu.l,
                        t->lu.nl,
                        t->lu.zero,
                        t->lu.nfill,
                        t->lu.nsolve,
                        t->lu.nwatch,
                        narrow(t, "fill", arena),
                        narrow(t, "count", arena),
                        narrow(t, "target", arena),
                        narrow(t, "solve", arena),
                        NULL};
        measured_table(&lu, w, v);
    }
    printf("largest residual %.2g, %ld bytes of tables\n",
           residual(m, v + m->n), table_bytes(t));
}

static void emit_entry(int id, int nnz, const int *term, int n)
{
    if (id < nnz)
        printf("a[%d]", id);
    for (int i = 0; i < n; i += 2)
        printf(" - a%d * a%d", term[i], term[i + 1]);
}

/* Every entry as the expression of its last value: no partial sums are kept. */
static void emit(const StaticLu *f, const Matrix *m, Arena *arena)
{
    typedef Vec(int) IntList;
    IntList *terms = NEW_ARRAY(arena, IntList, f->nentry);
    const int *target = f->target;
    for (int k = 0; k < f->n; k++)
        for (int i = f->lstart[k]; i < f->lstart[k + 1]; i++)
            for (int j = f->ustart[k]; j < f->ustart[k + 1]; j++, target++) {
                vec_push(arena, &terms[*target], f->l[i]);
                vec_push(arena, &terms[*target], f->u[j]);
            }
    IntList *of_row = NEW_ARRAY(arena, IntList, f->n);
    printf("void solve(double *restrict a, double *restrict b,\n"
           "           double *restrict x)\n{\n");
    for (int k = 0; k < f->n; k++) {
        printf("const double i%d = 1 / (", k);
        emit_entry(f->pivot[k], m->nnz, terms[f->pivot[k]].at,
                   terms[f->pivot[k]].n);
        printf(");\n");
        for (int i = f->ustart[k]; i < f->ustart[k + 1]; i++) {
            printf("const double a%d = ", f->u[i]);
            emit_entry(f->u[i], m->nnz, terms[f->u[i]].at, terms[f->u[i]].n);
            printf(";\n");
        }
        for (int i = f->lstart[k]; i < f->lstart[k + 1]; i++) {
            printf("const double a%d = (", f->l[i]);
            emit_entry(f->l[i], m->nnz, terms[f->l[i]].at, terms[f->l[i]].n);
            printf(") * i%d;\n", k);
            vec_push(arena, &of_row[f->lrow[i]], f->l[i]);
            vec_push(arena, &of_row[f->lrow[i]], f->row[k]);
        }
    }
    for (int b = 0; b < f->nblock; b++) {
        for (int k = f->start[b]; k < f->start[b + 1]; k++) {
            const IntList *left = &of_row[f->row[k]];
            printf("const double b%d = b[%d]", f->row[k], f->row[k]);
            for (int i = f->ostart[k]; i < f->ostart[k + 1]; i++)
                printf(" - a[%d] * x%d", f->o[i], f->ocol[i]);
            for (int i = 0; i < left->n; i += 2)
                printf(" - a%d * b%d", left->at[i], left->at[i + 1]);
            printf(";\n");
        }
        for (int k = f->start[b + 1] - 1; k >= f->start[b]; k--) {
            printf("const double x%d = (b%d", f->col[k], f->row[k]);
            for (int j = f->ustart[k]; j < f->ustart[k + 1]; j++)
                printf(" - a%d * x%d", f->u[j], f->ucol[j]);
            printf(") * i%d;\nx[%d] = x%d;\n", k, f->col[k], f->col[k]);
        }
    }
    printf("}\n#ifdef MAIN\nint main(void)\n{\n"
           "static double a[] = {");
    for (int k = 0; k < m->nnz; k++)
        printf("%.17g,", m->value[k]);
    printf("};\nstatic double b[] = {");
    for (int i = 0; i < m->n; i++)
        printf("%.17g,", m->rhs[i]);
    printf("};\nstatic double x[%d];\nsolve(a, b, x);\n"
           "return x[0] != x[0];\n}\n#endif\n",
           m->n);
}

int main(int argc, char **argv)
{
    Matrix m = {0};
    Arena *arena = arena_new();
    const char *name = argc > 1 ? argv[1] : "", *how = argc > 2 ? argv[2] : "";
    if (!strcmp(name, "pipe"))
        make_grid(&m, 25, 25, arena);
    else if (!strcmp(name, "heat"))
        make_grid(&m, 50, 50, arena);
    else if (!strcmp(name, "heat2d"))
        make_grid(&m, 100, 10, arena);
    else if (!read_matrix(&m, name, arena))
        return fprintf(stderr, "usage: bench_num pipe|heat|heat2d|FILE "
                               "klu|table|qr|count|emit\n"),
               2;
    set_columns(&m);
    const StaticLu *f = static_lu_new(m.n, m.nnz, m.row, m.col, m.sample,
                                      m.nsample, 0.1, arena);
    TableOptions options = {0};
    if (!f)
        return fprintf(stderr, "no order of pivots serves\n"), 1;
    if (!strcmp(how, "klu"))
        run_klu(&m);
    else if (!strcmp(how, "table"))
        run_table(table_lu(f, m.row, m.col, &options, arena), &m, arena);
    else if (!strcmp(how, "qr"))
        run_table(table_qr(m.n, m.nnz, m.row, m.col, &options, arena), &m,
                  arena);
    else if (!strcmp(how, "count"))
        printf("%d %d %d %ld\n", m.n, m.nnz, f->nentry, f->flops);
    else
        emit(f, &m, arena);
    arena_free(arena);
    return 0;
}
