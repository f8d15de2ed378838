/* exec_internal.h - what the files of the interpreter share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_EXEC_INTERNAL_H
#define TAKT_TAPE_EXEC_INTERNAL_H

#include "num/pivot.h"
#include "tape/exec.h"

/* A singular matrix by its singular values, for solutions of least norm. */
typedef struct Least {
    bool is_on;
    double *a, *u, *v, *work, *s, *x; /* a: as it was */
} Least;

typedef enum ExecRamp { RAMP_OFF, RAMP_NOTES, RAMP_ON } ExecRamp;

/* Factors of a block that serve on (exec_keep.c). */
typedef struct ExecKept {
    bool is_there;
    double step;  /* for which they were made */
    double price; /* of new ones, in iterations */
    double eta;   /* what a correction of size 1 leaves */
    double uses;  /* steps they served, */
    double all;   /* the iterations of these, */
    double last;  /* and of the last one */
} ExecKept;

/* Conditions of a block's branches that are computed outside of it. */
typedef struct ExecOuter {
    bool is_there;
    Vec(int) slot;
    unsigned last; /* exec_outer() of the last solution */
} ExecOuter;

struct ExecWork {
    Arena *arena;
    Pivot **pivot; /* factors of each system */
    double *entry; /* as many as the largest system has entries */
    double *rhs;
    double *x, *base; /* iteration variables of a damped block */
    double *begin;    /* where the iteration of a damped block began */
    double *offset;   /* residual there: taken off while it is ramped */
    double ramp;      /* share of the offset, 0: the true equations */
    ExecRamp stage;   /* of a pre-simulation: */
    double share;     /* what exec_ramp() said, */
    double **noted;   /* and the offset of each block */
    Least **least;    /* of each system that is singular; NULL: it is not */
    double *home;     /* where the iteration of a block with branches began */
    unsigned *branch; /* exec_branches() of the last solution of each block, */
    unsigned *kept_branch; /* exec_keep_branches() */
    signed char *sense;    /* and the sign of its determinant, 0: not known */
    long kept_jumps, kept_doubts;
    ExecOuter *outer; /* of each block */
    bool *is_plain;   /* a block that was found to have no branches */
    bool is_slow;     /* an iteration of the present block fell little */
    ExecKept *kept;   /* factors, by block */
    int block;        /* the block that is being solved, NONE: none */
    bool leaves;      /* the innermost REPEAT is over */
    double **called;  /* of each call that takes long: arguments and results of
                         the last time; NULL: there was none */
};

/* Runs instructions `first` on. */
void exec_range(Exec *e, int first, int count);
/* The same, rounded to the nearest number whatever Exec.rough says; ranges
 * within are as it says. */
void exec_range_nearest(Exec *e, int first, int count);
/* Keeps the first failure; a failure wins over a remark. */
void exec_set_status(Exec *e, Status code, int block, int row);
/* The largest residual; INFINITY: one is not finite. */
double exec_residual_size(const Exec *e, const TapeBlock *b);
void exec_set_x(Exec *e, const TapeBlock *b, const double *x);
/* Newton with damping, until the correction is at rounding level. Returns
 * whether it got there; the status says why not. */
bool exec_converge(Exec *e, const TapeBlock *b, int number, int at);

/* ---- exec_ramp.c ---- */
/* From the begin x0, which solves F(x) = F(x0), to F(x) = 0: the right-hand
 * side is taken down in steps that adapt. Returns whether it got there. */
bool exec_ramp_down(Exec *e, const TapeBlock *b, int number, int at);
/* Away from where the iteration began, if the block is singular there: the
 * solution that is found from one side or from both (exec_flat.c). */
bool exec_leave_flat(Exec *e, const TapeBlock *b, int number, int at);
/* A block within a pre-simulation. */
void exec_run_ramped(Exec *e, const TapeBlock *b, int number, int at);

/* The correction in units of the tolerance's measure: |delta| over the larger
 * of the nominal value and |x|. Not finite: reported, and INFINITY. */
double exec_correction_size(Exec *e, const TapeBlock *b, int number);

/* ---- exec_rough.c ---- */
void exec_range_rough(Exec *e, int first, int count);

/* ---- exec_keep.c ---- */
/* With the factors of earlier steps, until the correction is below the
 * tolerance. False: they are not kept for this block, or did not serve; x is
 * anywhere. */
bool exec_iterate_kept(Exec *e, const TapeBlock *b, int number, int at,
                       double *size);

/* ---- exec_follow.c ---- */
/* Which branches its if-expressions took when the block was evaluated last; 0:
 * it has none. */
unsigned exec_branches(const Exec *e, const TapeBlock *b, int at);
/* Does the block have a determinant that is known? */
bool exec_can_follow(const Exec *e, const TapeBlock *b, int at);
/* The sign of the determinant that was factorised last; 0: unknown. */
int exec_sign(Exec *e, const TapeBlock *b, int at);
/* The same at the present x. */
int exec_orientation(Exec *e, const TapeBlock *b, int at);
/* Which way the conditions that are computed outside of the block are, as a
 * number. */
unsigned exec_outer(Exec *e, const TapeBlock *b, int number, int at);
/* From `begin` along F(x) = rho F(begin) to rho = 0, around corners and turns.
 * Returns whether it got there; turned: not on the branch it began on. */
bool exec_follow(Exec *e, const TapeBlock *b, int number, int at,
                 const double *begin, bool *turned);

#endif
