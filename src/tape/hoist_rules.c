/* hoist_rules.c - what can be combined: products, quotients, sums, signs.
 *
 * A rule replaces the instruction it is asked about by one that costs no more,
 * and may change the only instruction that makes an operand of it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tape/hoist_internal.h"

/* ---- products ---- */

/* known * other, or known / other */
typedef struct Product {
    int op, known, other;
} Product;

/* Is the slot such a product, and could it be read as one here? */
static bool is_product(Hoist *h, int slot, Product *p)
{
    const TapeInstr *in = hoist_maker(h, slot);
    if (!in)
        return false;
    if (in->op == EX_NEG && hoist_is_same(h, slot, 0)) {
        *p = (Product){EX_MUL, tape_const(h->t, -1), in->a};
        return true;
    }
    if (in->op == EX_DIV && hoist_is_known(h, in->a) &&
        hoist_is_same(h, slot, 1)) {
        *p = (Product){EX_DIV, in->a, in->b};
        return true;
    }
    for (int k = 0; in->op == EX_MUL && k < 2; k++) {
        int known = k ? in->a : in->b, other = k ? in->b : in->a;
        if (!hoist_is_known(h, known) || !hoist_is_same(h, slot, k))
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
    if (hoist_is_known(h, slot))
        return hoist_combine(h, EX_MUL, slot, factor) != NONE;
    if (!hoist_is_single(h, slot) || depth == DEEPEST)
        return false;
    const TapeInstr in = *hoist_maker(h, slot);
    switch (in.op) {
    case EX_NEG:
        return hoist_combine(h, EX_MUL, tape_const(h->t, -1), factor) != NONE;
    case EX_MUL:
        return (hoist_is_known(h, in.a) &&
                hoist_combine(h, EX_MUL, in.a, factor) != NONE) ||
               (hoist_is_known(h, in.b) &&
                hoist_combine(h, EX_MUL, in.b, factor) != NONE);
    case EX_DIV:
        return hoist_is_known(h, in.a) &&
               hoist_combine(h, EX_MUL, in.a, factor) != NONE;
    case EX_ADD:
    case EX_SUB:
        return !(hoist_is_known(h, in.a) && hoist_is_known(h, in.b)) &&
               hoist_is_same(h, slot, 0) && hoist_is_same(h, slot, 1) &&
               takes_factor(h, in.a, factor, depth + 1) &&
               takes_factor(h, in.b, factor, depth + 1);
    default: return false;
    }
}

/* Does that; returns the slot of the product. */
static int give_factor(Hoist *h, int slot, int factor)
{
    if (hoist_is_known(h, slot))
        return hoist_combine(h, EX_MUL, slot, factor);
    int at = h->now[slot];
    TapeInstr *in = hoist_code(h, at);
    hoist_note_scaled(h, at, factor);
    if (in->op == EX_ADD || in->op == EX_SUB) {
        int a = give_factor(h, in->a, factor);
        int b = give_factor(h, hoist_code(h, at)->b, factor);
        hoist_code(h, at)->a = a;
        hoist_code(h, at)->b = b;
    } else if (in->op == EX_NEG) {
        in->op = EX_MUL;
        in->b = hoist_combine(h, EX_MUL, tape_const(h->t, -1), factor);
    } else if (hoist_is_known(h, in->a)) {
        in->a = hoist_combine(h, EX_MUL, in->a, factor);
    } else {
        in->b = hoist_combine(h, EX_MUL, in->b, factor);
    }
    return slot;
}

static bool is_sum(const Hoist *h, int slot)
{
    const TapeInstr *in = hoist_maker(h, slot);
    return in && (in->op == EX_ADD || in->op == EX_SUB);
}

/* at: x * factor */
static bool merge_scaled(Hoist *h, int at, int x, int factor)
{
    Product p;
    if (!hoist_is_single(h, x))
        return false;
    if (is_product(h, x, &p)) {
        int k = hoist_combine(h, EX_MUL, p.known, factor);
        if (k == NONE)
            return false;
        if (p.op == EX_MUL)
            hoist_become(h, at, EX_MUL, p.other, k);
        else
            hoist_become(h, at, EX_DIV, k, p.other);
        return true;
    }
    if (!is_sum(h, x) || !takes_factor(h, x, factor, 0))
        return false;
    give_factor(h, x, factor);
    hoist_become(h, at, TAPE_COPY, x, NONE);
    return true;
}

/* (k y) z, where z is a product, too: one factor is enough. */
static bool merge_product(Hoist *h, int at, int y, int z)
{
    Product p;
    if (!hoist_is_single(h, y) || !is_product(h, y, &p) || p.op != EX_MUL ||
        !hoist_is_single(h, z) || is_sum(h, z) ||
        !takes_factor(h, z, p.known, 0))
        return false;
    give_factor(h, z, p.known);
    hoist_become(h, at, EX_MUL, p.other, z);
    return true;
}

static bool merge_mul(Hoist *h, int at)
{
    const TapeInstr in = *hoist_code(h, at);
    if (hoist_is_known(h, in.a) != hoist_is_known(h, in.b))
        return hoist_is_known(h, in.b) ? merge_scaled(h, at, in.a, in.b)
                                       : merge_scaled(h, at, in.b, in.a);
    return !hoist_is_known(h, in.a) && (merge_product(h, at, in.a, in.b) ||
                                        merge_product(h, at, in.b, in.a));
}

/* known / x */
static bool merge_reciprocal(Hoist *h, int at, int known, int x)
{
    Product p;
    if (!hoist_is_single(h, x) || !is_product(h, x, &p))
        return false;
    int k = hoist_combine(h, EX_DIV, known, p.known);
    if (k == NONE)
        return false;
    if (p.op == EX_MUL)
        hoist_become(h, at, EX_DIV, k, p.other);
    else
        hoist_become(h, at, EX_MUL, p.other, k);
    return true;
}

static bool merge_div(Hoist *h, int at)
{
    const TapeInstr in = *hoist_code(h, at);
    Product p;
    if (hoist_is_known(h, in.a) && hoist_is_known(h, in.b))
        return false;
    if (hoist_is_known(h, in.a))
        return merge_reciprocal(h, at, in.a, in.b);
    if (hoist_is_known(h, in.b)) {
        int inverse = hoist_combine(h, EX_DIV, tape_const(h->t, 1), in.b);
        if (inverse == NONE)
            return false;
        hoist_become(h, at, EX_MUL, in.a, inverse);
        return true;
    }
    /* y / (k z), where y is a product, too */
    if (!hoist_is_single(h, in.b) || !is_product(h, in.b, &p) || p.op != EX_MUL)
        return false;
    int inverse = hoist_combine(h, EX_DIV, tape_const(h->t, 1), p.known);
    if (inverse == NONE || is_sum(h, in.a) ||
        !takes_factor(h, in.a, inverse, 0))
        return false;
    give_factor(h, in.a, inverse);
    hoist_become(h, at, EX_DIV, in.a, p.other);
    return true;
}

/* ---- sums ---- */

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
    if (hoist_is_known(h, s->a))
        *s = (Sum){s->b, s->a, s->sign_b, s->sign_a};
}

/* (y + q) + p, where q and p have the same sign */
static bool merge_addend(Hoist *h, int at)
{
    Sum outer = sum_of(hoist_code(h, at));
    turn(h, &outer);
    if (!hoist_is_known(h, outer.b) || !hoist_is_single(h, outer.a) ||
        !is_sum(h, outer.a))
        return false;
    const TapeInstr *made = hoist_maker(h, outer.a);
    Sum inner = sum_of(made);
    int k = hoist_is_known(h, inner.a); /* operand that is no parameter */
    turn(h, &inner);
    if (!hoist_is_known(h, inner.b) || hoist_is_known(h, inner.a) ||
        !hoist_is_same(h, outer.a, k))
        return false;
    int sign_y = outer.sign_a * inner.sign_a;
    int sign_q = outer.sign_a * inner.sign_b, sign_p = outer.sign_b;
    double q = sign_q * hoist_value(h, inner.b);
    double p = sign_p * hoist_value(h, outer.b);
    if (q * p < 0 || (sign_y < 0 && sign_q < 0 && sign_p < 0))
        return false;
    bool minus = sign_q < 0 && sign_p < 0;
    int sum = sign_q == sign_p ? hoist_combine(h, EX_ADD, inner.b, outer.b)
              : sign_q > 0     ? hoist_combine(h, EX_SUB, inner.b, outer.b)
                               : hoist_combine(h, EX_SUB, outer.b, inner.b);
    if (sum == NONE)
        return false;
    if (sign_y < 0)
        hoist_become(h, at, EX_SUB, sum, inner.a);
    else
        hoist_become(h, at, minus ? EX_SUB : EX_ADD, inner.a, sum);
    return true;
}

/* x - (x + y) = -y, which is also what it should be. */
static bool merge_difference(Hoist *h, int at)
{
    const TapeInstr in = *hoist_code(h, at);
    const TapeInstr *made = hoist_maker(h, in.b);
    if (in.op != EX_SUB || !made || made->op != EX_ADD)
        return false;
    for (int k = 0; k < 2; k++) {
        int x = k ? made->b : made->a, y = k ? made->a : made->b;
        if (x != in.a || !hoist_is_same(h, in.b, 0) ||
            !hoist_is_same(h, in.b, 1))
            continue;
        hoist_become(h, at, EX_NEG, y, NONE);
        return true;
    }
    return false;
}

/* a + (-b), a - (-b) */
static bool merge_sign(Hoist *h, int at)
{
    const TapeInstr in = *hoist_code(h, at);
    for (int k = 0; k < 2; k++) {
        int x = k ? in.a : in.b, other = k ? in.b : in.a;
        const TapeInstr *made = hoist_maker(h, x);
        if (!made || made->op != EX_NEG || !hoist_is_single(h, x) ||
            !hoist_is_same(h, x, 0) || (k == 1 && in.op == EX_SUB))
            continue;
        hoist_become(h, at, in.op == EX_ADD ? EX_SUB : EX_ADD, other, made->a);
        return true;
    }
    return false;
}

static bool merge_negative(Hoist *h, int at)
{
    int x = hoist_code(h, at)->a, minus = tape_const(h->t, -1);
    const TapeInstr *made = hoist_maker(h, x);
    Product p;
    if (!made)
        return false;
    if (made->op == EX_NEG && hoist_is_same(h, x, 0)) {
        hoist_become(h, at, TAPE_COPY, made->a, NONE);
        return true;
    }
    if (made->op == EX_SUB && hoist_is_single(h, x) && hoist_is_same(h, x, 0) &&
        hoist_is_same(h, x, 1)) {
        hoist_become(h, at, EX_SUB, made->b, made->a);
        return true;
    }
    if (made->op == EX_DIV && hoist_is_single(h, x) && hoist_is_same(h, x, 0) &&
        !is_sum(h, made->a) && !hoist_is_known(h, made->a) &&
        takes_factor(h, made->a, minus, 0)) {
        give_factor(h, made->a, minus);
        hoist_note_scaled(h, h->now[x], minus);
        hoist_become(h, at, TAPE_COPY, x, NONE);
        return true;
    }
    if (!hoist_is_single(h, x) || !is_product(h, x, &p))
        return false;
    int k = hoist_combine(h, EX_MUL, p.known, minus);
    if (k == NONE)
        return false;
    if (p.op == EX_MUL)
        hoist_become(h, at, EX_MUL, p.other, k);
    else
        hoist_become(h, at, EX_DIV, k, p.other);
    return true;
}

bool hoist_rewrite(Hoist *h, int at)
{
    switch (hoist_code(h, at)->op) {
    case EX_MUL: return merge_mul(h, at);
    case EX_DIV: return merge_div(h, at);
    case EX_NEG: return merge_negative(h, at);
    case EX_ADD:
    case EX_SUB:
        return merge_difference(h, at) || merge_sign(h, at) ||
               merge_addend(h, at);
    default: return false;
    }
}
