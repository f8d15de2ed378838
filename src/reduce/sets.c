/* sets.c - dynamic state selection.
 *
 * Of the candidates q (n leaves) of a set, m are states at a time. The states
 * proper are m auxiliary variables s with
 *
 *     s = P q,   s' = P q'
 *
 * where the m x n matrix P of zeros and ones is held in parameters that the
 * run changes between steps. All candidates are unknowns then. The planar
 * pendulum has two sets: one of x, y and one of vx, vy.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce/reduce_internal.h"

static int state_number(const Dae *d, int var, int order)
{
    for (int k = 0; k < d->nstate; k++) {
        if (d->state[k].var == var && d->state[k].order == order)
            return k;
    }
    return NONE;
}

/* The parameter that holds P[i][j]. */
static int selector(Reduce *r, int set, int i, int j, bool on)
{
    const char *name =
        arena_printf(r->arena, "$set%d.P[%d,%d]", set + 1, i + 1, j + 1);
    int p =
        sys_add_var(r->sys, name, SR_PARAMETER, FT_REAL, 0, NO_SPAN, r->arena);
    r->sys->var[p].expr = expr_real(r->dag, on ? 1 : 0);
    return p;
}

static SysEqn set_equation(int var, Expr lhs, Expr rhs)
{
    return (SysEqn){
        .lhs = lhs,
        .rhs = rhs,
        .origin = {RULE_STATE_SET, var},
        .span = NO_SPAN,
    };
}

/* P[i] * leaf, summed over the candidates. */
static Expr selected_sum(Reduce *r, const DaeStateSet *s, int i,
                         const Expr *leaf)
{
    Expr sum = expr_real(r->dag, 0);
    for (int j = 0; j < s->ncandidate; j++) {
        Expr p = reduce_leaf_of(r, s->select[i * s->ncandidate + j], 0);
        sum = expr_add(r->dag, sum, expr_mul(r->dag, p, leaf[j]));
    }
    return sum;
}

static void list_candidates(Reduce *r, const Candidates *c, DaeStateSet *s)
{
    const Part *p = &r->part;
    s->ncandidate = c->ncolumn;
    s->nstate = c->nstate;
    s->candidate = NEW_ARRAY(r->arena, Expr, c->ncolumn);
    s->candidate_der = NEW_ARRAY(r->arena, Expr, c->ncolumn);
    s->initial = NEW_ARRAY(r->arena, int, c->nstate);
    int nstate = 0;
    for (int j = 0; j < c->ncolumn; j++) {
        int col = c->column[j], order = p->offsets->d[col] - c->stage;
        s->candidate[j] = reduce_leaf_of(r, p->var[col], order);
        s->candidate_der[j] = reduce_leaf_of(r, p->var[col], order + 1);
        for (int k = 0; k < c->nstate; k++) {
            if (c->initial[k] == col)
                s->initial[nstate++] = j;
        }
    }
    /* the equations whose Jacobian by the candidates decides: those of the
       rows, at the order in which the candidates are the highest */
    s->constraint = NEW_ARRAY(r->arena, int, c->nrow);
    s->nconstraint = c->nrow;
    for (int k = 0; k < c->nrow; k++)
        s->constraint[k] = c->row[k];
}

/* The entries of the matrix that decides. */
static void list_entries(Reduce *r, const Candidates *c, DaeStateSet *s)
{
    reduce_set_stage(r, c->stage);
    const Incidence *inc = r->part.leading;
    int *place = NEW_ARRAY(r->tmp, int, inc->nvar);
    Vec(DaeSetEntry) list = {0};
    for (int j = 0; j < inc->nvar; j++)
        place[j] = NONE;
    for (int j = 0; j < c->ncolumn; j++)
        place[c->column[j]] = j;
    for (int j = 0; j < c->nother; j++)
        place[c->other[j]] = c->ncolumn + j;
    for (int i = 0; i < c->nall_row; i++) {
        int row = c->all_row[i];
        for (int k = inc->start[row]; k < inc->start[row + 1]; k++) {
            int col = inc->var[k];
            if (place[col] == NONE)
                continue;
            DaeSetEntry e = {i, place[col], reduce_jacobian_entry(r, row, col)};
            vec_push(r->arena, &list, e);
        }
    }
    reduce_set_stage(r, 0);
    s->entry = list.at;
    s->nentry = list.n;
    s->nrow = c->nall_row;
    s->neliminated = c->nother;
    reduce_shrink_matrix(r, s);
}

/* A state that was chosen for the start becomes an unknown like the other
 * candidates; the auxiliary variable takes its place. */
static void take_place(Reduce *r, DaeStateSet *s, int number, int i)
{
    Dae *d = r->dae;
    Expr old = s->candidate[s->initial[i]];
    int v, order;
    expr_is_var(r->dag, old, &v, &order);
    DaeState *x = &d->state[state_number(d, v, order)];
    d->unknown[x->unknown].kind = DK_DUMMY;
    d->unknown[x->unknown].state = NONE;
    d->unknown[d->nunknown++] = (DaeUnknown){v, order, old, DK_DUMMY, NONE};
    const char *name =
        arena_printf(r->arena, "$set%d.x[%d]", number + 1, i + 1);
    int w =
        sys_add_var(r->sys, name, SR_UNKNOWN, FT_REAL, 0, NO_SPAN, r->arena);
    r->sys->var[w].derivatives = 1;
    Expr leaf = reduce_leaf_of(r, w, 0), der = reduce_leaf_of(r, w, 1);
    int u = d->nunknown++;
    *x = (DaeState){w, 0, leaf, der, u, number};
    d->unknown[u] = (DaeUnknown){w, 1, der, DK_DERIVATIVE, (int)(x - d->state)};
    d->eqn[d->neqn++] =
        set_equation(w, leaf, selected_sum(r, s, i, s->candidate));
    d->eqn[d->neqn++] =
        set_equation(w, der, selected_sum(r, s, i, s->candidate_der));
}

static void add_set(Reduce *r, int number)
{
    DaeStateSet *s = &r->dae->set[number];
    s->select = NEW_ARRAY(r->arena, int, s->nstate * s->ncandidate);
    for (int i = 0; i < s->nstate; i++) {
        for (int j = 0; j < s->ncandidate; j++)
            s->select[i * s->ncandidate + j] =
                selector(r, number, i, j, s->initial[i] == j);
    }
    for (int i = 0; i < s->nstate; i++)
        take_place(r, s, number, i);
}

static void grow_tables(Reduce *r, int more)
{
    Dae *d = r->dae;
    d->eqn = arena_grow(r->arena, d->eqn, (size_t)d->neqn * sizeof *d->eqn,
                        (size_t)(d->neqn + more) * sizeof *d->eqn);
    d->unknown = arena_grow(r->arena, d->unknown,
                            (size_t)d->nunknown * sizeof *d->unknown,
                            (size_t)(d->nunknown + more) * sizeof *d->unknown);
}

/* The states of a set stand together: fixed ones first, then set by set. */
static void sort_states(Reduce *r)
{
    Dae *d = r->dae;
    DaeState *to = NEW_ARRAY(r->arena, DaeState, d->nstate);
    int n = 0;
    for (int set = NONE; set < d->nset; set++) {
        if (set != NONE)
            d->set[set].first_state = n;
        for (int k = 0; k < d->nstate; k++) {
            if (d->state[k].set == set)
                to[n++] = d->state[k];
        }
    }
    d->state = to;
    for (int k = 0; k < d->nstate; k++)
        d->unknown[d->state[k].unknown].state = k;
}

static void add_parameters(Reduce *r)
{
    Sys *s = r->sys;
    int n = 0;
    for (int k = 0; k < r->dae->nset; k++)
        n += r->dae->set[k].nstate * r->dae->set[k].ncandidate;
    int *order = NEW_ARRAY(r->arena, int, s->nparam + n);
    for (int k = 0; k < s->nparam; k++)
        order[k] = s->param_order[k];
    for (int k = 0; k < r->dae->nset; k++) {
        const DaeStateSet *set = &r->dae->set[k];
        for (int i = 0; i < set->nstate * set->ncandidate; i++)
            order[s->nparam++] = set->select[i];
    }
    s->param_order = order;
}

/* Sets found here, then those that were given. */
static void list_sets(Reduce *r, const CandidatesVec *sets)
{
    int ngiven = r->options.ngiven;
    r->dae->set = NEW_ARRAY(r->arena, DaeStateSet, sets->n + ngiven);
    for (int k = 0; k < sets->n; k++) {
        DaeStateSet *s = &r->dae->set[r->dae->nset++];
        list_candidates(r, &sets->at[k], s);
        list_entries(r, &sets->at[k], s);
    }
    for (int k = 0; k < ngiven; k++) {
        DaeStateSet *s = &r->dae->set[r->dae->nset++];
        *s = r->options.given[k];
        reduce_shrink_matrix(r, s);
    }
}

void reduce_add_state_sets(Reduce *r, const CandidatesVec *sets)
{
    if (sets->n + r->options.ngiven == 0)
        return;
    int more = 0;
    list_sets(r, sets);
    for (int k = 0; k < r->dae->nset; k++)
        more += 2 * r->dae->set[k].nstate;
    grow_tables(r, more);
    for (int k = 0; k < r->dae->nset; k++)
        add_set(r, k);
    sort_states(r);
    add_parameters(r);
}
