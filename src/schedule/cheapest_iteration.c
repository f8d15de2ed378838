/* cheapest_iteration.c - of several ways to iterate on a block, the cheapest
 * one.
 *
 * Made are
 *
 *     tear, solve, keep-small, keep     as docs/methods/schedule.md has them
 *     tear by cost                      tearings of a low price, found from
 *                                       these (graph/tear_price.h)
 *     accelerations                     those of the block alone, at any size:
 *                                       a chain of bodies has all else from
 *                                       them, as recursive methods do
 *
 * and the operations of a step are counted for each (cost.c). A tearing has to
 * stand a trial beside the cheapest view: its chain starts from other values
 * than those of t_n, and derivatives can start far from their solution where
 * the states start near it (convergence.c).
 */
/* SPDX-License-Identifier: BSD-3-Clause */

#include "schedule/schedule_internal.h"

enum { MOST_ATTEMPTS = 8 };

/* A block made in one way, and what was noted on the way. */
typedef struct Attempt {
    const char *name;
    SchedBlock b;
    bool is_free; /* a tearing that may linearise elsewhere than at t_n */
    SchedNote *note;
    int nnote;
    int *assumed; /* parameters relied on */
    int nassumed;
} Attempt;

typedef struct Attempts {
    Part *p;
    Attempt made[MOST_ATTEMPTS];
    int n;
    bool has_selectors; /* the block depends on which states are chosen */
} Attempts;

static bool is_same(const SchedBlock *a, const SchedBlock *b)
{
    if (a->ntorn != b->ntorn || a->nloop != b->nloop)
        return false;
    for (int k = 0; k < a->ntorn; k++)
        if (a->torn[k] != b->torn[k] ||
            a->residual_eqn[k] != b->residual_eqn[k])
            return false;
    return true;
}

/* Makes the block; the notes are set aside. */
static bool attempt(Part *p, PlanAlgebraic how, const Tear *t, Attempt *a)
{
    Maker *m = p->m;
    const int *list;
    int notes = m->note.n, before = sign_assumed(m->signs, &list);
    bool obeyed = tearing_make_as(p, how, t, &a->b);
    int after = sign_assumed(m->signs, &list);
    a->nnote = m->note.n - notes;
    a->nassumed = after - before;
    a->note = NEW_ARRAY(m->work, SchedNote, a->nnote + 1);
    a->assumed = NEW_ARRAY(m->work, int, a->nassumed + 1);
    for (int i = 0; i < a->nnote; i++)
        a->note[i] = m->note.at[notes + i];
    for (int i = 0; i < a->nassumed; i++)
        a->assumed[i] = list[before + i];
    m->note.n = notes;
    sign_forget(m->signs, before);
    return obeyed;
}

/* Adds a way to the attempts; equal ones are looked at once. */
static void add(Attempts *c, const char *name, PlanAlgebraic how, const Tear *t)
{
    Maker *m = c->p->m;
    if (m->failed || c->n == MOST_ATTEMPTS)
        return;
    Attempt *a = &c->made[c->n];
    bool counts = attempt(c->p, how, t, a);
    for (int k = 0; k < c->n && counts; k++)
        counts = !is_same(&c->made[k].b, &a->b);
    if (!counts || m->failed)
        return;
    a->name = name ? name : plan_algebraic_name(a->b.view);
    a->is_free = t && a->b.kind == SK_NONLINEAR;
    a->b.cost = cost_of_block(m, c->p->block, &a->b);
    c->n++;
}

/* Takes an attempt, with its notes. */
static void take(Maker *m, const Attempt *a, SchedBlock *b)
{
    *b = a->b;
    for (int i = 0; i < a->nnote; i++)
        vec_push(m->arena, &m->note, a->note[i]);
    for (int i = 0; i < a->nassumed; i++)
        sign_rely(m->signs, m->d->var[a->assumed[i]].leaf);
}

static void add_alternative(Maker *m, SchedBlock *b, const SchedBlock *x,
                            const char *name, bool chosen)
{
    int n = b->nalternative;
    SchedAlternative *list = NEW_ARRAY(m->arena, SchedAlternative, n + 2);
    for (int i = 0; i < n; i++)
        list[i] = b->alternative[i];
    list[n] = (SchedAlternative){.name = name,
                                 .ntorn = x->ntorn,
                                 .growth = x->growth,
                                 .chosen = chosen,
                                 .cost = x->cost};
    b->alternative = list;
    b->nalternative = n + 1;
}

/* Does the block depend on which states are chosen? Its numbers change with
 * them. */
static bool has_selectors(const Part *p)
{
    Maker *m = p->m;
    Arena *work = arena_new();
    bool found = false;
    for (int k = 0; k < p->inc->nedge && !found; k++) {
        Expr slope = m->slope[p->edge[k]], *leaf;
        int n =
            slope == EXPR_NONE ? 0 : expr_leaves(m->dag, slope, &leaf, work);
        for (int i = 0; i < n; i++) {
            int var = NONE, order = 0;
            expr_is_var(m->dag, leaf[i], &var, &order);
            found |= variance_is_selector(m, var);
        }
    }
    arena_free(work);
    return found;
}

/* ---- tearings by cost ---- */

/* Torn unknowns of a view, as numbers of the part, with the derivatives of
 * states instead of the states. */
static int torn_of(const Attempts *c, const SchedBlock *b, int *torn)
{
    const Part *p = c->p;
    const Inlined *d = p->m->d;
    int *place = NEW_ARRAY(p->m->work, int, d->nvar + 1), n = 0;
    for (int j = 0; j < p->n; j++)
        place[p->m->system->unknown[p->var[j]]] = j + 1;
    for (int k = 0; k < b->ntorn; k++) {
        int entry = b->torn[k];
        const InlinedVar *v = &d->var[entry];
        if (v->is_state)
            entry = inlined_find(d, v->sys_var, v->order + 1);
        if (entry != NONE && place[entry] > 0)
            torn[n++] = place[entry] - 1;
    }
    return n;
}

/* Larger blocks are not searched. */
enum { MOST_SEARCHED = 1000 };

/* Searches from few torn unknowns, and from the derivatives of the
 * states with what algebraic loops need: a state follows from its derivative by
 * a product and a sum, and one that follows from another state needs nothing.
 */
static void add_priced(Attempts *c)
{
    static const char name[] = "tear by cost";
    Part *p = c->p;
    Maker *m = p->m;
    const SchedBlock *view = NULL;
    for (int k = 0; k < c->n; k++)
        if (c->made[k].b.view == PA_SOLVE || c->made[k].b.view == PA_KEEP_SMALL)
            view = &c->made[k].b;
    if (!view || p->n < 3 || p->n > MOST_SEARCHED ||
        m->d->var[view->torn[0]].kind == IV_INCREMENT || c->has_selectors)
        return;
    int *torn = NEW_ARRAY(m->work, int, p->n + 1);
    add(c, name, PA_TEAR, prices_tear(p, NULL, 0));
    add(c, name, PA_TEAR, prices_tear(p, torn, torn_of(c, view, torn)));
}

/* ---- accelerations alone ---- */

/* The unknown that stands for `entry`. */
static int target_of(const Maker *m, int entry)
{
    for (int i = 0; i < m->system->nalias; i++)
        if (m->system->alias[i].var == entry)
            return m->system->alias[i].target;
    return entry;
}

static bool is_velocity(const Maker *m, const InlinedVar *v)
{
    return v->is_state && v->kind == IV_VALUE &&
           (v->order > 0 || m->is_velocity[v->sys_var]);
}

/* The derivatives of velocities, as numbers of the part. */
static int accelerations_of(const Part *p, int *torn)
{
    const Maker *m = p->m;
    const Inlined *d = m->d;
    int *place = NEW_ARRAY(m->work, int, d->nvar + 1), n = 0;
    for (int j = 0; j < p->n; j++)
        place[m->system->unknown[p->var[j]]] = j + 1;
    for (int i = 0; i < d->nvar; i++) {
        const InlinedVar *v = &d->var[i];
        if (!is_velocity(m, v))
            continue;
        int entry = inlined_find(d, v->sys_var, v->order + 1);
        if (entry != NONE)
            entry = target_of(m, entry);
        if (entry == NONE || place[entry] <= 0)
            continue;
        torn[n++] = place[entry] - 1;
        place[entry] = 0;
    }
    return n;
}

/* Smaller blocks are searched well enough. */
enum { FEWEST = 100 };

static void add_accelerations(Attempts *c)
{
    Part *p = c->p;
    Maker *m = p->m;
    if (p->n < FEWEST || !m->is_velocity || m->system->newton != 1 ||
        c->has_selectors)
        return;
    int *torn = NEW_ARRAY(m->work, int, p->n + 1);
    int n = accelerations_of(p, torn);
    if (n < 2)
        return;
    TearProblem problem = part_problem(p, PART_ANY);
    TearOptions o = part_options(p);
    const Tear *t = tear_given(&problem, &o, torn, n, m->work);
    if (t->ntorn == n)
        add(c, "accelerations", PA_TEAR, t);
}

/* ---- the choice ---- */

/* What another way must save against the tearing to be taken: more than the
 * count can be off, as the fewest iteration variables are a value of their own.
 */
static double margin_of(const Attempts *c, int k)
{
    return k == 0 ? 1 + 0.01 * c->made[0].b.cost : 0;
}

static int cheapest_view(const Attempts *c)
{
    int best = NONE;
    for (int i = 0; i < c->n; i++)
        if (c->made[i].b.view != PA_TEAR &&
            (best == NONE || c->made[i].b.cost < c->made[best].b.cost))
            best = i;
    return best;
}

/* Does Newton converge with a tearing as with the view? */
static bool is_sound(const Attempts *c, int k, int view)
{
    const Maker *m = c->p->m;
    const SchedBlock *b = &c->made[k].b;
    if (view == NONE || b->view != PA_TEAR || b->kind != SK_NONLINEAR ||
        (m->system->newton == 1 && !c->made[k].is_free))
        return true;
    return !convergence_prefers(m, b, &c->made[view].b, cost_iterations(m));
}

/* The cheapest that is sound. */
static int choose(const Attempts *c)
{
    bool refused[MOST_ATTEMPTS] = {false};
    int view = cheapest_view(c);
    for (;;) {
        int best = NONE;
        for (int i = 0; i < c->n; i++)
            if (!refused[i] &&
                (best == NONE ||
                 c->made[i].b.cost < c->made[best].b.cost - margin_of(c, best)))
                best = i;
        if (best == NONE || is_sound(c, best, view))
            return best == NONE ? 0 : best;
        refused[best] = true;
    }
}

void cheapest_iteration(Part *p, SchedBlock *b)
{
    static const PlanAlgebraic how[] = {PA_TEAR, PA_SOLVE, PA_KEEP_SMALL,
                                        PA_KEEP};
    Maker *m = p->m;
    Attempts c = {.p = p, .has_selectors = has_selectors(p)};
    for (size_t i = 0; i < sizeof how / sizeof *how; i++)
        if (how[i] != PA_SOLVE || !c.has_selectors)
            add(&c, NULL, how[i], NULL);
    add_priced(&c);
    add_accelerations(&c);
    if (m->failed)
        return;
    int best = choose(&c);
    take(m, &c.made[best], b);
    for (int i = 0; i < c.n && c.n > 1; i++)
        add_alternative(m, b, &c.made[i].b, c.made[i].name, i == best);
}
