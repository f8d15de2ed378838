/* tearing.c - one block: which unknowns are iterated, which follow.
 *
 * The numbers of the block are equilibrated before growth is judged: rows and
 * columns are scaled until the largest entry of each is about 1 (Ruiz 2001),
 * so that growth means loss of digits, and not that ohms are not amperes.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "schedule/schedule_internal.h"

/* ---- the problem ---- */

/* Is the unknown an acceleration: a second derivative, or the derivative of a
 * state that is itself (an alias of) a derivative? */
static bool is_acceleration(const Part *p, int unknown)
{
    const Inlined *d = p->m->d;
    const InlinedVar *v = &d->var[p->m->system->unknown[unknown]];
    if ((v->kind != IV_VALUE && v->kind != IV_INCREMENT &&
         v->kind != IV_ERROR) ||
        v->order == 0)
        return false;
    if (v->order > 1)
        return true;
    return p->m->is_velocity && p->m->is_velocity[v->sys_var];
}

/* Is the leaf an unknown of this block? */
static bool is_in_block(const Part *p, const bool *in_block, Expr leaf)
{
    int var = NONE, order = 0;
    if (!expr_is_var(p->m->dag, leaf, &var, &order) || order > 0)
        return false;
    int column = p->m->column[var];
    return column != NONE && in_block[column];
}

/* Does the residual of `eqn` depend on the unknown otherwise than linearly,
 * with a factor free of the block's unknowns? */
static bool is_nonlinear_in(const Part *p, const bool *in_block, int eqn,
                            int unknown)
{
    Dag *dag = p->m->dag;
    const InlinedEqn *e = &p->m->system->eqn[eqn];
    Expr leaf = p->m->d->var[p->m->system->unknown[unknown]].leaf;
    Expr slope = EXPR_NONE;
    ExprDependence how =
        expr_dependence(dag, expr_sub(dag, e->lhs, e->rhs), leaf, &slope, NULL);
    if (how != DEP_LINEAR)
        return how == DEP_NONLINEAR;
    Expr *part;
    int n = expr_leaves(dag, slope, &part, p->m->work);
    for (int i = 0; i < n; i++)
        if (is_in_block(p, in_block, part[i]))
            return true;
    return false;
}

/* A linearly implicit method makes one Newton step from the values at t_n. It
 * is the method of the books only if every nonlinear function is linearised at
 * those values: what enters one must be an iteration variable, which has them
 * as its guess, and not the result of a chain. */
static void tear_nonlinear(Part *p)
{
    bool *in_block = NEW_ARRAY(p->m->work, bool, p->m->system->neqn + 1);
    for (int j = 0; j < p->n; j++)
        in_block[p->var[j]] = true;
    for (int i = 0; i < p->n; i++)
        for (int k = p->inc->start[i]; k < p->inc->start[i + 1]; k++) {
            int j = p->inc->var[k];
            if (p->prefer[j] != TEAR_MUST && p->prefer[j] != TEAR_NEVER &&
                is_nonlinear_in(p, in_block, p->eqn[i], p->var[j]))
                p->prefer[j] = TEAR_MUST;
        }
}

typedef struct Steep {
    Part *p;
    Vec(Expr) arg; /* of steep functions */
} Steep;

static void see_steep(void *context, const Dag *d, Expr e)
{
    Steep *s = context;
    double power = 0;
    if (!op_has(expr_op(d, e), OP_STEEP) ||
        (expr_op(d, e) == EX_POW &&
         expr_is_const(d, expr_arg(d, e, 1), &power) && power >= 1 &&
         power <= 4 && power == floor(power)))
        return;
    for (int i = 0; i < expr_node(d, e)->narg; i++)
        vec_push(s->p->m->work, &s->arg, expr_arg(d, e, i));
}

/* What enters a steep function starts at its last value, whatever the method:
 * an exponential of a result of the chain can be anything. */
static void tear_steep(Part *p)
{
    Maker *m = p->m;
    Steep s = {.p = p};
    bool *is_inside = NEW_ARRAY(m->work, bool, m->d->nvar + 1);
    Expr *root = NEW_ARRAY(m->work, Expr, p->n + 1), *leaf;
    int n = 0;
    for (int i = 0; i < p->n; i++)
        if (m->residual[p->eqn[i]] != EXPR_NONE)
            root[n++] = m->residual[p->eqn[i]];
    if (n > 0)
        expr_walk(m->dag, root, n, see_steep, &s);
    for (int k = 0; k < s.arg.n; k++) {
        n = expr_leaves(m->dag, s.arg.at[k], &leaf, m->work);
        for (int i = 0; i < n; i++) {
            int var = NONE, order = 0;
            if (expr_is_var(m->dag, leaf[i], &var, &order))
                is_inside[var] = true;
        }
    }
    for (int j = 0; j < p->n; j++)
        if (is_inside[m->system->unknown[p->var[j]]] &&
            p->prefer[j] != TEAR_NEVER)
            p->prefer[j] = TEAR_MUST;
}

static void set_preferences(Part *p, PartRule rule)
{
    p->prefer = NEW_ARRAY(p->m->work, signed char, p->n + 1);
    for (int j = 0; j < p->n; j++) {
        const InlinedVar *v = &p->m->d->var[p->m->system->unknown[p->var[j]]];
        if (v->type != ET_REAL)
            p->prefer[j] = TEAR_NEVER;
        else if (is_acceleration(p, p->var[j]))
            p->prefer[j] = 1;
    }
    if (rule == PART_NONLINEAR)
        tear_nonlinear(p);
    if (rule == PART_STEEP)
        tear_steep(p);
}

/* Divides rows and columns by the square roots of their largest entries, a few
 * times. */
static void equilibrate(const Incidence *inc, double *value, Arena *work)
{
    double *row = NEW_ARRAY(work, double, inc->neqn + 1);
    double *col = NEW_ARRAY(work, double, inc->nvar + 1);
    for (int round = 0; round < 5; round++) {
        memset(row, 0, sizeof *row * (size_t)inc->neqn);
        memset(col, 0, sizeof *col * (size_t)inc->nvar);
        for (int i = 0; i < inc->neqn; i++)
            for (int k = inc->start[i]; k < inc->start[i + 1]; k++) {
                double a = fabs(value[k]);
                if (!isfinite(a))
                    continue;
                row[i] = fmax(row[i], a);
                col[inc->var[k]] = fmax(col[inc->var[k]], a);
            }
        for (int i = 0; i < inc->neqn; i++)
            for (int k = inc->start[i]; k < inc->start[i + 1]; k++) {
                double s = sqrt(row[i] * col[inc->var[k]]);
                if (s > 0)
                    value[k] /= s;
            }
    }
}

static void take_values(Part *p)
{
    Maker *m = p->m;
    if (!m->value)
        return;
    size_t n = (size_t)p->inc->nedge, all = (size_t)m->ninside;
    int ns = m->samples->nsample;
    p->value = NEW_ARRAY(m->work, double, (size_t)ns *n + 1);
    for (int s = 0; s < ns; s++) {
        double *v = p->value + (size_t)s * n;
        for (size_t k = 0; k < n; k++)
            v[k] = m->value[(size_t)s * all + (size_t)m->inside[p->edge[k]]];
        equilibrate(p->inc, v, m->work);
    }
}

/* Where the smallest number of torn unknowns is asked for: the largest block,
 * and work for about 4 s. */
enum { MOST_EXACT = 1000 };
static const long EXACT_WORK = 400000000L;

static TearOptions tear_options(const Maker *m)
{
    TearOptions o = tear_defaults();
    o.penalty_cost = 1e6; /* any tearing rather than a division by h */
    o.bound = m->options.growth_bound;
    switch (m->options.tearer) {
    case PT_AUTO: break;
    case PT_CELLIER: o.methods = 1u << TEAR_CELLIER; break;
    case PT_MODIFIED: o.methods = 1u << TEAR_MODIFIED; break;
    case PT_EXACT: /* after the others, which it has to beat */
        o.exact_limit = MOST_EXACT;
        o.work = EXACT_WORK;
        break;
    }
    return o;
}

/* ---- choices of the plan ---- */

static int entry_of(const Part *p, int j)
{
    return p->m->system->unknown[p->var[j]];
}

/* The increment of x, inc(x)@1, is meant by "x" too: its equations are those of
 * the model. */
static bool is_called(const InlinedVar *v, const char *name)
{
    size_t n = strlen(name);
    if (v->kind == IV_INCREMENT && strncmp(v->name + 4, name, n) == 0 &&
        strncmp(v->name + 4 + n, ")@", 2) == 0)
        return true;
    return strcmp(v->name, name) == 0;
}

static int find_unknown(const Part *p, const char *name)
{
    for (int j = 0; j < p->n; j++)
        if (is_called(&p->m->d->var[entry_of(p, j)], name))
            return j;
    return NONE;
}

/* The tearing that the plan asks for in this block, or NULL. */
static const PlanTearing *planned(const Part *p)
{
    Maker *m = p->m;
    const Plan *plan = m->d->plan;
    for (int i = 0; plan && i < plan->ntearing; i++) {
        if (find_unknown(p, plan->tearing[i].block) == NONE)
            continue;
        if (!m->is_obeyed)
            m->is_obeyed = NEW_ARRAY(m->work, bool, plan->ntearing);
        m->is_obeyed[i] = true;
        return &plan->tearing[i];
    }
    return NULL;
}

void tearing_report_unused(Maker *m)
{
    const Inlined *d = m->d;
    if (!d->plan || d->ncycle == 0 || m->system != &d->system[d->cycle[0]])
        return; /* the systems of a start have the same names */
    for (int i = 0; i < d->plan->ntearing; i++)
        if (!m->is_obeyed || !m->is_obeyed[i])
            diag_report(m->diag, d->plan->tearing[i].span, DIAG_W1205,
                        "'%s' is in no block that is torn: the tearing does "
                        "nothing",
                        d->plan->tearing[i].block);
}

static const Tear *tear_planned(Part *p, const PlanTearing *t,
                                const TearProblem *problem,
                                const TearOptions *o)
{
    int *torn = NEW_ARRAY(p->m->work, int, t->nvar + 1), n = 0;
    for (int i = 0; i < t->nvar; i++) {
        int j = find_unknown(p, t->var[i]);
        if (j != NONE) {
            torn[n++] = j;
            continue;
        }
        p->m->failed = true;
        diag_report(p->m->diag, t->span, DIAG_E1206,
                    "'%s' cannot be iterated on: it is no unknown of the "
                    "block of '%s'",
                    t->var[i], t->block);
        const char **name = NEW_ARRAY(p->m->work, const char *, p->n + 1);
        for (int k = 0; k < p->n; k++)
            name[k] = p->m->d->var[entry_of(p, k)].name;
        diag_suggest(p->m->diag, t->var[i], name, p->n);
    }
    return tear_given(problem, o, torn, n, p->m->work);
}

/* ---- the block ---- */

static void fill_torn(Part *p, const Tear *t, SchedBlock *b)
{
    Maker *m = p->m;
    b->ntorn = t->ntorn;
    b->torn = NEW_ARRAY(m->arena, int, t->ntorn + 1);
    b->residual_eqn = NEW_ARRAY(m->arena, int, t->ntorn + 1);
    b->residual = NEW_ARRAY(m->arena, Expr, t->ntorn + 1);
    for (int k = 0; k < t->ntorn; k++) {
        int eqn = p->eqn[t->residual[k]];
        b->torn[k] = entry_of(p, t->torn[k]);
        b->residual_eqn[k] = eqn;
        b->residual[k] = m->residual[eqn];
    }
}

/* Solves the causal equations. False if one cannot be solved after all. */
static bool fill_chain(Part *p, const Tear *t, SchedBlock *b)
{
    Maker *m = p->m;
    b->nchain = t->ncausal;
    b->chain = NEW_ARRAY(m->arena, SchedAssign, t->ncausal + 1);
    for (int k = 0; k < t->ncausal; k++) {
        int eqn = p->eqn[t->eqn[k]], unknown = p->var[t->var[k]];
        Expr value = edges_solve(m, eqn, unknown, true);
        if (value == EXPR_NONE)
            value = formulation_divide(m, p->block, eqn, unknown);
        if (value == EXPR_NONE)
            return false;
        b->chain[k] = (SchedAssign){m->system->unknown[unknown], eqn, value};
        int edge = incidence_find(m->inc, eqn, unknown);
        if (m->slope[edge] != EXPR_NONE)
            sign_rely(m->signs, m->slope[edge]);
        if (m->inc->weight[edge] > 0) {
            b->ndivide_by_step++;
            maker_note(m, SN_DIVIDES_BY_STEP, p->block, b->chain[k].var, eqn);
        }
    }
    return true;
}

static void fill_alternatives(Part *p, const Tear *t, SchedBlock *b)
{
    Arena *a = p->m->arena;
    b->alternative = NEW_ARRAY(a, SchedAlternative, t->nalternative + 1);
    b->nalternative = t->nalternative;
    for (int i = 0; i < t->nalternative; i++) {
        const TearAlternative *x = &t->alternative[i];
        const char *name = tear_method_name(x->method);
        bool is_search =
            p->m->options.tearer == PT_EXACT && x->least > 0 && !x->repaired;
        if (is_search)
            name = x->proven
                       ? arena_printf(a, "%s, proven", name)
                       : arena_printf(a, "%s, at least %d", name, x->least);
        if (x->repaired)
            name = arena_printf(a, "%s, bounded", name);
        if (x->penalties && x->npenalty > 0)
            name = arena_printf(a, "%s, dividing by h", name);
        b->alternative[i] = (SchedAlternative){.name = name,
                                               .ntorn = x->ntorn,
                                               .growth = x->growth,
                                               .chosen = x->chosen,
                                               .refused = !x->accepted,
                                               .is_shown = is_search,
                                               .cost = NAN};
        if (!x->accepted && x->ntorn < t->ntorn && p->m->value)
            b->nrefused++;
    }
}

void part_untorn(Part *p, SchedBlock *b)
{
    Maker *m = p->m;
    b->is_torn = false;
    b->view = PA_KEEP;
    b->nstate = b->nloop = 0;
    b->nchain = 0;
    b->ntorn = p->n;
    b->ndivide_by_step = 0;
    b->growth = 1;
    b->torn = NEW_ARRAY(m->arena, int, p->n + 1);
    b->residual_eqn = NEW_ARRAY(m->arena, int, p->n + 1);
    b->residual = NEW_ARRAY(m->arena, Expr, p->n + 1);
    for (int k = 0; k < p->n; k++) {
        b->torn[k] = entry_of(p, k);
        b->residual_eqn[k] = p->eqn[k];
        b->residual[k] = m->residual[p->eqn[k]];
    }
}

/* An iteration needs residuals that are numbers and unknowns that are too. */
static bool is_iterable(Part *p, const SchedBlock *b)
{
    Maker *m = p->m;
    for (int k = 0; k < b->ntorn; k++) {
        const InlinedEqn *e = &m->system->eqn[b->residual_eqn[k]];
        if (b->residual[k] != EXPR_NONE &&
            m->d->var[b->torn[k]].type == ET_REAL)
            continue;
        m->failed = true;
        diag_report(m->diag, e->span, DIAG_U1201,
                    "'%s' takes part in a circle of equations between Boolean "
                    "or Integer variables; break it with pre()",
                    m->d->var[b->torn[k]].name);
        return false;
    }
    return true;
}

/* Is some equation of the block not linear in its unknowns together? */
static bool is_nonlinear(const Part *p)
{
    for (int k = 0; k < p->inc->nedge; k++) {
        Expr slope = p->m->slope[p->edge[k]];
        if (edges_bend(p->m, p->edge[k]) ||
            variance_of(p->m->signs, slope, p->block) == SV_UNKNOWN)
            return true;
    }
    return false;
}

/* Growth costs digits in a linear block. In a nonlinear one it also shrinks the
 * region in which Newton converges: a correction that is 100 times too large
 * in T is 1e8 times too large in T^4. */
enum { NONLINEAR_GROWTH = 30 };

TearOptions part_options(const Part *p)
{
    TearOptions o = tear_options(p->m);
    if (is_nonlinear(p) && o.bound > NONLINEAR_GROWTH)
        o.bound = NONLINEAR_GROWTH;
    return o;
}

TearProblem part_problem(Part *p, PartRule rule)
{
    const Maker *m = p->m;
    set_preferences(p, rule);
    take_values(p);
    return (TearProblem){p->inc, m->value ? m->samples->nsample : 0, p->value,
                         p->prefer};
}

Part part_new(Maker *m, int block, const int *eqn, const int *var, int n)
{
    Part p = {.m = m, .block = block, .n = n, .eqn = eqn, .var = var};
    p.inc = incidence_part(m->inc, eqn, n, var, n, m->map, &p.edge, m->work);
    return p;
}

int *part_places(const Part *p)
{
    int *place = NEW_ARRAY(p->m->work, int, p->m->d->nvar + 1);
    for (int j = 0; j < p->n; j++)
        place[entry_of(p, j)] = j;
    return place;
}

static const Tear *torn_before(const Part *p, PartRule rule)
{
    size_t size = (size_t)p->n * sizeof(int);
    for (int i = 0; i < p->m->torn_loop.n; i++) {
        const TornLoop *l = &p->m->torn_loop.at[i];
        if (l->n == p->n && l->rule == (int)rule &&
            memcmp(l->eqn, p->eqn, size) == 0 &&
            memcmp(l->var, p->var, size) == 0)
            return l->tear;
    }
    return NULL;
}

const Tear *part_tear(Part *p, PartRule rule)
{
    TearProblem problem = part_problem(p, rule);
    TearOptions o = part_options(p);
    const Tear *t = torn_before(p, rule);
    if (t)
        return t;
    t = tear_block(&problem, &o, p->m->work);
    if (p->n > 1) /* lists of one may not last */
        vec_push(p->m->work, &p->m->torn_loop,
                 ((TornLoop){p->n, (int)rule, p->eqn, p->var, t}));
    return t;
}

/* At the start values are guesses, mostly 0: an exponential of what a chain
 * makes of them need not even be a number. */
static PartRule rule_of(const Maker *m)
{
    bool is_init = m->d->init != NONE && m->system == &m->d->system[m->d->init];
    return m->system->newton == 1 ? PART_NONLINEAR
           : is_init              ? PART_STEEP
                                  : PART_ANY;
}

static const Tear *choose_tear(Part *p)
{
    const PlanTearing *plan = planned(p);
    if (!plan)
        return part_tear(p, rule_of(p->m));
    TearProblem problem = part_problem(p, PART_ANY);
    TearOptions o = part_options(p);
    return tear_planned(p, plan, &problem, &o);
}

/* Fills the block with the tearing t; NULL: the best one. */
static void choose(Part *p, const Tear *t, SchedBlock *b)
{
    Maker *m = p->m;
    if (!t)
        t = choose_tear(p);
    int notes = m->note.n;
    b->is_torn = true;
    b->growth = t->ncausal > 0 ? t->growth : 1;
    fill_alternatives(p, t, b);
    fill_torn(p, t, b);
    if (!fill_chain(p, t, b)) {
        m->note.n = notes;
        part_untorn(p, b);
        maker_note(m, SN_LEFT_UNTORN, p->block, NONE, NONE);
    }
    if (b->nrefused > 0)
        maker_note(m, SN_GROWTH_REFUSED, p->block, NONE, NONE);
}

/* ---- the block as one choice has it ---- */

/* Torn as it comes (PA_TEAR) or as a view says. False if there is no such view:
 * then it is torn as it comes, or kept as a whole. */
static bool choose_as(Part *p, PlanAlgebraic how, const Tear *t, SchedBlock *b)
{
    if (how != PA_TEAR && view_make(p, how, b))
        return true;
    if (how == PA_KEEP)
        part_untorn(p, b);
    else
        choose(p, t, b);
    return how == PA_TEAR;
}

bool tearing_make_as(Part *p, PlanAlgebraic how, const Tear *t, SchedBlock *b)
{
    Maker *m = p->m;
    *b = (SchedBlock){.view = PA_TEAR,
                      .kind = SK_NONLINEAR,
                      .is_torn = true,
                      .size = p->n,
                      .cost = NAN};
    bool obeyed = choose_as(p, how, t, b);
    if (!is_iterable(p, b) || !m->options.jacobian)
        return obeyed;
    if (fixed_point_is_on(m))
        return fixed_point_matrix(m, p->block, b);
    if (!jacobian_make(m, p->block, b)) {
        part_untorn(p, b);
        maker_note(m, SN_LEFT_UNTORN, p->block, NONE, NONE);
        if (is_iterable(p, b))
            jacobian_make(m, p->block, b);
        obeyed = how == PA_TEAR;
    }
    b->may_be_undetermined = !m->failed && undetermined_by_modes(m, b);
    if (!m->failed && p->block != m->joined && !symbolic_solve(m, b) &&
        b->ntorn < p->n) {
        /* what is left of its matrix is rounding: only the whole of it shows
         * that it is singular */
        part_untorn(p, b);
        if (is_iterable(p, b))
            jacobian_make(m, p->block, b);
    }
    return obeyed;
}

/* ---- what the plan says ---- */

/* Has the block states whose formulas need more than what is known? */
static bool has_states(const Part *p)
{
    for (int k = 0; k < p->n; k++)
        if (view_state_of(p->m, p->eqn[k]) != NONE)
            return true;
    return false;
}

/* An extrapolation iterates on the states and the torn variables of loops. A
 * tearing with x := f(y) in the chain would put a mass matrix f'(y) in front,
 * of which the one Jacobian of its substeps knows nothing; a loop solved inside
 * of the chain would have another Jacobian than they
 * (docs/methods/extrapolation.md). */
static PlanAlgebraic for_extrapolation(const Maker *m, PlanAlgebraic how)
{
    const Method *method = m->system->method;
    return method && method->one_jacobian && how == PA_AUTO ? PA_KEEP_SMALL
                                                            : how;
}

/* The block torn otherwise, if it stays linear and torn and divides by no other
 * parameters; `notes` are those from before it was made. */
static void tear_again(Part *p, const Tear *t, int notes, SchedBlock *b)
{
    Maker *m = p->m;
    SchedBlock other;
    const int *list;
    int noted = m->note.n, assumed = sign_assumed(m->signs, &list);
    if (!t)
        return;
    tearing_make_as(p, PA_TEAR, t, &other);
    bool is_fine = other.kind == SK_LINEAR && other.is_torn &&
                   sign_assumed(m->signs, &list) == assumed;
    m->note.n = is_fine ? notes : noted;
    sign_forget(m->signs, assumed);
    if (is_fine)
        *b = other;
}

/* The block as it comes; by unknowns that a linearly implicit step iterates on
 * too, as far as that goes; and where modes change in the passes of an event,
 * as few of its assignments as can be depend on them. */
static void tear_event(Part *p, SchedBlock *b)
{
    Maker *m = p->m;
    const Schedule *step = m->options.step;
    int notes = m->note.n;
    tearing_make_as(p, PA_TEAR, NULL, b);
    if (m->failed || b->kind != SK_LINEAR || !b->is_torn || b->solution)
        return;
    if (step && step->system->newton == 1)
        tear_again(p, alike_tear(p, b, step), notes, b);
    tear_again(p, modes_tear(p, b), notes, b);
}

static bool is_event(const Maker *m)
{
    return m->d->event != NONE && m->system == &m->d->system[m->d->event];
}

void tearing_make(Maker *m, int block, SchedBlock *b)
{
    const Blt *blt = m->blt;
    int at = blt->start[block], n = blt->start[block + 1] - at;
    Part p = part_new(m, block, blt->eqn + at, blt->var + at, n);
    PlanAlgebraic how = for_extrapolation(
        m, m->system->method ? m->options.algebraic : PA_TEAR);
    bool compare = how == PA_AUTO && m->system->method && m->options.jacobian &&
                   m->options.tearer == PT_AUTO && has_states(&p);
    const Tear *given =
        fixed_point_is_on(m) ? fixed_point_tear(&p) : formulation_tear(&p);
    if (planned(&p) || given)
        tearing_make_as(&p, PA_TEAR, given, b);
    else if (compare)
        cheapest_iteration(&p, b);
    else if (is_event(m) && m->options.jacobian)
        tear_event(&p, b);
    else
        tearing_make_as(&p, how == PA_AUTO ? PA_TEAR : how, NULL, b);
}
