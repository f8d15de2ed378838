/* tape.c - building a tape: slots, constants, instructions, segments. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tape/tape.h"

#include <assert.h>
#include <string.h>

/* Constants by their bits: open addressing, capacity a power of two. */
struct TapeConsts {
    int *slot; /* NONE: free */
    int capacity, count;
};

Tape *tape_new(Arena *arena)
{
    Tape *t = NEW(arena, Tape);
    t->arena = arena;
    t->consts = NEW(arena, struct TapeConsts);
    tape_from(t, (TapeOrigin){TO_NONE, NONE, NONE, NONE, NO_SPAN});
    t->time = tape_slot(t, TR_TIME, "time", 0);
    t->step = tape_slot(t, TR_TIME, "step", 0);
    return t;
}

static void *copy_bytes(const void *from, size_t size, Arena *arena)
{
    void *to = arena_alloc(arena, size + 1);
    if (size > 0)
        memcpy(to, from, size);
    return to;
}

#define COPY_ARRAY(p, n, arena)                                                \
    ((p) = copy_bytes((p), (size_t)(n) * sizeof *(p), (arena)))
#define COPY_VEC(v, arena) (COPY_ARRAY((v).at, (v).n, (arena)), (v).cap = (v).n)

Tape *tape_copy(const Tape *t, Arena *arena)
{
    Tape *c = NEW(arena, Tape);
    *c = *t;
    c->arena = arena;
    COPY_VEC(c->code, arena);
    COPY_VEC(c->segment, arena);
    COPY_VEC(c->block, arena);
    COPY_VEC(c->system, arena);
    COPY_VEC(c->symbol, arena);
    COPY_VEC(c->delay, arena);
    COPY_VEC(c->set, arena);
    COPY_VEC(c->call, arena);
    COPY_VEC(c->rate, arena);
    COPY_VEC(c->inexact, arena);
    COPY_VEC(c->origin, arena);
    COPY_ARRAY(c->region, t->nslot, arena);
    COPY_ARRAY(c->initial, t->nslot, arena);
    COPY_ARRAY(c->slot_name, t->nslot, arena);
    COPY_ARRAY(c->meaning, t->nslot, arena);
    c->slot_capacity = t->nslot;
    COPY_ARRAY(c->consts, 1, arena);
    COPY_ARRAY(c->consts->slot, t->consts->capacity, arena);
    return c;
}

int tape_slot(Tape *t, TapeRegion region, const char *name, double initial)
{
    if (t->nslot == t->slot_capacity) {
        size_t old = (size_t)t->slot_capacity;
        size_t new = (size_t)vec_capacity(t->slot_capacity, t->nslot + 1);
        t->region = arena_grow(t->arena, t->region, old, new);
        t->initial = arena_grow(t->arena, t->initial, old * sizeof(double),
                                new * sizeof(double));
        t->slot_name = arena_grow(t->arena, t->slot_name, old * sizeof(char *),
                                  new * sizeof(char *));
        t->meaning = arena_grow(t->arena, t->meaning, old * sizeof *t->meaning,
                                new * sizeof *t->meaning);
        t->slot_capacity = (int)new;
    }
    t->region[t->nslot] = (uint8_t)region;
    t->initial[t->nslot] = initial;
    t->slot_name[t->nslot] = name;
    t->meaning[t->nslot] = (TapeMeaning){NONE, TF_PLAIN, NONE};
    return t->nslot++;
}

static uint64_t bits_of(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

/* The place of `value` in the table: its slot, or the free place for it. */
static int *find_const(const Tape *t, double value)
{
    const struct TapeConsts *c = t->consts;
    uint64_t bits = bits_of(value);
    uint64_t mask = (uint64_t)c->capacity - 1;
    uint64_t i = (bits ^ (bits >> 29)) * 0x9E3779B97F4A7C15u >> 20 & mask;
    while (c->slot[i] != NONE && bits_of(t->initial[c->slot[i]]) != bits)
        i = (i + 1) & mask;
    return &c->slot[i];
}

static void grow_consts(Tape *t)
{
    struct TapeConsts *c = t->consts;
    struct TapeConsts old = *c;
    c->capacity = old.capacity ? 2 * old.capacity : 64;
    c->slot = NEW_ARRAY(t->arena, int, c->capacity);
    memset(c->slot, 0xff, (size_t)c->capacity * sizeof(int));
    for (int i = 0; i < old.capacity; i++)
        if (old.slot[i] != NONE)
            *find_const(t, t->initial[old.slot[i]]) = old.slot[i];
}

int tape_const(Tape *t, double value)
{
    if (2 * t->consts->count >= t->consts->capacity)
        grow_consts(t);
    int *place = find_const(t, value);
    if (*place == NONE) {
        *place = tape_slot(t, TR_CONST, NULL, value);
        t->consts->count++;
    }
    return *place;
}

int tape_inexact(Tape *t, double value, double off)
{
    if (!(off > 0))
        return tape_const(t, value);
    for (int i = 0; i < t->inexact.n; i++) {
        TapeInexact x = t->inexact.at[i];
        if (x.off == off && t->initial[x.slot] == value)
            return x.slot;
    }
    int slot = tape_slot(t, TR_CONST, NULL, value);
    vec_push(t->arena, &t->inexact, ((TapeInexact){slot, off}));
    return slot;
}

double tape_off(const Tape *t, int slot)
{
    for (int i = 0; i < t->inexact.n; i++)
        if (t->inexact.at[i].slot == slot)
            return t->inexact.at[i].off;
    return 0;
}

int tape_emit(Tape *t, int op, int dst, int a, int b, int c)
{
    if (dst == NONE)
        dst = tape_slot(t, TR_TEMP, NULL, 0);
    vec_push(t->arena, &t->code, ((TapeInstr){op, dst, a, b, c, t->here, 0}));
    return dst;
}

static bool is_same_origin(const TapeOrigin *a, const TapeOrigin *b)
{
    return a->role == b->role && a->system == b->system && a->eqn == b->eqn &&
           a->entry == b->entry && a->span.source == b->span.source &&
           a->span.begin == b->span.begin;
}

int tape_from(Tape *t, TapeOrigin o)
{
    if (t->origin.n == 0 || !is_same_origin(&vec_last(&t->origin), &o))
        vec_push(t->arena, &t->origin, o);
    return t->here = t->origin.n - 1;
}

void tape_begin(Tape *t, const char *name)
{
    TapeSegment s = {name, t->code.n, 0};
    vec_push(t->arena, &t->segment, s);
}

void tape_end(Tape *t)
{
    TapeSegment *s = &vec_last(&t->segment);
    s->count = t->code.n - s->first;
}

const TapeSegment *tape_find_segment(const Tape *t, const char *name)
{
    for (int i = 0; i < t->segment.n; i++)
        if (!strcmp(t->segment.at[i].name, name))
            return &t->segment.at[i];
    return NULL;
}

const TapeSymbol *tape_find_symbol(const Tape *t, const char *name)
{
    for (int i = 0; i < t->symbol.n; i++)
        if (!strcmp(t->symbol.at[i].name, name))
            return &t->symbol.at[i];
    return NULL;
}

/* ---- asking ---- */

int tape_reads(const TapeInstr *in, int slot[3])
{
    const int operand[3] = {in->a, in->b, in->c};
    unsigned reads = tape_op_reads(in->op);
    int n = 0;
    for (int k = 0; k < 3; k++)
        if (reads >> k & 1)
            slot[n++] = operand[k];
    return n;
}

int tape_writes(const TapeInstr *in)
{
    return tape_op_writes(in->op) ? in->dst : NONE;
}

int tape_list(const Tape *t, const TapeInstr *in, int *first)
{
    if (in->op != TAPE_CALL)
        return 0;
    const TapeCall *c = &t->call.at[in->a];
    *first = c->first;
    return c->first == NONE ? 0 : c->fn->nlist;
}

int tape_row(const Tape *t, const TapeInstr *in, int *first)
{
    if (in->op != TAPE_CALL)
        return 0;
    const TapeCall *c = &t->call.at[in->a];
    *first = c->row;
    return c->row == NONE ? 0 : c->fn->nout;
}

int tape_body(const Tape *t, int at)
{
    const TapeInstr *in = &t->code.at[at];
    switch (tape_op_kind(in->op)) {
    case TI_LOOP: return in->b;
    case TI_BLOCK: {
        const TapeBlock *b = &t->block.at[in->a];
        return b->neval + b->njac + b->nsolve;
    }
    default: return 0;
    }
}
