/* select.c - dummy derivatives: which variables are states.
 *
 * Mattsson and Soderlind (SIAM J. Sci. Comput. 14(3), 1993). In stage k = 1, 2,
 * ... the rows are the equations differentiated at least k times, the columns
 * those chosen in the stage before (all with d_j >= k). As many independent
 * columns are chosen as there are rows; for these the derivative of order
 * d_j - k + 1 is a dummy derivative, so that the one below it is no state.
 *
 * The wish which columns to choose comes from what would be lost as a state:
 * derivatives first, then StateSelect never, avoid, default, prefer, always;
 * within a kind what has no start value before what has one, and fixed ones
 * last. Numbers of the start point decide among the rest (pivot.c). They are
 * guesses in part: where by these a variable that is to be a state always, or
 * preferably, would be lost, numbers of a point nearby are asked too, and the
 * choice that loses less of what was wished is taken.
 *
 * Where the pivot depends on the states, and a column that was not chosen
 * could take its place with an equal wish, no fixed choice is right
 * everywhere: the columns become a set for dynamic selection.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce/reduce_internal.h"

#include <math.h>
#include <stdlib.h>

typedef struct EdgeValue {
    double value;
    bool known, varying;
} EdgeValue;

typedef struct Selection {
    Reduce *r;
    EdgeValue *edge; /* of each edge of the leading incidence, made on demand */
    Point start, near;
    bool is_near; /* numbers are those of `near` */
    int stage;
} Selection;

/* The wish may name a variable that equals `v`. */
static bool is_wished(const Reduce *r, int v)
{
    for (int k = 0; k < r->options.nwished; k++) {
        int sign, wish = sys_find_var(r->sys, r->options.state[k]);
        if (wish != NONE && sys_resolve(r->sys, wish, &sign) == v)
            return true;
    }
    return false;
}

/* What is asked of a variable: with StateSelect default or avoid it may be a
 * state only if the model differentiates it (Modelica specification 4.8.8), or
 * fixes its start value, as one does of states. */
static FlatStateSelect wish_for(const SysVar *x)
{
    bool is_open = x->state_select == SS_AVOID || x->state_select == SS_DEFAULT;
    bool is_meant = x->derivatives > 0 || x->fixed;
    return is_open && !is_meant ? SS_NEVER : x->state_select;
}

/* Groups of wishes: derivatives, then StateSelect from never to always, then
 * what a plan names; the last are kept as states at any price. A group is given
 * up before the next is looked at. */
enum {
    GROUP_DERIVATIVE,
    GROUP_PREFER = SS_PREFER,
    GROUP_ALWAYS = SS_ALWAYS,
    GROUP_NAMED,
    NGROUP
};

static int group_of(const Selection *s, int col)
{
    const Part *p = &s->r->part;
    if (p->offsets->d[col] - s->stage > 0)
        return GROUP_DERIVATIVE;
    if (is_wished(s->r, p->var[col]))
        return GROUP_NAMED;
    return (int)wish_for(&s->r->sys->var[p->var[col]]);
}

/* Within a group: who gives way first. */
static int rank_of(const Selection *s, int col)
{
    const Part *p = &s->r->part;
    const SysVar *x = &s->r->sys->var[p->var[col]];
    int order = p->offsets->d[col] - s->stage;
    if (order > 0)
        return -100 * order;
    int rank = x->derivatives > 0 ? 4 : 0;
    if (x->start != EXPR_NONE)
        rank += 1;
    if (x->fixed)
        rank += 4;
    return rank;
}

/* ---- numbers ---- */
static EdgeValue *edge_value(Selection *s, int row, int edge)
{
    EdgeValue *v = &s->edge[edge];
    if (v->known)
        return v;
    Expr e = reduce_jacobian_entry(s->r, row, s->r->part.leading->var[edge]);
    v->known = true;
    v->varying = !reduce_is_parametric(s->r, e);
    v->value =
        e == EXPR_NONE
            ? 0.5
            : reduce_point_value(s->r, e, s->is_near ? &s->near : &s->start);
    if (!v->varying) {
        if (isnan(v->value))
            v->value = 0.5;
        return v;
    }
    if (!isfinite(v->value) || v->value == 0) {
        /* zero here but not everywhere: a last choice */
        double near =
            e == EXPR_NONE ? 1 : reduce_point_value(s->r, e, &s->near);
        v->value = 1e-4 * (isfinite(near) && near != 0 ? near : 1);
    }
    return v;
}

/* ---- one stage ---- */
typedef struct Stage {
    int *row, nrow; /* rows of the leading Jacobian */
    int *col, ncol; /* its columns that compete */
    int *col_of;    /* place of a column in col, or NONE; size n */
    PivotMatrix m;
    double *strength; /* of each col: largest scaled entry */
} Stage;

static double row_scale(Selection *s, const Stage *g, int row)
{
    const Incidence *inc = s->r->part.leading;
    double scale = 0;
    for (int k = inc->start[row]; k < inc->start[row + 1]; k++) {
        if (g->col_of[inc->var[k]] != NONE)
            scale = fmax(scale, fabs(edge_value(s, row, k)->value));
    }
    return scale > 0 ? scale : 1;
}

static void fill_matrix(Selection *s, Stage *g, Arena *tmp)
{
    const Incidence *inc = s->r->part.leading;
    int *start = NEW_ARRAY(tmp, int, g->ncol + 2);
    for (int i = 0; i < g->nrow; i++) {
        for (int k = inc->start[g->row[i]]; k < inc->start[g->row[i] + 1];
             k++) {
            int c = g->col_of[inc->var[k]];
            if (c != NONE)
                start[c + 2]++;
        }
    }
    for (int c = 0; c < g->ncol; c++)
        start[c + 2] += start[c + 1];
    int n = start[g->ncol + 1];
    int *row = NEW_ARRAY(tmp, int, n);
    double *value = NEW_ARRAY(tmp, double, n);
    bool *varying = NEW_ARRAY(tmp, bool, n);
    g->strength = NEW_ARRAY(tmp, double, g->ncol);
    for (int i = 0; i < g->nrow; i++) {
        double scale = row_scale(s, g, g->row[i]);
        for (int k = inc->start[g->row[i]]; k < inc->start[g->row[i] + 1];
             k++) {
            int c = g->col_of[inc->var[k]];
            if (c == NONE)
                continue;
            const EdgeValue *e = edge_value(s, g->row[i], k);
            int at = start[c + 1]++;
            row[at] = i;
            value[at] = e->value / scale;
            varying[at] = e->varying;
            g->strength[c] = fmax(g->strength[c], fabs(value[at]));
        }
    }
    g->m = (PivotMatrix){g->nrow, g->ncol, start, row, value, varying};
}

typedef struct Wish {
    int col; /* place in Stage.col */
    int group, rank;
    double strength;
} Wish;

static int by_wish(const void *a, const void *b)
{
    const Wish *x = a, *y = b;
    if (x->group != y->group)
        return x->group - y->group;
    if (x->rank != y->rank)
        return x->rank - y->rank;
    if (x->strength != y->strength)
        return x->strength > y->strength ? -1 : 1;
    return y->col - x->col; /* of equals the first in the source stays */
}

static PivotChoice *choose(Selection *s, Stage *g, Arena *tmp)
{
    Wish *wish = NEW_ARRAY(tmp, Wish, g->ncol);
    for (int c = 0; c < g->ncol; c++)
        wish[c] = (Wish){c, group_of(s, g->col[c]), rank_of(s, g->col[c]),
                         g->strength[c]};
    if (g->ncol)
        qsort(wish, (size_t)g->ncol, sizeof *wish, by_wish);
    int *order = NEW_ARRAY(tmp, int, g->ncol), group[NGROUP + 1] = {0};
    for (int c = 0; c < g->ncol; c++) {
        order[c] = wish[c].col;
        group[wish[c].group + 1]++;
    }
    for (int k = 0; k < NGROUP; k++)
        group[k + 1] += group[k];
    return reduce_pivot_choose(&g->m, order, group, NGROUP, tmp);
}

/* Rows for which numbers found no column take one by structure alone. */
static void complete(Selection *s, const Stage *g, PivotChoice *c, Arena *tmp)
{
    if (c->nchosen == g->nrow)
        return;
    EdgeList edges = edges_begin(tmp);
    for (int j = 0; j < g->ncol; j++) {
        for (int k = g->m.start[j]; k < g->m.start[j + 1]; k++)
            edges_add(&edges, g->m.row[k], j, EDGE_NONLINEAR, 0);
    }
    /* chosen columns may have no direct edge to their row after elimination */
    for (int i = 0; i < g->nrow; i++) {
        if (c->col_of[i] != NONE)
            edges_add(&edges, i, c->col_of[i], EDGE_NONLINEAR, 0);
    }
    const Incidence *inc = edges_end(&edges, g->nrow, g->ncol, tmp);
    Match *m = match_new(inc, tmp);
    for (int i = 0; i < g->nrow; i++) {
        if (c->col_of[i] == NONE)
            continue;
        m->var_of[i] = c->col_of[i];
        m->eqn_of[c->col_of[i]] = i;
        m->size++;
    }
    match_grow(inc, NULL, m);
    for (int j = 0; j < g->ncol; j++)
        c->row_of[j] = m->eqn_of[j];
    for (int i = 0; i < g->nrow; i++)
        c->col_of[i] = m->var_of[i];
    c->nchosen = m->size;
    (void)s;
}

/* What the choice takes away that was to be a state: more for always than for
 * any number of preferred ones. */
static long lost_by(const Selection *s, const Stage *g, const PivotChoice *c)
{
    long lost = 0;
    for (int j = 0; j < g->ncol; j++) {
        int group = group_of(s, g->col[j]);
        if (c->row_of[j] != NONE && group >= GROUP_PREFER)
            lost += group >= GROUP_ALWAYS ? 1000000L : 1;
    }
    return lost;
}

static void forget_numbers(Selection *s, bool is_near)
{
    for (int i = 0; i < s->r->part.leading->nedge; i++)
        s->edge[i].known &= !s->edge[i].varying;
    s->is_near = is_near;
}

/* By numbers of the start, or of a point nearby if that keeps more. */
static PivotChoice *choose_by_numbers(Selection *s, Stage *g, Arena *tmp)
{
    fill_matrix(s, g, tmp);
    PivotChoice *c = choose(s, g, tmp);
    long lost = lost_by(s, g, c);
    if (lost == 0)
        return c;
    Stage near = *g;
    forget_numbers(s, true);
    fill_matrix(s, &near, tmp);
    PivotChoice *other = choose(s, &near, tmp);
    forget_numbers(s, false);
    if (other->nchosen < g->nrow || lost_by(s, g, other) >= lost)
        return c;
    *g = near;
    return other;
}

/* ---- sets for dynamic selection ---- */
static bool is_tie(const Selection *s, const Stage *g, int a, int b)
{
    const Part *p = &s->r->part;
    int x = g->col[a], y = g->col[b];
    return group_of(s, x) == group_of(s, y) &&
           p->offsets->d[x] == p->offsets->d[y] &&
           group_of(s, x) < GROUP_NAMED &&
           wish_for(&s->r->sys->var[p->var[x]]) ==
               wish_for(&s->r->sys->var[p->var[y]]);
}

static int find_set(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Rows and columns (nrow + column) that are joined by alternatives. */
static int *join_alternatives(Selection *s, const Stage *g,
                              const PivotChoice *c, Arena *tmp)
{
    int n = g->nrow + g->ncol;
    int *parent = NEW_ARRAY(tmp, int, n);
    for (int i = 0; i < n; i++)
        parent[i] = i;
    for (int k = 0; k < c->alternative_row.n; k++) {
        int row = c->alternative_row.at[k], col = c->alternative_col.at[k];
        if (!is_tie(s, g, c->col_of[row], col))
            continue;
        parent[find_set(parent, row)] = find_set(parent, g->nrow + col);
    }
    return parent;
}

/* All rows that the rows of the set need to be reduced to the candidates: a
 * chosen column brings the row it was chosen in. */
static void close_set(Selection *s, const Stage *g, const PivotChoice *c,
                      Candidates *x, Arena *tmp)
{
    const Incidence *inc = s->r->part.leading;
    bool *seen = NEW_ARRAY(tmp, bool, inc->neqn);
    bool *is_candidate = NEW_ARRAY(tmp, bool, inc->nvar);
    x->all_row = NEW_ARRAY(s->r->tmp, int, g->nrow);
    x->other = NEW_ARRAY(s->r->tmp, int, g->nrow);
    for (int k = 0; k < x->ncolumn; k++)
        is_candidate[x->column[k]] = true;
    for (int k = 0; k < x->nrow; k++) {
        seen[x->row[k]] = true;
        x->all_row[x->nall_row++] = x->row[k];
    }
    for (int at = 0; at < x->nall_row; at++) {
        int row = x->all_row[at];
        for (int k = inc->start[row]; k < inc->start[row + 1]; k++) {
            int col = g->col_of[inc->var[k]];
            if (col == NONE || c->row_of[col] == NONE ||
                is_candidate[inc->var[k]])
                continue;
            int next = g->row[c->row_of[col]];
            if (seen[next])
                continue;
            seen[next] = true;
            x->all_row[x->nall_row++] = next;
            x->other[x->nother++] = inc->var[k];
        }
    }
}

static void add_sets(Selection *s, const Stage *g, const PivotChoice *c,
                     CandidatesVec *sets, Arena *tmp)
{
    Reduce *r = s->r;
    int first = sets->n;
    int *parent = join_alternatives(s, g, c, tmp);
    int *set_of = NEW_ARRAY(tmp, int, g->nrow + g->ncol);
    bool *is_joined = NEW_ARRAY(tmp, bool, g->nrow + g->ncol);
    for (int i = 0; i < g->nrow + g->ncol; i++)
        set_of[i] = NONE;
    for (int i = 0; i < g->nrow; i++)
        is_joined[find_set(parent, i)] = find_set(parent, i) != i;
    for (int j = 0; j < g->ncol; j++) {
        int root = find_set(parent, g->nrow + j);
        if (c->row_of[j] != NONE || !is_joined[root])
            continue;
        if (set_of[root] == NONE) {
            set_of[root] = sets->n;
            Candidates x = {.stage = s->stage};
            x.column = NEW_ARRAY(r->tmp, int, g->ncol);
            x.row = NEW_ARRAY(r->tmp, int, g->nrow);
            x.initial = NEW_ARRAY(r->tmp, int, g->ncol);
            vec_push(r->tmp, sets, x);
        }
        Candidates *x = &sets->at[set_of[root]];
        x->column[x->ncolumn++] = g->col[j];
        x->initial[x->nstate++] = g->col[j];
    }
    for (int i = 0; i < g->nrow; i++) {
        int root = find_set(parent, i);
        if (set_of[root] == NONE)
            continue;
        Candidates *x = &sets->at[set_of[root]];
        x->row[x->nrow++] = g->row[i];
        x->column[x->ncolumn++] = g->col[c->col_of[i]];
    }
    for (int k = first; k < sets->n; k++)
        close_set(s, g, c, &sets->at[k], tmp);
}

/* ---- all stages ---- */
static Stage begin_stage(Selection *s, const int *chosen, Arena *tmp)
{
    const Part *p = &s->r->part;
    Stage g = {0};
    g.row = NEW_ARRAY(tmp, int, p->n);
    g.col = NEW_ARRAY(tmp, int, p->n);
    g.col_of = NEW_ARRAY(tmp, int, p->n);
    for (int i = 0; i < p->n; i++) {
        if (p->offsets->c[i] >= s->stage)
            g.row[g.nrow++] = i;
    }
    for (int j = 0; j < p->n; j++) {
        g.col_of[j] = NONE;
        if (p->offsets->d[j] >= s->stage && chosen[j] == s->stage - 1) {
            g.col_of[j] = g.ncol;
            g.col[g.ncol++] = j;
        }
    }
    return g;
}

/* A user's StateSelect.always that could not be kept. */
static void report_lost(Selection *s)
{
    Reduce *r = s->r;
    for (int j = 0; j < r->part.n; j++) {
        const SysVar *x = &r->sys->var[r->part.var[j]];
        if (x->state_select == SS_ALWAYS &&
            r->selected[j] == r->part.offsets->d[j])
            diag_report(r->diag, x->span, DIAG_W1007,
                        "'%s' has StateSelect.always (or reinit) but cannot "
                        "be a state: %s",
                        x->name,
                        r->part.offsets->d[j] == 0
                            ? "its derivative does not occur"
                            : "other states already determine it");
    }
}

void reduce_select_states(Reduce *r, CandidatesVec *sets)
{
    const Part *p = &r->part;
    Selection s = {.r = r};
    s.edge = NEW_ARRAY(r->tmp, EdgeValue, p->leading->nedge);
    s.start = (Point){r->start, 0, 0};
    s.near = (Point){reduce_random_values(r, 77), 0.1, 77};
    r->selected = NEW_ARRAY(r->tmp, int, p->n);
    for (s.stage = 1;; s.stage++) {
        Arena *tmp = arena_new();
        reduce_set_stage(r, s.stage);
        if (p->told)
            s.edge = NEW_ARRAY(r->tmp, EdgeValue, p->leading->nedge);
        Stage g = begin_stage(&s, r->selected, tmp);
        if (g.nrow == 0) {
            arena_free(tmp);
            break;
        }
        PivotChoice *c = choose_by_numbers(&s, &g, tmp);
        complete(&s, &g, c, tmp);
        r->told_fails = p->told && c->nchosen < g.nrow;
        for (int k = 0; k < g.ncol; k++) {
            if (c->row_of[k] != NONE)
                r->selected[g.col[k]]++;
        }
        if (!r->options.static_states && !r->told_fails)
            add_sets(&s, &g, c, sets, tmp);
        arena_free(tmp);
        if (r->told_fails)
            break;
    }
    reduce_set_stage(r, 0);
    report_lost(&s);
}
