/* simplify_internal.h - what the steps of simplify share.
 *
 *   declare.c    roles of constants and parameters, their order
 *   freeze.c     parameters that become numbers
 *   expand.c     edge, change, der(expression); constants put in their place
 *   texts.c      comparisons of Strings that change
 *   when.c       when clauses become equations and actions
 *   propagate.c  the work list that finds constants and aliases
 *   merge.c      attributes of aliases, the one that represents them
 *   unread.c     variables nobody reads
 *   integers.c   Integers that leave their range
 *   values.c     values given by the user; start values as parameters
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_SIMPLIFY_SIMPLIFY_INTERNAL_H
#define TAKT_SIMPLIFY_SIMPLIFY_INTERNAL_H

#include "base/vec.h"
#include "simplify/simplify.h"

typedef struct Work {
    const Flat *flat;
    Dag *dag;
    Sys *sys;
    SimplifyOptions options;
    Arena *arena; /* of the result */
    Arena *tmp;   /* until simplify() returns */
    Diag *diag;
    bool *varies;    /* changes between events; size flat->nvar */
    bool *is_frozen; /* parameters that become numbers, or NULL; likewise */
    double *number;  /* and their values */
    int *ordinal; /* of each component: last number of an equation, or NULL */
    Vec(SysEqn) eqn;
    Vec(SysEqn) initial;
    Vec(SysAction) action;
    Vec(SysEqn) redundant;
    Vec(int) redundant_eqn; /* the same as numbers in eqn */
    Vec(int) param;         /* order of evaluation */
    /* of each variable, sized when the number of variables is final */
    int *parent;       /* union-find: itself for a root */
    signed char *sign; /* value = sign * parent */
    Expr *known;       /* of a root: its value by parameters, or EXPR_NONE */
    int *known_by;     /* equation that told it */
    bool *is_gone;     /* of each equation: used up */
} Work;

/* A constant of the type of a variable. */
Expr simplify_constant_of(Dag *d, FlatType type, double value);
/* The same of a variable that is one, with what it is off by. */
Expr simplify_value_of(Dag *d, const SysVar *x);
/* sign * e, or `not e` for a Boolean with sign -1. */
Expr simplify_signed_expr(Dag *d, FlatType type, int sign, Expr e);
/* The root of v; *sign gets v = sign * root. Compresses the path. */
int simplify_find_root(Work *w, int v, int *sign);
ExprType simplify_type_of(FlatType type);

/* The text of a String that cannot change: a number cannot stand for it in a
 * run, so whoever compares it gets the text itself. EXPR_NONE: not known. */
Expr simplify_text_of(Work *w, Expr e);
void simplify_declare_variables(Work *w);
/* Calls `decide` for every parameter, after those that its binding needs. A
 * circle is left open; it is reported if `report`. */
typedef void SimplifyDecide(Work *w, int v, void *context);
void simplify_visit_parameters(Work *w, SimplifyDecide *decide, void *context,
                               bool report);
/* Finds what options.tunable does not leave settable: Work.is_frozen. */
void simplify_freeze(Work *w);
/* Is v an element of an array that is 0, 1 or -1, and not named as tunable? */
bool simplify_is_plain(const Work *w, int v, double value);
void simplify_expand_expressions(Work *w);

/* ---- texts.c ---- */
typedef struct Texts Texts;
/* The expanded form of an expression of Flat. */
typedef Expr TextsExpand(void *context, Expr e);
Texts *simplify_texts_new(Work *w, TextsExpand *expand, void *context);
/* a == b, a < b, ... of Strings as a Boolean by cases; both are expanded.
 * EXPR_NONE: their texts are not those of the model. */
Expr simplify_texts_compare(Texts *t, ExprOp op, Expr a, Expr b);

/* `when` has expanded expressions; size flat->nwhen. */
void simplify_expand_whens(Work *w, const FlatWhen *when);
void simplify_propagate(Work *w);
/* Notes that name what determines the variables of equation i. */
void simplify_note_causes(Work *w, int i);
void simplify_merge_aliases(Work *w);
/* Rows of semiLinear() are determined at zero flow too (semilinear.c). */
void simplify_join_semilinear(Work *w);
void simplify_remove_unread(Work *w);

/* Adds assertions: Integers stay within 32 bits. */
void simplify_guard_integers(Work *w);

/* ---- quiet.c ---- */
typedef Vec(Expr) Roots;
/* All that is looked at between events; what is left are bodies of when
 * clauses. */
Roots simplify_roots_outside(Work *w);
Roots simplify_roots_inside(Work *w);
/* What only bodies of when clauses read makes no events. */
void simplify_quiet_whens(Work *w);

/* Fills SysVar.felt (felt.c). */
void simplify_find_felt(Work *w);

/* ---- values.c ---- */
/* Obeys options.set: fills Sys.set and changes start values. False after a
 * report. */
bool simplify_set_values(Work *w);
void simplify_free_starts(Work *w);

#endif
