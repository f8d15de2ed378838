/* table.c - the entries of a Inlined, found by what they stand for.
 *
 * A hash table from (kind, variable, order, stage, back) to the entry. The
 * first sys->nvar entries are the variables of Sys.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <assert.h>
#include <string.h>

#include "inline/inline_internal.h"

typedef struct Key {
    int kind, var, order, stage, back;
} Key;

struct Table {
    Arena *arena;
    Key *key;    /* size cap */
    int *number; /* size cap, NONE: free */
    int cap, n;  /* cap is a power of two */
};

static size_t hash_key(Key k)
{
    uint64_t h = 1469598103934665603u;
    int part[] = {k.kind, k.var, k.order, k.stage, k.back};
    for (int i = 0; i < 5; i++)
        h = (h ^ (uint64_t)(uint32_t)part[i]) * 1099511628211u;
    return (size_t)(h ^ (h >> 29));
}

static bool same_key(Key a, Key b)
{
    return a.kind == b.kind && a.var == b.var && a.order == b.order &&
           a.stage == b.stage && a.back == b.back;
}

static int slot_of(const Table *t, Key k)
{
    size_t mask = (size_t)t->cap - 1;
    size_t i = hash_key(k) & mask;
    while (t->number[i] != NONE && !same_key(t->key[i], k))
        i = (i + 1) & mask;
    return (int)i;
}

static void make_slots(Table *t, int cap)
{
    t->cap = cap;
    t->key = NEW_ARRAY(t->arena, Key, cap);
    t->number = NEW_ARRAY(t->arena, int, cap);
    memset(t->number, 0xff, sizeof *t->number * (size_t)cap); /* NONE */
}

static void put(Table *t, Key k, int number)
{
    if (t->n * 2 >= t->cap) {
        Table old = *t;
        make_slots(t, t->cap * 2);
        for (int i = 0; i < old.cap; i++)
            if (old.number[i] != NONE) {
                int to = slot_of(t, old.key[i]);
                t->key[to] = old.key[i];
                t->number[to] = old.number[i];
            }
    }
    int i = slot_of(t, k);
    t->key[i] = k;
    t->number[i] = number;
    t->n++;
}

int table_entry(const Table *t, InlinedKind kind, Quantity q, int stage,
                int back)
{
    return t->number[slot_of(t, (Key){kind, q.var, q.order, stage, back})];
}

void table_note(Table *t, InlinedKind kind, int a, int b, int stage, int number)
{
    put(t, (Key){kind, a, b, stage, 0}, number);
}

static ExprType value_type(FlatType type)
{
    switch (type) {
    case FT_REAL: return ET_REAL;
    case FT_CLOCK: /* there is none here */
    case FT_BOOLEAN: return ET_BOOLEAN;
    case FT_STRING: return ET_STRING;
    case FT_INTEGER:
    case FT_ENUM: return ET_INTEGER;
    }
    return ET_REAL;
}

static InlinedKind kind_of_role(SysRole role)
{
    switch (role) {
    case SR_PARAMETER:
    case SR_FREE: return IV_PARAMETER;
    case SR_INPUT: return IV_INPUT;
    case SR_UNKNOWN:
    case SR_DISCRETE: return IV_VALUE;
    case SR_CONSTANT:
    case SR_ALIAS:
    case SR_COMPUTED:
    case SR_STRING: return IV_UNUSED;
    }
    return IV_UNUSED;
}

int table_add(Inliner *in, InlinedKind kind, const char *name, ExprType type)
{
    InlinedVar v = {.kind = kind,
                    .name = name,
                    .type = type,
                    .sys_var = NONE,
                    .stage = DIFF_END,
                    .c = 1,
                    .relation = NONE,
                    .guess = EXPR_NONE,
                    .frozen = EXPR_NONE,
                    .correction = EXPR_NONE};
    v.leaf = expr_var(in->d->dag, in->var.n, 0, type);
    vec_push(in->arena, &in->var, v);
    return in->var.n - 1;
}

Table *table_new(Inliner *in)
{
    const Sys *sys = in->d->sys;
    Table *t = NEW(in->work, Table);
    t->arena = in->work;
    int cap = 64;
    while (cap < 4 * sys->nvar)
        cap *= 2;
    make_slots(t, cap);
    in->table = t;
    for (int i = 0; i < sys->nvar; i++) {
        const SysVar *s = &sys->var[i];
        int n =
            table_add(in, kind_of_role(s->role), s->name, value_type(s->type));
        assert(n == i);
        InlinedVar *v = &in->var.at[n];
        v->sys_var = i;
        v->is_discrete = s->role == SR_DISCRETE;
        if (v->kind == IV_VALUE || v->kind == IV_INPUT)
            put(t, (Key){v->kind, i, 0, DIFF_END, 0}, n);
    }
    return t;
}

/* "x", "der(x)", "der(der(x))" */
static const char *quantity_name(const Inliner *in, Quantity q)
{
    const char *name = in->d->sys->var[q.var].name;
    for (int k = 0; k < q.order; k++)
        name = arena_printf(in->arena, "der(%s)", name);
    return name;
}

/* The entry of a quantity; added under `name` if new. */
static int entry(Inliner *in, InlinedKind kind, Quantity q, int stage, int back,
                 double c)
{
    int n = table_entry(in->table, kind, q, stage, back);
    if (n != NONE)
        return n;
    const char *name = quantity_name(in, q);
    if (kind == IV_INCREMENT)
        name = arena_printf(in->arena, "inc(%s)", name);
    if (kind == IV_FORCING)
        name = arena_printf(in->arena, "drive(%s)", name);
    if (kind == IV_ERROR)
        name = arena_printf(in->arena, "err(%s)", name);
    if (kind == IV_SOURCE)
        name = arena_printf(in->arena, "source(%s)", name);
    if (kind == IV_OLD && back == 1)
        name = arena_printf(in->arena, "old(%s)", name);
    else if (kind == IV_OLD)
        name = arena_printf(in->arena, "old%d(%s)", back, name);
    else if (stage != DIFF_END)
        name = arena_printf(in->arena, "%s@%d", name, stage + 1);
    const SysVar *s = &in->d->sys->var[q.var];
    n = table_add(in, kind, name, q.order ? ET_REAL : value_type(s->type));
    InlinedVar *v = &in->var.at[n];
    v->sys_var = q.var;
    v->order = q.order;
    v->stage = stage;
    v->back = back;
    v->c = c;
    v->is_discrete = s->role == SR_DISCRETE;
    put(in->table, (Key){kind, q.var, q.order, stage, back}, n);
    return n;
}

Expr table_value(Inliner *in, Quantity q, int stage, double c)
{
    int n = entry(in, IV_VALUE, q, stage, 0, c); /* may move the table */
    return in->var.at[n].leaf;
}

Expr table_increment(Inliner *in, Quantity q, int stage, double c)
{
    int n = entry(in, IV_INCREMENT, q, stage, 0, c);
    return in->var.at[n].leaf;
}

Expr table_forcing(Inliner *in, Quantity q, int stage, double c)
{
    int n = entry(in, IV_FORCING, q, stage, 0, c);
    return in->var.at[n].leaf;
}

/* What stands for time in stage or copy number `stage`. */
static Expr time_entry(Inliner *in, InlinedKind kind, const char *name,
                       int stage, double c)
{
    int n = table_entry(in->table, kind, (Quantity){NONE, 0}, stage, 0);
    if (n == NONE) {
        n = table_add(in, kind,
                      arena_printf(in->arena, "%s(time)@%d", name, stage + 1),
                      ET_REAL);
        in->var.at[n].stage = stage;
        in->var.at[n].c = c;
        table_note(in->table, kind, NONE, 0, stage, n);
    }
    return in->var.at[n].leaf;
}

Expr table_time_increment(Inliner *in, int stage, double c)
{
    return time_entry(in, IV_FORCING, "inc", stage, c);
}

Expr table_time_source(Inliner *in, int copy)
{
    return time_entry(in, IV_SOURCE, "source", copy, 1);
}

Expr table_error(Inliner *in, Quantity q, int copy)
{
    int n = entry(in, IV_ERROR, q, copy, 0, 1);
    return in->var.at[n].leaf;
}

Expr table_source(Inliner *in, Quantity q, int copy)
{
    int n = entry(in, IV_SOURCE, q, copy, 0, 1);
    return in->var.at[n].leaf;
}

Expr table_kept(Inliner *in, Expr leaf)
{
    int from = table_index(in, leaf);
    int n = table_entry(in->table, IV_KEPT, (Quantity){from, 0}, 0, 0);
    if (n == NONE) {
        n = table_add(
            in, IV_KEPT,
            arena_printf(in->arena, "kept(%s)", in->var.at[from].name),
            ET_REAL);
        in->var.at[n].source = from;
        table_note(in->table, IV_KEPT, from, 0, 0, n);
    }
    return in->var.at[n].leaf;
}

Expr table_old(Inliner *in, Quantity q, int back)
{
    int n = entry(in, IV_OLD, q, DIFF_END, back, 1.0 - back);
    return in->var.at[n].leaf;
}

/* Inputs at the same time are one entry: the place in the step is its key. */
Expr table_input(Inliner *in, Quantity q, double c)
{
    if (c == 1) {
        int n = entry(in, IV_INPUT, q, DIFF_END, 0, 1);
        return in->var.at[n].leaf;
    }
    for (int stage = 0;; stage++) {
        int n = entry(in, IV_INPUT, q, stage, 0, c);
        if (in->var.at[n].c == c)
            return in->var.at[n].leaf;
    }
}

Expr table_delayed(Inliner *in, int relation, double c)
{
    for (int i = 0; i < in->var.n; i++) {
        const InlinedVar *v = &in->var.at[i];
        if (v->kind == IV_DELAY && v->relation == relation && v->c == c)
            return v->leaf;
    }
    const char *name =
        arena_printf(in->arena, "delay#%d(%.3g)", relation + 1, c);
    int var = table_add(in, IV_DELAY, name, ET_REAL);
    in->var.at[var].relation = relation;
    in->var.at[var].c = c;
    return in->var.at[var].leaf;
}

Expr table_step(Inliner *in)
{
    return in->var.at[in->d->step].leaf;
}

int table_index(const Inliner *in, Expr leaf)
{
    int var = NONE, order = 0;
    bool is_var = expr_is_var(in->d->dag, leaf, &var, &order);
    assert(is_var && order == 0);
    (void)is_var;
    return var;
}
