/* expr_internal.h - how the DAG is stored and walked; for src/expr only.
 *
 * Nodes live in chunks that never move, so that a pointer to a node stays
 * valid. A hash table with open addressing finds a node by its content. A walk
 * marks the nodes it saw in a Scratch: an array over the handles with a stamp
 * for each, so that a walk costs what it visits and forgets it in no time.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EXPR_EXPR_INTERNAL_H
#define TAKT_EXPR_EXPR_INTERNAL_H

#include "base/die.h"
#include "base/intern.h"
#include "base/vec.h"
#include "expr/expr.h"
#include "expr/ops.h"

/* ---- operations ---- */
/* A set of operations as bits. */
#define OP_BIT(op) ((uint64_t)1 << (op))
_Static_assert(EX_NOP <= 64, "operations fit in a set of 64 bits");

/* ---- storage ---- */
#define CHUNK_BITS 10
#define CHUNK_SIZE (1 << CHUNK_BITS)
#define CHUNK_MASK (CHUNK_SIZE - 1)

typedef struct Slot {
    uint32_t hash;
    uint32_t id; /* handle + 1; 0: empty */
} Slot;

typedef struct Scratch Scratch;

typedef struct ScratchPool {
    Scratch *free;
    Arena *arena;
} ScratchPool;

/* The last call of constants that gives many results (function.c). */
typedef struct LastFold {
    int fn;
    Vec(double) arg;
    Vec(double) all;
    Vec(double) off; /* what rounding made of them */
} LastFold;

struct Dag {
    Arena *arena;
    ExprNode **chunk; /* chunk[e >> CHUNK_BITS][e & CHUNK_MASK] */
    int nchunk, chunk_cap;
    int count;
    Slot *slot; /* size mask + 1, a power of two */
    uint32_t mask;
    char *spare; /* memory of an outgrown table, used for chunks */
    size_t spare_size;
    Intern *strings;
    ScratchPool *pool; /* changes also where the Dag is const */
    int depth;         /* of rewriting in expr_make */
    Vec(ExprFunction) function;
    LastFold last_fold;
    int most_turns; /* of loops in functions; 0: no limit */
};

static inline const ExprNode *node_of(const Dag *d, Expr e)
{
    return &d->chunk[e >> CHUNK_BITS][e & CHUNK_MASK];
}

static inline ExprOp op_of(const Dag *d, Expr e)
{
    return (ExprOp)node_of(d, e)->op;
}

/* The arguments of a node: an array of n->narg handles. */
static inline const Expr *args_of(const ExprNode *n)
{
    return n->op == EX_CALL ? n->args : n->arg;
}

/* A constant of any numeric type. */
Expr expr_constant(Dag *d, ExprType type, double value);
/* What `value`, the result of a folded operation on constants, is off by; and
 * the constant for it (inexact.c). */
double inexact_error(const Dag *d, ExprOp op, const Expr *arg, double value);
Expr inexact_result(Dag *d, double value, double error);
/* What a number of the DAG may be off by: 0 if it was not folded. */
double inexact_left(const Dag *d, Expr e);
/* The type of a node of operation `op` with these arguments. */
ExprType expr_type_of(const Dag *d, ExprOp op, Expr a, Expr b, Expr c);

/* The node `e` with other arguments, simplified; EXPR_NONE if one of them is.
 */
Expr expr_rebuild(Dag *d, Expr e, const Expr *arg);

/* ---- scratch and walks ---- */
typedef struct Cell {
    uint32_t stamp; /* epoch: opened, epoch + 1: done, else not seen */
    int32_t value;  /* free for the user of the walk */
} Cell;

typedef Vec(Expr) ExprVec;
typedef Vec(double) DoubleVec;

struct Scratch {
    Cell **chunk;
    int nchunk;
    uint32_t epoch;
    ExprVec stack;
    ExprVec list;     /* for the user */
    DoubleVec number; /* for the user */
    DoubleVec arg;    /* of a call */
    ScratchPool *pool;
    Scratch *next;
};

Cell *scratch_grow(Scratch *s, Expr e);

static inline Cell *scratch_cell(Scratch *s, Expr e)
{
    int k = e >> CHUNK_BITS;
    if (k < s->nchunk && s->chunk[k])
        return &s->chunk[k][e & CHUNK_MASK];
    return scratch_grow(s, e);
}

/* A table from handles to handles that lives from call to call. */
typedef struct Memo {
    Arena *arena;
    struct MemoSlot {
        uint32_t key; /* handle + 1; 0: empty */
        Expr value;
    } * slot;
    uint32_t mask;
    uint32_t n;
} Memo;

void memo_init(Memo *m, Arena *arena);
bool memo_find(const Memo *m, Expr key, Expr *value);
void memo_set(Memo *m, Expr key, Expr value);

/* A walk over what is reachable from some roots, arguments first:
 *
 *     Walk w = walk_begin(d);
 *     walk_push(&w, root);
 *     for (Expr e; (e = walk_next(&w)) != EXPR_NONE;)
 *         *walk_value(&w, e) = ...walk_value(&w, argument)...;
 *     walk_end(&w);
 *
 * Nodes may be added meanwhile, and other walks may run. */
typedef struct Walk {
    const Dag *d;
    Scratch *s;
    uint64_t stop; /* operations whose arguments are not entered */
    Expr least;    /* handles below this one are not visited */
    Memo *memo;    /* what is found there is not visited, but gets its value */
} Walk;

Walk walk_begin(const Dag *d);
void walk_push(Walk *w, Expr root);
Expr walk_next(Walk *w);
void walk_end(Walk *w);

static inline int32_t *walk_value(Walk *w, Expr e)
{
    return &scratch_cell(w->s, e)->value;
}

/* Was `e` finished in this walk? */
static inline bool walk_seen(Walk *w, Expr e)
{
    return scratch_cell(w->s, e)->stamp == w->s->epoch + 1;
}

/* ---- calls (function.c) ---- */
/* Results of functions that give many at once, of one evaluation. */
typedef struct CallResults {
    Expr first; /* node of result 0 */
    const double *all;
} CallResults;

typedef struct CallMemo {
    CallResults *at;
    int n, cap;
    Arena *arena; /* NULL: nothing is in it */
} CallMemo;

/* The value of the CALL node `e` whose arguments are arg[]; a function that
 * gives many results runs once for all of them. */
double function_value(const Dag *d, Expr e, const double *arg, CallMemo *memo);
void function_forget(CallMemo *memo);
/* The value of a call whose arguments are constants, and what rounding made it
 * off by; false: it has none, or none that is finite. */
bool function_fold(Dag *d, int fn, int out, const Expr *arg, int narg,
                   double *value, double *off);
/* The derivative of the CALL node `e` by argument i, or EXPR_NONE. */
Expr function_derivative(Dag *d, Expr e, int i);

/* ---- derivatives ---- */
/* Operations whose derivative is 0 whatever their arguments are. */
extern const uint64_t expr_flat_ops;

/* The derivative of node `e`, which is no leaf and none of those, from the
 * derivatives da[] of its arguments. EXPR_NONE among them spreads where it
 * counts, and comes from a call without derivative. */
Expr diff_rule(Dag *d, Expr e, const Expr *da);

#endif
