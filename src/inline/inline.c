/* inline.c - from a model and a method to the systems of a Inlined.
 *
 * The order: the table of entries, the equations at the end of the step (and
 * with them the frozen relations), late variables, then one system for each
 * way to make a step, the event, initial and parameter systems, and last the
 * carry lists, when it is known which old values are used.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "inline/inline_internal.h"

/* ---- the model ---- */

static void view_dae(Model *m, const Dae *dae, Arena *work)
{
    m->dae = dae;
    m->sys = dae->sys;
    m->eqn = dae->eqn;
    m->neqn = dae->neqn;
    m->nstate = dae->nstate;
    m->nunknown = dae->nunknown;
    m->state = NEW_ARRAY(work, Quantity, m->nstate + 1);
    m->unknown = NEW_ARRAY(work, Quantity, m->nunknown + 1);
    for (int i = 0; i < m->nstate; i++)
        m->state[i] = (Quantity){dae->state[i].var, dae->state[i].order};
    for (int i = 0; i < m->nunknown; i++)
        m->unknown[i] = (Quantity){dae->unknown[i].var, dae->unknown[i].order};
}

/* All derivatives below the highest one of a variable are states. */
static void view_sys(Model *m, const Sys *sys, Arena *work)
{
    Vec(Quantity) state = {0}, unknown = {0};
    for (int v = 0; v < sys->nvar; v++) {
        if (!sys_is_unknown(sys, v))
            continue;
        for (int k = 0; k < sys->var[v].derivatives; k++)
            vec_push(work, &state, ((Quantity){v, k}));
        vec_push(work, &unknown, ((Quantity){v, sys->var[v].derivatives}));
    }
    m->sys = sys;
    m->eqn = sys->eqn;
    m->neqn = sys->neqn;
    m->state = state.at;
    m->nstate = state.n;
    m->unknown = unknown.at;
    m->nunknown = unknown.n;
}

/* ---- names in the plan ---- */

static bool is_state_name(const Inliner *in, const char *name)
{
    int v = sys_find_var(in->d->sys, name);
    for (int i = 0; i < in->model.nstate; i++)
        if (in->model.state[i].var == v)
            return true;
    return false;
}

/* Names of the model's equations, as inlined_eqn_name() makes them. */
static const char **equation_names(const Inliner *in)
{
    const char **name = NEW_ARRAY(in->work, const char *, in->model.neqn + 1);
    for (int i = 0; i < in->model.neqn; i++) {
        InlinedEqn e = {.kind = IE_MODEL, .from = i, .stage = DIFF_END};
        name[i] = inlined_eqn_name(in->d, &e, in->work);
    }
    return name;
}

static bool is_equation_name(const Inliner *in, const char **known,
                             const char *name)
{
    for (int i = 0; i < in->model.neqn; i++)
        if (strcmp(known[i], name) == 0)
            return true;
    size_t n = strlen(name);
    if (n < 6 || strncmp(name, "int(", 4) != 0 || name[n - 1] != ')')
        return false;
    return is_state_name(in, arena_strndup(in->work, name + 4, n - 5));
}

/* Reports, with the nearest of the names that there are. */
static void unknown_name(Inliner *in, Span span, const char *what,
                         const char *name, const char *const *known, int n)
{
    in->failed = true;
    diag_report(in->diag, span, DIAG_E1205, "the model has no %s '%s'", what,
                name);
    diag_suggest(in->diag, name, known, n);
}

static const char **state_names(const Inliner *in)
{
    const char **name = NEW_ARRAY(in->work, const char *, in->model.nstate + 1);
    for (int i = 0; i < in->model.nstate; i++)
        name[i] = in->d->sys->var[in->model.state[i].var].name;
    return name;
}

static const char **variable_names(const Inliner *in)
{
    const Sys *sys = in->d->sys;
    const char **name = NEW_ARRAY(in->work, const char *, sys->nvar + 1);
    for (int i = 0; i < sys->nvar; i++)
        name[i] = sys->var[i].name;
    return name;
}

static void unknown_equation(Inliner *in, const PlanCut *c, const char **known)
{
    int neqn = in->model.neqn, n = neqn + in->model.nstate;
    const char **all = NEW_ARRAY(in->work, const char *, n + 1);
    const char **state = state_names(in);
    for (int i = 0; i < n; i++)
        all[i] = i < neqn ? known[i]
                          : arena_printf(in->work, "int(%s)", state[i - neqn]);
    unknown_name(in, c->span, "equation", c->eqn, all, n);
}

/* The quantity behind the name of an unknown: "x" of "x@2" and "inc(x)@1". */
static const char *quantity_of(const Inliner *in, const char *name)
{
    const char *at = strrchr(name, '@');
    size_t n = at && at[1] && strspn(at + 1, "0123456789") == strlen(at + 1)
                   ? (size_t)(at - name)
                   : strlen(name);
    bool is_increment = n > 5 && strncmp(name, "inc(", 4) == 0 && at;
    return is_increment ? arena_strndup(in->work, name + 4, n - 5)
                        : arena_strndup(in->work, name, n);
}

/* Which unknowns there are depends on the method: a plan is used with others
 * too, so that the variable is what must exist. */
static void check_tearing(Inliner *in)
{
    const Plan *p = in->plan;
    for (int i = 0; i < p->ntearing; i++) {
        const char *name = quantity_of(in, p->tearing[i].block);
        int order;
        if (sys_find_quantity(in->d->sys, name, &order) == NONE)
            unknown_name(in, p->tearing[i].span, "variable", name,
                         variable_names(in), in->d->sys->nvar);
    }
}

static void check_plan(Inliner *in)
{
    const Plan *p = in->plan;
    const char *model = in->d->sys->flat->model;
    if (p->model[0] && strcmp(p->model, model) != 0)
        diag_report(in->diag, NO_SPAN, DIAG_W1201,
                    "the plan was made for '%s', this is '%s'", p->model,
                    model);
    for (int i = 0; i < p->nmode; i++)
        if (!is_state_name(in, p->mode[i].var))
            unknown_name(in, p->mode[i].span, "state", p->mode[i].var,
                         state_names(in), in->model.nstate);
    check_tearing(in);
    const char **known = p->ncut > 0 ? equation_names(in) : NULL;
    for (int i = 0; i < p->ncut; i++) {
        int order;
        if (sys_find_quantity(in->d->sys, p->cut[i].var, &order) == NONE)
            unknown_name(in, p->cut[i].span, "variable", p->cut[i].var,
                         variable_names(in), in->d->sys->nvar);
        if (!is_equation_name(in, known, p->cut[i].eqn))
            unknown_equation(in, &p->cut[i], known);
    }
    if (!in->failed)
        lagged_find(in);
}

/* ---- systems ---- */

static int add_system(Inliner *in, InlinedSystem s)
{
    s.estimate = NONE;
    vec_push(in->arena, &in->system, s);
    return in->system.n - 1;
}

static int add_step(Inliner *in, const char *name, const Method *m)
{
    InlinedSystem s = {.name = name};
    formula_add(in, m, &s);
    invariants_add(in, m, &s);
    lagged_begin(in);
    lagged_apply(in, &s);
    if (!in->options.keep_aliases)
        alias_remove(in, &s);
    lagged_apply(in, &s);
    lagged_end(in);
    if (in->options.write_newton)
        newton_write(in, &s);
    int number = add_system(in, s);
    estimate_add(in, number, m);
    return number;
}

/* BDF of order k for the k-th step: the methods below `m`, as far as they have
 * a name of their own. */
static const Method *lower_order(const Method *m, int order, Arena *arena)
{
    if (strncmp(m->name, "bdf", 3) != 0 || order >= m->order)
        return m->start;
    return method_find(arena_printf(arena, "bdf%d", order), arena);
}

/* Steps of a starting method come far apart: at the begin, and where something
 * broke the history. Its stages start from the values of t_n, which the end of
 * the step still has, not from those of their last time. */
static void start_from_end(Inliner *in, int system)
{
    const InlinedSystem *s = &in->system.at[system];
    for (int i = 0; i < s->nunknown; i++) {
        InlinedVar v = in->var.at[s->unknown[i]];
        if (v.kind == IV_VALUE && v.stage != DIFF_END && !v.is_discrete &&
            v.guess == EXPR_NONE)
            in->var.at[s->unknown[i]].guess =
                table_value(in, (Quantity){v.sys_var, v.order}, DIFF_END, 1);
    }
}

static void add_start(Inliner *in, const Method *m)
{
    Inlined *d = in->d;
    int n = method_back(m) - 1;
    if (n <= 0 || !m->start)
        return;
    d->start = NEW_ARRAY(in->arena, int, n);
    d->nstart = n;
    int same = NONE;
    for (int k = 0; k < n; k++) {
        if (in->options.order_buildup) {
            const char *name = arena_printf(in->arena, "start%d", k + 1);
            d->start[k] = add_step(in, name, lower_order(m, k + 1, in->arena));
            start_from_end(in, d->start[k]);
            continue;
        }
        if (same == NONE) {
            same = add_step(in, "start", m->start);
            start_from_end(in, same);
        }
        d->start[k] = same;
    }
}

/* The orders below that of an extrapolation, for who chooses among them. Order
 * 2 is the last one: the end of a step then begins with the values that its two
 * rows give, which all orders have. */
static void add_levels(Inliner *in, const Method *m)
{
    Inlined *d = in->d;
    if (in->plan->control != PC_ORDERS || in->plan->estimate != PE_CONTROL ||
        !m->stage_weight)
        return;
    d->nlevel = m->order - 1;
    d->level = NEW_ARRAY(in->arena, int, d->nlevel);
    for (int k = m->order - 1; k >= 2; k--) {
        const char *name = arena_printf(in->arena, "liex%d", k);
        Method *low = NEW(in->arena, Method);
        *low = *method_find(name, in->arena);
        low->weighs_changes = m->weighs_changes; /* of the same stages */
        d->level[k - 2] = add_step(in, name, low);
    }
    d->level[d->nlevel - 1] = d->cycle[0];
}

static void add_steps(Inliner *in, const Method *m)
{
    Inlined *d = in->d;
    if (m->kind == MK_NONE)
        return;
    add_start(in, m);
    d->ncycle = m->kind == MK_CYCLE ? m->npart : 1;
    d->cycle = NEW_ARRAY(in->arena, int, d->ncycle);
    if (m->kind != MK_CYCLE)
        d->cycle[0] = add_step(in, "step", m);
    for (int i = 0; i < m->npart; i++)
        d->cycle[i] =
            add_step(in, arena_printf(in->arena, "step%d", i + 1), m->part[i]);
    add_levels(in, m);
}

static InlinedEqn mapped(Stage *stage, const SysEqn *e, InlinedEqnKind kind,
                         int from)
{
    return (InlinedEqn){.lhs = stage_map(stage, e->lhs),
                        .rhs = stage_map(stage, e->rhs),
                        .kind = kind,
                        .from = from,
                        .state = NONE,
                        .stage = DIFF_END,
                        .component = e->component,
                        .ordinal = e->ordinal,
                        .span = e->span};
}

static int add_event(Inliner *in)
{
    const Model *m = &in->model;
    InlinedSystem s = {.name = "event"};
    s.eqn = NEW_ARRAY(in->arena, InlinedEqn, m->neqn);
    s.unknown = NEW_ARRAY(in->arena, int, m->nunknown);
    for (int i = 0; i < m->neqn; i++) {
        s.eqn[i] = mapped(in->event, &m->eqn[i], IE_MODEL, i);
        s.eqn[i].is_discrete = m->is_discrete_eqn[i];
    }
    for (int i = 0; i < m->nunknown; i++)
        s.unknown[i] =
            table_index(in, table_value(in, m->unknown[i], DIFF_END, 1));
    s.neqn = m->neqn;
    s.nunknown = m->nunknown;
    return add_system(in, s);
}

static int add_init(Inliner *in)
{
    const DaeInit *init = &in->model.dae->init;
    Stage *stage = stage_new(in, DIFF_END, 1, true, true);
    InlinedSystem s = {.name = "init"};
    s.eqn = NEW_ARRAY(in->arena, InlinedEqn, init->neqn);
    s.unknown = NEW_ARRAY(in->arena, int, init->nunknown);
    for (int i = 0; i < init->neqn; i++)
        s.eqn[i] = mapped(stage, &init->eqn[i], IE_INITIAL, i);
    for (int i = 0; i < init->nunknown; i++)
        s.unknown[i] = table_index(in, stage_map(stage, init->unknown[i]));
    s.neqn = init->neqn;
    s.nunknown = init->nunknown;
    return add_system(in, s);
}

static int add_param(Inliner *in)
{
    const Sys *sys = in->d->sys;
    InlinedSystem s = {.name = "parameters"};
    s.eqn = NEW_ARRAY(in->arena, InlinedEqn, sys->nparam + 1);
    s.unknown = NEW_ARRAY(in->arena, int, sys->nparam + 1);
    for (int i = 0; i < sys->nparam; i++) {
        const SysVar *v = &sys->var[sys->param_order[i]];
        if (v->role != SR_PARAMETER || v->expr == EXPR_NONE)
            continue;
        int n = sys->param_order[i];
        s.eqn[s.neqn++] = (InlinedEqn){.lhs = in->var.at[n].leaf,
                                       .rhs = v->expr,
                                       .kind = IE_PARAMETER,
                                       .from = n,
                                       .state = NONE,
                                       .stage = DIFF_END,
                                       .component = v->component,
                                       .span = v->span};
        s.unknown[s.nunknown++] = n;
    }
    return add_system(in, s);
}

/* ---- beside the equations ---- */

/* Relations of time as the equations have them: at 0.25 an assertion about
 * time > 0.25 agrees with what they make of it from there on. */
static ExprMap *map_of_time(Inliner *in)
{
    ExprMap *map = expr_map_new(in->d->dag, NULL, NULL, in->work);
    for (int i = 0; i < in->relation.n; i++) {
        const InlinedRelation *r = &in->relation.at[i];
        if (r->is_of_time)
            expr_map_fix(map, r->now, in->var.at[r->var].leaf);
    }
    return map;
}

static void map_beside(Inliner *in)
{
    const Sys *sys = in->d->sys;
    Inlined *d = in->d;
    ExprMap *of_time = map_of_time(in);
    d->computed = NEW_ARRAY(in->arena, Expr, sys->nvar + 1);
    for (int v = 0; v < sys->nvar; v++)
        d->computed[v] = sys->var[v].role == SR_COMPUTED
                             ? stage_map_noevent(in->event, sys->var[v].expr)
                             : EXPR_NONE;
    d->action = NEW_ARRAY(in->arena, SysAction, sys->naction + 1);
    for (int i = 0; i < sys->naction; i++) {
        SysAction a = sys->action[i];
        a.active = stage_map_noevent(in->event, a.active);
        a.value = stage_map_noevent(in->event, a.value);
        a.message = stage_map_noevent(in->event, a.message);
        d->action[i] = a;
    }
    d->assertion = NEW_ARRAY(in->arena, FlatAssert, sys->nassertion + 1);
    for (int i = 0; i < sys->nassertion; i++) {
        FlatAssert a = sys->assertion[i];
        a.condition =
            expr_map(of_time, stage_map_noevent(in->event, a.condition));
        a.message = stage_map_noevent(in->event, a.message);
        d->assertion[i] = a;
    }
}

/* ---- carrying values ---- */

static int source_of(const Inliner *in, const InlinedVar *v)
{
    Quantity q = {v->sys_var, v->order};
    if (v->back > 1)
        return table_entry(in->table, IV_OLD, q, DIFF_END, v->back - 1);
    int n = table_entry(in->table, IV_VALUE, q, DIFF_END, 0);
    if (n == NONE && v->order == 0)
        n = v->sys_var; /* pre() of an input or parameter */
    return n;
}

/* Adds old(x) where only old2(x) is used, so that values can move on. */
static void complete_history(Inliner *in)
{
    for (int i = 0; i < in->var.n; i++) {
        InlinedVar v = in->var.at[i];
        if (v.kind == IV_OLD && v.back > 1)
            table_old(in, (Quantity){v.sys_var, v.order}, v.back - 1);
    }
}

/* Loops that are solved inside the equations start from their last values.
 */
static void keep_unknowns(Inliner *in)
{
    const Model *m = &in->model;
    for (int i = 0; i < m->nunknown; i++) {
        SysRole role = in->d->sys->var[m->unknown[i].var].role;
        if (role == SR_UNKNOWN)
            table_old(in, m->unknown[i], 1);
    }
}

static void add_carry(Inliner *in)
{
    complete_history(in);
    Vec(InlinedCarry) first = {0}, all = {0};
    int back = 1;
    for (int i = 0; i < in->var.n; i++)
        if (in->var.at[i].kind == IV_OLD && in->var.at[i].back > back)
            back = in->var.at[i].back;
    for (int k = back; k >= 1; k--)
        for (int i = 0; i < in->var.n; i++) {
            const InlinedVar *v = &in->var.at[i];
            if (v->kind != IV_OLD || v->back != k)
                continue;
            InlinedCarry c = {i, source_of(in, v)};
            if (c.from == NONE)
                continue;
            vec_push(in->arena, &all, c);
            if (k == 1)
                vec_push(in->arena, &first, c);
        }
    for (int pass = 0; pass < 2; pass++) /* the kept of the kept first */
        for (int i = 0; i < in->var.n; i++) {
            const InlinedVar *v = &in->var.at[i];
            if (v->kind == IV_KEPT &&
                (in->var.at[v->source].kind == IV_KEPT) == (pass == 0))
                vec_push(in->arena, &all, ((InlinedCarry){i, v->source}));
        }
    for (int s = 0; s < in->system.n; s++)
        if (in->system.at[s].method) {
            in->system.at[s].carry = all.at;
            in->system.at[s].ncarry = all.n;
        }
    in->d->first = first.at;
    in->d->nfirst = first.n;
}

static void mark_states(Inliner *in)
{
    Arena *a = in->work;
    int *low = NEW_ARRAY(a, int, in->d->sys->nvar + 1); /* orders as bits */
    for (int i = 0; i < in->model.nstate; i++)
        if (in->model.state[i].order < 31)
            low[in->model.state[i].var] |= 1 << in->model.state[i].order;
    for (int i = 0; i < in->var.n; i++) {
        InlinedVar *v = &in->var.at[i];
        if (v->kind == IV_VALUE && v->sys_var != NONE && v->order < 31)
            v->is_state = low[v->sys_var] >> v->order & 1;
    }
}

/* ---- entry ---- */

/* Everything in which an event or another special node can stand. */
static void find_special(Inliner *in)
{
    const Model *m = &in->model;
    Vec(Expr) root = {0};
    for (int i = 0; i < m->neqn; i++) {
        vec_push(in->work, &root, m->eqn[i].lhs);
        vec_push(in->work, &root, m->eqn[i].rhs);
    }
    for (int i = 0; m->dae && i < m->dae->init.neqn; i++) {
        vec_push(in->work, &root, m->dae->init.eqn[i].lhs);
        vec_push(in->work, &root, m->dae->init.eqn[i].rhs);
    }
    stage_find_special(in, root.at, root.n);
}

static void make_end(Inliner *in)
{
    Model *m = &in->model;
    m->is_late = NEW_ARRAY(in->work, bool, m->sys->nvar + 1);
    m->is_discrete_eqn = NEW_ARRAY(in->work, bool, m->neqn + 1);
    find_special(in);
    in->event = stage_new(in, DIFF_END, 1, false, true);
    discrete_find(in);
    bool any = false;
    for (int v = 0; v < m->sys->nvar; v++)
        any = any || m->is_late[v];
    for (int i = 0; i < in->relation.n; i++)
        any = any || in->relation.at[i].is_of_time;
    in->end = any ? stage_new(in, DIFF_END, 1, false, false) : in->event;
}

static Inlined *inline_model(Inliner *in, const Method *m)
{
    Inlined *d = in->d;
    d->plan = in->plan;
    d->method = m;
    d->estimate.opaque = NONE;
    table_new(in);
    d->step = table_add(in, IV_STEP, "h", ET_REAL);
    check_plan(in);
    if (in->failed)
        return NULL;
    make_end(in);
    mark_states(in);
    position_find(in, m);
    invariants_find(in);
    if (in->failed)
        return NULL;
    add_steps(in, m);
    if (in->failed)
        return NULL;
    d->event = d->dae ? add_event(in) : NONE;
    d->init = d->dae ? add_init(in) : NONE;
    d->param = add_param(in);
    map_beside(in);
    if (in->plan->algebraic == PA_SOLVE)
        keep_unknowns(in);
    add_carry(in);
    mark_states(in);
    d->var = in->var.at;
    d->nvar = in->var.n;
    d->system = in->system.at;
    d->nsystem = in->system.n;
    stage_find_inside(in);
    stage_find_after(in);
    d->relation = in->relation.at;
    d->nrelation = in->relation.n;
    d->inside = in->inside.at;
    d->ninside = in->inside.n;
    d->delay = in->delay.at;
    d->ndelay = in->delay.n;
    d->lagged = in->lagged.at;
    d->nlagged = in->lagged.n;
    inlined_sort(d, in->arena);
    return d;
}

static Inlined *inline_any(const Dae *dae, const Sys *sys, const Plan *plan,
                           const Method *m, const InlineOptions *options,
                           Arena *arena, Diag *diag)
{
    Arena *work = arena_new();
    Inlined *d = NEW(arena, Inlined);
    Inliner in = {
        .d = d, .plan = plan, .arena = arena, .work = work, .diag = diag};
    if (options)
        in.options = *options;
    if (dae)
        view_dae(&in.model, dae, work);
    else
        view_sys(&in.model, sys, work);
    d->sys = in.model.sys;
    d->dae = dae;
    d->dag = in.model.sys->dag;
    d = inline_model(&in, m);
    arena_free(work);
    return d;
}

Inlined *inline_dae(const Dae *dae, const Plan *plan, const Method *m,
                    const InlineOptions *options, Arena *arena, Diag *diag)
{
    return inline_any(dae, NULL, plan, m, options, arena, diag);
}

Inlined *inline_sys(const Sys *sys, const Plan *plan, const Method *m,
                    const InlineOptions *options, Arena *arena, Diag *diag)
{
    return inline_any(NULL, sys, plan, m, options, arena, diag);
}
