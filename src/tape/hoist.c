/* hoist.c - parameters, versions and the walk through a segment. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "num/table.h"
#include "tape/hoist_internal.h"

/* ---- parameters ---- */

bool hoist_is_known(const Hoist *h, int slot)
{
    int r = h->t->region[slot];
    return r == TR_CONST || r == TR_PARAM || r == TR_DERIVED ||
           slot == h->t->step;
}

double hoist_value(const Hoist *h, int slot)
{
    bool own = slot >= h->nvalue || h->t->region[slot] == TR_CONST;
    return own ? h->t->initial[slot] : h->value[slot];
}

static bool compute(int op, double a, double b, double *out)
{
    switch (op) {
    case EX_ADD: *out = a + b; break;
    case EX_SUB: *out = a - b; break;
    case EX_MUL: *out = a * b; break;
    case EX_DIV: *out = a / b; break;
    default: return false;
    }
    double size = fabs(*out);
    if (*out == 0)
        return a == 0 || (op == EX_MUL && b == 0);
    return size > 1e-30 && size < 1e30;
}

static int new_parameter(Hoist *h, int op, int a, int b, double value)
{
    unsigned hash = ((unsigned)op * 31u + (unsigned)a) * 1000003u + (unsigned)b;
    int *head = &h->bucket[(hash ^ hash >> 11) % NBUCKET];
    for (int i = *head; i != NONE; i = h->next.at[i]) {
        const TapeInstr *in = &h->param.at[i];
        if (in->op == op && in->a == a && in->b == b)
            return in->dst;
    }
    TapeInstr in = {
        op, tape_slot(h->t, TR_DERIVED, NULL, value), a, b, NONE, h->t->here,
        0};
    vec_push(h->local, &h->param, in);
    vec_push(h->local, &h->next, *head);
    *head = h->param.n - 1;
    return in.dst;
}

/* The slot of a op b, both known; NONE: better not. */
int hoist_combine(Hoist *h, int op, int a, int b)
{
    const Tape *t = h->t;
    double x = hoist_value(h, a), y = hoist_value(h, b), value;
    bool number_a = t->region[a] == TR_CONST;
    bool number_b = t->region[b] == TR_CONST;
    if (!compute(op, x, y, &value))
        return NONE;
    if (number_a && number_b)
        return tape_const(h->t, value);
    if ((op == EX_MUL || op == EX_DIV) && number_b && y == 1)
        return a;
    if (op == EX_MUL && number_a && x == 1)
        return b;
    bool swaps = (op == EX_ADD || op == EX_MUL) && a > b;
    return new_parameter(h, op, swaps ? b : a, swaps ? a : b, value);
}

/* ---- versions ---- */

TapeInstr *hoist_code(const Hoist *h, int at)
{
    return &h->t->code.at[at];
}

static int now_of(const Hoist *h, int slot)
{
    return slot == NONE || slot >= h->n ? BEFORE : h->now[slot];
}

static void read_version(Hoist *h, int version, int by)
{
    if (version < h->base)
        return;
    int *n = &h->nread[version - h->base];
    *n += by;
    if (*n == 0 && by < 0 && !h->asked[version - h->base])
        vec_push(h->local, &h->dead, version);
}

/* What nobody reads need not read anything either. */
static void bury(Hoist *h)
{
    while (h->dead.n > 0) {
        int at = vec_pop(&h->dead);
        int *v = &h->version[3 * (at - h->base)];
        for (int k = 0; k < 3; k++) {
            int old = v[k];
            v[k] = BEFORE;
            read_version(h, old, -1);
        }
    }
}

static void ask(Hoist *h, int slot)
{
    int v = now_of(h, slot);
    if (v >= h->base)
        h->asked[v - h->base] = true;
}

/* The instruction that made the slot's value, NULL if that is not known. */
const TapeInstr *hoist_maker(const Hoist *h, int slot)
{
    int v = hoist_is_known(h, slot) ? BEFORE : now_of(h, slot);
    return v < h->base ? NULL : hoist_code(h, v);
}

/* May the value be changed where it is made? */
bool hoist_is_single(const Hoist *h, int slot)
{
    int v = hoist_is_known(h, slot) ? BEFORE : now_of(h, slot);
    return v >= h->base && h->nread[v - h->base] == 1 && !h->asked[v - h->base];
}

/* Has operand k of the maker of `slot` still the value it had there? */
bool hoist_is_same(const Hoist *h, int slot, int k)
{
    int at = h->now[slot];
    const TapeInstr *in = hoist_code(h, at);
    int operand = k ? in->b : in->a;
    return hoist_is_known(h, operand) ||
           now_of(h, operand) == h->version[3 * (at - h->base) + k];
}

/* Instruction `at` becomes op(a, b). */
void hoist_become(Hoist *h, int at, int op, int a, int b)
{
    TapeInstr *in = hoist_code(h, at);
    int *v = &h->version[3 * (at - h->base)];
    int old[3] = {v[0], v[1], v[2]};
    in->op = op;
    in->a = a;
    in->b = b;
    in->c = NONE;
    v[0] = a == NONE || hoist_is_known(h, a) ? BEFORE : now_of(h, a);
    v[1] = b == NONE || hoist_is_known(h, b) ? BEFORE : now_of(h, b);
    v[2] = BEFORE;
    read_version(h, v[0], 1);
    read_version(h, v[1], 1);
    for (int k = 0; k < 3; k++)
        read_version(h, old[k], -1);
    bury(h);
}

void hoist_note_scaled(Hoist *h, int at, int factor)
{
    int before = hoist_code(h, at)->scaled;
    int both = before == 0      ? factor
               : before == NONE ? NONE
                                : hoist_combine(h, EX_MUL, before, factor);
    hoist_code(h, at)->scaled = both;
}

/* ---- the walk ---- */

/* Reads what a copy was made of, where that is still there. */
static int resolved(const Hoist *h, int slot)
{
    for (;;) {
        if (slot == NONE || hoist_is_known(h, slot))
            return slot;
        const TapeInstr *in = hoist_maker(h, slot);
        if (!in || in->op != TAPE_COPY || !hoist_is_same(h, slot, 0))
            return slot;
        slot = in->a;
    }
}

static bool is_arithmetic(int op)
{
    return op == EX_ADD || op == EX_SUB || op == EX_MUL || op == EX_DIV ||
           op == EX_NEG;
}

static bool is_counted(int op)
{
    return is_arithmetic(op) || op == TAPE_COPY;
}

static void visit(Hoist *h, int at)
{
    const TapeInstr in = *hoist_code(h, at);
    bool lives = h->asked[at - h->base] || h->nread[at - h->base] > 0;
    h->t->here = in.origin; /* of parameters that are combined for it */
    if (lives && is_arithmetic(in.op)) {
        int a = resolved(h, in.a), b = resolved(h, in.b);
        if (a != in.a || b != in.b)
            hoist_become(h, at, in.op, a, b);
        for (int i = 0; i < DEEPEST && hoist_rewrite(h, at); i++) {
        }
    }
    int dst = tape_writes(&in);
    if (dst != NONE)
        h->now[dst] = at;
}

/* Counts what the instruction reads, and remembers the versions. */
static void count(Hoist *h, int at)
{
    const TapeInstr *in = hoist_code(h, at);
    int slot[3], n = tape_reads(in, slot);
    for (int k = 0; k < n; k++)
        if (is_counted(in->op)) {
            int v = hoist_is_known(h, slot[k]) ? BEFORE : now_of(h, slot[k]);
            h->version[3 * (at - h->base) + k] = v;
            read_version(h, v, 1);
        } else {
            ask(h, slot[k]); /* its operands stay as they are */
        }
    int first, nlist = tape_list(h->t, in, &first);
    for (int k = 0; k < nlist; k++)
        ask(h, first + k);
    int dst = tape_writes(in);
    if (dst != NONE)
        h->now[dst] = at;
}

static void ask_list(Hoist *h, const int *slot, int n)
{
    for (int i = 0; i < n; i++)
        ask(h, slot[i]);
}

/* What a loop writes has another version from its begin on, and is asked for
 * at its begin and its end. */
static void pass_loop(Hoist *h, int first, int count_, int version)
{
    for (int i = first; i < first + count_; i++) {
        const TapeInstr *in = hoist_code(h, i);
        int dst = tape_writes(in);
        if (dst != NONE) {
            ask(h, dst);
            h->now[dst] = version;
        }
        for (int k = 0; in->op == TAPE_BLOCK && k < h->t->block.at[in->a].n;
             k++) {
            ask(h, h->t->block.at[in->a].x[k]);
            h->now[h->t->block.at[in->a].x[k]] = version;
        }
    }
}

static void end_block(Hoist *h, const TapeBlock *b, int at)
{
    ask_list(h, b->x, b->n);
    ask_list(h, b->delta, b->n);
    ask_list(h, tape_full(b), b->n);
    ask_list(h, b->residual, b->nrow);
    if (b->monitor != 0)
        ask(h, b->monitor);
    for (int k = 0; k < b->n; k++) /* x := x - delta */
        h->now[b->x[k]] = -2 - at;
}

static void pass_system(Hoist *h, const TapeSystem *s, int at)
{
    ask_list(h, s->entry, s->nnz);
    ask_list(h, s->rhs, s->nrow);
    int nfactor = s->table ? s->table->nfactor : 0;
    int nvector = s->table ? s->table->nvector : 0;
    for (int i = 0; i < nfactor; i++) {
        ask(h, s->factors + i);
        h->now[s->factors + i] = -2 - at;
    }
    for (int i = 0; i < nvector; i++) {
        ask(h, s->vector + i);
        h->now[s->vector + i] = -2 - at;
    }
    for (int i = 0; i < s->nrow; i++)
        h->now[s->rhs[i]] = -2 - at;
}

/* One walk over the segment; `on` looks at each plain instruction. */
static void walk(Hoist *h, const TapeSegment *s, void on(Hoist *, int))
{
    typedef struct Open {
        int at, end;
        bool loops;
    } Open;
    Vec(Open) open = {0};
    for (int i = 0; i < h->n; i++)
        h->now[i] = BEFORE;
    for (int i = s->first; i < s->first + s->count; i++) {
        const TapeInstr *in = hoist_code(h, i);
        int body = tape_body(h->t, i);
        TapeKind kind = tape_op_kind(in->op);
        if (kind == TI_BLOCK || kind == TI_LOOP) {
            const TapeBlock *b = &h->t->block.at[in->a];
            bool loops =
                in->op == TAPE_REPEAT || b->iterations > 1 || b->is_damped;
            if (loops)
                pass_loop(h, i + 1, body, -2 - i);
            if (loops && in->op == TAPE_BLOCK)
                for (int k = 0; k < b->n; k++) {
                    ask(h, b->x[k]);
                    h->now[b->x[k]] = -2 - i;
                }
            vec_push(h->local, &open, ((Open){i, i + body, loops}));
        } else if (kind == TI_SYSTEM) {
            pass_system(h, &h->t->system.at[in->a], i);
        } else {
            on(h, i);
        }
        while (open.n > 0 && vec_last(&open).end == i) {
            Open o = vec_pop(&open);
            const TapeInstr *head = hoist_code(h, o.at);
            if (head->op == TAPE_BLOCK)
                end_block(h, &h->t->block.at[head->a], i);
            if (o.loops)
                pass_loop(h, o.at + 1, o.end - o.at, -2 - i);
        }
    }
}

static void hoist_segment(Hoist *h, const TapeSegment *s)
{
    h->n = h->t->nslot;
    h->base = s->first;
    h->now = NEW_ARRAY(h->local, int, h->n + 1);
    h->nread = NEW_ARRAY(h->local, int, s->count + 1);
    h->asked = NEW_ARRAY(h->local, bool, s->count + 1);
    h->version = NEW_ARRAY(h->local, int, 3 * s->count + 3);
    for (int i = 0; i < 3 * s->count; i++)
        h->version[i] = BEFORE;
    walk(h, s, count);
    for (int i = 0; i < h->n; i++)
        if (h->t->region[i] != TR_TEMP)
            ask(h, i);
    for (int i = 0; i < s->count; i++)
        if (h->nread[i] == 0 && !h->asked[i] &&
            is_counted(hoist_code(h, s->first + i)->op))
            vec_push(h->local, &h->dead, s->first + i);
    bury(h);
    walk(h, s, visit);
}

/* `param` once more, with the new instructions after it. */
static void add_parameters(Hoist *h)
{
    Tape *t = h->t;
    int k = 0;
    while (k < t->segment.n &&
           t->segment.at + k != tape_find_segment(t, "param"))
        k++;
    if (h->param.n == 0 || k == t->segment.n)
        return;
    TapeSegment old = t->segment.at[k];
    TapeSegment *s = &t->segment.at[k];
    s->first = t->code.n;
    s->count = old.count + h->param.n;
    for (int i = 0; i < old.count; i++) {
        TapeInstr in = t->code.at[old.first + i];
        vec_push(t->arena, &t->code, in);
    }
    for (int i = 0; i < h->param.n; i++)
        vec_push(t->arena, &t->code, h->param.at[i]);
}

void tape_hoist(Tape *t, const TapeSegment *segment, int nsegment,
                const double *value)
{
    Hoist h = {
        .t = t, .local = arena_new(), .value = value, .nvalue = t->nslot};
    for (int i = 0; i < NBUCKET; i++)
        h.bucket[i] = NONE;
    for (int i = 0; i < nsegment; i++)
        hoist_segment(&h, &segment[i]);
    add_parameters(&h);
    arena_free(h.local);
}
