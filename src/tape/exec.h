/* exec.h - runs a tape.
 *
 * The interpreter of the desk: the same instructions as the generated C, with
 * the same results to the last bit (both compiled with -ffp-contract=off). On
 * top of that it can iterate a block until it converges, which generated code
 * never does.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_EXEC_H
#define TAKT_TAPE_EXEC_H

#include "base/status.h"
#include "tape/tape.h"

typedef struct Exec {
    const Tape *tape;
    double *r;        /* the slots, size tape->nslot */
    double tolerance; /* > 0: iterate blocks until the correction is below
                         it (relative to nominal and value), at most
                         max_iterations times; 0: the fixed count */
    int max_iterations;
    bool keeps_single;  /* blocks with one iteration have one, whatever the
                           tolerance: that is their method */
    const double *unit; /* by slot: what counts as 1 in place of the nominal
                           value, 0: that; NULL: nowhere */
    double keep_goal;   /* > 0: with a tolerance, factors are kept from step to
                           step; what a correction leaves is to be below it */
    bool watch_folds;   /* with a tolerance: where an iteration contracts
                           slowly, the path decides (exec_follow.c) in blocks
                           without branches too */
    uint64_t rough;     /* not 0: arithmetic rounds to either side by chance
                           (exec_rough.c), and this is where chance stands */
    /* Sees the entries of a system before they are factorised; NULL: nobody */
    void (*on_factor)(void *context, int system);
    void *context;
    /* what happened since exec_reset_status */
    unsigned causes; /* all that happened, bit k is row k of status.def */
    int cause_block[STATUS_NCAUSE]; /* the first block of each; NONE: none */
    Status code;                    /* the first failure, or the first doubt */
    int block;                      /* where, NONE: nowhere */
    int row;                        /* which row or iteration variable, NONE */
    long iterations;                /* Newton iterations in all */
    double residual; /* largest scaled correction of a last iteration */
    bool *is_least;  /* of each block: its matrix was singular, it has
                        solutions, and the nearest was taken */
    long jumps;      /* times a branch of a block ended, and the solution went
                        on on another one */
    int jump_block;  /* the last of them */
    long doubts;     /* times that one ended, or changed, and it is not clear
                        where the solution goes on */
    bool bears_conflict; /* linear blocks whose equations contradict each other
                            get the values of least squares, */
    bool has_conflict;   /* and that is noted */
    bool in_step; /* stages of a step are solved: what lies between branches
                     and may have been passed over is a doubt */
    long turns;   /* times that branches changed, or an iteration was slow
                     where folds are watched for: the solution may be on
                     another branch than the one before */
    struct ExecWork *work;
} Exec;

/* What is remembered of branches at a point. */
typedef struct ExecBranches {
    unsigned *branch; /* of each block */
    signed char *sense;
    long jumps, doubts;
} ExecBranches;

/* Slots set to their initial values. Lives until exec_free. */
Exec *exec_new(const Tape *tape);
void exec_free(Exec *e);
void exec_reset_status(Exec *e);
/* Factors that were kept are those of another model: it has had an event. */
void exec_forget_factors(Exec *e);
/* Runs a segment; returns e->code. A missing segment is an empty one. */
Status exec_run(Exec *e, const TapeSegment *segment);
/* For a pre-simulation: the blocks that are run next keep their unknowns x0 and
 * note F(x0); after exec_ramp() they solve F(x) = share F(x0), until
 * exec_end_ramp(). */
void exec_begin_ramp(Exec *e);
void exec_ramp(Exec *e, double share);
void exec_end_ramp(Exec *e);
/* What was remembered of branches, and of jumps between them, is kept; and is
 * as it was then, so that a step can be tried again. */
void exec_keep_branches(Exec *e);
void exec_forget_branches(Exec *e); /* the next solutions begin anew */
void exec_return_branches(Exec *e);
/* The sign of the determinants of all linear blocks of a segment together, with
 * the slots as they are; 0: one of them is singular, or not known. */
int exec_sense(Exec *e, const TapeSegment *run);
/* The same for any number of points. */
ExecBranches exec_new_branches(const Exec *e, Arena *arena);
void exec_save_branches(const Exec *e, ExecBranches *to);
void exec_load_branches(Exec *e, const ExecBranches *from);
double exec_value(const Exec *e, const TapeSymbol *symbol);

#endif
