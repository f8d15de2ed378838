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
#include "pulse/pulse.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec.h"

enum {
    MOST_CELLS = 256,    /* of a function in a search */
    MOST_FOUND = 300,    /* steps with something unseen, of all functions */
    MOST_WORK = 4000000, /* operations on ranges, likewise; and of each */
    LEAST = 200,         /* looks in any case */
    SHORT = 64,          /* of a run: pieces that are shorter */
};

/* Parts of the largest value that do not count. */
static const double SMALL = 1e-3;

typedef struct Cell {
    double from, to;
    ExprRange range;
    double mid; /* the value in the middle */
} Cell;

typedef struct Search {
    const PulseInput *in;
    Arena *arena; /* of what is found */
    Expr root;
    Expr *order; /* of the nodes below it */
    int n;
    double *value;    /* by handle */
    ExprRange *range; /* likewise */
    double from, to;  /* times, for leaves */
    long work;
    long most_work; /* up to the function at hand */
    int most_found; /* likewise */
    double scale;   /* largest difference of values */
    double low, high;
    Cell cell[MOST_CELLS];
    int ncell;
} Search;

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
           op == EX_DELAY || op == EX_DER || op == EX_CLOCKED ||
           op == EX_CALL || op == EX_STR || op == EX_CONCAT || op == EX_TOSTR;
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
    k->is_fixed[e] = !is_closed((ExprOp)n->op);
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

static Expr *first_known(const Inlined *d, Arena *work)
{
    Expr *known = NEW_ARRAY(work, Expr, d->nvar + 1);
    for (int i = 0; i < d->nvar; i++)
        known[i] = EXPR_NONE;
    for (int i = 0; i < d->nrelation; i++)
        if (d->relation[i].is_of_time)
            known[d->relation[i].var] = d->relation[i].now;
    return known;
}

/* The largest expressions of time alone, with nothing else in them. */
static int find_functions(const PulseInput *in, Expr **found, Arena *work)
{
    const Inlined *d = in->inlined;
    Expr *side, *known = first_known(d, work);
    int n = sides_of(d, &side, work);
    for (int i = 0; i < 10 && find_known(in, known, side, n, work); i++)
        ;
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
    const Search *x = context;
    int var, order;
    if (expr_is_var(d, e, &var, &order))
        return x->in->slot[var] == NONE ? NAN : x->in->value[x->in->slot[var]];
    return expr_op(d, e) == EX_TIME ? x->from : 0;
}

static ExprRange leaf_range(void *context, const Dag *d, Expr e)
{
    const Search *x = context;
    if (expr_op(d, e) == EX_TIME)
        return (ExprRange){x->from, x->to};
    double v = leaf_value(context, d, e);
    return (ExprRange){v, v};
}

static double value_at(Search *x, double time)
{
    x->from = time;
    expr_eval_order(x->in->inlined->dag, x->order, x->n, leaf_value, x,
                    x->value);
    double v = x->value[x->root];
    x->work += x->n;
    if (isfinite(v)) {
        x->low = fmin(x->low, v);
        x->high = fmax(x->high, v);
        x->scale = x->high - x->low;
    }
    return v;
}

static ExprRange range_in(Search *x, double from, double to)
{
    x->from = from;
    x->to = to;
    expr_enclose_order(x->in->inlined->dag, x->order, x->n, leaf_range, x,
                       x->range);
    x->work += x->n;
    return x->range[x->root];
}

static Cell cell_of(Search *x, double from, double to)
{
    Cell c = {.from = from, .to = to, .range = range_in(x, from, to)};
    c.mid = value_at(x, from + (to - from) / 2);
    return c;
}

/* Cell k becomes two, the second one at the end. */
static void halve(Search *x, int k)
{
    Cell c = x->cell[k];
    double half = c.from + (c.to - c.from) / 2;
    x->cell[k] = cell_of(x, c.from, half);
    x->cell[x->ncell] = cell_of(x, half, c.to);
}

static void begin_search(Search *x, Expr root, Arena *work)
{
    const Dag *dag = x->in->inlined->dag;
    x->root = root;
    x->n = expr_order(dag, &root, 1, &x->order, work);
    x->low = INFINITY;
    x->high = -INFINITY;
    x->scale = 0;
}

/* ---- on the grid ---- */

/* How far a range, or a value, reaches beyond `inside`. */
static double beyond(ExprRange r, ExprRange inside)
{
    return fmax(0, fmax(r.max - inside.max, inside.min - r.min));
}

static double value_beyond(double v, ExprRange inside)
{
    return isfinite(v) ? beyond((ExprRange){v, v}, inside) : 0;
}

/* The values at the points around step k, widened by half of their width. */
static ExprRange seen_around(Search *x, long k, long n)
{
    const PulseInput *o = x->in;
    ExprRange r = {INFINITY, -INFINITY};
    for (long i = k - 2; i <= k + 3; i++) {
        if (i < 0 || i > n)
            continue;
        double v = value_at(x, o->start + (double)i * o->step);
        r.min = fmin(r.min, v);
        r.max = fmax(r.max, v);
    }
    double more = (r.max - r.min) / 2;
    return (ExprRange){r.min - more, r.max + more};
}

/* Is there more to know of a cell, with a peak of that size in the step? */
static bool is_open(const Search *x, const Cell *c, double reach, double peak)
{
    return reach > fmax(0.01 * peak, SMALL * x->scale) &&
           !(c->range.max - c->range.min < 0.2 * peak);
}

/* The cell that reaches farthest of those of which more is to be known. */
static int farthest(const Search *x, ExprRange inside, double peak,
                    double least)
{
    int best = NONE;
    double most = 0;
    for (int i = 0; i < x->ncell; i++) {
        const Cell *c = &x->cell[i];
        double reach = beyond(c->range, inside);
        if (reach > most && c->to - c->from > least &&
            is_open(x, c, reach, peak)) {
            most = reach;
            best = i;
        }
    }
    return best;
}

/* The piece of a step in which the expression is far from what is seen. */
static bool find_piece(Search *x, ExprRange inside, Pulse *piece)
{
    double least = 1e-12 * (x->cell[0].to - x->cell[0].from);
    double peak = value_beyond(x->cell[0].mid, inside);
    for (int k; x->ncell < MOST_CELLS; x->ncell++) {
        if ((k = farthest(x, inside, peak, least)) == NONE)
            break;
        halve(x, k);
        peak = fmax(peak, value_beyond(x->cell[k].mid, inside));
        peak = fmax(peak, value_beyond(x->cell[x->ncell].mid, inside));
    }
    piece->from = INFINITY;
    piece->to = -INFINITY;
    for (int i = 0; i < x->ncell; i++) {
        const Cell *c = &x->cell[i];
        if (!(beyond(c->range, inside) > 0.01 * peak))
            continue;
        piece->from = fmin(piece->from, c->from);
        piece->to = fmax(piece->to, c->to);
    }
    return peak > SMALL * x->scale && piece->from < piece->to;
}

static void see_step(Search *x, long k, long n, PulseList *list)
{
    const PulseInput *o = x->in;
    double from = o->start + (double)k * o->step;
    ExprRange inside = seen_around(x, k, n);
    Pulse piece = {.what = x->root};
    x->cell[0] = cell_of(x, from, from + o->step);
    x->ncell = 1;
    if (!(beyond(x->cell[0].range, inside) > SMALL * x->scale))
        return;
    if (find_piece(x, inside, &piece))
        vec_push(x->arena, list, piece);
}

/* Steps in blocks: where the range is small in one, all of it is known. */
static void see_grid(Search *x, PulseList *list, Arena *work)
{
    const PulseInput *o = x->in;
    long n = o->nstep;
    struct Block {
        long from, to;
    };
    Vec(struct Block) todo = {0};
    vec_push(work, &todo, ((struct Block){0, n}));
    while (todo.n > 0 && x->work < x->most_work && list->n < x->most_found) {
        struct Block b = todo.at[--todo.n];
        if (b.to - b.from == 1) {
            see_step(x, b.from, n, list);
            continue;
        }
        ExprRange r = range_in(x, o->start + (double)b.from * o->step,
                               o->start + (double)b.to * o->step);
        if (!(r.max - r.min > SMALL * x->scale))
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
static bool is_at_jump(const Search *x, const Cell *c, double least)
{
    for (int i = 0; i < x->ncell; i++) {
        const Cell *j = &x->cell[i];
        double size = c->to - c->from;
        if (j->to - j->from <= least && j->range.max - j->range.min > 0 &&
            c->from - j->to < 4 * size && j->from - c->to < 4 * size)
            return true;
    }
    return false;
}

static void see_run(Search *x, PulseList *list)
{
    const PulseInput *o = x->in;
    double run = o->stop - o->start, least = 1e-12 * run, covered = 0;
    x->cell[0] = cell_of(x, o->start, o->stop);
    x->ncell = 1;
    for (int k; x->ncell < MOST_CELLS && (k = widest(x, least)) != NONE;
         x->ncell++)
        halve(x, k);
    for (int i = 0; i < x->ncell; i++)
        if (x->cell[i].to - x->cell[i].from < run / SHORT)
            covered += x->cell[i].to - x->cell[i].from;
    if (x->ncell == MOST_CELLS || !(covered < run / 4))
        return; /* it moves everywhere, and is met everywhere */
    for (int i = 0; i < x->ncell; i++) {
        const Cell *c = &x->cell[i];
        if (c->to - c->from >= run / SHORT || is_at_jump(x, c, least))
            continue;
        for (int j = 0; j < 3; j++) {
            double at = c->from + (c->to - c->from) * j / 2;
            vec_push(x->arena, list, ((Pulse){at, at, x->root}));
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
    Search *x = NEW(work, Search);
    Expr *root;
    x->in = in;
    x->arena = arena;
    int n = find_functions(in, &root, work);
    x->value = NEW_ARRAY(work, double, dag_count(in->inlined->dag));
    x->range = NEW_ARRAY(work, ExprRange, dag_count(in->inlined->dag));
    for (int i = 0; i < n; i++) {
        begin_search(x, root[i], work);
        long share = (MOST_WORK - x->work) / (n - i);
        x->most_work = x->work + (share > 0 ? share : 0) + LEAST * x->n;
        x->most_found = list->n + (MOST_FOUND - list->n) / (n - i) + 1;
        for (int k = 0; k < 64; k++)
            value_at(x, in->start + (in->stop - in->start) * k / 63);
        if (in->on_grid)
            see_grid(x, list, work);
        else
            see_run(x, list);
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
