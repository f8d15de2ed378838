/* bench_num.c - factor and solve: KLU, static tables, straight-line code.
 *
 *   bench_num MATRIX klu|table|qr   does it, for callgrind to count
 *   bench_num MATRIX emit         prints C that does it without tables
 *
 * MATRIX is pipe (a chain of 25), heat (50) or heat2d (10 by 10): I + h K with
 * new values in a fixed pattern.
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
    int n, nnz;
    int start[101], row[600], col[600]; /* by columns */
    double value[600];
    double rhs[100];
} Matrix;

static void add(Matrix *m, int i, int j, double x)
{
    m->row[m->nnz] = i;
    m->col[m->nnz] = j;
    m->value[m->nnz++] = x;
}

/* Neighbours on a grid of `width` columns; width n is a chain. */
static void make_grid(Matrix *m, int n, int width)
{
    m->n = n;
    for (int j = 0; j < n; j++) {
        m->start[j] = m->nnz;
        for (int i = 0; i < n; i++) {
            int dx = abs(i % width - j % width),
                dy = abs(i / width - j / width);
            double wave = 1 + 0.1 * sin(i + 3.0 * j);
            if (i == j)
                add(m, i, j, 1 + 4.4 * wave);
            else if (dx + dy == 1)
                add(m, i, j, -wave);
        }
        m->rhs[j] = 1 + 0.01 * j;
    }
    m->start[n] = m->nnz;
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
    double r[100], worst = 0;
    memcpy(r, m->rhs, sizeof r);
    for (int k = 0; k < m->nnz; k++)
        r[m->row[k]] -= m->value[k] * x[m->col[k]];
    for (int i = 0; i < m->n; i++)
        worst = fmax(worst, fabs(r[i]));
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
        const IntList *left = &of_row[f->row[k]];
        printf("const double b%d = b[%d]", f->row[k], f->row[k]);
        for (int i = 0; i < left->n; i += 2)
            printf(" - a%d * b%d", left->at[i], left->at[i + 1]);
        printf(";\n");
    }
    for (int k = f->n - 1; k >= 0; k--) {
        printf("const double x%d = (b%d", f->col[k], f->row[k]);
        for (int j = f->ustart[k]; j < f->ustart[k + 1]; j++)
            printf(" - a%d * x%d", f->u[j], f->ucol[j]);
        printf(") * i%d;\nx[%d] = x%d;\n", k, f->col[k], f->col[k]);
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
    static Matrix m;
    const char *name = argc > 1 ? argv[1] : "", *how = argc > 2 ? argv[2] : "";
    if (!strcmp(name, "pipe"))
        make_grid(&m, 25, 25);
    else if (!strcmp(name, "heat"))
        make_grid(&m, 50, 50);
    else if (!strcmp(name, "heat2d"))
        make_grid(&m, 100, 10);
    else
        return fprintf(stderr, "usage: bench_num pipe|heat|heat2d "
                               "klu|table|qr|emit\n"),
               2;
    Arena *arena = arena_new();
    const StaticLu *f =
        static_lu_new(m.n, m.nnz, m.row, m.col, m.value, 1, 0.1, arena);
    TableOptions options = {0};
    if (!strcmp(how, "klu"))
        run_klu(&m);
    else if (!strcmp(how, "table"))
        run_table(table_lu(f, m.row, m.col, &options, arena), &m, arena);
    else if (!strcmp(how, "qr"))
        run_table(table_qr(m.n, m.nnz, m.row, m.col, &options, arena), &m,
                  arena);
    else
        emit(f, &m, arena);
    arena_free(arena);
    return 0;
}
