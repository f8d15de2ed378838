/* plan.h - every numerical decision, as data.
 *
 *   read from JSON, written by `takt tune`, edited by people and by the options
 *   of a command line (PlanEdit)
 *   obeyed by inline/ (method, modes, step cuts), schedule/ (tearing, other
 *   cuts, force), lower/ (newton, factor, scalar), exec and the generated code
 *
 * Everything may be absent from a file; then the field has the value that
 * plan_default() gives, and `has` tells whether it was given. keys.def has a
 * row for each decision. Unknown keys are errors with their place. Names of
 * variables and equations are texts here; the phase that obeys them reports
 * those that do not exist. An equation is named "path#k": the k-th equation of
 * the component `path`; "#k" of the model itself. The integration formula of a
 * state x is named "int(x)".
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PLAN_PLAN_H
#define TAKT_PLAN_PLAN_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "plan/method.h"

/* How much is left in the iterations of a step (schedule/view.c). */
typedef enum PlanAlgebraic {
    PA_AUTO,       /* what costs least */
    PA_SOLVE,      /* the states alone: an ODE stays an ODE */
    PA_KEEP_SMALL, /* the states and torn variables of algebraic loops */
    PA_KEEP,       /* the states and every algebraic variable */
    PA_TEAR,       /* as few as the bound on growth allows, of any kind */
} PlanAlgebraic;

typedef enum PlanCutKind {
#define CUT(name, word, place, leaves, iterated, help) CUT_##name,
#include "plan/cuts.def"
#undef CUT
    CUT_NKIND
} PlanCutKind;

typedef enum PlanCutPlace { CUT_IN_MATRIX, CUT_IN_EQUATION } PlanCutPlace;
typedef enum PlanCutLeaves {
    CUT_LEAVES_ZERO,
    CUT_LEAVES_CONSTANT,
    CUT_LEAVES_OLD
} PlanCutLeaves;

/* A row of cuts.def. */
typedef struct PlanCutRule {
    const char *word;
    PlanCutPlace place;
    PlanCutLeaves leaves;
    bool is_iterated;
    const char *help;
} PlanCutRule;

extern const PlanCutRule plan_cut_rule[CUT_NKIND];

typedef struct PlanCut {
    PlanCutKind kind;
    const char *eqn;
    const char *var;
    double value; /* CUT_FROZEN: the constant; NaN: value at the start point */
    Span span;
} PlanCut;

typedef enum PlanMode {
    MODE_IMPLICIT,
    MODE_EXPLICIT,        /* the formula of the state: a row of the matrix */
    MODE_EXPLICIT_COLUMN, /* the model sees the state's old value: a column */
    MODE_EXPLICIT_BOTH,   /* both */
    MODE_TRAPEZOID,       /* the mean of both slopes, in place of the new one */
} PlanMode;

typedef struct PlanStateMode {
    const char *var;
    PlanMode mode;
    Span span;
} PlanStateMode;

/* "tearing": {"x": ["y", "z"]}: the block that contains the unknown x iterates
 * on y and z. */
typedef struct PlanTearing {
    const char *block; /* any unknown of the block */
    const char **var;
    int nvar;
    Span span;
} PlanTearing;

typedef struct PlanPair { /* "force": the equation is solved for the variable */
    const char *eqn, *var;
    Span span;
} PlanPair;

typedef enum PlanFactor { PF_AUTO, PF_LU, PF_QR, PF_DENSE } PlanFactor;

typedef struct PlanBlockFactor {
    const char *block; /* any unknown of the block; "*": all blocks */
    PlanFactor factor;
    bool has_unroll; /* else the size decides */
    bool unroll;     /* LU: straight-line code, not tables */
    bool refine;     /* one step of iterative refinement */
    bool no_monitor; /* "monitor": false */
    Span span;
} PlanBlockFactor;

/* What a quantity has been while the plan was made. */
typedef struct PlanRange {
    const char *name; /* an input, a state, a parameter, or what a cut reads */
    double low, high;
} PlanRange;

/* "domain": where a plan was tried out (domain.c). */
typedef struct PlanDomain {
    PlanRange *range;
    int nrange;
    double stop;   /* end of the longest run, s; NaN: not known */
    double step;   /* with which it was tried, s; 0: not known */
    int equations; /* of the model that it was tried with; 0: not known */
    bool no_check; /* "check": false */
} PlanDomain;

typedef enum PlanScalar { PS_DOUBLE, PS_FLOAT } PlanScalar;
typedef enum PlanMath { PM_LIBM, PM_TAKT } PlanMath; /* of constant work */
typedef enum PlanRemodel { PR_AUTO, PR_NEVER } PlanRemodel;
typedef enum PlanInit { PI_SOLVE, PI_VALUES } PlanInit;
/* States whose derivative is a state: by the method, or the trapezoidal rule */
typedef enum PlanPositions { PP_METHOD, PP_TRAPEZOID } PlanPositions;
typedef enum PlanLate { PL_LEAVE, PL_CATCH_UP } PlanLate; /* events */
typedef enum PlanDefect { PD_OFF, PD_CHEAP, PD_FULL } PlanDefect;
typedef enum PlanEstimate {
    PE_OFF,
    PE_LOCAL,
    PE_RUNNING,
    PE_CONTROL, /* no word of the plan: of each step of any length */
} PlanEstimate;
/* What the length of a step follows, where there is a tolerance. */
typedef enum PlanControl {
    PC_DOUBLING, /* the step, and two of half its length */
    PC_ONE_STEP, /* slopes of the step */
    PC_TWO_STEP, /* and of the one before it */
    PC_BLENDED,  /* embeddings through values of two equal steps, */
    PC_BDF3,     /* of three (plan/embedding.h) */
    PC_ORDERS,   /* be becomes BDF of orders 1 to 5 (bdf/bdf.c), liexk one
                    of orders 2 to k (sim/levels.c) */
} PlanControl;
typedef enum PlanInvariantBy { PV_JOIN, PV_PROJECT, PV_OFF } PlanInvariantBy;
typedef enum PlanBounds { PB_IGNORE, PB_WARN, PB_STOP } PlanBounds;
typedef enum PlanTearer {
    PT_AUTO,
    PT_CELLIER,
    PT_MODIFIED,
    PT_EXACT
} PlanTearer;

/* What a step iterates on in a network (schedule/formulation.c). */
typedef enum PlanFormulation {
    PN_TEARING, /* what the tearing finds: no network is looked for */
    PN_TABLEAU,
    PN_MNA,
    PN_MNA_REDUCED,
    PN_MESH,
    PN_CUTSET,
} PlanFormulation;

typedef enum PlanIteration { PX_NEWTON, PX_FIXED_POINT } PlanIteration;

typedef enum PlanField {
#define KEY(name, ...) PLAN_##name,
#include "plan/keys.def"
#undef KEY
    PLAN_NFIELD
} PlanField;

/* What a step is made for. The same defaults hold for both but where a row of
 * keys.def has a `realtime_text`. */
typedef enum PlanGoal {
    PLAN_DESK,     /* takt sim, linearize: time is no matter */
    PLAN_REALTIME, /* generated code, and takt sim --static */
} PlanGoal;

enum { PLAN_NEWTON_ITERATIONS = 3 }; /* where newton is 0 */

typedef struct Plan {
    bool has[PLAN_NFIELD];   /* was the key given? */
    Span where[PLAN_NFIELD]; /* in the file; NO_SPAN: on the command line */
    const char *model;       /* class it was made for, "" : any */
    const char *method;      /* name, or file of a tableau */
    double step;             /* s; 0: not given */
    int newton;              /* fixed number of iterations; 0: not given */
    double newton_tol;       /* at the desk, where newton is not given */
    bool order_buildup;      /* multistep methods start with lower orders */
    bool direct;             /* inline the system of any index */
    PlanRemodel remodel;     /* where structure is wrong */
    PlanAlgebraic algebraic;
    bool one_block;    /* all states in one block (SchedOptions) */
    PlanTearer tearer; /* heuristic; PT_AUTO: the best of all */
    PlanFormulation formulation;
    PlanIteration iteration;
    double growth_bound; /* a tearing may not grow beyond */
    const char **state;  /* wanted states */
    int nstate;
    PlanTearing *tearing;
    int ntearing;
    PlanStateMode *mode;
    int nmode;
    PlanPositions positions;
    PlanCut *cut;
    int ncut;
    PlanPair *force;
    int nforce;
    PlanBlockFactor *factor;
    int nfactor;
    const char *invariant; /* "x, y:0.1"; "": those of the model alone */
    PlanInvariantBy invariant_by;
    bool damping; /* Schiela 5.5 */
    PlanScalar scalar;
    PlanMath math;
    PlanInit init;       /* solved by the code, or numbers in it */
    bool fixed;          /* parameters are numbers too */
    const char *tunable; /* all, none, auto, or names: which stay settable */
    int events_max;      /* event iterations per step */
    PlanLate late;       /* events of the grid: what they have cost */
    int turns;           /* of loops that depend on data, in generated code */
    int points;          /* of spatialDistribution(), in generated code */
    PlanDefect defect;
    double defect_seen; /* 0: nothing was shown */
    PlanBounds bounds;  /* min and max */
    PlanDomain domain;
    PlanEstimate estimate;
    PlanControl control;
    double estimate_tolerance; /* of max(nominal, |x|) */
    /* Sections that are read and written by their owners (sample, tune): kept
     * as JSON text, NULL where absent. */
    const char *samples, *evidence;
} Plan;

/* What holds where nobody decides, at the desk. */
Plan *plan_default(Arena *arena);

/* Reads the plan in text number `source` of `sources`. Returns NULL after
 * reports: not JSON, an unknown key, a value of the wrong kind, each with its
 * place. `sources` is the one that `diag` was made for. */
Plan *plan_read(const Sources *sources, int source, Arena *arena, Diag *diag);
Plan *plan_read_file(Sources *sources, const char *path, Arena *arena,
                     Diag *diag);

/* Writes the fields with has[] set (all of them if `all`), one key a line,
 * in a fixed order: the same plan gives the same bytes. */
void plan_write(const Plan *p, bool all, FILE *out);

/* ---- edits ---- */

/* A decision of the command line: the option of a key and its text. */
typedef struct PlanEdit {
    PlanField key;
    const char *text; /* NULL: a flag that is set */
} PlanEdit;

typedef struct PlanEdits {
    PlanEdit *at;
    int n, cap;
} PlanEdits;

/* Appends an edit; `text` lives as long as the edits. */
void plan_add_edit(PlanEdits *edits, PlanField key, const char *text,
                   Arena *arena);
/* The same with a number, which is kept to the last bit. */
void plan_add_number(PlanEdits *edits, PlanField key, double x, Arena *arena);
/* The text of the last edit of a key, NULL if there is none. */
const char *plan_find_edit(const PlanEdits *edits, PlanField key);
bool plan_has_edit(const PlanEdits *edits, PlanField key);
/* Takes all edits of a key away. */
void plan_drop_edits(PlanEdits *edits, PlanField key);

/* What is wrong with an edit: "--newton takes a whole number from 1 to 1000000,
 * not '-1'"; NULL: nothing. */
const char *plan_edit_wrong(const PlanEdit *edit, Arena *arena);
/* What is wrong with them together, and for a goal: options that exclude each
 * other, or do nothing there. NULL: nothing. */
const char *plan_edits_wrong(const PlanEdits *edits, PlanGoal goal,
                             Arena *arena);
/* Applies edits in their order, over what the plan has. False after a report
 * (E1204). */
bool plan_apply(Plan *p, const PlanEdits *edits, Arena *arena, Diag *diag);
/* The last that is done to a plan: the defaults of the goal. False after a
 * report of what the goal cannot obey, or decisions that exclude each other
 * (E1208). */
bool plan_settle(Plan *p, PlanGoal goal, Diag *diag);

/* The place of a word of `algebraic`; false if there is no such word. */
bool plan_find_algebraic(const char *word, PlanAlgebraic *out);
const char *plan_algebraic_name(PlanAlgebraic a);

/* Newton iterations of a block with fixed work. */
int plan_newton(const Plan *p);

/* Has the plan cuts in this place; cuts that are iterated? */
bool plan_cuts(const Plan *p, PlanCutPlace place);
bool plan_iterates(const Plan *p);

/* The range of a quantity, NULL where the plan has none. */
const PlanRange *plan_find_range(const Plan *p, const char *name);

/* The mode of a state, MODE_IMPLICIT where none is given. */
PlanMode plan_mode(const Plan *p, const char *state);

#endif
