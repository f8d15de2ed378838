/* hoist.c - a walk through a segment that knows where values come from.
 *
 * A version is the instruction that wrote a value, or a negative number for
 * what was there before the segment or comes around a loop. For each version
 * the walk knows how often it is read and whether somebody outside asks for it
 * (`asked`); one that is read once and not asked for may be changed where it is
 * made. An operand may be read later than it was if its slot still has the
 * version it had.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tape/hoist.h"

#include <math.h>

#include "num/table.h"

enum { DEEPEST = 8, NBUCKET = 1024, BEFORE = -1 };

typedef struct Hoist {
    Tape *t;
    Arena *local;
    const double *value; /* of the first nvalue slots */
    int nvalue;
    int n;                /* slots at the begin of the segment */
    int *now;             /* version of each slot */
    int base;             /* first instruction of the segment */
    int *nread;           /* of each version, from base */
    bool *asked;          /* of each version, from base */
    int *version;         /* of the operands a, b, c of each instruction */
    Vec(TapeInstr) param; /* new instructions of `param` */
    Vec(int) next;        /* of them: the next in the same bucket */
    int bucket[NBUCKET];
    Vec(int) dead; /* versions nobody reads, to be followed */
} Hoist;

/* --- parameters
 * ------------------------------------------------------------------------ */

static bool is_known(const Hoist *h, int slot)
{
    int r = h->t->region[slot];
    return r == TR_CONST || r == TR_PARAM || r == TR_DERIVED ||
           slot == h->t->step;
}

static double value_of(const Hoist *h, int slot)
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
    TapeInstr in = {op, tape_slot(h->t, TR_DERIVED, NULL, value), a, b, NONE};
    vec_push(h->local, &h->param, in);
    vec_push(h->local, &h->next, *head);
    *head = h->param.n - 1;
    return in.dst;
}

/* The slot of a op b, both known; NONE: better not. */
static int combine(Hoist *h, int op, int a, int b)
{
    const Tape *t = h->t;
    double x = value_of(h, a), y = value_of(h, b), value;
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

/* --- versions
 * ------------------------------------------------------------------------ */

static TapeInstr *code(const Hoist *h, int at)
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

/* Who is read by nobody reads nobody. */
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
static const TapeInstr *maker(const Hoist *h, int slot)
{
    int v = is_known(h, slot) ? BEFORE : now_of(h, slot);
    return v < h->base ? NULL : code(h, v);
}

/* May the value be changed where it is made? */
static bool is_single(const Hoist *h, int slot)
{
    int v = is_known(h, slot) ? BEFORE : now_of(h, slot);
    return v >= h->base && h->nread[v - h->base] == 1 && !h->asked[v - h->base];
}

/* Has operand k of the maker of `slot` still the value it had there? */
static bool is_same(const Hoist *h, int slot, int k)
{
    int at = h->now[slot];
    const TapeInstr *in = code(h, at);
    int operand = k ? in->b : in->a;
    return is_known(h, operand) ||
           now_of(h, operand) == h->version[3 * (at - h->base) + k];
}

/* Instruction `at` becomes op(a, b). */
static void become(Hoist *h, int at, int op, int a, int b)
{
    TapeInstr *in = code(h, at);
    int *v = &h->version[3 * (at - h->base)];
    int old[3] = {v[0], v[1], v[2]};
    in->op = op;
    in->a = a;
    in->b = b;
    in->c = NONE;
    v[0] = a == NONE || is_known(h, a) ? BEFORE : now_of(h, a);
    v[1] = b == NONE || is_known(h, b) ? BEFORE : now_of(h, b);
    v[2] = BEFORE;
    read_version(h, v[0], 1);
    read_version(h, v[1], 1);
    for (int k = 0; k < 3; k++)
        read_version(h, old[k], -1);
    bury(h);
}

/* --- products
 * ------------------------------------------------------------------------ */

/* known * other, or known / other */
typedef struct Product {
    int op, known, other;
} Product;

/* Is the slot such a product, and could it be read as one here? */
static bool is_product(Hoist *h, int slot, Product *p)
{
    const TapeInstr *in = maker(h, slot);
    if (!in)
        return false;
    if (in->op == EX_NEG && is_same(h, slot, 0)) {
        *p = (Product){EX_MUL, tape_const(h->t, -1), in->a};
        return true;
    }
    if (in->op == EX_DIV && is_known(h, in->a) && is_same(h, slot, 1)) {
        *p = (Product){EX_DIV, in->a, in->b};
        return true;
    }
    for (int k = 0; in->op == EX_MUL && k < 2; k++) {
        int known = k ? in->a : in->b, other = k ? in->b : in->a;
        if (!is_known(h, known) || !is_same(h, slot, k))
            continue;
        *p = (Product){EX_MUL, known, other};
        return true;
    }
    return false;
}

/* Could `slot` be multiplied by `factor` where it is made, for nothing? A
 * parameter could, too: the caller reads the product instead. */
static bool takes_factor(Hoist *h, int slot, int factor, int depth)
{
    if (is_known(h, slot))
        return combine(h, EX_MUL, slot, factor) != NONE;
    if (!is_single(h, slot) || depth == DEEPEST)
        return false;
    const TapeInstr in = *maker(h, slot);
    switch (in.op) {
    case EX_NEG:
        return combine(h, EX_MUL, tape_const(h->t, -1), factor) != NONE;
    case EX_MUL:
        return (is_known(h, in.a) &&
                combine(h, EX_MUL, in.a, factor) != NONE) ||
               (is_known(h, in.b) && combine(h, EX_MUL, in.b, factor) != NONE);
    case EX_DIV:
        return is_known(h, in.a) && combine(h, EX_MUL, in.a, factor) != NONE;
    case EX_ADD:
    case EX_SUB:
        return !(is_known(h, in.a) && is_known(h, in.b)) &&
               is_same(h, slot, 0) && is_same(h, slot, 1) &&
               takes_factor(h, in.a, factor, depth + 1) &&
               takes_factor(h, in.b, factor, depth + 1);
    default: return false;
    }
}

/* Does that; returns the slot of the product. */
static int give_factor(Hoist *h, int slot, int factor)
{
    if (is_known(h, slot))
        return combine(h, EX_MUL, slot, factor);
    TapeInstr *in = code(h, h->now[slot]);
    if (in->op == EX_ADD || in->op == EX_SUB) {
        int at = h->now[slot];
        int a = give_factor(h, in->a, factor);
        int b = give_factor(h, code(h, at)->b, factor);
        code(h, at)->a = a;
        code(h, at)->b = b;
    } else if (in->op == EX_NEG) {
        in->op = EX_MUL;
        in->b = combine(h, EX_MUL, tape_const(h->t, -1), factor);
    } else if (is_known(h, in->a)) {
        in->a = combine(h, EX_MUL, in->a, factor);
    } else {
        in->b = combine(h, EX_MUL, in->b, factor);
    }
    return slot;
}

static bool is_sum(const Hoist *h, int slot)
{
    const TapeInstr *in = maker(h, slot);
    return in && (in->op == EX_ADD || in->op == EX_SUB);
}

/* at: x * factor */
static bool hoist_scaled(Hoist *h, int at, int x, int factor)
{
    Product p;
    if (!is_single(h, x))
        return false;
    if (is_product(h, x, &p)) {
        int k = combine(h, EX_MUL, p.known, factor);
        if (k == NONE)
            return false;
        if (p.op == EX_MUL)
            become(h, at, EX_MUL, p.other, k);
        else
            become(h, at, EX_DIV, k, p.other);
        return true;
    }
    if (!is_sum(h, x) || !takes_factor(h, x, factor, 0))
        return false;
    give_factor(h, x, factor);
    become(h, at, TAPE_COPY, x, NONE);
    return true;
}

/* (k y) z, where z is a product, too: one factor is enough. */
static bool hoist_product(Hoist *h, int at, int y, int z)
{
    Product p;
    if (!is_single(h, y) || !is_product(h, y, &p) || p.op != EX_MUL ||
        !is_single(h, z) || is_sum(h, z) || !takes_factor(h, z, p.known, 0))
        return false;
    give_factor(h, z, p.known);
    become(h, at, EX_MUL, p.other, z);
    return true;
}

static bool hoist_mul(Hoist *h, int at)
{
    const TapeInstr in = *code(h, at);
    if (is_known(h, in.a) != is_known(h, in.b))
        return is_known(h, in.b) ? hoist_scaled(h, at, in.a, in.b)
                                 : hoist_scaled(h, at, in.b, in.a);
    return !is_known(h, in.a) && (hoist_product(h, at, in.a, in.b) ||
                                  hoist_product(h, at, in.b, in.a));
}

/* known / x */
static bool hoist_reciprocal(Hoist *h, int at, int known, int x)
{
    Product p;
    if (!is_single(h, x) || !is_product(h, x, &p))
        return false;
    int k = combine(h, EX_DIV, known, p.known);
    if (k == NONE)
        return false;
    if (p.op == EX_MUL)
        become(h, at, EX_DIV, k, p.other);
    else
        become(h, at, EX_MUL, p.other, k);
    return true;
}

static bool hoist_div(Hoist *h, int at)
{
    const TapeInstr in = *code(h, at);
    Product p;
    if (is_known(h, in.a) && is_known(h, in.b))
        return false;
    if (is_known(h, in.a))
        return hoist_reciprocal(h, at, in.a, in.b);
    if (is_known(h, in.b)) {
        int inverse = combine(h, EX_DIV, tape_const(h->t, 1), in.b);
        if (inverse == NONE)
            return false;
        become(h, at, EX_MUL, in.a, inverse);
        return true;
    }
    /* y / (k z), where y is a product, too */
    if (!is_single(h, in.b) || !is_product(h, in.b, &p) || p.op != EX_MUL)
        return false;
    int inverse = combine(h, EX_DIV, tape_const(h->t, 1), p.known);
    if (inverse == NONE || is_sum(h, in.a) ||
        !takes_factor(h, in.a, inverse, 0))
        return false;
    give_factor(h, in.a, inverse);
    become(h, at, EX_DIV, in.a, p.other);
    return true;
}

/* --- sums
 * ------------------------------------------------------------------------ */

/* sign_a a + sign_b b */
typedef struct Sum {
    int a, b, sign_a, sign_b;
} Sum;

static Sum sum_of(const TapeInstr *in)
{
    return (Sum){in->a, in->b, 1, in->op == EX_ADD ? 1 : -1};
}

/* The parameter comes last. */
static void turn(const Hoist *h, Sum *s)
{
    if (is_known(h, s->a))
        *s = (Sum){s->b, s->a, s->sign_b, s->sign_a};
}

/* (y + q) + p, where q and p have the same sign */
static bool hoist_addend(Hoist *h, int at)
{
    Sum outer = sum_of(code(h, at));
    turn(h, &outer);
    if (!is_known(h, outer.b) || !is_single(h, outer.a) || !is_sum(h, outer.a))
        return false;
    const TapeInstr *made = maker(h, outer.a);
    Sum inner = sum_of(made);
    int k = is_known(h, inner.a); /* operand that is no parameter */
    turn(h, &inner);
    if (!is_known(h, inner.b) || is_known(h, inner.a) ||
        !is_same(h, outer.a, k))
        return false;
    int sign_y = outer.sign_a * inner.sign_a;
    int sign_q = outer.sign_a * inner.sign_b, sign_p = outer.sign_b;
    double q = sign_q * value_of(h, inner.b);
    double p = sign_p * value_of(h, outer.b);
    if (q * p < 0 || (sign_y < 0 && sign_q < 0 && sign_p < 0))
        return false;
    bool minus = sign_q < 0 && sign_p < 0;
    int sum = sign_q == sign_p ? combine(h, EX_ADD, inner.b, outer.b)
              : sign_q > 0     ? combine(h, EX_SUB, inner.b, outer.b)
                               : combine(h, EX_SUB, outer.b, inner.b);
    if (sum == NONE)
        return false;
    if (sign_y < 0)
        become(h, at, EX_SUB, sum, inner.a);
    else
        become(h, at, minus ? EX_SUB : EX_ADD, inner.a, sum);
    return true;
}

/* x - (x + y) = -y, which is also what it should be. */
static bool hoist_difference(Hoist *h, int at)
{
    const TapeInstr in = *code(h, at);
    const TapeInstr *made = maker(h, in.b);
    if (in.op != EX_SUB || !made || made->op != EX_ADD)
        return false;
    for (int k = 0; k < 2; k++) {
        int x = k ? made->b : made->a, y = k ? made->a : made->b;
        if (x != in.a || !is_same(h, in.b, 0) || !is_same(h, in.b, 1))
            continue;
        become(h, at, EX_NEG, y, NONE);
        return true;
    }
    return false;
}

/* a + (-b), a - (-b) */
static bool hoist_sign(Hoist *h, int at)
{
    const TapeInstr in = *code(h, at);
    for (int k = 0; k < 2; k++) {
        int x = k ? in.a : in.b, other = k ? in.b : in.a;
        const TapeInstr *made = maker(h, x);
        if (!made || made->op != EX_NEG || !is_single(h, x) ||
            !is_same(h, x, 0) || (k == 1 && in.op == EX_SUB))
            continue;
        become(h, at, in.op == EX_ADD ? EX_SUB : EX_ADD, other, made->a);
        return true;
    }
    return false;
}

static bool hoist_negative(Hoist *h, int at)
{
    int x = code(h, at)->a, minus = tape_const(h->t, -1);
    const TapeInstr *made = maker(h, x);
    Product p;
    if (!made)
        return false;
    if (made->op == EX_NEG && is_same(h, x, 0)) {
        become(h, at, TAPE_COPY, made->a, NONE);
        return true;
    }
    if (made->op == EX_SUB && is_single(h, x) && is_same(h, x, 0) &&
        is_same(h, x, 1)) {
        become(h, at, EX_SUB, made->b, made->a);
        return true;
    }
    if (made->op == EX_DIV && is_single(h, x) && is_same(h, x, 0) &&
        !is_sum(h, made->a) && !is_known(h, made->a) &&
        takes_factor(h, made->a, minus, 0)) {
        give_factor(h, made->a, minus);
        become(h, at, TAPE_COPY, x, NONE);
        return true;
    }
    if (!is_single(h, x) || !is_product(h, x, &p))
        return false;
    int k = combine(h, EX_MUL, p.known, minus);
    if (k == NONE)
        return false;
    if (p.op == EX_MUL)
        become(h, at, EX_MUL, p.other, k);
    else
        become(h, at, EX_DIV, k, p.other);
    return true;
}

/* --- the walk
 * ------------------------------------------------------------------------ */

/* Reads what a copy was made of, where that is still there. */
static int resolved(const Hoist *h, int slot)
{
    for (;;) {
        if (slot == NONE || is_known(h, slot))
            return slot;
        const TapeInstr *in = maker(h, slot);
        if (!in || in->op != TAPE_COPY || !is_same(h, slot, 0))
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

static bool rewrite(Hoist *h, int at)
{
    switch (code(h, at)->op) {
    case EX_MUL: return hoist_mul(h, at);
    case EX_DIV: return hoist_div(h, at);
    case EX_NEG: return hoist_negative(h, at);
    case EX_ADD:
    case EX_SUB:
        return hoist_difference(h, at) || hoist_sign(h, at) ||
               hoist_addend(h, at);
    default: return false;
    }
}

static void visit(Hoist *h, int at)
{
    const TapeInstr in = *code(h, at);
    bool lives = h->asked[at - h->base] || h->nread[at - h->base] > 0;
    if (lives && is_arithmetic(in.op)) {
        int a = resolved(h, in.a), b = resolved(h, in.b);
        if (a != in.a || b != in.b)
            become(h, at, in.op, a, b);
        for (int i = 0; i < DEEPEST && rewrite(h, at); i++) {
        }
    }
    int dst = tape_writes(&in);
    if (dst != NONE)
        h->now[dst] = at;
}

/* Counts what the instruction reads, and remembers the versions. */
static void count(Hoist *h, int at)
{
    const TapeInstr *in = code(h, at);
    int slot[3], n = tape_reads(in, slot);
    for (int k = 0; k < n; k++)
        if (is_counted(in->op)) {
            int v = is_known(h, slot[k]) ? BEFORE : now_of(h, slot[k]);
            h->version[3 * (at - h->base) + k] = v;
            read_version(h, v, 1);
        } else {
            ask(h, slot[k]); /* its operands stay as they are */
        }
    int dst = tape_writes(in);
    if (dst != NONE)
        h->now[dst] = at;
}

static int body_of(const Tape *t, const TapeInstr *in)
{
    if (in->op == TAPE_REPEAT)
        return in->b;
    if (in->op != TAPE_BLOCK)
        return 0;
    const TapeBlock *b = &t->block.at[in->a];
    return b->neval + b->njac + b->nsolve;
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
        const TapeInstr *in = code(h, i);
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
    ask_list(h, b->residual, b->n);
    if (b->monitor != 0)
        ask(h, b->monitor);
    for (int k = 0; k < b->n; k++) /* x := x - delta */
        h->now[b->x[k]] = -2 - at;
}

static void pass_system(Hoist *h, const TapeSystem *s, int at)
{
    ask_list(h, s->entry, s->nnz);
    ask_list(h, s->rhs, s->n);
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
    for (int i = 0; i < s->n; i++)
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
        const TapeInstr *in = code(h, i);
        int body = body_of(h->t, in);
        if (in->op == TAPE_BLOCK || in->op == TAPE_REPEAT) {
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
        } else if (in->op == TAPE_FACTOR || in->op == TAPE_SOLVE) {
            pass_system(h, &h->t->system.at[in->a], i);
        } else {
            on(h, i);
        }
        while (open.n > 0 && vec_last(&open).end == i) {
            Open o = vec_pop(&open);
            const TapeInstr *head = code(h, o.at);
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
            is_counted(code(h, s->first + i)->op))
            vec_push(h->local, &h->dead, s->first + i);
    bury(h);
    walk(h, s, visit);
}

/* `param` once more, with the new instructions behind it. */
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
