/* pulse.c - what functions of time do between two points that are looked at.
 *
 * A pulse of 10 us between two points of a grid of 2 ms is no event: nobody
 * would ever evaluate it, nor does an integrator that takes long steps through
 * the rest before it. But what depends on time alone is known before a run. So
 * the largest expressions of the model in which nothing moves but time are
 * looked at with interval arithmetic (expr/enclose.c): a piece of time in which
 * the range of an expression is small has nothing to hide, and all others are
 * halved, those with the largest range first.
 *
 *   on the grid  steps in which an expression leaves the values that it has at
 *                the six points around them by more than half of what these
 *                differ by
 *   else         short pieces in a run that is long and slow otherwise: steps
 *                end where they do, and what is there is met
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "base/vec.h"
#include "pulse/pulse_internal.h"

enum {
    MOST_FOUND = 300,    /* steps with something unseen, of all functions */
    MOST_WORK = 4000000, /* operations on ranges, likewise; and of each */
    LEAST = 200,         /* looks in any case */
    MOST_BODY = 3000,    /* nodes of a function */
    SHORT = 64,          /* of a run: pieces that are shorter */
};

/* The search of a run. */
typedef struct Looking {
    const PulseInput *in;
    Arena *arena; /* of what is found */
    Search search;
    long most_work; /* up to the function at hand */
    int most_found; /* likewise */
} Looking;

/* ---- which expressions ---- */

/* Of each node: does it depend on time alone, and does it at all? */
typedef struct Kinds {
    const PulseInput *in;
    Arena *arena;
    const Expr *known; /* of each entry: what it is, of time; or EXPR_NONE */
    bool *is_fixed;    /* nothing in it but time and parameters */
    bool *has_time;
    bool *is_found;
    Vec(Expr) found;
} Kinds;

static void see_leaf(Kinds *k, Expr e, int var)
{
    const Inlined *d = k->in->inlined;
    const InlinedVar *v = &d->var[var];
    bool is_given = v->kind == IV_PARAMETER && k->in->slot[var] != NONE;
    k->has_time[e] = k->known[var] != EXPR_NONE;
    k->is_fixed[e] = is_given || k->has_time[e];
}

static bool is_closed(ExprOp op)
{
    return op == EX_PRE || op == EX_EDGE || op == EX_CHANGE ||
           op == EX_INITIAL || op == EX_TERMINAL || op == EX_SAMPLE ||
           op == EX_DELAY || op == EX_DER || op == EX_CLOCKED || op == EX_STR ||
           op == EX_CONCAT || op == EX_TOSTR;
}

static void see_node(void *context, const Dag *d, Expr e)
{
    Kinds *k = context;
    const ExprNode *n = expr_node(d, e);
    int var, order;
    if (expr_is_var(d, e, &var, &order)) {
        see_leaf(k, e, var);
        return;
    }
    k->is_fixed[e] = !is_closed((ExprOp)n->op) &&
                     (n->op != EX_CALL || call_is_known(d, n->fn, MOST_BODY));
    k->has_time[e] = n->op == EX_TIME;
    for (int i = 0; i < n->narg; i++) {
        Expr a = expr_arg(d, e, i);
        k->is_fixed[e] &= k->is_fixed[a];
        k->has_time[e] |= k->has_time[a];
    }
}

static void add_found(Kinds *k, Expr e)
{
    if (!k->is_fixed[e] || !k->has_time[e] || k->is_found[e])
        return;
    k->is_found[e] = true;
    vec_push(k->arena, &k->found, e);
}

/* Those below a node that is not of time alone. */
static void see_largest(void *context, const Dag *d, Expr e)
{
    Kinds *k = context;
    const ExprNode *n = expr_node(d, e);
    for (int i = 0; !k->is_fixed[e] && i < n->narg; i++)
        add_found(k, expr_arg(d, e, i));
}

static Kinds kinds_of(const PulseInput *in, const Expr *known, const Expr *root,
                      int n, Arena *work)
{
    const Dag *dag = in->inlined->dag;
    Kinds k = {.in = in, .arena = work, .known = known};
    k.is_fixed = NEW_ARRAY(work, bool, dag_count(dag));
    k.has_time = NEW_ARRAY(work, bool, dag_count(dag));
    k.is_found = NEW_ARRAY(work, bool, dag_count(dag));
    expr_walk(dag, root, n, see_node, &k);
    return k;
}

static Expr replace(void *context, Dag *d, Expr leaf)
{
    const Expr *known = context;
    int var, order;
    return expr_is_var(d, leaf, &var, &order) ? known[var] : EXPR_NONE;
}

static Expr in_time(const Inlined *d, Expr e, Expr *known, Arena *work)
{
    return expr_map(expr_map_new(d->dag, replace, known, work), e);
}

/* Variables that equations give as functions of time. Returns whether there are
 * more of them than before. */
static bool find_known(const PulseInput *in, Expr *known, const Expr *side,
                       int n, Arena *work)
{
    const Inlined *d = in->inlined;
    bool more = false;
    Kinds k = kinds_of(in, known, side, n, work);
    for (int i = 0; i < n; i++) {
        Expr other = side[i ^ 1];
        int var, order;
        if (!expr_is_var(d->dag, side[i], &var, &order) ||
            known[var] != EXPR_NONE || d->var[var].kind != IV_VALUE ||
            d->var[var].is_state || !k.is_fixed[other] || !k.has_time[other])
            continue;
        known[var] = in_time(d, other, known, work);
        more = true;
    }
    return more;
}

/* The sides of the model's equations, two by two. */
static int sides_of(const Inlined *d, Expr **side, Arena *work)
{
    const InlinedSystem *m = &d->system[d->event];
    *side = NEW_ARRAY(work, Expr, 2 * m->neqn + 2);
    for (int i = 0; i < m->neqn; i++) {
        (*side)[2 * i] = m->eqn[i].lhs;
        (*side)[2 * i + 1] = m->eqn[i].rhs;
    }
    return 2 * m->neqn;
}

/* The same of relations, in which there may be others and such variables:
 * mod(time, T) < d has floor(time/T) in it. */
static bool find_relations(const PulseInput *in, Expr *known, Arena *work)
{
    const Inlined *d = in->inlined;
    bool more = false;
    Expr *now = NEW_ARRAY(work, Expr, d->nrelation + 1);
    for (int i = 0; i < d->nrelation; i++)
        now[i] = d->relation[i].now;
    Kinds k = kinds_of(in, known, now, d->nrelation, work);
    for (int i = 0; i < d->nrelation; i++) {
        int var = d->relation[i].var;
        if (known[var] != EXPR_NONE || !k.is_fixed[now[i]] ||
            !k.has_time[now[i]])
            continue;
        known[var] = in_time(d, now[i], known, work);
        more = true;
    }
    return more;
}

static Expr *find_all_known(const PulseInput *in, const Expr *side, int n,
                            Arena *work)
{
    const Inlined *d = in->inlined;
    Expr *known = NEW_ARRAY(work, Expr, d->nvar + 1);
    bool more = true;
    for (int i = 0; i < d->nvar; i++)
        known[i] = EXPR_NONE;
    for (int i = 0; i < 10 && more; i++) {
        more = find_relations(in, known, work);
        more |= find_known(in, known, side, n, work);
    }
    return known;
}

/* The largest expressions of time alone, with nothing else in them. */
static int find_functions(const PulseInput *in, Expr **found, Arena *work)
{
    const Inlined *d = in->inlined;
    Expr *side;
    int n = sides_of(d, &side, work);
    Expr *known = find_all_known(in, side, n, work);
    Kinds k = kinds_of(in, known, side, n, work);
    expr_walk(d->dag, side, n, see_largest, &k);
    for (int i = 0; i < n; i++)
        add_found(&k, side[i]);
    for (int i = 0; i < k.found.n; i++)
        k.found.at[i] = in_time(d, k.found.at[i], known, work);
    *found = k.found.at;
    return k.found.n;
}

/* ---- values and ranges ---- */

static double leaf_value(void *context, const Dag *d, Expr e)
{
    const Looking *l = context;
    const PulseInput *in = l->in;
    int var, order;
    if (expr_is_var(d, e, &var, &order))
        return in->slot[var] == NONE ? NAN : in->value[in->slot[var]];
    return expr_op(d, e) == EX_TIME ? l->search.from : 0;
}

static ExprRange leaf_range(void *context, const Dag *d, Expr e)
{
    const Looking *l = context;
    if (expr_op(d, e) == EX_TIME)
        return (ExprRange){l->search.from, l->search.to};
    double v = leaf_value(context, d, e);
    return (ExprRange){v, v};
}

/* ---- on the grid ---- */

/* The values at the points around step k, widened by half of their width. */
static ExprRange seen_around(Looking *l, long k, long n)
{
    const PulseInput *o = l->in;
    Search *x = &l->search;
    ExprRange r = {INFINITY, -INFINITY};
    for (long i = k - 2; i <= k + 3; i++) {
        if (i < 0 || i > n)
            continue;
        double v = search_value(x, o->start + (double)i * o->step);
        r.min = fmin(r.min, v);
        r.max = fmax(r.max, v);
    }
    double more = (r.max - r.min) / 2;
    return (ExprRange){r.min - more, r.max + more};
}

static void see_step(Looking *l, long k, long n, PulseList *list)
{
    const PulseInput *o = l->in;
    Search *x = &l->search;
    double from = o->start + (double)k * o->step;
    ExprRange inside = seen_around(l, k, n);
    Pulse piece = {.what = x->root};
    x->cell[0] = search_cell(x, from, from + o->step);
    x->ncell = 1;
    if (!(range_beyond(x->cell[0].range, inside) > SEARCH_SMALL * x->scale))
        return;
    if (search_piece(x, inside, &piece))
        vec_push(l->arena, list, piece);
}

/* Steps in blocks: where the range is small in one, all of it is known. */
static void see_grid(Looking *l, PulseList *list, Arena *work)
{
    const PulseInput *o = l->in;
    Search *x = &l->search;
    long n = o->nstep;
    struct Block {
        long from, to;
    };
    Vec(struct Block) todo = {0};
    vec_push(work, &todo, ((struct Block){0, n}));
    while (todo.n > 0 && x->work < l->most_work && list->n < l->most_found) {
        struct Block b = todo.at[--todo.n];
        if (b.to - b.from == 1) {
            see_step(l, b.from, n, list);
            continue;
        }
        ExprRange r = search_range(x, o->start + (double)b.from * o->step,
                                   o->start + (double)b.to * o->step);
        if (!(r.max - r.min > SEARCH_SMALL * x->scale))
            continue;
        long half = b.from + (b.to - b.from) / 2;
        vec_push(work, &todo, ((struct Block){half, b.to}));
        vec_push(work, &todo, ((struct Block){b.from, half}));
    }
}

/* ---- without a grid ---- */

static int widest(const Search *x, double least)
{
    int best = NONE;
    double most = x->scale / 4;
    for (int i = 0; i < x->ncell; i++) {
        double width = x->cell[i].range.max - x->cell[i].range.min;
        if (width > most && x->cell[i].to - x->cell[i].from > least) {
            most = width;
            best = i;
        }
    }
    return best;
}

/* Is the cell next to one that is as short as it can be: a jump? */
static bool is_at_jump(const Search *x, const SearchCell *c, double least)
{
    for (int i = 0; i < x->ncell; i++) {
        const SearchCell *j = &x->cell[i];
        double size = c->to - c->from;
        if (j->to - j->from <= least && j->range.max - j->range.min > 0 &&
            c->from - j->to < 4 * size && j->from - c->to < 4 * size)
            return true;
    }
    return false;
}

/* Does it jump, or look so by its range, where no event is? */
static bool is_without_events(const Search *x)
{
    for (int i = 0; i < x->n; i++)
        if (expr_op(x->dag, x->order[i]) == EX_NOEVENT)
            return true;
    return x->has_calls;
}

static void see_run(Looking *l, PulseList *list)
{
    const PulseInput *o = l->in;
    Search *x = &l->search;
    double run = o->stop - o->start, least = 1e-12 * run, covered = 0;
    bool all = is_without_events(x);
    x->cell[0] = search_cell(x, o->start, o->stop);
    x->ncell = 1;
    for (int k; x->ncell < SEARCH_CELLS && (k = widest(x, least)) != NONE;
         x->ncell++)
        search_halve(x, k);
    for (int i = 0; i < x->ncell; i++)
        if (x->cell[i].to - x->cell[i].from < run / SHORT)
            covered += x->cell[i].to - x->cell[i].from;
    if ((x->ncell == SEARCH_CELLS && !x->has_calls) || !(covered < run / 4))
        return; /* it moves everywhere, and is met everywhere */
    for (int i = 0; i < x->ncell; i++) {
        const SearchCell *c = &x->cell[i];
        if (c->to - c->from >= run / SHORT ||
            (!all && is_at_jump(x, c, least)) || c->to - c->from <= 4 * least)
            continue;
        for (int j = 0; j < 3; j++) {
            double at = c->from + (c->to - c->from) * j / 2;
            vec_push(l->arena, list, ((Pulse){at, at, x->root}));
        }
    }
}

/* ---- both ---- */

static int by_time(const void *a, const void *b)
{
    const Pulse *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

const PulseList *pulse_find(const PulseInput *in, Arena *arena)
{
    PulseList *list = NEW(arena, PulseList);
    if (in->inlined->event == NONE)
        return list;
    Arena *work = arena_new();
    Looking *l = NEW(work, Looking);
    Search *x = &l->search;
    Expr *root;
    l->in = in;
    l->arena = arena;
    int n = find_functions(in, &root, work);
    search_new(x, in->inlined->dag, leaf_value, leaf_range, l, work);
    for (int i = 0; i < n; i++) {
        search_begin(x, root[i], work);
        long share = (MOST_WORK - x->work) / (n - i);
        l->most_work = x->work + (share > 0 ? share : 0) + LEAST * x->n;
        l->most_found = list->n + (MOST_FOUND - list->n) / (n - i) + 1;
        for (int k = 0; k < 64; k++)
            search_value(x, in->start + (in->stop - in->start) * k / 63);
        if (in->on_grid)
            see_grid(l, list, work);
        else
            see_run(l, list);
    }
    if (list->n > 0)
        qsort(list->at, (size_t)list->n, sizeof *list->at, by_time);
    arena_free(work);
    return list;
}

double pulse_next(const PulseList *list, double from, double to, double least)
{
    int low = 0, high = list->n; /* the first one after it */
    while (low < high) {
        int mid = (low + high) / 2;
        if (list->at[mid].from > from + least)
            high = mid;
        else
            low = mid + 1;
    }
    return low < list->n && list->at[low].from < to ? list->at[low].from : to;
}
