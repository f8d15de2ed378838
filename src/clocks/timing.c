/* timing.c - when each clock ticks (16.3, 16.5.2, 16.7.5).
 *
 * Partitions that operators relate have one base clock. Its definition gives
 * the unit of time; every other clock of it has a period and a start that are
 * rational numbers of this unit, found along the relations. The base clock
 * ticks as often as the largest unit in which all of them are whole numbers.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "clocks/clocks_internal.h"

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a < 0 ? -a : a;
}

Ratio ratio_make(int64_t num, int64_t den)
{
    int64_t g = gcd(num, den);
    if (g == 0)
        return (Ratio){0, 1};
    if (den < 0)
        g = -g;
    return (Ratio){num / g, den / g};
}

static Ratio mul(Ratio a, Ratio b)
{
    Ratio x = ratio_make(a.num, b.den), y = ratio_make(b.num, a.den);
    return (Ratio){x.num * y.num, x.den * y.den};
}

static Ratio inverse(Ratio a)
{
    return ratio_make(a.den, a.num);
}

static Ratio add(Ratio a, Ratio b, int sign)
{
    int64_t g = gcd(a.den, b.den);
    return ratio_make(a.num * (b.den / g) + sign * b.num * (a.den / g),
                      a.den / g * b.den);
}

static bool same(Ratio a, Ratio b)
{
    return a.num == b.num && a.den == b.den;
}

/* The largest number that goes into both a whole number of times. */
static Ratio common(Ratio a, Ratio b)
{
    int64_t g = gcd(a.den, b.den), den = a.den / g * b.den;
    return ratio_make(gcd(a.num * (den / a.den), b.num * (den / b.den)), den);
}

/* ---- definitions ---- */

/* Seconds of a periodic clock; false: its ticks are not known before. */
static bool interval_of(const Clocks *c, const Definition *d, double *x)
{
    double num, den;
    if (d->kind == EC_PERIOD)
        return expr_is_const(c->dag, d->b, x);
    if (d->kind != EC_COUNT ||
        !expr_is_const(c->dag, expr_arg(c->dag, d->b, 0), &num) ||
        !expr_is_const(c->dag, expr_arg(c->dag, d->b, 1), &den))
        return false;
    *x = num / den;
    return true;
}

/* a/b as a ratio of small numbers; den = 0: it is none. */
static Ratio quotient(const Clocks *c, const Definition *a, const Definition *b)
{
    double x, y;
    if (!interval_of(c, a, &x) || !interval_of(c, b, &y))
        return (Ratio){0, 0};
    /* continued fraction */
    double q = x / y, rest = q;
    int64_t n0 = 1, n1 = (int64_t)floor(q), d0 = 0, d1 = 1;
    while (fabs((double)n1 - q * (double)d1) > 1e-9 * (double)n1) {
        rest = 1 / (rest - floor(rest));
        if (!(rest < 1e6) || (double)d1 * rest > 1e6)
            return (Ratio){0, 0};
        int64_t k = (int64_t)floor(rest), n2 = k * n1 + n0, d2 = k * d1 + d0;
        n0 = n1, d0 = d1, n1 = n2, d1 = d2;
    }
    return ratio_make(n1, d1);
}

static int new_base(Clocks *c, int definition)
{
    const Definition *d = &c->definition.at[definition];
    BaseClock b = {.definition = definition, .unit = {1, 1}};
    b.is_event = !interval_of(c, d, &b.interval);
    if (b.is_event && d->kind == EC_EVENT)
        expr_is_const(c->dag, d->b, &b.interval);
    vec_push(c->local, &c->base, b);
    return c->base.n - 1;
}

/* ---- relations ---- */

static void conflict(Clocks *c, Span span)
{
    diag_report(c->diag, span, DIAG_E1902,
                "two clocks that tick at different times meet here");
    c->failed = true;
}

static bool set_timing(Clocks *c, int node, Timing t, Span span)
{
    Timing *old = &c->timing[node];
    if (!old->known) {
        *old = t;
        return true;
    }
    if (old->base != t.base || !same(old->period, t.period) ||
        !same(old->start, t.start))
        conflict(c, span);
    return false;
}

/* What the relation makes of b, or backwards of a. */
static Timing along(const Relation *r, Timing t, bool forward)
{
    Ratio by = ratio_make(r->num, r->den);
    if (r->kind == EC_SUB || r->kind == EC_SUPER) {
        bool longer = (r->kind == EC_SUB) == forward;
        t.period = mul(t.period, longer ? by : inverse(by));
    } else {
        bool add_it = (r->kind == EC_SHIFT) == forward;
        t.start = add(t.start, mul(t.period, by), add_it ? 1 : -1);
    }
    return t;
}

static bool propagate(Clocks *c)
{
    bool changed = false;
    for (int i = 0; i < c->relation.n && !c->failed; i++) {
        const Relation *r = &c->relation.at[i];
        int a = clocks_find(c, r->a), b = clocks_find(c, r->b);
        if (r->num == 0 && (r->kind == EC_SUB || r->kind == EC_SUPER))
            continue;
        if (c->timing[b].known)
            changed |= set_timing(c, a, along(r, c->timing[b], true), r->span);
        else if (c->timing[a].known)
            changed |= set_timing(c, b, along(r, c->timing[a], false), r->span);
    }
    return changed;
}

/* Do relations whose factor is inferred lead from one to the other? */
static void connect_bases(Clocks *c, int *up)
{
    for (int i = 0; i < c->relation.n; i++) {
        int a = clocks_find(c, c->relation.at[i].a),
            b = clocks_find(c, c->relation.at[i].b);
        while (up[a] != a)
            a = up[a];
        while (up[b] != b)
            b = up[b];
        up[a > b ? a : b] = a > b ? b : a;
    }
}

static int group_of(const int *up, int k)
{
    while (up[k] != k)
        k = up[k];
    return k;
}

/* A definition: of a base clock of its own, or a known multiple of one. */
static void seed(Clocks *c, int i, const int *up, int *base_of)
{
    const Definition *d = &c->definition.at[i];
    int k = clocks_find(c, d->node), g = group_of(up, k);
    Timing t = {.known = true, .period = {1, 1}, .start = {0, 1}};
    if (base_of[g] == NONE) {
        t.base = base_of[g] = new_base(c, i);
    } else {
        t.base = base_of[g];
        const Definition *first =
            &c->definition.at[c->base.at[t.base].definition];
        t.period = quotient(c, d, first);
        if (!t.period.den) {
            conflict(c, d->span);
            return;
        }
    }
    set_timing(c, k, t, d->span);
    while (!c->failed && propagate(c))
        ;
}

/* ---- ticks of base clocks ---- */

static void find_units(Clocks *c)
{
    for (int i = 0; i < c->node.n; i++) {
        const Timing *t = &c->timing[i];
        if (!t->known)
            continue;
        BaseClock *b = &c->base.at[t->base];
        b->unit = common(common(b->unit, t->period), t->start);
    }
    for (int i = 0; i < c->base.n; i++) {
        BaseClock *b = &c->base.at[i];
        b->tick = b->interval * (double)b->unit.num / (double)b->unit.den;
        if (b->is_event && (b->unit.num != 1 || b->unit.den != 1)) {
            diag_report(c->diag, c->definition.at[b->definition].span,
                        DIAG_U1901,
                        "not supported: ticks between those of a clock that is "
                        "not periodic");
            c->failed = true;
        }
    }
}

static void count_ticks(Clocks *c)
{
    for (int i = 0; i < c->node.n; i++) {
        Timing *t = &c->timing[i];
        if (!t->known)
            continue;
        Ratio unit = c->base.at[t->base].unit;
        t->every = mul(t->period, inverse(unit)).num;
        t->first = mul(t->start, inverse(unit)).num;
        if (t->first >= 0)
            continue;
        diag_report(c->diag, c->node.at[i].span, DIAG_E1903,
                    "this clock would tick before the start: backSample() "
                    "needs a clock that was shifted at least as far");
        c->failed = true;
        return;
    }
}

static bool is_inferred(Clocks *c, int node)
{
    for (int i = 0; i < c->relation.n; i++) {
        const Relation *r = &c->relation.at[i];
        if (r->num == 0 && (r->kind == EC_SUB || r->kind == EC_SUPER) &&
            (clocks_find(c, r->a) == node || clocks_find(c, r->b) == node))
            return true;
    }
    return false;
}

/* 16.3: where nothing says when a clock ticks, a tool takes a second. */
static void take_second(Clocks *c, int node, const int *up, int *base_of)
{
    Span span = c->node.at[node].span;
    diag_report(c->diag, span, DIAG_W1901,
                "nothing says when this ticks; a clock of 1 s is taken, "
                "Clock(1.0)");
    Definition d = {.node = node,
                    .kind = EC_PERIOD,
                    .a = EXPR_NONE,
                    .b = expr_real(c->dag, 1),
                    .span = span};
    vec_push(c->local, &c->definition, d);
    seed(c, c->definition.n - 1, up, base_of);
}

static void check_known(Clocks *c, const int *up, int *base_of)
{
    for (int i = 0; i < c->node.n && !c->failed; i++) {
        if (clocks_find(c, i) != i || !c->node.at[i].clocked ||
            c->timing[i].known)
            continue;
        if (!is_inferred(c, i)) {
            take_second(c, i, up, base_of);
            continue;
        }
        diag_report(c->diag, c->node.at[i].span, DIAG_E1904,
                    "nothing says when this ticks: its clock cannot be "
                    "inferred");
        c->failed = true;
    }
}

void clocks_time(Clocks *c)
{
    c->timing = NEW_ARRAY(c->local, Timing, c->node.n);
    int *up = NEW_ARRAY(c->local, int, c->node.n);
    int *base_of = NEW_ARRAY(c->local, int, c->node.n);
    for (int i = 0; i < c->node.n; i++) {
        up[i] = i;
        base_of[i] = NONE;
    }
    connect_bases(c, up);
    for (int i = 0; i < c->definition.n && !c->failed; i++)
        seed(c, i, up, base_of);
    if (!c->failed)
        check_known(c, up, base_of);
    if (!c->failed)
        find_units(c);
    if (!c->failed)
        count_ticks(c);
}
