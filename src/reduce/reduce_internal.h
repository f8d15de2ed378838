/* reduce_internal.h - what the steps of reduce share.
 *
 *   reduce.c     the order of the steps
 *   structure.c  incidence of the system; is it regular?
 *   told.c       rows whose derivatives are told
 *   explain.c    says why not, in the names of the model
 *   natural.c    states where derivatives enter in fixed combinations
 *   rank.c       is the leading Jacobian regular? removes constant
 *                dependencies
 *   zeros.c      parameters that are 0 where structure needs them not to be
 *   jacobian.c   its entries as expressions and numbers
 *   prefer.c     derivatives of preferred variables that nobody
 *                differentiates
 *   select.c     dummy derivatives: which variables are states
 *   pivot.c      the sparse elimination behind the choice
 *   assemble.c   equations and unknowns of the Dae
 *   sets.c       dynamic state selection
 *   set_matrix.c the matrix that decides it
 *   init.c       the initialisation system
 *   derivatives.c  derivatives that only initial equations have
 *   surplus.c    says which initial conditions are too many
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_REDUCE_REDUCE_INTERNAL_H
#define TAKT_REDUCE_REDUCE_INTERNAL_H

#include "base/vec.h"
#include "graph/blt.h"
#include "graph/dm.h"
#include "graph/signature.h"
#include "reduce/reduce.h"

/* An equation in which derivatives are told: as it is, differentiated once, and
 * so on. */
typedef struct ToldRow {
    Vec(SysEqn) form; /* both sides count */
} ToldRow;

/* The continuous part of the system: equations and unknowns that are neither
 * discrete nor determined by equations of discrete variables. */
typedef struct Part {
    int n;
    int *eqn;    /* size n: number in Reduce.eqn */
    int *var;    /* size n: variable of each column */
    int *column; /* size sys->nvar: column of a variable, or NONE */
    const Incidence *sigma;
    const Offsets *offsets;
    const Incidence *leading; /* structure of the leading Jacobian */
    ToldRow **told; /* size n: of each row; NULL: it has none, or no row has */
    const Incidence *last; /* with told rows: `leading` of stage 0 */
} Part;

/* A point at which expressions are evaluated. */
typedef struct Point {
    const double *value; /* of the variables */
    double time;
    unsigned random; /* seed for derivatives; 0: they are 0 */
} Point;

/* Variable `name` stands for the derivative of `var`. */
typedef struct Named {
    int var, name;
} Named;

typedef struct Reduce {
    Sys *sys;
    Dag *dag;
    ReduceOptions options;
    Arena *arena; /* of the result */
    Arena *tmp;   /* until reduce() returns */
    Diag *diag;
    Vec(SysEqn) eqn;       /* those of Sys, then of auxiliary variables */
    Vec(SysEqn) redundant; /* found by the rank test, as they were */
    bool *is_discrete_eqn; /* of each: determines a discrete variable */
    bool *varies;          /* of each variable: changes between events */
    double *start;         /* value of each variable at the start point */
    bool is_deceived;      /* Dae.is_deceived */
    int preferred;         /* so much of the index comes from prefer.c */
    Vec(int) zero;         /* parameters that make factors 0: numbers */
    bool has_told;         /* derivatives of some results are told */
    bool told_fails;       /* with them states cannot be chosen */
    bool keeps_lost;       /* for that, what such rows lose is not lost */
    int nnatural;          /* states that natural.c added */
    char *vanishes;        /* of each variable: is it 0 by its parameters? */
    Expr *definition;      /* of each: e where an equation says v = e */
    Vec(Named) named;
    Part part;
    int stage;     /* that Part.leading is of */
    int *selected; /* of each column: how many of its derivatives are dummies */
    Dae *dae;
} Reduce;

/* The leaf VAR(v, order). */
Expr reduce_leaf_of(const Reduce *r, int var, int order);
/* All leaves of both sides of an equation; where a derivative is told those of
 * the value alone. */
int reduce_eqn_leaves(Reduce *r, const SysEqn *e, Expr **leaf, Arena *arena);
/* All pre(v) in an equation. */
int reduce_eqn_pres(Reduce *r, const SysEqn *e, Expr **pre, Arena *arena);
/* Is the equation between Booleans, Integers or discrete Reals of a when? */
bool reduce_is_discrete_valued(const Reduce *r, const SysEqn *e);
/* Can a discrete-valued equation determine `leaf`: is it one side alone? */
bool reduce_is_side(const Reduce *r, const SysEqn *e, Expr leaf);

/* structure.c: false after an error was reported. */
bool reduce_check_structure(Reduce *r);
bool reduce_find_part(Reduce *r);

/* told.c: are there derivatives that are told? */
bool reduce_sees_told(const Reduce *r);
/* The rows of the part in which they are, not differentiated yet. */
void reduce_find_told(Reduce *r);
/* Differentiates them as often as the offsets say. Returns whether one was:
 * the offsets must be found again. */
bool reduce_differentiate_told(Reduce *r);
/* What differentiated rows have lost is differentiated as often as if they had
 * not. */
void reduce_keep_lost(Reduce *r);
/* From now on the offsets count from the rows as they were. */
void reduce_count_told(Reduce *r);
/* A row as it is; where derivatives are told, differentiated as often as it is
 * in this stage of the choice of states, or as it was so far (NONE). */
const SysEqn *reduce_form(const Reduce *r, int row, int stage);
/* The order of a column that its entry in the leading Jacobian is of. */
int reduce_form_order(const Reduce *r, int row, int col);
/* The leading Jacobian is that of a stage, 0 of the equations as they are
 * solved. Without told rows they are all the same. */
void reduce_set_stage(Reduce *r, int stage);
/* Adds an unknown for a derivative that only a told one speaks of. Returns
 * whether there was one. */
bool reduce_ask_told(Reduce *r);
void reduce_report_told(Reduce *r); /* there are no offsets */
/* Equations in which they were used are differentiated as they are written:
 * there were constraints between states that only their values show. */
void reduce_write_told_out(Reduce *r);
/* The values alone, when everything is differentiated. */
void reduce_forget_told(Reduce *r);

/* explain.c */
void reduce_explain_singular(Reduce *r, const Incidence *inc, const Dm *dm,
                             const int *var);

/* jacobian.c: dF_i/dx_j for the edge of `leading`, EXPR_NONE if unknown. */
Expr reduce_jacobian_entry(Reduce *r, int row, int col);
bool reduce_is_parametric(Reduce *r, Expr e); /* constant during a run */
double reduce_point_value(Reduce *r, Expr e, const Point *p);
double *reduce_random_values(Reduce *r, unsigned seed);

/* natural.c: equations and variables are replaced and added. */
void reduce_find_natural_states(Reduce *r);

/* rank.c: true if an equation was replaced and the analysis must repeat. */
bool reduce_remove_dependencies(Reduce *r, int round);
/* A fraction with a small denominator that is x up to rounding, or x. */
double reduce_tidy(double x);

/* zeros.c: equations v = e, and which unknowns vanish by their parameters. */
void reduce_find_definitions(Reduce *r);
/* Unknowns in n entries that vanish are 0 in the tables of values. */
void reduce_see_zeros(Reduce *r, const Expr *entry, int n, double *const *value,
                      int nvalue);
/* Finds the parameters that make entries of a singular block 0. Returns whether
 * there are any. */
bool reduce_find_zeros(Reduce *r, const Expr *entry, int n);
/* Their names, in the Dae. */
void reduce_give_zeros(Reduce *r);

/* select.c */
typedef struct Candidates {
    int *column; /* columns that compete */
    int ncolumn;
    int nstate; /* how many of them stay states */
    int *row;   /* rows that decide */
    int nrow;
    int stage;              /* leaf of column j: order d_j - stage */
    int *initial;           /* columns chosen as states, size nstate */
    int *all_row, nall_row; /* rows of the matrix that decides */
    int *other, nother;     /* columns in it that are no candidates */
} Candidates;
typedef Vec(Candidates) CandidatesVec;
void reduce_select_states(Reduce *r, CandidatesVec *sets);

/* pivot.c: chooses independent columns of a matrix given by column. */
typedef struct PivotMatrix {
    int nrow, ncol;
    const int *start; /* size ncol+1 */
    const int *row;   /* row numbers */
    const double *value;
    const bool *varying;
} PivotMatrix;
typedef struct PivotChoice {
    int nchosen;
    int *row_of;      /* size ncol: NONE if not chosen */
    int *col_of;      /* size nrow: NONE if no column was left for it */
    bool *is_varying; /* size nrow: of the pivot */
    /* rows with a varying pivot in which an unchosen column has an entry */
    Vec(int) alternative_row;
    Vec(int) alternative_col;
} PivotChoice;
/* The columns in `order` are tried first to last. They come in groups
 * group[g] .. group[g+1]-1: all of a group are tried, with small pivots too,
 * before the next. */
PivotChoice *reduce_pivot_choose(const PivotMatrix *m, const int *order,
                                 const int *group, int ngroup, Arena *out);

/* assemble.c, sets.c, init.c, surplus.c: false after an error. */
bool reduce_name_derivative_states(Reduce *r);
/* A variable with StateSelect.always gets a derivative where it has none. */
void reduce_differentiate_always(Reduce *r);
/* An unknown for der(v), and the equation that says so. */
void reduce_add_derivative(Reduce *r, int v);
/* prefer.c: the same for preferred ones whose derivative is at hand. Returns
 * whether there was one: the analysis must repeat. */
bool reduce_differentiate_preferred(Reduce *r);
bool reduce_assemble(Reduce *r);
/* ---- inputs.c ---- */
void reduce_close_inputs(Reduce *r);
void reduce_add_state_sets(Reduce *r, const CandidatesVec *sets);
/* set_matrix.c: eliminates columns that are no candidates from the entries of a
 * set, as far as pivots are there that never change. */
void reduce_shrink_matrix(Reduce *r, DaeStateSet *s);
bool reduce_make_initial(Reduce *r);

/* surplus.c: row `row` of the initialisation system found no unknown. Returns
 * false if it contradicts the others. */
typedef struct InitSystem {
    Reduce *r;
    Vec(SysEqn) eqn;
    Vec(Expr) unknown;
    const Incidence *inc;
    Match *match;
    int *column; /* by handle of the leaf: the unknown, or NONE */
    int ncolumn; /* handles beyond are new */
} InitSystem;
bool reduce_judge_surplus(InitSystem *s, int row);
static inline int reduce_init_column(const InitSystem *s, Expr leaf)
{
    return (int)leaf < s->ncolumn ? s->column[leaf] : NONE;
}

/* derivatives.c: derivatives in rows from .. to - 1 that are no unknowns become
 * unknowns, with equations of their own after the others; the first `nmodel`
 * rows are those of the Dae. Nothing is added where one cannot be found. */
void reduce_add_derivatives(InitSystem *s, int nmodel, int from, int to);

#endif
