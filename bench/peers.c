/* peers.c - a sample of a model by takt and by what one could use instead.
 *
 *   peers SAMPLES SIZES SECONDS        errors, and times of interleaved rounds
 *                                      (two at least, for so many seconds):
 *                                      "method error nanoseconds" a line
 *   peers SAMPLES SIZES count METHOD   one method, for callgrind to count (the
 *                                      function `measured` is a sample)
 *
 * SIZES is a file that the first writes and the second reads: how large the
 * states become, for absolute tolerances.
 *
 * All get the same right-hand side in C (glue.sh). Those that need a Jacobian
 * take differences over groups of columns, as few evaluations as takt's own
 * analysis finds; matrices are sparse (KLU) or dense (LAPACK), whichever is
 * named. "Restarted" means what a real-time simulation needs when inputs may
 * jump at every sample: the integrator begins anew there.
 *
 * The error of a method is the largest difference from CVODE at rtol 1e-10,
 * over all samples and states, over the range of all states of the same name
 * (v[1], v[2], ...). Absolute tolerances are 0.1 rtol times their largest
 * value.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <klu.h>
#include <lapacke.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <time.h>

#include "peers.h"
#include "takt/takt_rt.h"

typedef enum Kind {
    TAKT,
    TABLE,
    SPARSED,
    LIE_KLU,
    LIE_LAPACK,
    CVODE,
    IDA
} Kind;

typedef struct Method {
    const char *name; /* as on the command line */
    Kind kind;
    int substeps;
    double rtol;
    bool restarted, dense;
    const Glue *glue; /* TAKT */
} Method;

static const Method others[] = {
    {"takt_rt", TABLE, 1, 0, false, false, NULL},
    {"takt_rt-sparsed", SPARSED, 1, 0, false, false, NULL},
    {"lie+klu", LIE_KLU, 1, 0, false, false, NULL},
    {"lie+lapack", LIE_LAPACK, 1, 0, false, true, NULL},
    {"cvode-restarted-1e-2", CVODE, 1, 1e-2, true, false, NULL},
    {"cvode-restarted-1e-3", CVODE, 1, 1e-3, true, false, NULL},
    {"cvode-restarted-1e-4", CVODE, 1, 1e-4, true, false, NULL},
    {"cvode-restarted-1e-5", CVODE, 1, 1e-5, true, false, NULL},
    {"ida-restarted-1e-2", IDA, 1, 1e-2, true, false, NULL},
    {"ida-restarted-1e-3", IDA, 1, 1e-3, true, false, NULL},
    {"ida-restarted-1e-4", IDA, 1, 1e-4, true, false, NULL},
    {"ida-restarted-1e-5", IDA, 1, 1e-5, true, false, NULL},
    {"cvode-dense-restarted-1e-3", CVODE, 1, 1e-3, true, true, NULL},
    {"cvode-1e-3", CVODE, 1, 1e-3, false, false, NULL},
    {"ida-1e-3", IDA, 1, 1e-3, false, false, NULL},
};
enum {
    NOTHER = (int)(sizeof others / sizeof *others),
    SUBSTEPS = 6, /* 1, 2, 4 .. 32 */
    MOST = 64,
    DENSE = 150, /* states from which on dense matrices are hopeless */
    CHUNK = 10,  /* samples timed at once */
};

typedef struct Methods {
    int n;
    Method at[MOST];
    char name[MOST][40];
} Methods;

/* takt's methods, in substeps too, the first one (of order 1) in many; then the
 * others. */
static void list_methods(Methods *all)
{
    for (int g = 0; g < glue_ntakt; g++)
        for (int k = 0; k < (g == 0 ? SUBSTEPS : 3); k++) {
            Method *m = &all->at[all->n];
            snprintf(all->name[all->n], sizeof all->name[0],
                     k == 0 ? "%s" : "%s/%d", glue_takt[g].name, 1 << k);
            *m = (Method){.name = all->name[all->n],
                          .kind = TAKT,
                          .substeps = 1 << k,
                          .glue = &glue_takt[g]};
            all->n++;
        }
    for (int k = 0; k < NOTHER; k++)
        if (!others[k].dense || glue_n <= DENSE)
            all->at[all->n++] = others[k];
}

/* What the methods share: the analysis, and work. */
typedef struct Bench {
    int n, samples;
    double h;
    TaktRt rt;               /* its table has entries, groups and columns */
    TaktRt sparsed;          /* with the large entries only */
    int nkeep, *krow, *kcol; /* these entries */
    double *x0, *size, *range, *reference; /* n, n, n, samples * n */
    double *jac, *f, *g, *y;
    int *cstart, *crow, *cplace; /* compressed columns; place of entry k */
    int nnz;                     /* with the whole diagonal */
    SUNContext context;
} Bench;

typedef struct Run {
    const Bench *b;
    const Method *m;
    double t;
    double *x;
    void *integrator;
    N_Vector v, vp, atol;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double *value, *rhs;
    int *pivot;
    void *memory;
    TaktRt rt;
    int bad;
} Run;

static void must(bool yes, const char *what)
{
    if (yes)
        return;
    fprintf(stderr, "peers: %s\n", what);
    exit(1);
}

static void *need(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    must(p != NULL, "out of memory");
    return p;
}

/* ---- the Jacobian, by groups ---- */

/* Entries of J in b->jac, in the order of the table. */
static void differences(const Bench *b, double t, const double *x,
                        const double *f)
{
    const TaktRtTable *q = &b->rt.table;
    memcpy(b->y, x, (size_t)b->n * sizeof(double));
    for (int c = 0; c < q->ngroup; c++) {
        for (int i = q->cstart[c]; i < q->cstart[c + 1]; i++) {
            int j = q->column[i];
            b->y[j] = x[j] + 1.5e-8 * fmax(fabs(x[j]), b->size[j]);
        }
        glue_rhs(NULL, t, b->y, b->g);
        for (int k = q->gstart[c]; k < q->gstart[c + 1]; k++) {
            int j = q->col[k];
            b->jac[k] = (b->g[q->row[k]] - f[q->row[k]]) / (b->y[j] - x[j]);
        }
        for (int i = q->cstart[c]; i < q->cstart[c + 1]; i++)
            b->y[q->column[i]] = x[q->column[i]];
    }
}

/* diagonal * I - scale * J in compressed columns or dense by columns */
static void assemble(const Bench *b, bool dense, double diagonal, double scale,
                     double *out)
{
    const TaktRtTable *q = &b->rt.table;
    int n = b->n;
    memset(out, 0, (size_t)(dense ? n * n : b->nnz) * sizeof(double));
    for (int k = 0; k < q->nj; k++)
        out[dense ? q->col[k] * n + q->row[k] : b->cplace[k]] =
            -scale * b->jac[k];
    for (int i = 0; i < n; i++)
        out[dense ? i * n + i : b->cplace[q->nj + i]] += diagonal;
}

static void fill(SUNMatrix m, const Bench *b, bool dense)
{
    if (dense)
        return;
    for (int j = 0; j <= b->n; j++)
        SM_INDEXPTRS_S(m)[j] = b->cstart[j];
    for (int k = 0; k < b->nnz; k++)
        SM_INDEXVALS_S(m)[k] = b->crow[k];
}

static double *values(SUNMatrix m, bool dense)
{
    return dense ? SM_DATA_D(m) : SM_DATA_S(m);
}

/* ---- what SUNDIALS calls ---- */

static int cv_rhs(realtype t, N_Vector x, N_Vector f, void *user)
{
    (void)user;
    return glue_rhs(NULL, t, NV_DATA_S(x), NV_DATA_S(f));
}

static int cv_jac(realtype t, N_Vector x, N_Vector f, SUNMatrix m, void *user,
                  N_Vector a, N_Vector b, N_Vector c)
{
    const Run *r = user;
    (void)a, (void)b, (void)c;
    fill(m, r->b, r->m->dense);
    differences(r->b, t, NV_DATA_S(x), NV_DATA_S(f));
    assemble(r->b, r->m->dense, 0, -1, values(m, r->m->dense));
    return 0;
}

static int ida_res(realtype t, N_Vector x, N_Vector xp, N_Vector out,
                   void *user)
{
    (void)user;
    double *o = NV_DATA_S(out), *p = NV_DATA_S(xp);
    glue_rhs(NULL, t, NV_DATA_S(x), o);
    for (int i = 0; i < glue_n; i++)
        o[i] = p[i] - o[i];
    return 0;
}

static int ida_jac(realtype t, realtype cj, N_Vector x, N_Vector xp,
                   N_Vector res, SUNMatrix m, void *user, N_Vector a,
                   N_Vector b, N_Vector c)
{
    const Run *r = user;
    (void)xp, (void)res, (void)a, (void)b, (void)c;
    fill(m, r->b, r->m->dense);
    glue_rhs(NULL, t, NV_DATA_S(x), r->b->f);
    differences(r->b, t, NV_DATA_S(x), r->b->f);
    assemble(r->b, r->m->dense, cj, 1, values(m, r->m->dense));
    return 0;
}

/* ---- beginning, sample, end ---- */

static void begin_solver(Run *r)
{
    int n = r->b->n;
    r->v = N_VMake_Serial(n, r->x, r->b->context);
    r->vp = N_VNew_Serial(n, r->b->context);
    r->atol = N_VNew_Serial(n, r->b->context);
    for (int i = 0; i < n; i++)
        NV_Ith_S(r->atol, i) = 0.1 * r->m->rtol * r->b->size[i];
    if (r->m->dense) {
        r->matrix = SUNDenseMatrix(n, n, r->b->context);
        r->solver = SUNLinSol_Dense(r->v, r->matrix, r->b->context);
    } else {
        r->matrix = SUNSparseMatrix(n, n, r->b->nnz, CSC_MAT, r->b->context);
        fill(r->matrix, r->b, false);
        r->solver = SUNLinSol_KLU(r->v, r->matrix, r->b->context);
    }
}

static void begin_cvode(Run *r)
{
    begin_solver(r);
    r->integrator = CVodeCreate(CV_BDF, r->b->context);
    must(CVodeInit(r->integrator, cv_rhs, 0, r->v) == 0 &&
             CVodeSVtolerances(r->integrator, r->m->rtol, r->atol) == 0 &&
             CVodeSetUserData(r->integrator, r) == 0 &&
             CVodeSetMaxNumSteps(r->integrator, 100000) == 0 &&
             CVodeSetLinearSolver(r->integrator, r->solver, r->matrix) == 0 &&
             CVodeSetJacFn(r->integrator, cv_jac) == 0,
         "CVODE cannot be set up");
}

static void begin_ida(Run *r)
{
    begin_solver(r);
    glue_rhs(NULL, 0, r->x, NV_DATA_S(r->vp));
    r->integrator = IDACreate(r->b->context);
    must(IDAInit(r->integrator, ida_res, 0, r->v, r->vp) == 0 &&
             IDASVtolerances(r->integrator, r->m->rtol, r->atol) == 0 &&
             IDASetUserData(r->integrator, r) == 0 &&
             IDASetMaxNumSteps(r->integrator, 100000) == 0 &&
             IDASetLinearSolver(r->integrator, r->solver, r->matrix) == 0 &&
             IDASetJacFn(r->integrator, ida_jac) == 0,
         "IDA cannot be set up");
}

static void begin_klu(Run *r)
{
    const Bench *b = r->b;
    klu_defaults(&r->common);
    glue_rhs(NULL, 0, r->x, b->f);
    differences(b, 0, r->x, b->f);
    assemble(b, false, 1, b->h, r->value);
    r->symbolic = klu_analyze(b->n, b->cstart, b->crow, &r->common);
    r->numeric =
        klu_factor(b->cstart, b->crow, r->value, r->symbolic, &r->common);
    must(r->numeric != NULL, "KLU cannot factorise");
}

static Run begin(const Bench *b, const Method *m)
{
    Run r = {.b = b, .m = m};
    size_t n = (size_t)b->n;
    r.x = need(n, sizeof(double));
    memcpy(r.x, b->x0, n * sizeof(double));
    return r;
}

/* In two parts: SUNDIALS keeps the address of the run. */
static void set_up(Run *r)
{
    const Bench *b = r->b;
    size_t n = (size_t)b->n;
    r->rhs = need(n, sizeof(double));
    r->pivot = need(n, sizeof(int));
    r->value = need(r->m->dense ? n * n : (size_t)b->nnz, sizeof(double));
    switch (r->m->kind) {
    case TAKT: r->m->glue->start(r->m->substeps); break;
    case TABLE:
    case SPARSED:
        r->rt = r->m->kind == TABLE ? b->rt : b->sparsed;
        memcpy(r->rt.x, b->x0, n * sizeof(double));
        r->rt.count = 0;
        break;
    case LIE_KLU: begin_klu(r); break;
    case LIE_LAPACK: break;
    case CVODE: begin_cvode(r); break;
    case IDA: begin_ida(r); break;
    }
}

static void end(Run *r)
{
    if (r->m->kind == CVODE)
        CVodeFree(&r->integrator);
    if (r->m->kind == IDA)
        IDAFree(&r->integrator);
    if (r->solver) {
        SUNLinSolFree(r->solver);
        SUNMatDestroy(r->matrix);
        N_VDestroy(r->v);
        N_VDestroy(r->vp);
        N_VDestroy(r->atol);
    }
    if (r->numeric) {
        klu_free_numeric(&r->numeric, &r->common);
        klu_free_symbolic(&r->symbolic, &r->common);
    }
    free(r->x);
    free(r->rhs);
    free(r->pivot);
    free(r->value);
}

/* One linearly implicit Euler step, with a library for the matrix. */
static void lie_step(Run *r)
{
    const Bench *b = r->b;
    double t = r->t + b->h;
    glue_rhs(NULL, t, r->x, b->f);
    differences(b, t, r->x, b->f);
    assemble(b, r->m->dense, 1, b->h, r->value);
    for (int i = 0; i < b->n; i++)
        r->rhs[i] = b->h * b->f[i];
    if (r->m->dense)
        r->bad |= LAPACKE_dgesv(LAPACK_COL_MAJOR, b->n, 1, r->value, b->n,
                                r->pivot, r->rhs, b->n) != 0;
    else
        r->bad |=
            !klu_refactor(b->cstart, b->crow, r->value, r->symbolic, r->numeric,
                          &r->common) ||
            !klu_solve(r->symbolic, r->numeric, b->n, 1, r->rhs, &r->common);
    for (int i = 0; i < b->n; i++)
        r->x[i] += r->rhs[i];
}

static void cvode_sample(Run *r)
{
    double to = r->t + r->b->h, at;
    if (r->m->restarted) {
        r->bad |= CVodeReInit(r->integrator, r->t, r->v) < 0;
        CVodeSetStopTime(r->integrator, to);
    }
    r->bad |= CVode(r->integrator, to, r->v, &at, CV_NORMAL) < 0;
}

static void ida_sample(Run *r)
{
    double to = r->t + r->b->h, at;
    if (r->m->restarted) {
        glue_rhs(NULL, r->t, r->x, NV_DATA_S(r->vp));
        r->bad |= IDAReInit(r->integrator, r->t, r->v, r->vp) < 0;
        IDASetStopTime(r->integrator, to);
    }
    r->bad |= IDASolve(r->integrator, to, &at, r->v, r->vp, IDA_NORMAL) < 0;
}

/* From one sample to the next. callgrind counts inside. */
__attribute__((noinline)) void measured(Run *r);
void measured(Run *r)
{
    switch (r->m->kind) {
    case TAKT:
        for (int k = 0; k < r->m->substeps; k++)
            r->bad |= r->m->glue->step() < 0;
        break;
    case TABLE:
    case SPARSED: r->bad |= takt_rt_step(&r->rt) < 0; break;
    case LIE_KLU:
    case LIE_LAPACK: lie_step(r); break;
    case CVODE: cvode_sample(r); break;
    case IDA: ida_sample(r); break;
    }
    r->t += r->b->h;
}

static const double *state(Run *r)
{
    if (r->m->kind == TAKT)
        r->m->glue->state(r->x);
    bool table = r->m->kind == TABLE || r->m->kind == SPARSED;
    return table ? r->rt.x : r->x;
}

/* ---- setting up the bench ---- */

/* Compressed columns of the pattern and the diagonal. */
static void compress(Bench *b)
{
    const TaktRtTable *q = &b->rt.table;
    int n = b->n;
    bool *has = need((size_t)n * (size_t)n, sizeof *has);
    for (int k = 0; k < q->nj; k++)
        has[q->col[k] * n + q->row[k]] = true;
    for (int i = 0; i < n; i++)
        has[i * n + i] = true;
    b->cstart = need((size_t)n + 1, sizeof(int));
    b->crow = need((size_t)(q->nj + n), sizeof(int));
    b->cplace = need((size_t)(q->nj + n), sizeof(int));
    int *at = need((size_t)n * (size_t)n, sizeof *at);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            if (has[j * n + i]) {
                at[j * n + i] = b->nnz;
                b->crow[b->nnz++] = i;
            }
        b->cstart[j + 1] = b->nnz;
    }
    for (int k = 0; k < q->nj; k++)
        b->cplace[k] = at[q->col[k] * n + q->row[k]];
    for (int i = 0; i < n; i++)
        b->cplace[q->nj + i] = at[i * n + i];
    free(at);
    free(has);
}

/* A table of the model in *rt, with the entries to keep if there are any.
 * Returns the evaluations that its Jacobian takes. */
static int analyse(const Bench *b, TaktRt *rt, int *entries)
{
    TaktRtModel model = {.n = b->n, .rhs = glue_rhs};
    TaktRtSetup setup = takt_rt_setup(b->h, b->x0);
    TaktRtReport report;
    uint32_t *table;
    setup.nominal = b->size;
    setup.spread = 0.3;
    setup.noise = 1e-6; /* loops inside are iterated, not exact */
    setup.nkeep = b->nkeep;
    setup.krow = b->krow;
    setup.kcol = b->kcol;
    setup.threshold = 1e-2;
    if (takt_rt_analyse(&model, &setup, &table, &report) < 0) {
        fprintf(stderr, "peers: %s\n", report.message);
        exit(1);
    }
    void *memory = need(report.memory, 1);
    must(takt_rt_init(rt, table, takt_rt_words(table), &model, memory,
                      report.memory) == 0,
         "takt_rt_init");
    *entries = report.nkept;
    return report.ngroup;
}

/* The entries that are at least a thousandth of the largest of their row
 * somewhere along the reference, and the diagonal. */
static void choose_entries(Bench *b)
{
    const TaktRtTable *q = &b->rt.table;
    size_t n = (size_t)b->n;
    double *most = need((size_t)q->nj, sizeof *most);
    double *row = need(n, sizeof *row);
    for (int s = 0; s < b->samples; s += b->samples / 20 + 1) {
        const double *x = b->reference + (size_t)s * n;
        glue_rhs(NULL, (s + 1) * b->h, x, b->f);
        differences(b, (s + 1) * b->h, x, b->f);
        for (int k = 0; k < q->nj; k++) {
            most[k] = fmax(most[k], fabs(b->jac[k]) * b->size[q->col[k]]);
            row[q->row[k]] = fmax(row[q->row[k]], most[k]);
        }
    }
    b->krow = need((size_t)q->nj, sizeof(int));
    b->kcol = need((size_t)q->nj, sizeof(int));
    for (int k = 0; k < q->nj; k++)
        if (q->row[k] == q->col[k] || most[k] >= 1e-3 * row[q->row[k]]) {
            b->krow[b->nkeep] = q->row[k];
            b->kcol[b->nkeep++] = q->col[k];
        }
    free(most);
    free(row);
}

/* Largest value and range of each group of states. */
static void find_sizes(Bench *b)
{
    double *size = need((size_t)b->n, sizeof *size);
    double *range = need((size_t)b->n, sizeof *range);
    for (int i = 0; i < b->n; i++) {
        double low = b->x0[i], high = b->x0[i];
        for (int s = 0; s < b->samples; s++) {
            double x = b->reference[(size_t)s * (size_t)b->n + (size_t)i];
            low = fmin(low, x);
            high = fmax(high, x);
        }
        int g = glue_group[i];
        range[g] = fmax(range[g], high - low);
        size[g] = fmax(size[g], fmax(fabs(low), fabs(high)));
    }
    for (int i = 0; i < b->n; i++) {
        b->range[i] = range[glue_group[i]];
        b->size[i] = fmax(size[glue_group[i]], 1e-9);
    }
    free(size);
    free(range);
}

/* Trajectory of CVODE at 1e-10 without restarts. */
static void make_reference(Bench *b)
{
    static const Method exact = {"reference", CVODE, 1,   1e-10,
                                 false,       false, NULL};
    Run r = begin(b, &exact);
    set_up(&r);
    for (int s = 0; s < b->samples; s++) {
        measured(&r);
        must(!r.bad, "the reference cannot be computed");
        memcpy(b->reference + (size_t)s * (size_t)b->n, r.x,
               (size_t)b->n * sizeof(double));
    }
    end(&r);
}

/* Sizes and entries to keep, in a file for the runs that are only counted. */
static bool read_sizes(Bench *b, const char *path)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        return false;
    size_t n = (size_t)b->n, most = n * n;
    b->krow = need(most, sizeof(int));
    b->kcol = need(most, sizeof(int));
    bool fine = fread(b->size, sizeof(double), n, in) == n &&
                fread(&b->nkeep, sizeof(int), 1, in) == 1;
    size_t k = fine ? (size_t)b->nkeep : 0;
    fine = fine && k <= most && fread(b->krow, sizeof(int), k, in) == k &&
           fread(b->kcol, sizeof(int), k, in) == k;
    fclose(in);
    return fine;
}

static void write_sizes(const Bench *b, const char *path)
{
    FILE *out = fopen(path, "wb");
    must(out != NULL, path);
    fwrite(b->size, sizeof(double), (size_t)b->n, out);
    fwrite(&b->nkeep, sizeof(int), 1, out);
    fwrite(b->krow, sizeof(int), (size_t)b->nkeep, out);
    fwrite(b->kcol, sizeof(int), (size_t)b->nkeep, out);
    must(fclose(out) == 0, path);
}

static Bench make_bench(int samples, const char *sizes, bool counted)
{
    Bench b = {.n = glue_n, .samples = samples, .h = glue_step};
    size_t n = (size_t)b.n;
    int entries, kept;
    must(SUNContext_Create(NULL, &b.context) == 0, "SUNDIALS");
    b.x0 = need(n, sizeof(double));
    b.size = need(n, sizeof(double));
    b.range = need(n, sizeof(double));
    b.f = need(n, sizeof(double));
    b.g = need(n, sizeof(double));
    b.y = need(n, sizeof(double));
    b.reference = need((size_t)samples * n, sizeof(double));
    glue_start(b.x0);
    for (int i = 0; i < b.n; i++)
        b.size[i] = fmax(fabs(b.x0[i]), 1);
    int groups = analyse(&b, &b.rt, &entries);
    b.jac = need((size_t)entries, sizeof(double));
    compress(&b);
    if (!counted || !read_sizes(&b, sizes)) {
        make_reference(&b);
        find_sizes(&b);
        make_reference(&b); /* with the right absolute tolerances */
        find_sizes(&b);
        choose_entries(&b);
        write_sizes(&b, sizes);
    }
    int fewer = analyse(&b, &b.sparsed, &kept);
    printf("states %d %d-entries-in-%d-groups,-sparsed-%d-in-%d\n", b.n,
           entries, groups, kept, fewer);
    return b;
}

/* ---- measuring ---- */

static double error_of(const Bench *b, const Method *m)
{
    Run r = begin(b, m);
    double most = 0;
    set_up(&r);
    for (int s = 0; s < b->samples && !r.bad; s++) {
        measured(&r);
        const double *x = state(&r);
        for (int i = 0; i < b->n; i++) {
            if (b->range[i] < 1e-9 * b->size[i])
                continue; /* nothing moves there */
            double e =
                fabs(x[i] -
                     b->reference[(size_t)s * (size_t)b->n + (size_t)i]) /
                b->range[i];
            if (!(e <= most))
                most = e;
        }
    }
    if (r.bad)
        most = INFINITY;
    end(&r);
    return most;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Samples timed at once: few of what takes long, so that an interruption spoils
 * little; many of what is shorter than the clock is fine. */
static int chunk_of(const Method *m)
{
    return m->kind == CVODE || m->kind == IDA || m->dense || m->substeps > 2
               ? 1
               : CHUNK;
}

/* Runs once; best[c] becomes the shortest time of chunk c of the samples. */
static void time_chunks(const Bench *b, const Method *m, double *best)
{
    Run r = begin(b, m);
    int chunk = chunk_of(m);
    set_up(&r);
    for (int c = 0; c < b->samples / chunk; c++) {
        double from = seconds();
        for (int s = 0; s < chunk; s++)
            measured(&r);
        best[c] = fmin(best[c], seconds() - from);
    }
    end(&r);
}

/* Others on the machine disturb single rounds; each chunk counts with its
 * quickest one. */
static void compare(const Bench *b, const Methods *all, double budget)
{
    int n = b->samples;
    double *best = need((size_t)(all->n * n), sizeof *best);
    for (int i = 0; i < all->n * n; i++)
        best[i] = INFINITY;
    double begun = seconds();
    for (int round = 0; round < 2 || seconds() - begun < budget; round++)
        for (int k = 0; k < all->n; k++)
            time_chunks(b, &all->at[k], best + k * n);
    for (int k = 0; k < all->n; k++) {
        int chunk = chunk_of(&all->at[k]), nchunk = n / chunk;
        double sum = 0;
        for (int c = 0; c < nchunk; c++)
            sum += best[k * n + c];
        printf("%s %.3g %.0f\n", all->at[k].name, error_of(b, &all->at[k]),
               sum * 1e9 / (nchunk * chunk));
    }
    free(best);
}

int main(int argc, char **argv)
{
    static Methods all;
    must(argc >= 4, "SAMPLES SIZES SECONDS, or SAMPLES SIZES count METHOD");
    bool counted = strcmp(argv[3], "count") == 0;
    Bench b = make_bench(atoi(argv[1]), argv[2], counted);
    list_methods(&all);
    if (!counted) {
        compare(&b, &all, atof(argv[3]));
        return 0;
    }
    for (int k = 0; k < all.n; k++)
        if (argc > 4 && strcmp(argv[4], all.at[k].name) == 0) {
            Run r = begin(&b, &all.at[k]);
            set_up(&r);
            for (int s = 0; s < b.samples; s++)
                measured(&r);
            return r.bad;
        }
    must(false, "no such method");
}
