/* inlined.h - difference equations: the model with its integration method
 * inside.
 *
 *   made by   inline/inline.h      Dae (or Sys) + Plan -> Inlined
 *   read by   schedule/schedule.h  one InlinedSystem -> Schedule
 *             lower/               values between steps (carry lists)
 *
 * A Inlined has one table of values, `var`, and several systems of equations
 * over it. A leaf VAR(i, 0) in these equations is entry i of the table; order 0
 * always, derivatives are entries of their own. TIME is t_{n+1}, the end of the
 * step. The entries 0 .. sys->nvar-1 are the variables of Sys under their own
 * numbers: parameters, inputs and, for unknowns, the value at the end of the
 * step. So the model's equations at the end of the step look as in the Dae.
 * After them come
 *
 *     der(x)     x' at the end of the step (all orders >= 1)
 *     x@2        x at stage 2, der(x)@2
 *     old(x)     x at t_n;  old2(x) at t_{n-1}, ...;  old(der(x)), ...
 *     u@1        an input at the time of stage 1
 *     inc(x)@1   the increment of x in stage 1 of a Rosenbrock method: how x
 *                changes by the model linearised at t_n
 *     h          the step size: not a number, so that it can be changed, and a
 *                division by it be seen
 *     rel#3      a relation, frozen during the solve (below)
 *
 * Backward Euler on x' = -x:      system STEP, unknowns x, der(x)
 *     der(x) = -x                 IE_MODEL, end of the step
 *     x = old(x) + h*der(x)       IE_INTEGRATION
 *     carry: old(x) := x
 *
 * --- How values move between steps ---
 * A step is: choose the system (below), set inputs and time, evaluate its
 * schedule, look at the relations, then do the carry list of that system. After
 * it every old value stands for the new t_n. The first step needs the values
 * that the INIT system gives (x, der(x) and y at t_0 in the end-of-step
 * entries): `first` is the carry list that moves them to the old values. Values
 * of unknowns stay in their entries and start the next iteration, unless
 * InlinedVar.guess says otherwise.
 *
 *     step k = 0, 1, ...:
 *         system = k < nstart ? start[k] : cycle[(k - nstart) % ncycle]
 * with k counted again from 0 where the history was broken (reinit).
 *
 * --- Relations and discrete variables ---
 * Relations and functions that generate events (x > 0, floor(x)) outside of
 * noEvent, and that depend on time or a continuous unknown, are IV_RELATION
 * values during the solve: known, equal in all stages; those of time alone are
 * taken at the time of the stage. `relation` gives what
 * each is to be compared with after the solve, from values at the end of the
 * step. If one differs, the model is evaluated there with the new values. So a
 * source that jumps at a grid point acts from that point on. Those that depend
 * on parameters, inputs and discrete variables only are evaluated in place, at
 * the end of the step.
 * Discrete equations exist once, at the end of the step. A discrete variable
 * that depends on continuous unknowns otherwise than by relations (a sampled
 * signal) is `late`: the continuous equations see its value from t_n, as after
 * sampling at t_{n+1} it acts from t_{n+1} on. The others are computed first
 * and seen by all stages.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INLINE_INLINED_H
#define TAKT_INLINE_INLINED_H

#include "base/vec.h"
#include "dae/dae.h"
#include "plan/plan.h"

/* Events of time so near to an end of a step, in parts of it, are at that end:
 * rounding does not decide. */
#define INLINED_EDGE (1.0 / 1024)

#define DIFF_END (-1) /* "stage" of values at the end of the step */

/* "Stages" of errors: copies of the linearised model, and results. */
enum {
    COPY_FILTER = 0,
    COPY_LOCAL = 1000,
    COPY_RUNNING = 1001,
    COPY_SIZE = 1003 /* no error: the largest |x| so far */
};

typedef enum InlinedKind {
    IV_UNUSED,    /* Sys variables that take no part: constants, aliases, ... */
    IV_PARAMETER, /* known; free parameters are unknowns of INIT */
    IV_INPUT,     /* known: input sys_var (its order-th derivative) at the time
                     t_n + c h */
    IV_VALUE,     /* quantity VAR(sys_var, order) at stage `stage` */
    IV_INCREMENT, /* change of VAR(sys_var, order) in stage `stage` */
    IV_FORCING,   /* what drives the increment of a state in stage `stage`;
                     sys_var NONE: the increment of time */
    IV_OLD,       /* the same as IV_VALUE at t_{n+1-back}, back >= 1 */
    IV_STEP,      /* h */
    IV_RELATION,  /* frozen relation number `relation` */
    IV_DELAY,     /* delayed expression number `relation` at t_n + c h */
    IV_ERROR,     /* of an estimate: error of VAR(sys_var, order) in copy
                     `stage` of the linearised model; sys_var NONE: other
                     figures of it */
    IV_SOURCE,    /* what drives that of a state; sys_var NONE: time */
    IV_KEPT,      /* what entry `source` was at the end of the step before */
    IV_SINCE,     /* whole steps since the history was broken */
    IV_WEIGHT,    /* of a slope in the estimate of a step of any length */
} InlinedKind;

typedef struct InlinedVar {
    InlinedKind kind;
    const char *name; /* as shown above */
    ExprType type;
    int sys_var, order; /* the leaf of the Dae it stands for; NONE if none */
    int stage;          /* of these: 0 .. nstage-1, or DIFF_END */
    double c;           /* time t_n + c h; 1 at the end of the step */
    int back;           /* IV_OLD; IV_DELAY of IP_SPREAD: what is asked for
                           (spread/spread.h) */
    int relation;       /* IV_RELATION, IV_DELAY */
    int source;         /* IV_KEPT: entry */
    Expr leaf;          /* VAR(i, 0) */
    Expr guess; /* IV_VALUE, IV_INCREMENT: where a Newton iteration starts, over
                   other entries; EXPR_NONE: from the value it has */
    Expr frozen;     /* what stands for it in the iteration matrix, over
                        other entries: its value at t_n; EXPR_NONE: itself */
    Expr correction; /* guess - leaf, if an equation reads it: lower/ takes
                        the correction of the iteration for it, which is
                        not a difference of rounded values; else EXPR_NONE */
    bool is_state;   /* the quantity is a state of the Dae */
    bool is_discrete;
} InlinedVar;

typedef enum InlinedEqnKind {
    IE_MODEL,       /* equation `from` of the Dae (of Sys if direct) */
    IE_LINEAR,      /* the same, linearised at t_n, of a Rosenbrock method */
    IE_INTEGRATION, /* formula of state `state` at a stage */
    IE_ADVANCE,     /* x_{n+1} = x_n + h sum b_j X'_j, or the like */
    IE_INITIAL,     /* equation `from` of DaeInit */
    IE_PARAMETER,   /* value of a parameter */
} InlinedEqnKind;

typedef struct InlinedEqn {
    Expr lhs, rhs;
    InlinedEqnKind kind;
    int from;  /* see above, NONE else */
    int state; /* number of the state, NONE else (of leaf in direct mode) */
    int stage; /* of its values */
    int component, ordinal; /* as in SysEqn */
    Span span;
    bool is_discrete;
    bool is_linearised; /* IE_MODEL as newton.c has written it */
} InlinedEqn;

/* var := sign * target: an equation that only gives a quantity a second name
 * (der(x) = v), taken out of the system. */
typedef struct InlinedAlias {
    int var, target;
    int sign;
} InlinedAlias;

typedef struct InlinedCarry {
    int to, from; /* var[to] := var[from] */
} InlinedCarry;

/* How far a point of a Rosenbrock method is from the linearised model: of state
 * k it is rho_k = sum_i factor_i term_ki, and the defect of the step solves
 * W eta = rho. What W does is seen in the first increments, which solve W
 * increment = drive. */
typedef struct InlinedBeyond {
    int nterm;
    Expr *factor;            /* size nterm: numbers, parameters, the step */
    Expr *term;              /* of state k at k * nterm; EXPR_NONE: rho is 0 */
    Expr *drive, *increment; /* of each state */
} InlinedBeyond;

/* As many equations as unknowns; every other entry of the table is known. */
typedef struct InlinedSystem {
    const char *name;     /* "step", "start", "event", "init", "parameters" */
    const Method *method; /* of a step; NULL else */
    InlinedEqn *eqn;
    int neqn;
    int *unknown; /* entries of the table, size nunknown; stage by stage */
    int nunknown; /* equals neqn in a regular system */
    InlinedAlias *alias; /* to be evaluated after the system, in this order */
    int nalias;
    InlinedCarry *carry; /* after the step; in an order that works one by one */
    int ncarry;
    Expr *invariant; /* ought to be 0, beyond the equations; size ninvariant */
    int ninvariant;
    /* of each state the correction that one more iteration would make, where
     * increments have it without one; NULL: blocks have their own */
    Expr *defect;
    const InlinedBeyond *beyond; /* where they have not, NULL: none */
    int newton;   /* Newton iterations that the method prescribes, 0: any */
    int estimate; /* system that estimates the error after this one, or NONE */
    bool is_estimate; /* it is such a system itself */
} InlinedSystem;

/* After a solve, `leaf` is compared with the value of `now`, an expression over
 * the end of the step. */
typedef struct InlinedRelation {
    int var;  /* entry of the table */
    Expr now; /* for a relation: Boolean; for floor and the like: its value */
    bool is_of_time;  /* nothing continuous in it but time */
    bool acts_inside; /* of time alone: a stage has its value at its own time;
                         else it acts at the end of the step, as others do */
    Expr after; /* of time alone: just after the present point, where the next
                   step begins; with other relations of time in it: with these
                   there, so that both move at once */
} InlinedRelation;

/* A relation of time alone as it stands in the equations of a stage, and what
 * it is where the step begins. */
typedef struct InlinedInside {
    Expr value, first;
    int relation;
} InlinedInside;

/* What is remembered of an expression. */
typedef enum InlinedPast {
    IP_DELAY,  /* delay(): its past */
    IP_NUMBER, /* its last value */
    IP_SPREAD, /* spatialDistribution(): `expr` is x. In front of it stand as
                  IP_NUMBER npoint places, as many first values, what flows in,
                  the direction and the time */
} InlinedPast;

/* The value of `expr` (end of the step) at the time TIME - delay. */
typedef struct InlinedDelay {
    int var; /* IP_DELAY; else NONE */
    Expr expr, delay, max;
    bool is_discrete; /* `expr` changes at events only */
    InlinedPast past;
    int npoint; /* IP_SPREAD */
} InlinedDelay;

/* Where those of IP_SPREAD number i stand. */
static inline int inlined_spread_inflow(int i)
{
    return i - 3;
}
static inline int inlined_spread_side(int i)
{
    return i - 2;
}
static inline int inlined_spread_time(int i)
{
    return i - 1;
}
static inline int inlined_spread_first(const InlinedDelay *delay, int i)
{
    return i - 3 - 2 * delay[i].npoint;
}

/* An equation in which the plan uses old values ("step" cuts): what it would
 * have left over with the new ones. Gustafsson 2021, section 8, asks for it. */
typedef struct InlinedLag {
    Expr now, old; /* the variable at the end of the step, and what is there in
                      its place */
} InlinedLag;

typedef struct InlinedLagged {
    const char *eqn; /* name in the plan */
    const char *var; /* lagged variables, "VC, I2" */
    Vec(InlinedLag) lag;
    Expr residual; /* lhs - rhs, at the end of the step */
    Span span;
} InlinedLagged;

/* What the systems `estimate` find, as entries of the table (estimate.c). */
typedef struct InlinedEstimate {
    PlanEstimate mode; /* PE_OFF: there is none */
    int n;             /* states of the Dae */
    int *local;        /* error of the step, of each state */
    int *running;      /* error of the run so far; NULL: not asked for */
    int *weight;       /* PE_CONTROL: entries to be set before the estimate, in
                          the order of estimator_weights(); NULL: none */
    int nweight;
    int filter; /* entry of gamma, where an estimate may have no filter; NONE:
                   it always has */
    int order;  /* PE_CONTROL without weights: of the formula it is the error of
                 */
    int since;  /* IV_SINCE, to be set before the estimate */
    int worst, state; /* largest over max(nominal, |x|) in this step; number
                         of the state, from 0 */
    int largest, largest_state, largest_time; /* the same, of the run */
    int opaque; /* PE_OFF: equation of the model with a function that has no
                   derivative, NONE: nobody asked */
} InlinedEstimate;

typedef struct Inlined {
    const Sys *sys;
    const Dae *dae; /* NULL if Sys was inlined directly */
    Dag *dag;
    const Plan *plan;
    const Method *method;
    InlinedVar *var;
    int nvar;
    int step; /* entry of h */
    InlinedSystem *system;
    int nsystem;
    int *start; /* systems of the first steps, size nstart */
    int nstart;
    int *cycle; /* systems of the other steps, in turn; size ncycle */
    int ncycle; /* 0 for the method none */
    int *level; /* systems of orders 2 .. nlevel + 1 of an extrapolation whose
                   order follows the error (sim/levels.c); the last one is that
                   of the method */
    int nlevel; /* 0: there is one order */
    int event;  /* the Dae as it is: unknowns of the Dae given the states at the
                   end of the step: after reinit, for method none, for output */
    int init;   /* initialisation; NONE if direct */
    int param;  /* parameters by their bindings, dependencies first */
    InlinedCarry *first; /* before the first step: from the values of `init` */
    int nfirst;
    InlinedRelation *relation;
    int nrelation;
    const InlinedInside *inside;
    int ninside;
    InlinedDelay *delay;
    int ndelay;
    InlinedLagged *lagged;
    int nlagged;
    InlinedEstimate estimate;
    const bool *by_mean; /* size of the states: by the trapezoidal rule in a
                            step of Euler's; NULL: none was asked for */
    /* What Sys has beside its equations, over values at the end of the step: */
    Expr *computed;        /* size sys->nvar: value of SR_COMPUTED variables,
                              EXPR_NONE for others */
    SysAction *action;     /* as sys->action */
    FlatAssert *assertion; /* as sys->assertion */
    int *sorted; /* entries from sys->nvar on, for inlined_find(): size
                    nvar - sys->nvar */
} Inlined;

/* The entry for the end of the step of VAR(sys_var, order), or NONE. O(log). */
int inlined_find(const Inlined *d, int sys_var, int order);
/* The size of an entry that counts as 1. */
double inlined_nominal(const Inlined *d, int entry);
/* SysVar.felt. */
SysFelt inlined_felt(const Inlined *d, int entry);
/* The entry of the old value (back steps ago), or NONE if no equation needs it.
 */
int inlined_find_old(const Inlined *d, int sys_var, int order, int back);

/* Are some equations others while initial()? */
static inline bool inlined_has_initial(const Inlined *d)
{
    return d->dae && d->dae->has_initial;
}

/* An equation of an estimate: is it of the error of the step alone? */
bool inlined_is_local(const InlinedEqn *e);

/* For expr_eval: values of all entries, and of time. Function calls are not
 * known: NAN. */
typedef struct InlinedPoint {
    const double *value; /* [nvar] */
    double time;
} InlinedPoint;
double inlined_leaf_value(void *point, const Dag *d, Expr leaf);
/* The entry like `like` at another stage, or NONE. */
int inlined_find_stage(const Inlined *d, int like, int stage);
void inlined_sort(Inlined *d, Arena *arena);          /* makes `sorted` */
const char *inlined_var_name(void *inlined, int var); /* for expr_print */
/* What users know an entry by: its name; of a condition of a when clause, what
 * stands there. */
const char *inlined_known_as(const Inlined *d, int entry, Arena *arena);
/* "C1#2", "der(C1#2)", "int(x)@1". Lives in `arena`. */
const char *inlined_eqn_name(const Inlined *d, const InlinedEqn *e,
                             Arena *arena);
const char *inlined_eqn_text(const Inlined *d, const InlinedEqn *e, int limit,
                             Arena *arena);
void inlined_print(const Inlined *d, FILE *out); /* --dump=inlined */
void inlined_check(const Inlined *d);

/* ---- scale.c ---- */
/* The entry of the table that a leaf stands for; NONE: none. */
int inlined_entry_of(const Inlined *d, Expr leaf);
/* Is the entry a continuous variable at the end of a step? */
bool inlined_has_scale(const Inlined *d, int entry);
/* The larger of its nominal value and its start; 0: it has no nominal value,
 * and no scale. */
double inlined_state_scale(const Inlined *d, int entry, double start);
/* The smallest nominal value among the variables of a relation, at most 1, and
 * whether a side of it (0, 1) is a number, of parameters at most. */
double inlined_band_scale(const Inlined *d, int relation);
bool inlined_is_number(const Inlined *d, int relation, int side);
/* The first equation of the event system that has the expression, or NULL. */
const InlinedEqn *inlined_find_reader(const Inlined *d, Expr part);
/* Do functions of the model do more than give values, or may they? */
bool inlined_has_effects(const Inlined *d);
/* Does the time of delay number i depend on more than parameters? */
bool inlined_delay_varies(const Inlined *d, int i);

#endif
