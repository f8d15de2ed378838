/* tape.h - straight-line code over scalars: what a step really does.
 *
 *   made by   lower/lower.h   Schedule -> Tape
 *   read by   tape/exec.h     runs it here
 *             tape/cost.h     counts it
 *             emit/           writes it as C
 *
 * A tape works on one array of doubles, the slots. Each slot belongs to a
 * region that says who may change it and how long it lives. An instruction
 * reads up to three slots and writes one. There is no jump: if-expressions
 * compute both sides and select.
 *
 * Code is cut into segments (tape_segment). The only loops are those of a
 * BLOCK, which solves a system of equations with a number of iterations known
 * here, and REPEAT with a constant count. So the work of a segment is known
 * before it runs. A GUARD leaves instructions out at the steps at which their
 * rate does not tick; when that is, is known before too.
 *
 * BLOCK b is followed by three ranges of instructions:
 *     eval     from the iteration variables to the residuals
 *     jac      the entries of the residuals' Jacobian
 *     solve    from residuals and entries to the correction `delta`
 * and means: `iterations` times { eval, jac, solve, x := x - delta }. After a
 * block of one iteration delta is what x has fallen by. (With damping a part of
 * what was solved for: lower/damping.c adds the choice to `solve`.) What else
 * follows from x is computed after the block by plain instructions, so that
 * only what somebody reads is computed again. A damped block
 * (initialisation only) shortens the correction until the residual falls and
 * stops when it is small; it has no constant work.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_TAPE_H
#define TAKT_TAPE_TAPE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/source.h"
#include "base/vec.h"
#include "tape/instr.h"

typedef struct TapeInstr {
    int32_t op; /* EX_... that work on numbers, or TAPE_... of instr.def */
    int32_t dst;
    int32_t a, b, c; /* slots or numbers; NONE where unused */
    int32_t origin;  /* number in Tape.origin; 0: not known */
    int32_t scaled;  /* slot of a factor that dst has more than its name says
                        (tape/hoist.h); 0: none, NONE: no slot has it */
} TapeInstr;

/* What an instruction is for. The numbers are those of the Inlined that the
 * tape was made of (inline/inlined.h); nothing here looks at them. */
typedef enum TapeRole {
    TO_NONE,
    TO_ASSIGN,   /* `entry` follows from equation `eqn` */
    TO_GUESS,    /* where the iteration for `entry` begins */
    TO_RESIDUAL, /* what equation `eqn` leaves over */
    TO_JACOBIAN, /* derivative of that by `entry` */
    TO_FACTOR,   /* factorisation of a Jacobian, and its alarm */
    TO_SOLVE,    /* the correction of `entry` */
    TO_CARRY,    /* `entry` for the next step */
    TO_START,    /* start value of `entry` */
    TO_RELATION, /* present value of relation `eqn` */
    TO_DELAY,    /* delayed expression `eqn` */
    TO_ACTION,   /* action `eqn` of a when clause */
    TO_ASSERT,   /* assertion `eqn` */
    TO_SET,      /* the matrix that chooses the states of set `eqn` */
    TO_OUTPUT,   /* `entry`, for a reader */
    TO_STEP,     /* what every step does: time, old values, flags */
    /* what watches over a step or steadies it; counted apart (tape/cost.h): */
    TO_DEFECT,   /* how far the end of a step is from solving its equations */
    TO_ESTIMATE, /* local error of a step */
    TO_RUNNING,  /* error of the run so far */
    TO_BOUND,    /* values against their bounds */
    TO_DOMAIN,   /* values against the ranges a plan was made for */
    TO_DAMPING,  /* how much of the correction of algebraic unknowns is taken */
    TO_NROLE
} TapeRole;

typedef struct TapeOrigin {
    TapeRole role;
    int system, eqn; /* system of the Inlined, equation in it; or NONE */
    int entry;       /* of the Inlined table, or NONE */
    Span span;
} TapeOrigin;

typedef enum TapeRegion {
    TR_CONST,   /* numbers, never change */
    TR_PARAM,   /* set by the user before a run */
    TR_DERIVED, /* computed from parameters and the step size by `param` */
    TR_TIME,    /* time, step size, flags: set by the caller of a segment */
    TR_INPUT,   /* set by the caller before each step */
    TR_CARRY,   /* what a step leaves for the next: old states, history, pre
                   values, relations. A copy of this region is a saved state */
    TR_VALUE,   /* unknowns: valid after the segment that computes them */
    TR_TEMP,    /* nothing outside a segment may look at it */
    TR_NREGION
} TapeRegion;

/* A linear system: its matrix in compressed entries, rhs overwritten by the
 * solution. */
typedef enum TapeSystemKind {
    TS_PIVOT,    /* pivoting LU, dense or KLU by size: on the host only */
    TS_TABLE_LU, /* static LU driven by tables */
    TS_TABLE_QR, /* static Givens QR driven by tables */
} TapeSystemKind;

struct FactorTable; /* num/table.h */

typedef struct TapeSystem {
    TapeSystemKind kind;
    int n, nnz;
    int nrow;       /* > n: TS_TABLE_QR, least squares */
    int *row, *col; /* of each entry, size nnz */
    int *entry;     /* slot of each entry */
    int *rhs; /* slot of each right-hand side, size nrow; TS_PIVOT: becomes
                 the solution */
    /* TS_TABLE_*: */
    const struct FactorTable *table;
    int det;     /* TS_PIVOT: slot of the determinant, which is all that is
                    asked for; 0: it is solved with */
    int factors; /* first of table->nfactor slots in a row */
    int vector;  /* first of table->nvector slots in a row; `rhs` are the
                    first nrow of them, the solution goes to the next n */
} TapeSystem;

typedef struct TapeBlock {
    const char *name; /* for messages: "loop of R1.v, R2.v" */
    int n;            /* iteration variables */
    int *x;           /* their slots */
    int nrow;         /* residuals: n, and those of invariants */
    int *residual;    /* slots */
    int *delta;       /* slots of the correction: x falls by it */
    int *full;        /* slots of what it would be without damping, by which an
                         iteration is judged; NULL: delta is that */
    int damping;      /* slot of the last damping factor; 0: none */
    int *fallback;    /* slots of other first values: the last point; NONE */
    double *nominal;  /* size of x that counts as 1, for norms */
    bool *has_start;  /* of the start: the model says where x begins; or NULL */
    int iterations;   /* exact number of Newton iterations */
    bool is_linear;
    bool is_open;   /* linear: in some modes it has many solutions */
    bool is_passed; /* of the events, linear, with fixed pivots: all passes of
                       an event begin where the first one does */
    bool has_no_matrix;      /* fixed points: nothing but iterations helps */
    bool is_damped;          /* iterate to convergence, or stop the segment */
    bool is_strict;          /* the same after its exact number of iterations */
    int neval, njac, nsolve; /* lengths of the ranges after BLOCK */
    int monitor; /* slot: > 0 says that the factors are bad; 0: none */
    int eta;     /* slots: the defect of the step, and the size of its last */
    int fall;    /* correction, over the values (lower/defect.c); 0: none */
    const int *residual_eqn; /* equations of the system, for reports; or NULL */
} TapeBlock;

/* Slots of the corrections that say how far an iteration has come. */
static inline const int *tape_full(const TapeBlock *b)
{
    return b->full ? b->full : b->delta;
}

/* What is remembered of an expression. */
typedef enum TapePast {
    TP_RING,   /* values at start + k * step, k = 0, 1, ... */
    TP_NUMBER, /* the last value */
    TP_SPREAD, /* spatialDistribution(): recorded last of its numbers, as
                  inline/inlined.h has them; PAST takes the time, and what is
                  asked for (spread/spread.h) */
} TapePast;

typedef struct TapeDelay {
    int size;  /* numbers it has room for. TP_RING: no older value is asked for
                */
    int count; /* slot: number of the last value */
    TapePast past;
    int points, first; /* TP_SPREAD: room for so many; number of first values */
} TapeDelay;

/* A set of candidates of which some are states (dae/dae.h). Its room holds, one
 * after the other: the entries of the matrix that decides, values of the
 * candidates, their derivatives, which candidate is which state (nstate x n),
 * the states, their derivatives, and whether the choice has changed. */
typedef struct TapeSet {
    int n, nstate;
    int nrow, neliminated, nentry;
    int *at; /* place of each entry in the matrix, row by row */
} TapeSet;

/* What a CALL calls (expr/expr.h): its result `out`. Operands b and c are the
 * plain arguments, and the list is that of the function, or slots in a row.
 * One that gives many results at once writes them to a row of its own, and the
 * first of them to dst too; PICK reads the others there. Nobody else looks at
 * the row, so the slot that CALL writes stands for all of it. */
typedef struct TapeCall {
    const ExprFunction *fn;
    int out;
    int first; /* slot of the list; NONE: it is fn->list, or there is none */
    int row;   /* slot of the results, fn->nout of them; NONE: dst is it */
} TapeCall;

/* A rate of a schedule: what happens at its ticks alone (GUARD). */
typedef struct TapeRate {
    double interval,
        first; /* between ticks; the first one after the start, s */
} TapeRate;

typedef struct TapeSegment {
    const char *name; /* "param", "init", "step", "event", "output", ... */
    int first, count; /* instructions */
} TapeSegment;

/* What a slot with a name holds. */
typedef enum TapeForm {
    TF_PLAIN = 0,
    TF_NEW = 1,     /* the value at the end of the step, not kept */
    TF_PRE = 2,     /* before the event */
    TF_ITERATE = 4, /* at a point from which a block goes on */
    TF_SCALED = 8,  /* times `factor` */
    TF_EVENT = 16,  /* what it becomes if a pass of an event counts */
    TF_KEPT = 32,   /* follows from what else lives from step to step */
} TapeForm;

typedef struct TapeMeaning {
    int entry;  /* of the Inlined table; NONE: none */
    int form;   /* sum of TapeForm */
    int factor; /* TF_SCALED: slot, or NONE */
} TapeMeaning;

/* What a quantity can be set to; finite in any case. */
typedef enum TapeDomain {
    TAPE_REAL,
    TAPE_INTEGER, /* whole, and 32 bits long */
    TAPE_BOOLEAN, /* 0 or 1 */
    TAPE_POSITIVE,
} TapeDomain;

/* A named quantity a user can ask for. */
typedef struct TapeSymbol {
    const char *name;
    int slot;
    double sign, offset; /* value = sign * slot + offset (aliases) */
    TapeDomain domain;
} TapeSymbol;

/* A constant that rounding made off. */
typedef struct TapeInexact {
    int slot;
    double off;
} TapeInexact;

typedef struct Tape {
    Arena *arena;
    Vec(TapeInstr) code;
    Vec(TapeSegment) segment;
    Vec(TapeBlock) block;
    Vec(TapeSystem) system;
    Vec(TapeSymbol) symbol;
    Vec(TapeDelay) delay;
    Vec(TapeSet) set;
    Vec(TapeCall) call;
    Vec(TapeRate) rate;
    double start; /* time of value 0 of the delays */
    int nslot;
    uint8_t *region;        /* of each slot */
    double *initial;        /* first value of each slot: constants, defaults */
    const char **slot_name; /* NULL for temporaries */
    TapeMeaning *meaning;   /* of each slot */
    int slot_capacity;
    int time, step; /* slots of the time and the step size */
    struct TapeConsts *consts;
    Vec(TapeInexact) inexact;
    Vec(TapeOrigin) origin; /* that of number 0 is not known */
    int here;               /* origin of what is emitted now */
} Tape;

Tape *tape_new(Arena *arena);
/* A tape with the same slots, code and segments, to go on from; `t` stays as it
 * is. Lists of slots that blocks and systems point to are shared: nobody
 * changes them. */
Tape *tape_copy(const Tape *t, Arena *arena);
/* A new slot. `name` may be NULL and is not copied. */
int tape_slot(Tape *t, TapeRegion region, const char *name, double initial);
int tape_const(Tape *t, double value); /* one slot for equal bits */
/* The same of one that is off: a slot of its own. With 0 tape_const(). */
int tape_inexact(Tape *t, double value, double off);
/* What a slot is off by: 0 of what is no such constant. */
double tape_off(const Tape *t, int slot);
/* dst = op(a, b, c); with dst NONE a new slot of TR_TEMP. Returns dst. */
int tape_emit(Tape *t, int op, int dst, int a, int b, int c);
/* What is emitted from here on comes from `o`. Returns its number. */
int tape_from(Tape *t, TapeOrigin o);
/* Segments follow each other: begin ... emit ... end. */
void tape_begin(Tape *t, const char *name);
void tape_end(Tape *t);
const TapeSegment *tape_find_segment(const Tape *t, const char *name);
const TapeSymbol *tape_find_symbol(const Tape *t, const char *name);

/* The slots that an instruction reads and writes itself, macros with blocks and
 * systems and the list of a call apart. Returns how many it reads; the slot it
 * writes or NONE. */
int tape_reads(const TapeInstr *in, int slot[3]);
/* The list of a CALL that stands in slots: its first one. Returns how many
 * there are, 0 for every other instruction. */
int tape_list(const Tape *t, const TapeInstr *in, int *first);
/* The same of the results of a CALL that gives many. */
int tape_row(const Tape *t, const TapeInstr *in, int *first);
int tape_writes(const TapeInstr *in);
/* How many instructions after the one at `at` are its body. */
int tape_body(const Tape *t, int at);
void tape_print(const Tape *t, FILE *out); /* --dump=tape */
/* Asserts that slots, ranges and numbers are in range, and that a temporary is
 * written before it is read within its segment. */
void tape_check(const Tape *t);

#endif
