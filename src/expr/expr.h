/* expr.h - scalar expressions as one hash-consed DAG per model.
 *
 * An expression is a 32-bit handle; equal expressions have equal handles by
 * construction. Nodes are never changed or freed; arguments have smaller
 * handles than their node, so a pass over all nodes in the order of handles
 * sees arguments first, and every algorithm here works that way or with a
 * stack of its own: depth is never a recursion.
 *
 * A variable is a leaf VAR(var, order): the order-th time derivative of the
 * variable with number `var`. What the number means (name, type, variability)
 * is the business of the tables in flat.h and sys.h.
 *
 * Building a node by expr_make() simplifies locally and keeps values: every
 * rewrite gives the same value in exact arithmetic for all arguments in the
 * domain of the original, and constants are folded only if the result is
 * finite and the operation is defined there. x*0 folds to 0, x - x to 0;
 * x/x does not fold.
 *
 * Every function costs what it visits, not what the DAG holds. All of them
 * mark nodes in arrays of the Dag, also where the Dag is const: one thread
 * works on a Dag at a time.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EXPR_EXPR_H
#define TAKT_EXPR_EXPR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

typedef int32_t Expr;
#define EXPR_NONE ((Expr)-1)

typedef enum ExprOp {
#define OP(name, text, narg, properties, instructions, c) EX_##name,
#include "expr/ops.def"
    EX_NOP
} ExprOp;

/* The first argument of CLOCKED, an Integer. The second has the type of the
 * whole; a Clock is a Boolean here. Nothing of this is left after clocks/. */
typedef enum ExprClocked {
    EC_INFER,    /* Clock(): false, false */
    EC_PERIOD,   /* Clock(interval): false, interval */
    EC_COUNT,    /* Clock(counter, resolution): false, counter/resolution */
    EC_EVENT,    /* Clock(condition, startInterval) */
    EC_SOLVER,   /* Clock(clock, method) */
    EC_SAMPLE,   /* value, clock */
    EC_HOLD,     /* value, false */
    EC_PREVIOUS, /* the same */
    EC_SUB,      /* value or clock, factor (0: inferred) */
    EC_SUPER,
    EC_SHIFT, /* value or clock, counter/resolution */
    EC_BACK,
    EC_NOCLOCK,  /* value, false */
    EC_FIRST,    /* firstTick(): false, false or variable */
    EC_INTERVAL, /* interval(): 0.0, the same */
    EC_ACTIVE,   /* activeState(): false, component */
    EC_TICKS,    /* ticksInState(): 0, component where it stands */
    EC_TIME_IN   /* timeInState(): 0.0, the same */
} ExprClocked;

typedef enum ExprType { ET_REAL, ET_INTEGER, ET_BOOLEAN, ET_STRING } ExprType;

typedef struct ExprNode {
    uint8_t op;   /* ExprOp */
    uint8_t type; /* ExprType */
    uint16_t narg;
    int32_t order; /* VAR: derivative order; CALL: number of the result; ARG: of
                      the argument */
    union {
        struct {
            double value; /* CONST */
            double off;   /* CONST: what rounding made it off by, where that is
                             much of it (inexact.c); 0: a number */
        };
        const char *text; /* STR: interned */
        int32_t var;      /* VAR: number of the variable */
        int32_t fn;       /* CALL: number of the function */
        Expr arg[3];      /* up to three arguments */
    };
    union {
        const Expr *args; /* CALL: narg arguments; others use expr_arg() */
        double left;      /* CONST: the largest rounding error of what was
                             folded to this number */
    };
} ExprNode;

typedef struct Dag Dag;

Dag *dag_new(Arena *arena);

/* ---- opaque functions ---- */

/* How C is written. */
typedef struct ExprCStyle {
    bool is_float;
    bool own_math; /* takt_sin() instead of sin() */
} ExprCStyle;

typedef Expr ExprDerivative(Dag *d, Expr call, int i);

/* A function that expressions call and nobody looks into: of numbers, so that
 * calls with equal arguments are one node and one with constants is a constant.
 * Two kinds:
 *
 *   one result   `value`. Its first arguments are plain; the others are its
 *                list: numbers that belong together and rarely change, as those
 *                of a table. A list that never changes belongs to the function
 *                itself. A result that has no name of its own is told by `out`.
 *   many at once `values` gives nout results of nlist arguments. In a segment
 *                it runs once for equal arguments, however many results are
 *                read (tape.h, PICK). Result 0 is its status: 0 says that it
 *                went well. Whoever makes the calls adds an assertion that
 *                says so. */
typedef struct ExprFunction ExprFunction;
struct ExprFunction {
    const char *name;   /* for readers */
    int nplain;         /* arguments in front of the list: 0 to 2 */
    int nlist;          /* numbers of the list */
    const double *list; /* NULL: arguments of the call, after the plain ones */
    const void *info;   /* for those below: ninfo bytes */
    int ninfo;
    double (*value)(const ExprFunction *f, int out, const double *plain,
                    const double *list);
    int nout; /* many at once: results and status; 0: of the other kind */
    void (*values)(const ExprFunction *f, const double *arg, double *out);
    bool is_impure; /* what it gives depends on more than its arguments: a call
                       with constants is no constant, and one that was written
                       twice must have a number of its own in `info` */
    /* The derivative of the node `call` by its argument i, EXPR_NONE if there
     * is none. NULL: there is none. */
    ExprDerivative *derivative;
    /* The same along a direction, in which argument i moves by by[i]: the sum
     * of the derivatives times these, in one call. Not linear in by[] by its
     * looks, so that only expr_diff_along() asks. NULL: it is made of
     * `derivative`. */
    Expr (*along)(Dag *d, Expr call, const Expr *by);
    /* The same over time, where that is not the sum of its derivatives times
     * those of its arguments: only total derivatives ask. NULL: it is. */
    Expr (*over_time)(Dag *d, Expr call, const Expr *by);
    /* Many at once: the Taylor coefficients 0 .. degree of all results, out[r *
     * (degree + 1) + m], of those of the arguments, exact. NULL: there are
     * none; no_series() says whether there are, and if not, why: then NULL is
     * not returned. */
    void (*series)(const ExprFunction *f, int degree, const double *arg,
                   double *out);
    const char *(*no_series)(const ExprFunction *f);
    bool is_rough; /* its values are differences: they decide no rank */
    /* The call as C, of the names of its arguments; `list` is that of an array.
     * Many at once: `out` does not count and plain[0] is the array of results.
     * NULL: it cannot be written. */
    const char *(*c_call)(const ExprFunction *f, int out, bool is_float,
                          const char *const *plain, const char *list,
                          Arena *arena);
    const char *header; /* of runtime/ that the C needs */
    /* C that must stand in front of the calls, written once for each c_name;
     * NULL: none. Those it calls itself are in `need`. */
    const char *(*c_define)(const ExprFunction *f, const ExprCStyle *style,
                            Arena *arena);
    const char *c_name;
    const int *need; /* numbers of functions, size nneed */
    int nneed;
    const struct ExprForeign *foreign; /* C of others behind it; NULL: none */
    bool has_turns;    /* its C needs TAKT_TURNS, a number of the plan */
    bool needs_double; /* a float cannot hold its numbers */
    int instructions;  /* of a call in generated code */
};

/* What a program with calls of foreign functions needs to be built. Texts and
 * paths as CMake and the compiler get them; all end with NULL. */
typedef struct ExprForeign {
    const char *wrapper;        /* C of the wrappers, without their includes */
    const char *include;        /* text in front of it; "": none */
    const char *const *folder;  /* of headers */
    const char *const *source;  /* files to compile */
    const char *const *library; /* files, or names for -l */
    const char *const *search;  /* folders of libraries */
    const char *const *file;    /* paths of files and folders it reads, as
                                   TAKT_X(file)(k) gives them */
    const char *files;          /* C of that function; "": there are none */
    int nobject;
    bool is_impure; /* it keeps something between calls, not in objects */
} ExprForeign;

/* Adds a function and returns its number, or that of an equal one (the same
 * members, name and lists compared by content). What `f` points to lives as
 * long as the DAG. */
int dag_add_function(Dag *d, const ExprFunction *f);
/* Its derivative, where that can be made only when the function is there. */
void dag_set_derivative(Dag *d, int fn, ExprDerivative *derivative);
/* NULL: there is no function with this number. */
const ExprFunction *dag_function(const Dag *d, int fn);
/* May none of them be called more often than the model does: does one keep
 * something between its calls? */
bool dag_has_impure(const Dag *d);

/* Loops inside of functions have so many turns at most, and no numbers beyond
 * that; 0: as many as they need. For whoever only tries values. */
void dag_limit_turns(Dag *d, int most);
int dag_most_turns(const Dag *d);

Arena *dag_arena(const Dag *d); /* what lives as long as the DAG */
int dag_count(const Dag *d);    /* handles are 0 .. dag_count-1 */
const ExprNode *expr_node(const Dag *d, Expr e);
Expr expr_arg(const Dag *d, Expr e, int i);
ExprOp expr_op(const Dag *d, Expr e);
ExprType expr_type(const Dag *d, Expr e);

/* ---- building ---- */
Expr expr_real(Dag *d, double value);
/* A constant that is off by `off`, by rounding: a node of its own, which no
 * rule takes for a number but folding with other constants. With 0 a number. */
Expr expr_inexact(Dag *d, double value, double off);
double expr_off(const Dag *d, Expr e); /* 0 of what is no such constant */
Expr expr_int(Dag *d, double value);   /* an integral value */
Expr expr_bool(Dag *d, bool value);
Expr expr_string(Dag *d, const char *text); /* copied and interned */
Expr expr_var(Dag *d, int var, int order, ExprType type);
Expr expr_time(Dag *d);
/* What a function is called with, in the expressions that tell what it gives
 * (routine/routine.h); no model has any. */
Expr expr_formal(Dag *d, int number, ExprType type);
/* A node of operation `op`, simplified locally. Integer arguments stay
 * Integer under + - * (and division gives Real); unused arguments are
 * EXPR_NONE. */
Expr expr_make(Dag *d, ExprOp op, Expr a, Expr b, Expr c);
/* The same without any simplification, so that a text prints as written. */
Expr expr_make_raw(Dag *d, ExprOp op, Expr a, Expr b, Expr c);
Expr expr_clocked(Dag *d, ExprClocked kind, Expr a, Expr b);
/* Is it a CLOCKED? Its kind, or -1. */
int expr_clocked_kind(const Dag *d, Expr e);
/* Folded if the function is known and so are all of its arguments. Of a
 * function that gives many results at once there is a node of result 0 as soon
 * as there is one of another. */
Expr expr_call(Dag *d, int fn, int out, ExprType type, const Expr *arg,
               int narg);
/* Result 0 of the same call; `e` itself if it is that, or the only one. */
Expr expr_first_result(const Dag *d, Expr e);
#define expr_add(d, a, b)        expr_make(d, EX_ADD, a, b, EXPR_NONE)
#define expr_sub(d, a, b)        expr_make(d, EX_SUB, a, b, EXPR_NONE)
#define expr_mul(d, a, b)        expr_make(d, EX_MUL, a, b, EXPR_NONE)
#define expr_div(d, a, b)        expr_make(d, EX_DIV, a, b, EXPR_NONE)
#define expr_pow(d, a, b)        expr_make(d, EX_POW, a, b, EXPR_NONE)
#define expr_neg(d, a)           expr_make(d, EX_NEG, a, EXPR_NONE, EXPR_NONE)
#define expr_if(d, c, a, b)      expr_make(d, EX_IF, c, a, b)
#define expr_unary(d, op, a)     expr_make(d, op, a, EXPR_NONE, EXPR_NONE)
#define expr_binary(d, op, a, b) expr_make(d, op, a, b, EXPR_NONE)

/* ---- asking ---- */
bool expr_is_const(const Dag *d, Expr e, double *value); /* CONST of any type */
bool expr_is_zero(const Dag *d, Expr e);
bool expr_is_one(const Dag *d, Expr e);
bool expr_is_var(const Dag *d, Expr e, int *var, int *order);

/* A set of roots is walked once, shared nodes included once: calls visit(e)
 * for each node reachable from the roots, arguments first. */
typedef void ExprVisit(void *context, const Dag *d, Expr e);
void expr_walk(const Dag *d, const Expr *root, int nroot, ExprVisit *visit,
               void *context);

/* The leaves VAR(var, order) that occur in `e`, each once, in the order of
 * handles. The array lives in `arena`. Leaves below PRE do not count. */
int expr_leaves(const Dag *d, Expr e, Expr **leaf, Arena *arena);
bool expr_contains(const Dag *d, Expr e, Expr leaf);
bool expr_has_op(const Dag *d, Expr e, ExprOp op); /* also below PRE */
/* What can generate an event: relations, floor, div and the like (property E)
 * that are reachable from a root without passing through NOEVENT. In the
 * order of handles; the array lives in `arena`. */
int expr_events(const Dag *d, const Expr *root, int nroot, Expr **event,
                Arena *arena);

/* ---- changing ---- */
/* The expression with every leaf (VAR or PRE(VAR)) for which map() gives a
 * handle replaced by it; map returns EXPR_NONE for a leaf to keep. Rebuilding
 * simplifies. An ExprMap remembers what was rebuilt from call to call, so a
 * whole system with shared parts costs one pass. */
typedef struct ExprMap ExprMap;
typedef Expr ExprReplace(void *context, Dag *d, Expr leaf);
ExprMap *expr_map_new(Dag *d, ExprReplace *replace, void *context,
                      Arena *arena);
Expr expr_map(ExprMap *m, Expr e);
/* From now on `from`, which may be any expression (time, initial(), ...), is
 * replaced by `to`, before replace() is asked. `replace` may be NULL. */
void expr_map_fix(ExprMap *m, Expr from, Expr to);
/* The expression with the one leaf (or any other part) replaced. */
Expr expr_substitute(Dag *d, Expr e, Expr leaf, Expr value);

/* Simplification beyond what building does: collects equal terms and factors
 * of sums and products, keeps values as said above. */
Expr expr_simplify(Dag *d, Expr e);

/* Partial derivative by the leaf `x`: VAR(var, order) or PRE(VAR); other leaves
 * are constants. if-expressions: derivative of each branch; relations, floor
 * and the like: 0 almost everywhere; abs: sign; min and max: by IF; NOEVENT,
 * SMOOTH, HOMOTOPY: of the value; mod, rem: slope 1 in the first argument;
 * DELAY: 0. sqrt at 0 gives an infinite value, as it should. Returns EXPR_NONE
 * if an opaque function without derivative, or DER(expression), stands in the
 * way. */
Expr expr_diff(Dag *d, Expr e, Expr x);
/* Is that derivative free of x? */
bool expr_is_linear(Dag *d, Expr e, Expr x);
/* The derivatives out[] of root[] where leaf[i] moves as by[i] says and nothing
 * else does; EXPR_NONE where there is none. */
void expr_diff_along(Dag *d, const Expr *root, int nroot, const Expr *leaf,
                     const Expr *by, int nleaf, Expr *out);
/* Total time derivative: TIME -> 1, VAR(v, k) -> VAR(v, k+1) if it is Real and
 * varies[v], else 0. `varies` has an entry for each variable number. DER of an
 * expression is expanded. EXPR_NONE as above. */
Expr expr_total_diff(Dag *d, Expr e, const bool *varies, int nvaries);

/* The same for many expressions with shared parts, each differentiated once:
 * partial by x, or total. `varies` must live as long as the ExprDiff. */
typedef struct ExprDiff ExprDiff;
ExprDiff *expr_diff_new(Dag *d, Expr x, Arena *arena);
ExprDiff *expr_diff_new_total(Dag *d, const bool *varies, int nvaries,
                              Arena *arena);
Expr expr_diff_of(ExprDiff *t, Expr e);
/* The expression with each DER(a) replaced by the total derivative of a. */
Expr expr_expand_der(ExprDiff *total, Expr e);

/* The sparse matrix of all derivatives d e[i] / d x[j] that are not 0, in rows.
 */
typedef struct ExprJacobian {
    int nrow, ncol;
    const int *start;  /* size nrow+1 */
    const int *col;    /* size start[nrow], ascending within a row */
    const Expr *value; /* EXPR_NONE where a function has no derivative */
} ExprJacobian;
/* Costs the nodes reached from e[] times the leaves below each, where a sum
 * counts once however many terms it has: near linear for sparse systems. An
 * e[i] may be EXPR_NONE (an empty row). Lives in `arena`. */
const ExprJacobian *expr_jacobian(Dag *d, const Expr *e, int nrow,
                                  const Expr *x, int ncol, Arena *arena);

/* How does `e` depend on the leaf x? */
typedef enum ExprDependence {
    DEP_NONE,
    DEP_LINEAR, /* e = a x + b with a, b free of x, a may vary */
    DEP_NONLINEAR,
} ExprDependence;
/* With DEP_LINEAR, *slope = a and *rest = b (may be NULL pointers). */
ExprDependence expr_dependence(Dag *d, Expr e, Expr x, Expr *slope, Expr *rest);

/* Solves lhs = rhs for x where that is safe: x occurs linearly with a slope
 * that cannot vanish by the given facts, or below a chain of operations with a
 * unique inverse (exp, log, sinh, odd powers, ...). `nonzero(e)` tells whether
 * an expression is known not to vanish (NULL: only non-zero constants).
 * Returns the solution or EXPR_NONE. */
typedef bool ExprNonzero(void *context, const Dag *d, Expr e);
Expr expr_solve(Dag *d, Expr lhs, Expr rhs, Expr x, ExprNonzero *nonzero,
                void *context);

/* ---- values ---- */
/* Evaluates `e`: leaf(context, node handle) gives the value of VAR, PRE(VAR),
 * ARG, TIME, INITIAL, TERMINAL, SAMPLE and DELAY nodes. Undefined operations
 * give NaN, and so do calls of functions that the DAG does not have. For many
 * roots with shared parts use expr_eval_all: value[e] for every handle
 * reachable from the roots (array of dag_count doubles given by the caller). */
typedef double ExprLeafValue(void *context, const Dag *d, Expr e);
double expr_eval(const Dag *d, Expr e, ExprLeafValue *leaf, void *context);
void expr_eval_all(const Dag *d, const Expr *root, int nroot,
                   ExprLeafValue *leaf, void *context, double *value);
/* The text of a String expression: texts, String(x) and choices among them.
 * NULL where it has other parts, or a value that is NaN. Lives in `arena`. */
const char *expr_said(const Dag *d, Expr e, ExprLeafValue *leaf, void *context,
                      Arena *arena);
/* The same in two parts, for several points: the handles reachable from the
 * roots, arguments first, and their values in a point. */
int expr_order(const Dag *d, const Expr *root, int nroot, Expr **order,
               Arena *arena);
void expr_eval_order(const Dag *d, const Expr *order, int n,
                     ExprLeafValue *leaf, void *context, double *value);
/* The same of ranges: between which numbers the values of `order` stay while
 * the leaves (VAR and TIME) stay within theirs. Without a bound where takt
 * knows none: opaque functions, pre and its like. */
typedef struct ExprRange {
    double min, max;
} ExprRange;
typedef ExprRange ExprLeafRange(void *context, const Dag *d, Expr e);
void expr_enclose_order(const Dag *d, const Expr *order, int n,
                        ExprLeafRange *leaf, void *context, ExprRange *range);
/* The value of op applied to numbers: one definition for folding, evaluation,
 * the interpreter and the generated code. */
double expr_apply(ExprOp op, double a, double b, double c);
/* Its partial derivatives by a, b, c; at a jump or a kink those of the piece
 * that is in force. NaN for an operation that has none here. */
void expr_apply_partial(ExprOp op, double a, double b, double c,
                        double partial[3]);

/* ---- printing ---- */
/* Prints as Modelica with the fewest parentheses that keep the value. Shared
 * parts are printed again, up to `limit` characters, then "...". Names come
 * from name(context, var); derivatives print as der(x), der(der(x)). */
typedef const char *ExprName(void *context, int var);
void expr_print(const Dag *d, Expr e, ExprName *name, void *context, int limit,
                FILE *out);
const char *expr_text(const Dag *d, Expr e, ExprName *name, void *context,
                      int limit, Arena *arena);
const char *expr_op_name(ExprOp op); /* "ADD" */

#endif
