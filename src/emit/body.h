/* body.h - a segment as the statements of a function, or of several.
 *
 * A long segment is cut into parts of a few hundred statements: compilers need
 * time that grows faster than the length of a function. What several parts use
 * is a member of a struct of its own, `w`; loops stay where they are and call
 * the parts of their bodies. The walk that looks (uses.c) and the walk that
 * writes (body.c) cut at the same places (body_cut).
 *
 * A temporary that is used once stands in the expression that uses it, if the
 * line stays short and nothing it reads is written in between: such
 * expressions are `held` until then (statements.c). Other locals are constants
 * where they get their value; those that are written several times are declared
 * on top.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EMIT_BODY_H
#define TAKT_EMIT_BODY_H

#include "emit/emit_internal.h"

enum { MAX_LEAF = 6, MAX_HELD = 24, MAX_WIDTH = 64 };

typedef struct Body Body;

typedef struct Held {
    int slot;
    const char *text;
    int level; /* of precedence */
    int leaf[MAX_LEAF];
    int nleaf;
    int origin; /* of its instruction */
    bool is_mask;
    int op;            /* of a negation; else 0 */
    const char *inner; /* what it negates */
    bool inner_is_mask;
} Held;

struct Body {
    Emit *e;
    Text *out;
    int *ndef, *nuse; /* of each slot in this segment */
    int *scope;       /* of the definition */
    bool *spread;     /* used outside of the scope of its definition */
    int *home_part;   /* part of the definition */
    bool *shared;     /* used in several parts: a member of w */
    bool *looped;     /* written in a loop */
    bool *mask;       /* a truth as a mask (tape/masks.h) */
    bool *moved;      /* reads go to the struct of new members by now */
    const char **ref; /* how the code of this segment reads a slot */
    bool is_step;     /* runs often, and is watched */
    bool is_cut;      /* into parts */
    bool is_open;     /* a part is being written */
    int part;         /* number of the present one */
    int length;       /* instructions in it, */
    int most;         /* at most */
    const char *name; /* of the function */
    Text *main;       /* the function itself */
    Text *parts;      /* what stands in front of it */
    const char *bad, *warn, *doubt, *sum, *excess;
    Vec(int) parent; /* of each scope */
    Vec(Held) held;
    int now;   /* scope */
    int depth; /* of indentation */
    /* comments: */
    int since;        /* statements since the last head */
    TapeRole role;    /* of the last statement */
    const char *said; /* last remark after a statement; NULL: none */
    int block;        /* number of the present block, from 1; 0: none */
    int block_part;   /* residuals 1, Jacobian 2, correction 3 */
};

/* ---- uses.c ---- */

/* Ends the present part. */
void body_cut(Body *b);
/* One instruction more: is the part long enough? */
void body_count(Body *b);
/* Locals of a part that are written more than once. */
void body_declare(Body *b, int part);
/* The first statement of a part opens it. */
void body_open_part(Body *b);
int body_depth(const Body *b); /* of indentation */
int body_new_scope(Body *b);
int body_block_size(const TapeBlock *k);
/* The system behind FACTOR, the last instruction of the Jacobian. */
const TapeSystem *body_system(const Body *b, int at, const TapeBlock *k);
/* Finds who uses what, where. */
void body_see(Body *b, int first, int count);
/* Written once, and used only where that is visible. */
bool body_is_constant(const Body *b, int slot);

/* ---- remarks.c ---- */

/* A statement for `o` comes next: is it time for a comment? */
void body_head(Body *b, const TapeOrigin *o);
/* Ends the line of a statement that gives `slot` its value. */
void body_tail(Body *b, int slot, const TapeOrigin *o);
/* The comment in front of the block whose instruction is `at`. */
void body_introduce(Body *b, int at, const TapeBlock *k, int number);
void body_leave_block(Body *b);
/* Where unknown i of that block comes from. */
TapeOrigin body_unknown(const Body *b, int at, const TapeBlock *k, int i);

/* ---- statements.c ---- */

void body_indent(Body *b);
/* From here on the new value of a member is meant. */
void body_move(Body *b, int slot);
void body_release_all(Body *b);
/* Held expressions that read `slot` must be computed before it changes. */
void body_before_write(Body *b, int slot);
/* The text of an operand; its leaves are added to `into`. */
Held body_operand(Body *b, int slot, Held *into);
/* In parentheses if its level is lower. */
const char *body_wrap(Body *b, Held h, int level);
/* Statements of one instruction. */
void body_plain(Body *b, const TapeInstr *in);

#endif
