/* exec.h - functions and algorithm sections being executed.
 *
 *   function.c   calls                     external.c   known external
 * functions frame.c      variables of functions    assign.c     assignments
 *   statement.c  statements                algorithm.c  sections of models
 *
 * An Exec is one execution: the variables it has assigned so far, and the path,
 * the condition under which the next statement counts. A condition that is not
 * known executes both branches from the same state and merges the states.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EVAL_EXEC_H
#define TAKT_EVAL_EXEC_H

#include "eval/eval_internal.h"

enum {
    MOST_CALLS = 200,     /* nesting of function calls */
    MOST_OPEN_TURNS = 20, /* of a while-loop with a run-time condition */
};

/* ---- one execution ---- */

typedef struct Exec Exec;

typedef enum ExecStatus {
    EXEC_NORMAL,
    EXEC_BREAK,  /* the state belongs after the loop */
    EXEC_RETURN, /* the state belongs to the end of the function */
    EXEC_DEAD,   /* every way ended, all states are kept */
    EXEC_FAIL,   /* reported */
} ExecStatus;

/* A state that waits after a loop or at the end. */
typedef struct Kept {
    Expr condition; /* of the path */
    void *state;
} Kept;

typedef Vec(Kept) KeptList;

typedef Vec(FlatAction) ActionList;

/* A variable that a section assigns. */
typedef struct Slot {
    int var;
    bool known;            /* one of the two below was set */
    const AstStmt *clause; /* the when-statement that assigns it, NULL: none */
    bool mixed;            /* assigned by several clauses, or also outside */
    bool in_when;          /* assigned by some when-statement */
} Slot;

typedef struct SlotWrite {
    int slot;
    Expr old;
} SlotWrite;

struct Exec {
    Exec *up;
    const Function *fn; /* NULL: a section of a model */
    Call call;          /* of the function */
    Scope *frame;
    Expr path; /* the statement that comes next counts only if this holds: ways
                  that returned or left the loop are excluded */
    bool generate_events;
    bool declaring; /* initial values of its variables are evaluated */
    bool may_lack;  /* one may read what has no value yet: it has none itself */
    bool lacks;     /* it did */
    KeptList returns;
    FlatVariability variability; /* function: of its arguments at most */
    /* section */
    Vec(Slot) var;      /* what it assigns */
    Vec(Expr) now;      /* by slot: the value, EXPR_UNSET: not assigned yet */
    Vec(SlotWrite) log; /* every write, to take back a branch */
    Vec(int) touched;   /* scratch of section_join, by slot: NONE */
    Vec(const AstRef *) seen; /* targets whose arrays have slots */
};

/* Where a statement stands in it. */
typedef struct Body {
    Scope *scope;
    KeptList *breaks;      /* of the innermost loop, NULL: none */
    const AstStmt *clause; /* the when-statement around, NULL: none */
    ActionList *actions;   /* inside it: where they go */
    bool nested;           /* inside an if, for or while */
} Body;

/* The context of what comes next in `x`. */
Context exec_context(const Context *in, Exec *x);
/* The section around, or NULL. */
Exec *exec_section(const Context *in);
ExecStatus exec_list(const Context *in, Exec *x, const Body *at,
                     AstStmt *const *stmt, int n);
ExecStatus exec_when(const Context *in, Exec *x, const Body *at,
                     const AstStmt *s);
/* Loops of a function whose number of turns is not known (loop.c). The body
 * has no list of breaks. */
ExecStatus exec_open_while(const Context *in, Exec *x, const Body *at,
                           const AstStmt *s);
/* Is the range of the for-loop not known? */
bool exec_is_open_for(const Context *in, Exec *x, const Body *at,
                      const AstStmt *s);
ExecStatus exec_open_for(const Context *in, Exec *x, const Body *at,
                         const AstStmt *s);
bool exec_assign(const Context *in, Exec *x, const Body *at, const AstRef *ref,
                 Value *v, Span span);
/* The kept states merged into the current one. */
bool exec_join(const Context *in, Exec *x, KeptList *list, int from,
               ExecStatus status);

/* ---- calls (call.c, function.c, external.c) ---- */

/* A function as a value: with arguments bound by `function f(a = 1)`. */
typedef struct Closure {
    const Function *fn;
    const char *builtin; /* a predefined function; fn is NULL then */
    const char **name;   /* of the bound arguments, size nbound */
    Value **value;
    int nbound;
} Closure;

Value *eval_call(const Context *in, Scope *scope, const AstExpr *e);
Value *eval_partial(const Context *in, Scope *scope, const AstExpr *e);
/* Is the reference a function? Then its value for a function-typed input. */
Value *eval_function_ref(const Context *in, Scope *scope, const AstRef *ref);
/* A call of an operator record that overloads its constructor; NULL: it does
 * not. */
Value *operator_construct(const Context *in, Scope *scope, const AstExpr *e,
                          const Class *cls);
/* Calls with a value for each input in the order of declaration (NULL: the
 * default). Scalars over arrays are vectorised. */
Value *call_function(const Context *in, const Function *fn, Value **arg,
                     Span span);
/* Executes the algorithm of `fn`, whatever it is made of. */
Value *function_execute(const Context *in, const Function *fn, Value **arg,
                        Span span);
/* A call of a function that stays one (keep.c); NULL: it is to be executed. */
Value *function_call_kept(const Context *in, const Function *fn, Value **arg,
                          Span span);
/* Is variable i one that a call gives? */
bool function_is_input(const Function *fn, int i);
/* Notes the inputs of the function to the last report. */
void function_note_signature(const Context *in, const Function *fn);
/* Is the innermost function also further out? */
bool function_recurses(const Context *in);

/* Has output i of the call that gave `r` a value? False after a report. */
bool output_is_set(const Context *in, const Value *r, int i, Span span);

/* ---- variables of functions (frame.c) ---- */

/* A variable of a frame: initialises it on demand; NULL: not local. */
Value *frame_read(const Context *in, Scope *scope, const char *name, Span span);
/* The mark of a variable that waits for its initial value. */
Value *value_pending(const Context *in);
/* Reports where a scalar of `v` has no value; false then. In the initial value
 * of a variable it is not reported but noted: that variable has none either. */
bool value_is_set(const Context *in, const Value *v, const char *name,
                  Span span);
/* Warns if one has a value only in some branches. */
void value_warn_partly(const Context *in, const Value *v, const char *name,
                       Span span);

void *state_save(const Context *in, Exec *x);
void state_load(const Context *in, Exec *x, void *state);
/* The current state becomes: if c then `state` else the current one. */
bool state_merge(const Context *in, Exec *x, Expr c, void *state);

/* ---- variables of sections (algorithm.c) ---- */

/* The value of a slot: assigned last, or that before the section. */
Expr section_read(const Context *in, Exec *x, int slot);
Expr section_default(const Context *in, Exec *x, int slot);
void section_set(const Context *in, Exec *x, int slot, Expr value);
/* What a branch wrote since `mark`, taken back: slots and their values. */
typedef struct Branch {
    int n;
    int *slot;
    Expr *value;
} Branch;
Branch section_take_back(const Context *in, Exec *x, int mark);
/* The writes of a branch again. */
void section_redo(const Context *in, Exec *x, Branch b);
/* Both branches ran from the same state: if c then one else two. */
void section_join(const Context *in, Exec *x, Expr c, Branch one, Branch two);

#endif
