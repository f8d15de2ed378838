/* exec_rough.c - instructions whose results are rounded to either side.
 *
 * What a result is worth is seen if it is computed again with other rounding
 * errors (Vignes, "A stochastic arithmetic for reliable scientific
 * computation", Mathematics and Computers in Simulation 35, 1993): each
 * operation gives one of the two numbers that its exact result lies between, by
 * chance. What is exact stays exact, so that x - x, sums of whole numbers and
 * selections are what they are. Sums, products, quotients and roots tell what
 * they have left over; of other functions the last bit is taken to be unknown,
 * and functions of the model (CALL) are run in another direction of rounding.
 *
 * Chance is a sequence of its own (xorshift, Marsaglia 2003): the same run has
 * the same one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <fenv.h>
#include <float.h>
#include <math.h>

#include "tape/exec_internal.h"

static unsigned draw(Exec *e)
{
    e->rough ^= e->rough << 13;
    e->rough ^= e->rough >> 7;
    e->rough ^= e->rough << 17;
    return (unsigned)(e->rough >> 32);
}

/* What the sum x of a and b has left over (Knuth, TAOCP 2, section 4.2.2). */
static double left_of_sum(double a, double b, double x)
{
    double c = x - a;
    return (a - (x - c)) + (b - c);
}

/* The number next to x on the side of `left`, or x. */
static double either(Exec *e, double x, double left)
{
    if (!(fabs(left) > 0) || !isfinite(x) || draw(e) & 1)
        return x;
    return nextafter(x, left > 0 ? INFINITY : -INFINITY);
}

static bool is_whole(double x)
{
    return x == rint(x) && fabs(x) < 1 / DBL_EPSILON;
}

/* A function of the library: its last bit, unless it is one like 2^3. */
static double about(Exec *e, double a, double b, double x)
{
    if (x == 0 || !isfinite(x) || (is_whole(x) && is_whole(a) && is_whole(b)))
        return x;
    unsigned k = draw(e) % 3;
    return k == 0 ? x : nextafter(x, k == 1 ? INFINITY : -INFINITY);
}

/* Is what the operation gives one of its arguments, a truth value or a whole
 * number? What a call gives has been rounded in it. */
static bool is_exact(int op)
{
    switch (op) {
    case TAPE_COPY:
    case TAPE_PICK:
    case TAPE_CALL:
    case EX_FLOOR:
    case EX_CEIL:
    case EX_INTEGER:
    case EX_IDIV:
    case EX_NEG:
    case EX_IF:
    case EX_SMOOTH:
    case EX_NOEVENT:
    case EX_HOMOTOPY:
    case EX_ABS:
    case EX_MIN:
    case EX_MAX:
    case EX_SIGN: return true;
    default: return false;
    }
}

static double rounded(Exec *e, int op, double a, double b, double x)
{
    switch (op) {
    case EX_ADD: return either(e, x, left_of_sum(a, b, x));
    case EX_SUB: return either(e, x, left_of_sum(a, -b, x));
    case EX_MUL: return either(e, x, fma(a, b, -x));
    case EX_DIV: return either(e, x, -fma(x, b, -a) * b);
    case EX_SQRT: return either(e, x, -fma(x, x, -a));
    default: return is_exact(op) ? x : about(e, a, b, x);
    }
}

/* What is called rounds up, down or to the nearest number all the way. */
static void call(Exec *e, int at)
{
    static const int mode[] = {FE_UPWARD, FE_DOWNWARD, FE_TONEAREST};
    int before = fegetround();
    fesetround(mode[draw(e) % 3]);
    exec_range_nearest(e, at, 1);
    fesetround(before);
}

void exec_range_rough(Exec *e, int first, int count)
{
    const Tape *t = e->tape;
    for (int i = first; i < first + count && e->code >= 0;
         i += 1 + tape_body(t, i)) {
        const TapeInstr *in = &t->code.at[i];
        unsigned reads = tape_op_reads(in->op);
        double a = reads & 1 ? e->r[in->a] : 0;
        double b = reads & 2 ? e->r[in->b] : 0;
        if (in->op == TAPE_CALL)
            call(e, i);
        else
            exec_range_nearest(e, i, 1);
        if (in->op == TAPE_LEAVE && e->work->leaves)
            return;
        if (tape_op_kind(in->op) == TI_PLAIN)
            e->r[in->dst] = rounded(e, in->op, a, b, e->r[in->dst]);
    }
}
