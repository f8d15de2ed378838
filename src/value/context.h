/* context.h - the run, and where it stands.
 *
 * Everything that turns syntax into values is told by a Context for whom and
 * under which condition it does so. There is no other state of this kind: a
 * function that evaluates a part under other conditions passes a changed copy.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_VALUE_CONTEXT_H
#define TAKT_VALUE_CONTEXT_H

#include "base/diag.h"
#include "base/intern.h"
#include "flat/flat.h"

typedef struct Context Context;

/* A call of a function on the way here, for messages. */
typedef struct Call {
    const struct Call *up; /* the call around it, NULL: none */
    const char *function;
    Span span;
    int depth; /* 1: the outermost */
} Call;

/* What a run counts, whatever it evaluates. */
typedef struct Run {
    const Context *root; /* of what belongs to no expression: the model */
    int depth;           /* nesting of evaluation, against endless recursion */
    long work;           /* steps of compile-time evaluation so far */
    bool exhausted;      /* a limit was passed: nothing more is evaluated */
    Span exhausted_at;
    Diag *silence;                 /* of trials, NULL: there was none */
    const struct Type **enum_type; /* by enumeration */
    int nenum_type;
} Run;

/* The run, and where it stands: for whom and under which condition something
 * is evaluated. A Context is passed down and never changed; whoever evaluates
 * a part under other conditions makes a copy for it. */
struct Context {
    /* the same everywhere */
    Intern *names;
    Arena *arena; /* what lasts as long as the model */
    Dag *dag;
    Flat *flat; /* under construction: tables grow */
    Run *run;
    struct Memo *memo;           /* what evaluation remembers */
    const struct Lookup *lookup; /* who knows the classes, for evaluation */
    struct Structure *structure; /* what they know */
    /* where reports and what is left behind go: a trial has its own */
    Diag *diag;
    struct Ledger *ledger; /* NULL: to the model */
    /* here */
    Arena *scratch;  /* values, and what is needed to make them: the call of a
                        function has its own, which ends with it; else `arena` */
    Expr path;       /* what is evaluated counts only if this holds */
    int component;   /* owner of assertions that functions make */
    bool is_initial; /* inside an initial equation or initial algorithm */
    bool in_when;    /* inside a when: pre() of a continuous variable is allowed
                        there */
    bool forbids_impure;   /* no impure function may be called here (12.3) */
    struct Hidden *hidden; /* what calls leave in this branch of a when clause;
                              NULL: no such */
    bool in_connect;    /* in the arguments of a connect: conditional components
                           can be named there */
    bool keeps_tunable; /* folding does not make parameters structural */
    bool only_size;     /* in the argument of size() or ndims(): what has no
                           value, as a model, counts as a number */
    int clock;          /* inside `when clock`: for FlatEqn.clock */
    int end; /* what `end` stands for: the size of the dimension whose subscript
                is evaluated; NONE: no subscript */
    const Call *call;     /* innermost, NULL: none */
    struct Exec *exec;    /* innermost function or section, NULL: none */
    size_t memory_before; /* bytes in use when the outermost of them began */
};

/* The same place, narrowed by a condition. */
Context context_narrow(const Context *in, Expr condition);
/* The same place for another owner. */
Context context_owned(const Context *in, int component);

/* The same place, with values that last. */
Context context_lasting(const Context *in);

/* Conditions. */
Expr expr_and(const Context *in, Expr a, Expr b);
Expr expr_not(const Context *in, Expr a);
/* Is it known? Then *x is its value. */
bool expr_const_bool(const Context *in, Expr e, bool *x);

/* Reports with notes that tell which calls led here. */
void context_report(const Context *in, Span span, DiagCode code,
                    const char *fmt, ...) TAKT_PRINTF(4, 5);

#endif
