/* fuse_passes_internal.h - a loop of passes while it is taken apart. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_STEP_FUSE_PASSES_INTERNAL_H
#define TAKT_STEP_FUSE_PASSES_INTERNAL_H

#include "step/fuse_internal.h"

typedef enum When { AGAIN, BEFORE, AFTER } When;

typedef struct Passes {
    const Tape *from;
    Tape *t;
    TapeInstr *code;      /* that of `from`, in part rewritten */
    int head, first, end; /* the REPEAT, its body */
    int run, select; /* in it: the model's equations, what is done with them */
    int changed;     /* slot: does a pass count? NONE: nothing goes after */
    int now;         /* instruction that is looked at */
    unsigned char *of;   /* When, of each instruction */
    bool *in_block;      /* of each instruction */
    int nold;            /* slots at the begin */
    bool *varies;        /* of each slot: a pass writes it */
    int *nread, *nmade;  /* of each slot: how often the loop reads, writes it */
    int *read_at;        /* of each slot: the instruction that reads it first */
    int *scale, *base;   /* of each slot: it is scale*base; NONE */
    int *once;           /* of a slot of the first pass: what is read; NONE */
    Vec(TapeInstr) more; /* before the loop, after what is moved there */
    int *final;          /* of a temporary: the slot that it becomes; NONE */
    Arena *local;
} Passes;

/* --- fuse_passes.c */
/* A plain operation that makes a temporary, all by itself. */
bool passes_is_movable(const Passes *p, int at);

/* --- fuse_passes_modes.c */
void passes_place_first(Passes *p);
void passes_scale_columns(Passes *p);

#endif
