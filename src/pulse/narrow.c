/* narrow.c - what functions of states do between the ends of a step.
 *
 * A cam that pushes for a thousandth of a turn, a line of resonance, a gate of
 * 0.2 ms: where steps are longer than that, nobody evaluates the model there.
 * States themselves are smooth: within a step they move on the cubics through
 * the values and slopes of its ends. So a term of the model in them is a
 * function of time, and is looked at as those are (search.c): with ranges,
 * first of the whole step, and of halves of it where the range leaves what the
 * term was at the points before.
 *
 * Terms are those of sums, for ranges of differences are far too wide; those
 * alone that can be narrow: exponentials, quotients, high powers, choices. What
 * other variables are in them is their own term where an equation gives it, and
 * the line between their values at both ends else.
 *
 * The sides of a relation that are apart with the same sign at both ends may
 * have met in between, whatever they are made of.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "pulse/narrow.h"

#include <math.h>

#include "base/vec.h"
#include "pulse/pulse_internal.h"

enum {
    MOST_TERM = 400,    /* operations of a term */
    MOST_ALL = 20000,   /* of all of them */
    MOST_ROUNDS = 8,    /* of finding variables that equations give */
    LOW_POWER = 8,      /* x^8 is not narrow */
    FEW = 40,           /* cells: a search of so many was no work */
    MOST_PAUSE = 10000, /* steps without a look */
};

typedef struct Root {
    Expr expr, what;
    int relation; /* of which it is the distance of both sides, or NONE */
    Expr *order;
    int n;
    bool has_calls;
    double low, high; /* values so far */
    double past[2];   /* the last two before this step */
    long pause, rest; /* steps without a look, and how many are left */
} Root;

struct Narrow {
    const Inlined *inlined;
    const int *slot;
    int *slope; /* of each entry: that of its slope, if it is a state */
    const NarrowStep *step;
    Vec(Root) root;
    Search search;
};

/* ---- the path ---- */

/* Where the cubic of a state is at part x of the step; *rise: its slope times
 * the length of the step. */
static double cubic(const Narrow *n, int var, double x, double *rise)
{
    const NarrowStep *p = n->step;
    int slot = n->slot[var], slope = n->slot[n->slope[var]];
    double h = p->to - p->from;
    return narrow_cubic(p->begin[slot], p->end[slot], h * p->begin[slope],
                        h * p->end[slope], x, rise);
}

static bool is_smooth(const Narrow *n, int var)
{
    const NarrowStep *p = n->step;
    int slope = n->slope[var];
    return slope != NONE && n->slot[slope] != NONE &&
           isfinite(p->begin[n->slot[slope]]) &&
           isfinite(p->end[n->slot[slope]]);
}

static double value_at(const Narrow *n, int var, double x)
{
    const InlinedVar *v = &n->inlined->var[var];
    const NarrowStep *p = n->step;
    double rise;
    if (n->slot[var] == NONE)
        return NAN;
    double a = p->begin[n->slot[var]], b = p->end[n->slot[var]];
    bool is_held = v->is_discrete || v->type != ET_REAL ||
                   (v->kind != IV_VALUE && v->kind != IV_INPUT);
    if (is_held || a == b)
        return a;
    return is_smooth(n, var) ? cubic(n, var, x, &rise) : a + x * (b - a);
}

/* A cubic stays within the hull of its four control points. */
static ExprRange cubic_range(const Narrow *n, int var, double x, double y)
{
    double at[4], rise;
    at[0] = cubic(n, var, x, &rise);
    at[1] = at[0] + rise * (y - x) / 3;
    at[3] = cubic(n, var, y, &rise);
    at[2] = at[3] - rise * (y - x) / 3;
    ExprRange r = {at[0], at[0]};
    for (int i = 1; i < 4; i++) {
        r.min = fmin(r.min, at[i]);
        r.max = fmax(r.max, at[i]);
    }
    return r;
}

static double part_of(const Narrow *n, double time)
{
    return (time - n->step->from) / (n->step->to - n->step->from);
}

static double leaf_value(void *context, const Dag *d, Expr e)
{
    const Narrow *n = context;
    int var, order;
    if (expr_is_var(d, e, &var, &order))
        return value_at(n, var, part_of(n, n->search.from));
    return expr_op(d, e) == EX_TIME ? n->search.from : 0;
}

static ExprRange leaf_range(void *context, const Dag *d, Expr e)
{
    const Narrow *n = context;
    double x = part_of(n, n->search.from), y = part_of(n, n->search.to);
    int var, order;
    if (!expr_is_var(d, e, &var, &order))
        return (ExprRange){n->search.from, n->search.to};
    double a = value_at(n, var, x), b = value_at(n, var, y);
    if (a == b && !is_smooth(n, var))
        return (ExprRange){a, b};
    if (is_smooth(n, var) && n->inlined->var[var].kind == IV_VALUE &&
        !n->inlined->var[var].is_discrete)
        return cubic_range(n, var, x, y);
    return (ExprRange){fmin(a, b), fmax(a, b)};
}

/* ---- which terms ---- */

/* Of each node of the model: */
typedef struct Kinds {
    const Inlined *d;
    bool *is_closed; /* something in it is not known within a step */
    bool *moves;     /* it does by itself, not at events alone */
    bool *is_narrow; /* it can be */
} Kinds;

/* What is not known by the values at both ends of a step, or has no range. */
static bool is_closed_op(ExprOp op)
{
    return op == EX_PRE || op == EX_EDGE || op == EX_CHANGE ||
           op == EX_INITIAL || op == EX_TERMINAL || op == EX_SAMPLE ||
           op == EX_DELAY || op == EX_DER || op == EX_CLOCKED || op == EX_STR ||
           op == EX_CONCAT || op == EX_TOSTR || op == EX_ATAN2 ||
           op == EX_TAN || op == EX_ACOS;
}

static bool is_low_power(const Dag *d, Expr e)
{
    double power;
    return expr_op(d, e) == EX_POW &&
           expr_is_const(d, expr_arg(d, e, 1), &power) && power >= 0 &&
           power <= LOW_POWER;
}

/* Can an operation on what moves slowly be fast? */
static bool is_narrow_op(const Kinds *k, const Dag *d, Expr e)
{
    switch (expr_op(d, e)) {
    case EX_DIV: return k->moves[expr_arg(d, e, 1)];
    case EX_POW: return !is_low_power(d, e);
    case EX_EXP:
    case EX_TANH:
    case EX_ATAN:
    case EX_SIGN:
    case EX_FLOOR:
    case EX_CEIL:
    case EX_INTEGER:
    case EX_MOD:
    case EX_LT:
    case EX_LE:
    case EX_GT:
    case EX_GE:
    case EX_SIN:
    case EX_COS:
    case EX_CALL: return true;
    default: return false;
    }
}

static void see_leaf(Kinds *k, Expr e, int var)
{
    const InlinedVar *v = &k->d->var[var];
    k->moves[e] = !v->is_discrete && v->type == ET_REAL &&
                  (v->kind == IV_VALUE || v->kind == IV_INPUT);
}

static void see_node(void *context, const Dag *d, Expr e)
{
    Kinds *k = context;
    const ExprNode *n = expr_node(d, e);
    int var, order;
    k->is_closed[e] = k->is_narrow[e] = false;
    k->moves[e] = n->op == EX_TIME;
    if (expr_is_var(d, e, &var, &order)) {
        see_leaf(k, e, var);
        return;
    }
    k->is_closed[e] =
        is_closed_op((ExprOp)n->op) ||
        (n->op == EX_CALL && !call_is_known(d, n->fn, MOST_TERM / 2));
    for (int i = 0; i < n->narg; i++) {
        Expr a = expr_arg(d, e, i);
        k->is_closed[e] |= k->is_closed[a];
        k->moves[e] |= k->moves[a];
        k->is_narrow[e] |= k->is_narrow[a];
    }
    k->is_narrow[e] |= k->moves[e] && is_narrow_op(k, d, e);
}

static Kinds kinds_of(const Inlined *d, const Expr *root, int n, Arena *work)
{
    Kinds k = {.d = d};
    k.is_closed = NEW_ARRAY(work, bool, dag_count(d->dag));
    k.moves = NEW_ARRAY(work, bool, dag_count(d->dag));
    k.is_narrow = NEW_ARRAY(work, bool, dag_count(d->dag));
    expr_walk(d->dag, root, n, see_node, &k);
    return k;
}

/* The model's equations, with what they give in place of variables. */
typedef struct Terms {
    const Inlined *d;
    Arena *work;
    Expr *known; /* of each entry, or EXPR_NONE */
    Expr *side;  /* of equations, two by two */
    int n;
} Terms;

static Expr replace(void *context, Dag *d, Expr leaf)
{
    const Expr *known = context;
    int var, order;
    return expr_is_var(d, leaf, &var, &order) ? known[var] : EXPR_NONE;
}

static Expr with_known(const Terms *t, Expr e)
{
    return expr_map(expr_map_new(t->d->dag, replace, t->known, t->work), e);
}

static int count_below(const Terms *t, Expr e)
{
    Expr *order;
    return expr_order(t->d->dag, &e, 1, &order, t->work);
}

/* Is side i a variable that the other side gives, a narrow one? */
static bool gives(const Terms *t, const Kinds *k, int i, int *var)
{
    const Inlined *d = t->d;
    Expr other = t->side[i ^ 1];
    int order;
    return expr_is_var(d->dag, t->side[i], var, &order) &&
           t->known[*var] == EXPR_NONE && d->var[*var].kind == IV_VALUE &&
           !d->var[*var].is_state && !d->var[*var].is_discrete &&
           k->is_narrow[other] && !k->is_closed[other] &&
           !expr_contains(d->dag, other, t->side[i]);
}

/* Variables that equations give. Returns whether there are more of them. */
static bool find_known(Terms *t)
{
    Kinds k = kinds_of(t->d, t->side, t->n, t->work);
    bool more = false;
    for (int i = 0; i < t->n; i++) {
        int var;
        if (!gives(t, &k, i, &var))
            continue;
        Expr e = with_known(t, t->side[i ^ 1]);
        if (expr_contains(t->d->dag, e, t->side[i]) ||
            count_below(t, e) > MOST_TERM)
            continue;
        t->known[var] = e;
        more = true;
    }
    return more;
}

static Terms terms_of(const Inlined *d, Arena *work)
{
    const InlinedSystem *m = &d->system[d->event];
    Terms t = {.d = d, .work = work};
    t.known = NEW_ARRAY(work, Expr, d->nvar + 1);
    t.side = NEW_ARRAY(work, Expr, 2 * m->neqn + 2);
    for (int i = 0; i < d->nvar; i++)
        t.known[i] = EXPR_NONE;
    for (int i = 0; i < m->neqn; i++) {
        if (m->eqn[i].is_discrete)
            continue;
        t.side[t.n++] = m->eqn[i].lhs;
        t.side[t.n++] = m->eqn[i].rhs;
    }
    for (int i = 0; i < MOST_ROUNDS && find_known(&t); i++)
        ;
    return t;
}

static void add_root(Narrow *n, Expr what, Expr expr, int relation,
                     Arena *arena)
{
    for (int i = 0; i < n->root.n; i++)
        if (n->root.at[i].expr == expr && n->root.at[i].relation == relation)
            return;
    Root r = {.expr = expr,
              .what = what,
              .relation = relation,
              .low = INFINITY,
              .high = -INFINITY,
              .past = {NAN, NAN}};
    vec_push(arena, &n->root, r);
}

/* The narrow terms of a sum. */
static void add_terms(Narrow *n, const Terms *t, const Kinds *k, Expr e,
                      Arena *arena)
{
    ExprOp op = expr_op(t->d->dag, e);
    if (!k->is_narrow[e] || !k->moves[e])
        return;
    if (op == EX_ADD || op == EX_SUB || op == EX_NEG) {
        for (int i = 0; i < expr_node(t->d->dag, e)->narg; i++)
            add_terms(n, t, k, expr_arg(t->d->dag, e, i), arena);
        return;
    }
    if (!k->is_closed[e])
        add_root(n, e, with_known(t, e), NONE, arena);
}

static bool compares(ExprOp op)
{
    return op == EX_LT || op == EX_LE || op == EX_GT || op == EX_GE;
}

static void add_relations(Narrow *n, const Terms *t, Arena *arena)
{
    const Inlined *d = t->d;
    for (int i = 0; i < d->nrelation; i++) {
        Expr now = d->relation[i].now;
        if (d->relation[i].is_of_time || !compares(expr_op(d->dag, now)))
            continue;
        Expr gap = expr_sub(d->dag, with_known(t, expr_arg(d->dag, now, 0)),
                            with_known(t, expr_arg(d->dag, now, 1)));
        Kinds k = kinds_of(d, &gap, 1, t->work);
        if (k.moves[gap] && !k.is_closed[gap])
            add_root(n, now, gap, i, arena);
    }
}

/* Of each entry that holds a state the entry of its slope. */
static void find_slopes(Narrow *n, const Inlined *d, Arena *arena)
{
    n->slope = NEW_ARRAY(arena, int, d->nvar + 1);
    for (int i = 0; i < d->nvar; i++)
        n->slope[i] = NONE;
    for (int k = 0; k < d->dae->nstate; k++) {
        const DaeState *x = &d->dae->state[k];
        int at = inlined_find(d, x->var, x->order);
        if (at != NONE)
            n->slope[at] = inlined_find(d, x->var, x->order + 1);
    }
}

/* Orders of evaluation; what is too long, or too much, is left out. */
static void order_roots(Narrow *n, Arena *arena)
{
    int all = 0, kept = 0;
    for (int i = 0; i < n->root.n; i++) {
        Root *r = &n->root.at[i];
        r->n = expr_order(n->inlined->dag, &r->expr, 1, &r->order, arena);
        if (r->n > MOST_TERM || (all += r->n) > MOST_ALL)
            continue;
        r->has_calls = caller_is_needed(n->inlined->dag, r->order, r->n);
        n->root.at[kept++] = *r;
    }
    n->root.n = kept;
}

Narrow *narrow_new(const Inlined *d, const int *slot, Arena *arena)
{
    if (d->event == NONE || !d->dae || d->dae->nstate == 0)
        return NULL;
    Arena *work = arena_new();
    Narrow *n = NEW(arena, Narrow);
    n->inlined = d;
    n->slot = slot;
    Terms t = terms_of(d, work);
    Kinds k = kinds_of(d, t.side, t.n, work);
    for (int i = 0; i < t.n; i++)
        add_terms(n, &t, &k, t.side[i], arena);
    add_relations(n, &t, arena);
    find_slopes(n, d, arena);
    order_roots(n, arena);
    search_new(&n->search, d->dag, leaf_value, leaf_range, n, arena);
    arena_free(work);
    return n->root.n > 0 ? n : NULL;
}

/* ---- a step ---- */

static ExprRange around(const Root *r, double a, double b)
{
    ExprRange x = {fmin(a, b), fmax(a, b)};
    for (int i = 0; i < 2; i++) { /* those that are not known do not count */
        x.min = fmin(x.min, r->past[i]);
        x.max = fmax(x.max, r->past[i]);
    }
    double more = (x.max - x.min) / 2;
    return (ExprRange){x.min - more, x.max + more};
}

static double mid_beyond(const SearchCell *c, ExprRange inside)
{
    return isfinite(c->mid) ? range_beyond((ExprRange){c->mid, c->mid}, inside)
                            : 0;
}

static const SearchCell *cell_from(const Search *x, double from)
{
    for (int i = 0; i < x->ncell; i++)
        if (x->cell[i].from == from)
            return &x->cell[i];
    return NULL;
}

/* Of a piece, as search_piece() gives it: its first stretch without a gap. */
static void take_first(const Search *x, ExprRange inside, NarrowFound *f)
{
    double peak = 0, most = 0;
    for (int i = 0; i < x->ncell; i++)
        peak = fmax(peak, mid_beyond(&x->cell[i], inside));
    const SearchCell *c = cell_from(x, f->from);
    for (int i = 0;
         i < x->ncell && c && range_beyond(c->range, inside) > 0.01 * peak;
         i++, c = cell_from(x, c->to)) {
        f->to = c->to;
        if (mid_beyond(c, inside) >= most) {
            most = mid_beyond(c, inside);
            f->peak = c->from + (c->to - c->from) / 2;
        }
    }
}

static bool find_piece(Search *x, ExprRange inside, NarrowFound *f)
{
    Pulse piece;
    x->cell[0] = search_cell(x, f->from, f->to);
    x->ncell = 1;
    if (!(range_beyond(x->cell[0].range, inside) > SEARCH_SMALL * x->scale) ||
        !search_piece(x, inside, &piece))
        return false;
    f->from = f->peak = piece.from;
    take_first(x, inside, f);
    return true;
}

/* The cell that reaches farthest to the other side of 0. */
static int deepest(const Search *x, double sign, double least)
{
    int best = NONE;
    double most = 0;
    for (int i = 0; i < x->ncell; i++) {
        const SearchCell *c = &x->cell[i];
        double depth = sign > 0 ? -c->range.min : c->range.max;
        if (depth > most && c->to - c->from > least) {
            most = depth;
            best = i;
        }
    }
    return best;
}

/* A place where sign * value < 0. */
static bool find_other_side(Search *x, double sign, NarrowFound *f)
{
    double least = search_least(f->from, f->to);
    x->cell[0] = search_cell(x, f->from, f->to);
    for (x->ncell = 1; x->ncell < SEARCH_CELLS; x->ncell++) {
        int k = deepest(x, sign, least);
        if (k == NONE)
            return false;
        f->peak = x->cell[k].from + (x->cell[k].to - x->cell[k].from) / 2;
        if (sign * x->cell[k].mid < 0)
            return true;
        search_halve(x, k);
    }
    return false;
}

static bool look_at(Narrow *n, Root *r, NarrowFound *f)
{
    Search *x = &n->search;
    x->root = r->expr;
    x->order = r->order;
    x->n = r->n;
    x->has_calls = r->has_calls;
    x->low = r->low;
    x->high = r->high;
    x->ncell = 0;
    double a = search_value(x, f->from), b = search_value(x, f->to);
    bool found = false;
    if (isfinite(a) && isfinite(b))
        found = r->relation == NONE ? find_piece(x, around(r, a, b), f)
                : a * b > 0         ? find_other_side(x, a > 0 ? 1 : -1, f)
                                    : false;
    r->past[0] = r->past[1];
    r->past[1] = a;
    r->low = x->low;
    r->high = x->high;
    return found;
}

static void rest(Root *r)
{
    r->pause = r->pause < MOST_PAUSE / 2 ? 2 * r->pause + 1 : MOST_PAUSE;
    r->rest = r->pause;
}

int narrow_look(Narrow *n, const NarrowStep *step, NarrowFound *found, int most)
{
    int k = 0;
    n->step = step;
    for (int i = 0; i < n->root.n && k < most; i++) {
        Root *r = &n->root.at[i];
        NarrowFound f = {.from = step->from,
                         .to = step->to,
                         .what = r->what,
                         .relation = r->relation,
                         .root = i};
        if (r->rest > 0) {
            r->rest--;
            continue;
        }
        if (look_at(n, r, &f))
            found[k++] = f;
        else if (n->search.ncell > FEW)
            rest(r); /* ranges that are too wide, again and again */
        else if (n->search.ncell <= 1)
            r->pause /= 2;
    }
    return k;
}

void narrow_in_vain(Narrow *n, const NarrowFound *found)
{
    rest(&n->root.at[found->root]);
}
