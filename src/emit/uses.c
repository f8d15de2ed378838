/* uses.c - who uses what, and where a long segment is cut. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "emit/body.h"

/* ---- parts ---- */

/* Ends the present part. */
void body_cut(Body *b)
{
    if (!b->is_cut)
        return;
    if (b->is_open) {
        body_release_all(b);
        text_add(b->e, b->parts, "}\n\n");
        text_add(b->e, b->main, "%*s%s_part%d(m, w);\n", 4 * b->depth, "",
                 b->name, b->part);
    }
    b->is_open = false;
    b->out = b->main;
    b->part++;
    b->length = 0;
}

void body_count(Body *b)
{
    if (b->length++ == b->most)
        body_cut(b);
}

/* Locals that are written more than once. */
void body_declare(Body *b, int part)
{
    Emit *e = b->e;
    for (int i = 0; i < e->t->nslot; i++) {
        if (e->home[i] != HOME_LOCAL || b->ndef[i] == 0 || b->shared[i] ||
            e->array[i] || body_is_constant(b, i) ||
            (b->is_cut && b->home_part[i] != part))
            continue;
        text_add(e, b->out, "    %s %s = 0;\n", e->real, e->ident[i]);
    }
}

/* The first statement of a part opens it. */
void body_open_part(Body *b)
{
    if (!b->is_cut || b->is_open)
        return;
    const char *n = b->e->o->name;
    b->is_open = true;
    b->out = b->parts;
    b->said = NULL;
    text_add(b->e, b->out,
             "static %s void %s_part%d(%s *m, %s_work *w)\n{\n"
             "    (void)m;\n    (void)w;\n",
             b->is_step ? "TAKT_APART" : "TAKT_RARELY", b->name, b->part, n,
             b->name);
    body_declare(b, b->part);
}

int body_depth(const Body *b)
{
    return b->is_open ? 1 : b->depth;
}

/* ---- analysis ---- */

int body_new_scope(Body *b)
{
    vec_push(b->e->local, &b->parent, b->now);
    return b->parent.n - 1;
}

static bool is_inside(const Body *b, int scope, int outer)
{
    while (scope != NONE && scope != outer)
        scope = b->parent.at[scope];
    return scope == outer;
}

static void see_use(Body *b, int slot)
{
    if (slot == NONE)
        return;
    b->nuse[slot]++;
    if (b->ndef[slot] == 0 || !is_inside(b, b->now, b->scope[slot]))
        b->spread[slot] = true;
    if (b->is_cut && (b->spread[slot] || b->home_part[slot] != b->part))
        b->shared[slot] = true;
}

static void see_def(Body *b, int slot)
{
    b->looped[slot] |= b->now > 0;
    if (b->ndef[slot]++ == 0) {
        b->scope[slot] = b->now;
        b->home_part[slot] = b->part;
    } else if (b->is_cut && b->home_part[slot] != b->part) {
        b->shared[slot] = true;
    }
}

int body_block_size(const TapeBlock *k)
{
    return k->neval + k->njac + k->nsolve;
}

/* Uses and definitions in the function itself are a part of their own. */
static void see_list(Body *b, const int *slot, int n, void see(Body *, int))
{
    body_cut(b);
    for (int i = 0; i < n; i++)
        see(b, slot[i]);
    body_cut(b);
}

/* The system behind FACTOR, the last instruction of the Jacobian. */
const TapeSystem *body_system(const Body *b, int at, const TapeBlock *k)
{
    const TapeInstr *in = &b->e->t->code.at[at + k->neval + k->njac];
    return &b->e->t->system.at[in->a];
}

static void see_damped(Body *b, int at, const TapeBlock *k)
{
    int outer = b->now;
    const TapeSystem *s = body_system(b, at, k);
    see_list(b, k->x, k->n, see_use);
    b->now = body_new_scope(b);
    see_list(b, k->x, k->n, see_def);
    body_see(b, at + 1, k->neval);
    see_list(b, k->residual, k->n, see_use);
    b->now = body_new_scope(b);
    body_see(b, at + 1 + k->neval, k->njac - 1);
    see_list(b, s->entry, s->nnz, see_use);
    b->now = outer;
    see_list(b, k->x, k->n, see_def);
}

static void see_block(Body *b, int at)
{
    const TapeBlock *k = &b->e->t->block.at[b->e->t->code.at[at].a];
    if (k->is_damped) {
        see_damped(b, at, k);
        return;
    }
    int outer = b->now;
    if (k->iterations > 1) {
        body_cut(b);
        b->now = body_new_scope(b);
    }
    body_see(b, at + 1, body_block_size(k));
    for (int i = 0; i < k->n; i++) {
        body_count(b);
        see_use(b, k->delta[i]);
        if (k->iterations > 1 && !k->is_linear)
            see_use(b, tape_full(k)[i]); /* monitored */
        see_use(b, k->x[i]);
        see_def(b, k->x[i]);
        see_def(b, k->x[i]);
    }
    if (k->iterations > 1)
        body_cut(b);
    b->now = outer;
    for (int i = 0; i < k->n; i++) {
        body_count(b);
        see_use(b, k->x[i]); /* is it finite? */
    }
    if (k->monitor != 0)
        see_use(b, k->monitor);
}

void body_see(Body *b, int first, int count)
{
    const Tape *t = b->e->t;
    for (int i = first; i < first + count; i++) {
        const TapeInstr *in = &t->code.at[i];
        if (in->op == TAPE_BLOCK) {
            see_block(b, i);
            i += body_block_size(&t->block.at[in->a]);
        } else if (tape_op_kind(in->op) == TI_LOOP) {
            int outer = b->now;
            if (in->op == TAPE_GUARD)
                see_list(b, &in->a, 1, see_use);
            body_cut(b);
            b->now = body_new_scope(b);
            body_see(b, i + 1, in->b);
            body_cut(b);
            b->now = outer;
            i += in->b;
        } else if (in->op == TAPE_LEAVE) {
            see_list(b, &in->a, 1, see_use);
        } else if (in->op == TAPE_FACTOR || in->op == TAPE_SOLVE) {
            body_count(b);
        } else {
            body_count(b);
            int arg[3], narg = tape_reads(in, arg);
            for (int k = 0; k < narg; k++)
                see_use(b, arg[k]);
            if (tape_writes(in) != NONE)
                see_def(b, in->dst);
        }
    }
}

/* Written once, and used only where that is visible. */
bool body_is_constant(const Body *b, int slot)
{
    return b->e->home[slot] == HOME_LOCAL && b->ndef[slot] == 1 &&
           !b->spread[slot] && !b->shared[slot] && !b->e->array[slot];
}
