/* init.c - the system that determines the start.
 *
 * Everything is unknown but parameters, inputs and time. The equations of the
 * model come first, then conditions group by group, each as far as something
 * is left to determine:
 *
 *   GIVEN    initial equations
 *   FIXED    start values with fixed = true
 *   BEFORE   pre(v) of discrete variables: the start value; the value itself
 *            for conditions of when clauses
 *   STATE    start values of states (a warning lists them); of others where a
 *            state is a sum that has none
 *   FREE     start values of parameters with fixed = false
 *
 * A matching that grows group by group finds which. A condition of the first
 * two groups without an unknown is surplus: surplus.c judges it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce/reduce_internal.h"

typedef enum Group { MODEL, GIVEN, FIXED, BEFORE, STATE, FREE, NGROUP } Group;

typedef struct Builder {
    InitSystem s;
    Vec(unsigned char) group; /* of each row */
    Vec(int) state;           /* of each row of STATE: the state, else NONE */
    bool *has_pre;            /* of each variable: pre(v) occurs */
} Builder;

static void add_row(Builder *b, SysEqn e, Group group, int state)
{
    Arena *tmp = b->s.r->tmp;
    vec_push(tmp, &b->s.eqn, e);
    vec_push(tmp, &b->group, (unsigned char)group);
    vec_push(tmp, &b->state, state);
}

/* ---- rows ---- */
static SysEqn condition(Reduce *r, Expr leaf, Expr value, SysRule rule, int v)
{
    const SysVar *x = &r->sys->var[v];
    return (SysEqn){
        .lhs = leaf,
        .rhs = value,
        .origin = {rule, v},
        .component = x->component,
        .span = sys_var_place(r->sys, x->start_from),
    };
}

static Expr start_value(Reduce *r, int v)
{
    const SysVar *x = &r->sys->var[v];
    if (x->start != EXPR_NONE)
        return x->start;
    switch (x->type) {
    case FT_REAL: return expr_real(r->dag, 0);
    case FT_BOOLEAN: return expr_bool(r->dag, false);
    case FT_ENUM: return expr_int(r->dag, 1);
    default: return expr_int(r->dag, 0);
    }
}

/* The same for people: where start values are parameters, what those are. */
static Expr given_start(Reduce *r, int v)
{
    Expr e = start_value(r, v);
    int p, order;
    return expr_is_var(r->dag, e, &p, &order) && order == 0 &&
                   strncmp(r->sys->var[p].name, "start(", 6) == 0
               ? r->sys->var[p].expr
               : e;
}

static Expr pre_leaf(Reduce *r, int v)
{
    return expr_unary(r->dag, EX_PRE, reduce_leaf_of(r, v, 0));
}

static void add_model(Builder *b)
{
    Reduce *r = b->s.r;
    ExprMap *m = expr_map_new(r->dag, NULL, NULL, r->tmp);
    Expr initial =
        expr_make(r->dag, EX_INITIAL, EXPR_NONE, EXPR_NONE, EXPR_NONE);
    expr_map_fix(m, initial, expr_bool(r->dag, true));
    for (int i = 0; i < r->dae->neqn; i++) {
        SysEqn e = r->dae->eqn[i];
        e.lhs = expr_map(m, e.lhs);
        e.rhs = expr_map(m, e.rhs);
        add_row(b, e, MODEL, NONE);
    }
    for (int i = 0; i < r->sys->ninitial; i++) {
        SysEqn e = r->sys->initial[i];
        e.lhs = expr_map(m, e.lhs);
        e.rhs = expr_map(m, e.rhs);
        add_row(b, e, GIVEN, NONE);
    }
}

static void find_pre(void *context, const Dag *d, Expr e)
{
    int v, order;
    if (expr_op(d, e) == EX_PRE &&
        expr_is_var(d, expr_arg(d, e, 0), &v, &order))
        ((bool *)context)[v] = true;
}

static void find_pres(Builder *b)
{
    Reduce *r = b->s.r;
    b->has_pre = NEW_ARRAY(r->tmp, bool, r->sys->nvar);
    for (int i = 0; i < b->s.eqn.n; i++) {
        Expr root[2] = {b->s.eqn.at[i].lhs, b->s.eqn.at[i].rhs};
        expr_walk(r->dag, root, 2, find_pre, b->has_pre);
    }
    for (int i = 0; i < r->sys->naction; i++)
        expr_walk(r->dag, &r->sys->action[i].active, 1, find_pre, b->has_pre);
}

static void add_fixed(Builder *b)
{
    Reduce *r = b->s.r;
    for (int v = 0; v < r->sys->nvar; v++) {
        const SysVar *x = &r->sys->var[v];
        if (!x->fixed || x->start == EXPR_NONE)
            continue;
        if (x->role == SR_UNKNOWN)
            add_row(
                b,
                condition(r, reduce_leaf_of(r, v, 0), x->start, RULE_START, v),
                FIXED, NONE);
        if (x->role == SR_DISCRETE && b->has_pre[v])
            add_row(b, condition(r, pre_leaf(r, v), x->start, RULE_START, v),
                    FIXED, NONE);
    }
}

static void add_before(Builder *b)
{
    Reduce *r = b->s.r;
    for (int v = 0; v < r->sys->nvar; v++) {
        const SysVar *x = &r->sys->var[v];
        if (!b->has_pre[v] || !sys_is_unknown(r->sys, v))
            continue;
        Expr value = x->flat == NONE || x->role == SR_UNKNOWN
                         ? reduce_leaf_of(r, v, 0)
                         : start_value(r, v);
        add_row(b, condition(r, pre_leaf(r, v), value, RULE_PRE, v), BEFORE,
                NONE);
    }
}

static void add_states_with(Builder *b, bool start)
{
    Reduce *r = b->s.r;
    for (int k = 0; k < r->dae->nstate; k++) {
        Expr leaf = dae_state_shown(r->dae, k);
        int v, order;
        expr_is_var(r->dag, leaf, &v, &order);
        bool has_start = order == 0 && r->sys->var[v].start != EXPR_NONE &&
                         r->sys->var[v].flat != NONE;
        if (has_start != start)
            continue;
        Expr value = order == 0 ? start_value(r, v) : expr_real(r->dag, 0);
        add_row(b, condition(r, leaf, value, RULE_START_CHOSEN, v), STATE, k);
    }
}

/* Variables that are no states but have a start value: somebody meant it. */
static void add_others(Builder *b)
{
    Reduce *r = b->s.r;
    for (int v = 0; v < r->sys->nvar; v++) {
        const SysVar *x = &r->sys->var[v];
        if (x->role == SR_UNKNOWN && x->type == FT_REAL && !x->fixed &&
            x->flat != NONE && x->start != EXPR_NONE)
            add_row(b,
                    condition(r, reduce_leaf_of(r, v, 0), x->start,
                              RULE_START_CHOSEN, v),
                    STATE, NONE);
    }
}

/* Those with a start value of their own come first, sums last: what was said of
 * their parts counts more. */
static void add_states(Builder *b)
{
    add_states_with(b, true);
    if (b->s.r->nnatural > 0)
        add_others(b);
    add_states_with(b, false);
}

static void add_free(Builder *b)
{
    Reduce *r = b->s.r;
    for (int v = 0; v < r->sys->nvar; v++) {
        if (r->sys->var[v].role == SR_FREE)
            add_row(b,
                    condition(r, reduce_leaf_of(r, v, 0), start_value(r, v),
                              RULE_START_CHOSEN, v),
                    FREE, NONE);
    }
}

/* ---- unknowns ---- */
static void add_unknown(Builder *b, Expr leaf)
{
    vec_push(b->s.r->tmp, &b->s.unknown, leaf);
}

static void number_unknowns(Builder *b)
{
    InitSystem *s = &b->s;
    s->ncolumn = dag_count(s->r->dag);
    s->column = NEW_ARRAY(s->r->tmp, int, s->ncolumn);
    for (int e = 0; e < s->ncolumn; e++)
        s->column[e] = NONE;
    for (int k = 0; k < s->unknown.n; k++)
        s->column[s->unknown.at[k]] = k;
}

static void list_unknowns(Builder *b)
{
    Reduce *r = b->s.r;
    const Dae *d = r->dae;
    for (int k = 0; k < d->nstate; k++)
        add_unknown(b, d->state[k].leaf);
    for (int k = 0; k < d->nunknown; k++)
        add_unknown(b, d->unknown[k].leaf);
    for (int v = 0; v < r->sys->nvar; v++) {
        if (r->sys->var[v].role == SR_FREE)
            add_unknown(b, reduce_leaf_of(r, v, 0));
    }
    for (int v = 0; v < r->sys->nvar; v++) {
        if (b->has_pre[v] && sys_is_unknown(r->sys, v))
            add_unknown(b, pre_leaf(r, v));
    }
    number_unknowns(b);
}

static void add_derivatives(Builder *b)
{
    const Reduce *r = b->s.r;
    int nmodel = r->dae->neqn;
    reduce_add_derivatives(&b->s, nmodel, nmodel, nmodel + r->sys->ninitial);
    while (b->group.n < b->s.eqn.n) {
        vec_push(r->tmp, &b->group, (unsigned char)MODEL);
        vec_push(r->tmp, &b->state, NONE);
    }
    number_unknowns(b);
}

typedef struct RowEdges {
    Builder *b;
    EdgeList *edges;
    int row;
    bool discrete;
} RowEdges;

static void add_edge(void *context, const Dag *d, Expr e)
{
    RowEdges *x = context;
    Builder *b = x->b;
    int column = reduce_init_column(&b->s, e);
    if (column == NONE)
        return;
    const SysEqn *q = &b->s.eqn.at[x->row];
    bool can = x->discrete ? reduce_is_side(b->s.r, q, e) || q->rhs == e
                           : expr_type(d, e) == ET_REAL;
    if (can)
        edges_add(x->edges, x->row, column, EDGE_NONLINEAR, 0);
}

static void make_incidence(Builder *b)
{
    Reduce *r = b->s.r;
    EdgeList edges = edges_begin(r->tmp);
    for (int i = 0; i < b->s.eqn.n; i++) {
        const SysEqn *e = &b->s.eqn.at[i];
        RowEdges x = {b, &edges, i, reduce_is_discrete_valued(r, e)};
        /* pre(v) is an unknown of its own, and its argument is not one */
        Expr *leaf;
        int n = reduce_eqn_leaves(r, e, &leaf, r->tmp);
        for (int k = 0; k < n; k++)
            add_edge(&x, r->dag, leaf[k]);
        if (b->has_pre) {
            Expr *pre;
            int npre = reduce_eqn_pres(r, e, &pre, r->tmp);
            for (int k = 0; k < npre; k++)
                add_edge(&x, r->dag, pre[k]);
        }
    }
    b->s.inc = edges_end(&edges, b->s.eqn.n, b->s.unknown.n, r->tmp);
}

/* ---- matching ---- */
static void match_groups(Builder *b)
{
    const Incidence *inc = b->s.inc;
    b->s.match = match_new(inc, b->s.r->tmp);
    unsigned char *allowed = NEW_ARRAY(b->s.r->tmp, unsigned char, inc->nedge);
    for (int g = MODEL; g < NGROUP; g++) {
        for (int i = 0; i < inc->neqn; i++) {
            if (b->group.at[i] != g)
                continue;
            for (int k = inc->start[i]; k < inc->start[i + 1]; k++)
                allowed[k] = 1;
        }
        match_grow(inc, allowed, b->s.match);
    }
}

static bool judge_rows(Builder *b)
{
    bool fine = true;
    for (int i = 0; i < b->s.eqn.n; i++) {
        if (b->s.match->var_of[i] != NONE || b->group.at[i] > FIXED)
            continue;
        if (!reduce_judge_surplus(&b->s, i))
            fine = false;
    }
    return fine;
}

static void warn_missing(Builder *b)
{
    Reduce *r = b->s.r;
    const char *list = "";
    int n = 0;
    for (int i = 0; i < b->s.eqn.n; i++) {
        if (b->group.at[i] != STATE || b->s.match->var_of[i] == NONE)
            continue;
        Expr leaf = b->s.eqn.at[i].lhs;
        int v, order;
        if (n++ >= 12)
            continue;
        expr_is_var(r->dag, leaf, &v, &order);
        const char *value =
            expr_text(r->dag, order ? expr_real(r->dag, 0) : given_start(r, v),
                      sys_var_name, r->sys, 30, r->tmp);
        list = arena_printf(r->tmp, "%s%s%s = %s", list, n > 1 ? ", " : "",
                            dae_leaf_text(r->dae, leaf, r->tmp), value);
    }
    if (n == 0)
        return;
    if (n > 12)
        list = arena_printf(r->tmp, "%s, ...", list);
    diag_report(r->diag, r->sys->flat->span, DIAG_W1101,
                "%d initial condition%s missing; start values are taken: %s", n,
                n == 1 ? " is" : "s are", list);
}

static void warn_free(Builder *b)
{
    Reduce *r = b->s.r;
    for (int i = 0; i < b->s.eqn.n; i++) {
        if (b->group.at[i] != FREE || b->s.match->var_of[i] == NONE)
            continue;
        const SysVar *x = &r->sys->var[b->s.eqn.at[i].origin.from];
        diag_report(r->diag, x->span, DIAG_W1103,
                    "no initial equation determines '%s' (fixed = false); its "
                    "start value is taken",
                    x->name);
    }
}

static void write_result(Builder *b)
{
    Reduce *r = b->s.r;
    DaeInit *in = &r->dae->init;
    in->nunknown = b->s.unknown.n;
    in->unknown = NEW_ARRAY(r->arena, Expr, in->nunknown);
    for (int k = 0; k < in->nunknown; k++)
        in->unknown[k] = b->s.unknown.at[k];
    in->eqn = NEW_ARRAY(r->arena, SysEqn, b->s.eqn.n);
    in->chosen = NEW_ARRAY(r->arena, int, r->dae->nstate);
    for (int i = 0; i < b->s.eqn.n; i++) {
        if (b->s.match->var_of[i] == NONE)
            continue;
        in->eqn[in->neqn++] = b->s.eqn.at[i];
        if (b->state.at[i] != NONE)
            in->chosen[in->nchosen++] = b->state.at[i];
    }
}

bool reduce_make_initial(Reduce *r)
{
    Builder b = {.s = {.r = r}};
    add_model(&b);
    find_pres(&b);
    add_fixed(&b);
    add_before(&b);
    add_states(&b);
    add_free(&b);
    list_unknowns(&b);
    add_derivatives(&b);
    make_incidence(&b);
    match_groups(&b);
    bool fine = judge_rows(&b);
    write_result(&b);
    if (!fine)
        return false;
    warn_missing(&b);
    warn_free(&b);
    return true;
}
