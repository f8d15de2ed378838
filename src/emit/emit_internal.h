/* emit_internal.h - what the files of emit/ share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EMIT_INTERNAL_H
#define TAKT_EMIT_INTERNAL_H

#include "base/status.h"
#include "emit/emit.h"

typedef Vec(char) Text;

/* Where a slot lives in the C. */
typedef enum Home {
    HOME_NONE,  /* nobody uses it */
    HOME_CONST, /* a number */
    HOME_PARAM, /* m->p: set by the user */
    HOME_FIXED, /* m->d: computed by update */
    HOME_INPUT, /* m->u */
    HOME_STATE, /* m->s: what a step changes */
    HOME_LOCAL, /* a variable of a function */
} Home;

/* Instructions of a function, and of its parts: short ones where there are many
 * of them. Compilers need time that grows faster than their length. */
enum { WHOLE = 4000, PART = 800, VAST = 20000, PART_OF_VAST = 200 };

typedef struct Emit {
    const Fused *f;
    const Tape *t;
    const EmitOptions *o;
    Arena *arena, *local;
    uint8_t *home;      /* of each slot */
    const char **ident; /* of each slot: member or variable */
    const char **ref;   /* of each slot: how code reads it */
    const char *real;   /* "double" */
    const char *suffix; /* of functions, "f" or "" */
    int nmember[HOME_LOCAL + 1];
    const int *array; /* of each slot: 0, or 1 + number of the array it is in */
    struct EmitArray *arrays;
    int narray;
    const struct FactorTable **table; /* that instructions use */
    int ntable;
    Vec(const ExprFunction *) list;     /* functions with constant lists */
    Vec(const ExprFunction *) function; /* all, in order of need */
    const char **next; /* of each slot, after emit_body: what it has become */
    bool is_cut;       /* after emit_body: into parts, with a struct w */
    bool *checked;     /* of each slot: a block has found it finite */
    struct Formula *formula; /* of each slot (formula.c) */
    struct EmitRange *range; /* that steps look at (domain.c) */
    int nrange;
    const bool *output;      /* of each symbol: it is one of the model */
    Vec(EmitRow) row;        /* of the table of variables (rows.c) */
    struct EmitShown *shown; /* of each slot: where it gets its value (map.c) */
} Emit;

/* --- text.c: text that grows */
void text_add(Emit *e, Text *out, const char *fmt, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
const char *text_end(Emit *e, Text *out);
const char *emit_number(Emit *e, double x); /* a literal of the scalar type */

/* --- statements.c: how spatialDistribution() number `number` begins at x */
const char *emit_spread_begin(Emit *e, int number, const char *x);

/* --- places.c: where slots live, what they are called */
void emit_places(Emit *e);
const char *emit_group(Home home); /* "p" */

/* --- formula.c: what a number is, in names of the model */
void emit_formulas(Emit *e);
const char *emit_formula(const Emit *e, int slot);    /* NULL: not known */
const char *emit_model_name(const Emit *e, int slot); /* of one with a name */

/* --- origin.c: where a statement comes from, in words */
typedef struct EmitPlace {
    const char *file; /* NULL: there is none */
    int line;
} EmitPlace;
EmitPlace emit_place(const Emit *e, Span span);
const char *emit_place_text(Emit *e, Span span); /* "Motor.mo:12", or NULL */
/* The equation, relation, assertion ... it is; NULL: none. */
const char *emit_equation(Emit *e, const TapeOrigin *o);
const char *emit_role(TapeRole role); /* "residual" */
/* A few words to stand after a statement; NULL: nothing to say. */
const char *emit_remark(Emit *e, const TapeOrigin *o);

/* --- map.c: NAME.map.json */
struct Body;
void emit_map_begin(Emit *e);
const char *emit_unit(Emit *e, int slot); /* NULL: none that is known */
/* A statement of `b` gives `slot` its value. */
void emit_show(Emit *e, int slot, const TapeOrigin *o, const struct Body *b);
const char *emit_map(Emit *e); /* after everything was written */

/* --- rows.c: what the rows of the table of variables are */
void emit_rows(Emit *e); /* after emit_places */

/* --- names.c: tables of names and texts */
const char *emit_upper(Emit *e, const char *text);
int emit_nblock(const Emit *e);
bool emit_in_table(const Emit *e, int symbol);
bool emit_is_constant(const Emit *e, int symbol); /* a row that is a number */
void emit_names(Emit *e, Text *out);

/* --- header.c, functions.c */
bool emit_has_history(const Emit *e); /* is there a struct h? */
const char *emit_header(Emit *e);
void emit_functions(Emit *e, Text *out);

/* --- status.c: what a step says of itself */
typedef struct EmitAlarms {
    bool iterates; /* some block may not converge: `warn` is its number */
    bool factors;  /* the factors of some are watched: `doubt` */
    bool noted[STATUS_NCAUSE]; /* by instructions NOTE: emit_noted() */
} EmitAlarms;
/* The variable with the number of the block or variable of a cause that is
 * noted: "of_defect". */
const char *emit_noted(Emit *e, StatusCause cause);
/* What a NOTE speaks of, from 1: the number of its block, or one more than that
 * of its variable in the table of names; the number behind them: neither. */
int emit_note_place(const Emit *e, const TapeInstr *note);
EmitAlarms emit_alarms(const Emit *e, const TapeSegment *segment);
/* Flags of all causes, in function `name`; comes after emit_body. What is long
 * goes into `parts`. */
void emit_watch(Emit *e, Text *parts, Text *out, const TapeSegment *segment,
                const char *name);
/* C: is the step not done? */
const char *emit_lost(Emit *e, const TapeSegment *segment);
/* The end of the function: it keeps and returns the status. */
void emit_status(Emit *e, Text *out, const TapeSegment *segment);
const char *emit_code(Emit *e, StatusCause cause);  /* NAME_FAILED */
const char *emit_cause(Emit *e, StatusCause cause); /* NAME_HAS_FAILED */
void emit_status_names(Emit *e, Text *out);         /* for the header */
void emit_status_functions(Emit *e, Text *out);

/* --- domain.c: ranges of the plan */
void emit_find_ranges(Emit *e);
bool emit_has_ranges(const Emit *e, Home home); /* HOME_NONE: any */
/* Parameters, for `update`: m->strange is a row of the name table, from 1, or
 * 0. */
void emit_range_update(Emit *e, Text *out);
/* All others, after emit_body: `beyond` is such a row or 0. */
void emit_range_look(Emit *e, Text *out);

/* --- factor.c: static factorisations by tables. Their numbers live in arrays,
 * which are local variables, or members of what several parts share or of the
 * instance. */
typedef struct EmitArray {
    const char *name;
    int first, n;   /* slots */
    bool is_member; /* of the instance */
} EmitArray;
void emit_factor_mark(Emit *e, bool *used); /* slots of arrays are used */
void emit_factor_places(Emit *e);
/* The declarations of local arrays that instructions of `segment` use. */
void emit_factor_arrays(Emit *e, Text *out, const TapeSegment *segment,
                        const char *indent);
/* The array that begins at `slot` as a member of the instance; false if the
 * slot is in an array but not its first. */
bool emit_factor_member(Emit *e, Text *out, int slot);
/* FACTOR or SOLVE. ref[s]: how the code reads slot s. */
void emit_factor_call(Emit *e, Text *out, const TapeInstr *in,
                      const char *const *ref, int depth);
bool emit_factor_is_used(const Emit *e);
void emit_factor_tables(Emit *e, Text *out);

/* --- call.c: opaque functions. Their lists are constants or, where they follow
 * from parameters, arrays as above. */
/* The slots of lists that calls read are used. */
void emit_call_mark(const Emit *e, bool *used);
/* The headers of runtime/ they need, each once, NULL at the end. */
const char *const *emit_call_files(Emit *e);
void emit_call_headers(Emit *e, Text *out);
void emit_call_lists(Emit *e, Text *out);
/* Foreign code that is called: what it needs, the file of its wrappers and
 * lines for CMake; NULL and "": none. */
const ExprForeign *emit_foreign(const Emit *e);
const char *emit_foreign_file(Emit *e);
const char *emit_foreign_cmake(Emit *e, const char *target);
/* Functions that are C of their own; comes after emit_call_headers. */
void emit_call_definitions(Emit *e, Text *out);
const char *emit_call_text(Emit *e, const TapeInstr *in,
                           const char *const *plain, const char *const *ref);

/* --- body.c: a segment as statements of the function `name`, added to `out`. A
 * long one is cut: parts go to `parts`, which must stand in front of the
 * function. With `is_watched` the variables bad, warn and sum are there
 * afterwards. With `is_often` it is worth optimising, and members of m->s keep
 * their values: the new ones are in the struct `next`. */
void emit_body(Emit *e, Text *parts, Text *out, const TapeSegment *segment,
               const char *name, bool is_watched, bool is_often);

/* ---- estimate.c ---- */
bool emit_has_estimate(const Emit *e);
void emit_estimate_table(Emit *e, Text *out);
void emit_estimate_look(Emit *e, Text *out); /* flag and number of its cause */
void emit_estimate_header(Emit *e, Text *out);
void emit_estimate_functions(Emit *e, Text *out);

#endif
