/* takt_rt.h - real-time steps for a model that is C already.
 *
 *     L x' = f(x, t)        L constant; where L is singular, a DAE of index 1
 *
 * Two halves. `analyse` runs at the desk: it finds by sampling on which
 * unknowns each row of f depends, groups columns of the Jacobian so that few
 * evaluations of f give it, chooses pivots that hold in all samples, and writes
 * all of that into a table of 32-bit words. `step` runs on the machine: one
 * linearly implicit Euler step (Schiela 2002, ch. 5),
 *
 *     (L - h J) d = h f(x, t + h),   x := x + d,        J = df/dx
 *
 * from the table and memory of the caller, without allocation, input, output
 * or iteration: every step does the same work.
 *
 *     static int rhs(void *user, takt_rt_real t, const takt_rt_real *x,
 *                    takt_rt_real *f);
 *
 *     desk      TaktRtModel model = {.n = 50, .rhs = rhs};
 *               TaktRtSetup setup = takt_rt_setup(1e-3, x0);
 *               takt_rt_analyse(&model, &setup, &table, &report);
 *               takt_rt_save(table, "heat_table.c", "heat_table");
 *
 *     machine   #include <takt/takt_rt_step.h>      (C99, freestanding)
 *               takt_rt_init(&s, heat_table, heat_table_words, &model,
 *                            memory, sizeof memory);
 *               s.x[...] = ...;  for (;;) status = takt_rt_step(&s);
 *
 * A desk program links libtakt, which has both halves. On the machine one
 * source file includes takt_rt_step.h, which defines the second half and needs
 * no library. docs/guide/crhs.md has the whole example.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAKT_RT_H
#define TAKT_TAKT_RT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The type of all numbers of a step. The same table serves both. */
#ifdef TAKT_RT_FLOAT
typedef float takt_rt_real;
#else
typedef double takt_rt_real;
#endif

/* What functions return: 0 done, > 0 done but note it, < 0 not done. */
typedef enum TaktRtStatus {
    TAKT_RT_FINE = 0,
    TAKT_RT_NOTE_ERROR = 1,    /* step: the error estimate is beyond the
                                  tolerances (`where`: the worst unknown) */
    TAKT_RT_NOTE_SOLVE = 2,    /* step: the linear system is close to singular
                                  or its pivots are bad here (`correction`) */
    TAKT_RT_NOTE_JACOBIAN = 3, /* analyse: the derivatives given differ from
                                  finite differences; the table was made */
    TAKT_RT_FAILED = -1,    /* step: a value is not finite (`where`: the first
                               unknown); state and time are as before */
    TAKT_RT_RHS = -2,       /* the model's function returned non-zero */
    TAKT_RT_BAD_TABLE = -3, /* not a table, damaged, or another version */
    TAKT_RT_BAD_MODEL = -4, /* n or the kind of derivative is not the table's */
    TAKT_RT_NO_MEMORY = -5, /* fewer bytes than takt_rt_memory() says */
    TAKT_RT_BAD_SETUP = -6, /* analyse: a value of the setup is impossible */
    TAKT_RT_BAD_PATTERN = -7, /* analyse: f depends on more than the pattern
                                 given says (report: row and column) */
    TAKT_RT_SINGULAR = -8,    /* analyse: no order of pivots holds in all
                                 samples; L - h J is singular in one */
    TAKT_RT_NOT_FINITE =
        -9,            /* analyse: f or a derivative is not finite at x0 */
    TAKT_RT_FILE = -10 /* save, load: the file */
} TaktRtStatus;

/* The user's functions. Each returns 0 if it could be evaluated. They get
 * `user` as it is, so several instances can differ there (inputs, parameters).
 * Of derivatives, at most one kind is given; with none, finite differences
 * are taken. */
typedef struct TaktRtModel {
    int n; /* unknowns, and equations */
    /* f = f(x, t) */
    int (*rhs)(void *user, takt_rt_real t, const takt_rt_real *x,
               takt_rt_real *f);
    /* jv = J(x, t) v */
    int (*derivative)(void *user, takt_rt_real t, const takt_rt_real *x,
                      const takt_rt_real *v, takt_rt_real *jv);
    /* value[k] = entry k of J(x, t), in the order of the setup's pattern */
    int (*jacobian)(void *user, takt_rt_real t, const takt_rt_real *x,
                    takt_rt_real *value);
    void *user;
} TaktRtModel;

enum { TAKT_RT_DIFFERENCES = 0, TAKT_RT_DIRECTIONS = 1, TAKT_RT_ENTRIES = 2 };
enum { TAKT_RT_MAX_ORDER = 8, TAKT_RT_MAX_N = 100000 };

/* ---- the half for the machine ---- */

/* The parts of a table; they point into its words. Entry k of the iteration
 * matrix stands at (row[k], col[k]). The first nj entries are those that the
 * Jacobian has, sorted by group; up to na those that only L has; the rest is
 * fill. The factorisation is that of src/num/static_lu.h. */
typedef struct TaktRtTable {
    int32_t n, kind, order, refine;
    int32_t nj, na, nentry, nl, nu, ntarget;
    int32_t ngroup, ncolumn, npattern, nalgrow, nalgcol, nblock, no;
    const int32_t *row, *col; /* nentry */
    const int32_t *prow, *pcol,
        *pivot;                       /* n: places and entries of the pivots */
    const int32_t *lstart, *l, *lrow; /* n+1, nl, nl */
    const int32_t *ustart, *u, *ucol; /* n+1, nu, nu */
    const int32_t *start;             /* nblock+1: diagonal blocks */
    const int32_t *ostart, *o, *ocol; /* n+1, no, no: beside the blocks */
    const int32_t *target;            /* ntarget */
    const int32_t *gstart;            /* ngroup+1: entries of a group */
    const int32_t *cstart, *column;   /* ngroup+1, ncolumn: its columns */
    const int32_t *source;            /* nj if kind is TAKT_RT_ENTRIES */
    const int32_t *algrow, *algcol;   /* rows and columns where L is zero */
    const uint32_t *lvalue;           /* na numbers of two words: L */
    const uint32_t *nominal;          /* n numbers: sizes of the unknowns */
    double step, damping, rtol, atol;
} TaktRtTable;

/* An instance. The caller may read all of it and write x, t0 and count (time
 * is t0 + count * step) between steps. */
typedef struct TaktRt {
    TaktRtTable table;
    TaktRtModel model;
    takt_rt_real t0;
    uint32_t count;          /* steps done */
    int32_t where;           /* an unknown, see TaktRtStatus, else -1 */
    takt_rt_real error;      /* estimate of the last step over the tolerances */
    takt_rt_real correction; /* what the refinement changed, relative */
    takt_rt_real factor;     /* of the damping, 1: none */
    takt_rt_real *x;         /* n: the state */
    /* work: */
    takt_rt_real *y, *z, *f, *g, *b, *d; /* n each */
    takt_rt_real *lvalue, *nominal;      /* na, n */
    takt_rt_real *jac;                   /* nj */
    takt_rt_real *matrix;                /* na */
    takt_rt_real *entry;                 /* nentry */
    takt_rt_real *inverse;               /* n */
    takt_rt_real *pattern;               /* npattern */
    takt_rt_real *tableau;               /* order * n if order > 1 */
} TaktRt;

/* Bytes that takt_rt_init() needs; 0 if `words` is no table. */
size_t takt_rt_memory(const uint32_t *words, size_t nword);

/* Checks the whole table (size, version, checksum, every index, and that its
 * operations are a factorisation), places the arrays in `memory` (aligned for
 * takt_rt_real) and sets x and time to 0. Constant work is promised for
 * takt_rt_step only. */
TaktRtStatus takt_rt_init(TaktRt *s, const uint32_t *words, size_t nword,
                          const TaktRtModel *model, void *memory, size_t bytes);

/* One step. On a negative status the state is what it was. */
TaktRtStatus takt_rt_step(TaktRt *s);

/* ---- the half for the desk (libtakt) ---- */

/* What analyse is to know. Zero and NULL mean the default in brackets. */
typedef struct TaktRtSetup {
    double step;           /* h > 0 */
    const double *x0;      /* n: a consistent state, the first sample */
    double t0, t1;         /* times of the samples [t1 = t0 + 100 h] */
    const double *nominal; /* n: usual sizes of the unknowns, > 0 [1] */

    int nl; /* entries of L [0: L is the unit matrix] */
    const int *lrow, *lcol;
    const double *lvalue;

    int npattern; /* entries of J that can be non-zero [0: detected] */
    const int *prow, *pcol;
    int nkeep; /* entries that the iteration matrix keeps [0: all] */
    const int *krow, *kcol;
    double threshold; /* an entry left out may share a group with entries
                         that are larger than it by 1/threshold [1e-3] */
    double noise;     /* changes of f below noise * |f| count as none, and
                         entries below noise times the largest of their
                         row, each times its unknown's size [0] */

    int nsample;       /* perturbed states [12] */
    double spread;     /* x0 +- spread * max(|x0|, nominal) [0.1] */
    int nown;          /* states of the user that are samples as well */
    const double *own; /* nown * n */
    uint64_t seed;     /* [1] */
    double pivot;      /* a pivot's least share of its column [0.1, or what
                          is possible down to 1e-6] */

    int order;         /* of extrapolation, 1 .. 8 [1] */
    int refine;        /* 1: one step of refinement, which also watches over
                          the pivots */
    double damping;    /* smallest factor for algebraic unknowns [0: none] */
    double rtol, atol; /* of the error estimate, atol times nominal [0: no
                          estimate] */
} TaktRtSetup;

/* The defaults above, with these two. */
TaktRtSetup takt_rt_setup(double step, const double *x0);

typedef struct TaktRtReport {
    int n, kind;
    int nsample; /* samples used; those where f is not finite are not */
    int ndropped;
    int npattern;       /* entries of the Jacobian */
    int nkept;          /* of them in the iteration matrix */
    int ngroup;         /* evaluations for the Jacobian of a step */
    int ngroup_pattern; /* and without sparsing */
    int nevaluation;    /* of f in a step, all in all */
    int nfill;          /* entries the factorisation adds */
    double weakest;     /* smallest pivot over its column's largest entry */
    long flops;         /* of one factorisation and solution */
    size_t words;       /* of the table */
    size_t memory;      /* bytes of an instance's arrays, double */
    int row, col;       /* where, if the status speaks of a place, else -1 */
    char message[200];  /* the status in words */
} TaktRtReport;

/* Makes a table; *table is freed by takt_rt_free(), NULL if the status is
 * negative. `report` may be NULL. Calls the model's functions some
 * 2 n nsample times. */
TaktRtStatus takt_rt_analyse(const TaktRtModel *model, const TaktRtSetup *setup,
                             uint32_t **table, TaktRtReport *report);
/* Words of a table that analyse or load has made. */
size_t takt_rt_words(const uint32_t *table);
void takt_rt_free(uint32_t *table);

/* Writes a table: as C, `const uint32_t NAME[]` and `const size_t NAME_words`,
 * if the path ends in .c or .h, else as bytes (`name` may be NULL then). */
TaktRtStatus takt_rt_save(const uint32_t *table, const char *path,
                          const char *name);
/* Reads bytes that save has written and checks them as takt_rt_init does. */
TaktRtStatus takt_rt_load(const char *path, uint32_t **table);
/* Checks words in memory; nothing is read beyond nword. */
TaktRtStatus takt_rt_check(const uint32_t *words, size_t nword);
/* A status in words. */
const char *takt_rt_text(TaktRtStatus status);

#ifdef __cplusplus
}
#endif

#endif
