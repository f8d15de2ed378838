/* touch.c - lists of blocks, systems and calls, slot by slot. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tape/touch.h"

#include "num/table.h"

typedef struct Toucher {
    TapeTouch *touch;
    void *context;
} Toucher;

static void touch_list(Toucher k, const int *slot, int n)
{
    for (int i = 0; slot && i < n; i++)
        if (slot[i] != NONE)
            k.touch(k.context, slot[i]);
}

static void touch_row(Toucher k, int first, int n)
{
    for (int i = first; i < first + n; i++)
        k.touch(k.context, i);
}

static void block_reads(Toucher k, const TapeBlock *b)
{
    touch_list(k, b->x, b->n);
    touch_list(k, b->residual, b->nrow);
    touch_list(k, b->delta, b->n);
    touch_list(k, b->full, b->n);
    touch_list(k, b->fallback, b->n);
    k.touch(k.context, b->monitor);
}

static void system_slots(Toucher k, const TapeSystem *s)
{
    touch_list(k, s->entry, s->nnz);
    touch_list(k, s->rhs, s->nrow);
    if (s->table) {
        touch_row(k, s->factors, s->table->nfactor);
        touch_row(k, s->vector, s->table->nvector);
    }
}

void tape_touch_reads(const Tape *t, const TapeInstr *in, TapeTouch *touch,
                      void *context)
{
    Toucher k = {touch, context};
    int arg[3], first = 0;
    touch_list(k, arg, tape_reads(in, arg));
    int nlist = tape_list(t, in, &first);
    touch_row(k, first, nlist);
    if (in->op == TAPE_BLOCK)
        block_reads(k, &t->block.at[in->a]);
    else if (tape_op_kind(in->op) == TI_SYSTEM)
        system_slots(k, &t->system.at[in->a]);
}

void tape_touch_writes(const Tape *t, const TapeInstr *in, TapeTouch *touch,
                       void *context)
{
    Toucher k = {touch, context};
    int first = 0;
    if (tape_writes(in) != NONE)
        touch(context, in->dst);
    int nrow = tape_row(t, in, &first);
    touch_row(k, first, nrow);
    if (in->op == TAPE_BLOCK)
        touch_list(k, t->block.at[in->a].x, t->block.at[in->a].n);
    else if (tape_op_kind(in->op) == TI_SYSTEM)
        system_slots(k, &t->system.at[in->a]);
}
