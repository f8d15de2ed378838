/* sparsed.c - plans with fewer entries in the iteration matrix.
 *
 * A choice is certified and then tried out. If it fails there, it is made again
 * on stricter terms, a few times at most; what was kept stays, so the pattern
 * only grows:
 *
 *   not certified   less of the room for eigenvalues may be used
 *   strays          less drift is allowed, so that the entries with the largest
 *                   shares in it come back (tune/drift.h)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "tuning/tuning_internal.h"
#include "tune/search.h"

enum { MOST_AGAIN = 4, FEW_TESTS = 60 };
#define LESS      0.6 /* of the terms before, each time */
#define DRIFT_USE 0.9 /* of what the full step leaves of the deviation */

/* The plan of a choice: every place that is not kept is a cut. */
Plan *tuner_sparsed_plan(const Tuner *t, const bool *keep, const double *frozen,
                         const char *method)
{
    const PencilSet *p = t->r->pencil;
    Plan *plan = tuner_plan(t, method);
    PlanCut *cut = NEW_ARRAY(t->c->arena, PlanCut, p->nnz + 1);
    int n = 0;
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            int i = p->row[e];
            PlanCut c = {.eqn = p->eqn[i],
                         .var = p->var[j],
                         .value = NAN,
                         .span = NO_SPAN};
            if (frozen && !isnan(frozen[e])) {
                c.kind = CUT_FROZEN;
                /* derivative of x', or of an algebraic residual */
                c.value = i < p->nx ? frozen[e] : -t->c->size * frozen[e];
            } else if (keep[e]) {
                continue;
            }
            cut[n++] = c;
        }
    plan->cut = cut;
    plan->ncut = n;
    plan->algebraic = t->o->view;
    plan->has[PLAN_CUTS] = plan->has[PLAN_ALGEBRAIC] = true;
    return plan;
}

double tuner_largest_change(const Certificate *k,
                            const Spectrum *const *spectrum)
{
    double change = 0;
    for (int i = 0; i < k->nrow; i++) {
        const ChoiceFigures *f = &k->row[i].figures;
        const Spectrum *s = spectrum[k->row[i].sample];
        if (f->worst_mode == NONE || f->worst_mode >= s->nmode)
            continue;
        change =
            fmax(change, cabs(f->worst_lambda - s->mode[f->worst_mode].lambda));
    }
    return change;
}

/* ---- a choice becomes a candidate ---- */

/* An attempt at a candidate. */
typedef struct Attempt {
    const char *name, *method;
    Choice x;
    ChoiceOptions terms; /* of the last choice */
    Certificate certificate;
} Attempt;

/* By (5.1) itself, whatever part of the room the choice was allowed. */
static void certify(const Tuner *t, const ChoiceOptions *given, Attempt *a)
{
    CertificateOptions o = {.choice = *given};
    o.choice.use = 0;
    a->certificate = certificate_make(t->r->pencil, &o, a->x.keep, a->x.frozen,
                                      t->o->progress, t->c->arena);
}

/* Entries that were held before are held still. */
static void merge_held(const Tuner *t, const Choice *before, Choice *after)
{
    int nnz = t->r->pencil->nnz;
    double *held = NEW_ARRAY(t->c->arena, double, nnz + 1);
    after->nheld = 0;
    for (int e = 0; e < nnz; e++) {
        held[e] = fmax(before->held[e], after->held[e]);
        after->nheld += held[e] > 0;
    }
    after->held = held;
}

/* Chooses more entries than before. False if there is nothing to add. */
static bool choose_more(const Tuner *t, bool is_safe, int again, Attempt *a)
{
    ChoiceOptions *o = &a->terms;
    bool by_drift = is_safe && o->path;
    if (!o->freeze) /* what is forced would not be frozen */
        o->force = a->x.keep;
    for (int i = 0; i < MOST_AGAIN; i++) {
        if (by_drift)
            o->drift = LESS * fmin(o->drift, a->x.drift.percent);
        else
            o->use = LESS * (o->use > 0 ? o->use : CHOICE_USE);
        tune_say(t->o->progress,
                 arena_printf(t->c->arena, "%s, again", a->name), again,
                 MOST_AGAIN);
        Choice x = choice_make(t->r->pencil, o, t->o->progress, t->c->arena);
        if (x.code != TUNE_FINE)
            return false;
        if (x.ndropped == a->x.ndropped && x.nfrozen == a->x.nfrozen)
            continue;
        merge_held(t, &a->x, &x);
        a->x = x;
        return true;
    }
    return false;
}

static TuneCandidate *try_out(Tuner *t, const Attempt *a)
{
    const Choice *x = &a->x;
    TuneCandidate *k =
        tuner_add(t, a->name, TUNE_SPARSING,
                  tuner_sparsed_plan(t, x->keep, x->frozen, a->method));
    k->keep = x->keep;
    k->frozen = x->frozen;
    k->held = x->held;
    k->nheld = x->nheld;
    k->drift = x->drift;
    k->has_certificate = true;
    k->certificate = a->certificate;
    k->is_safe = k->is_safe && a->certificate.is_safe;
    k->change = tuner_largest_change(&a->certificate, t->r->spectrum);
    k->rho = a->terms.rho;
    k->modes = arena_printf(t->c->arena, "%d entries dropped, %d frozen",
                            x->ndropped, x->nfrozen);
    if (x->nheld > 0)
        k->modes =
            arena_printf(t->c->arena, "%s, %d kept for the outputs' sake",
                         k->modes, x->nheld);
    return k;
}

static bool is_near(const Tuner *t, const TuneCandidate *k)
{
    return k->trial->ran && k->trial->deviation.percent <= tuner_limit(t);
}

/* More entries bring a plan nearer to the full step: of use only where that is
 * near. */
static bool can_be_near(const Tuner *t)
{
    return t->r->full == NONE || is_near(t, &t->r->candidate.at[t->r->full]);
}

/* Of a candidate that stays. */
static void indicate(const Tuner *t, TuneCandidate *k)
{
    int sample = k->certificate.ratio_sample;
    k->indicators.code = TUNE_NO_SAMPLES;
    if (sample != NONE && t->r->pencil->n <= TUNER_MOST_INDICATED)
        k->indicators = loderer_indicators(t->r->pencil, t->r->spectrum[sample],
                                           k->keep, k->frozen);
}

/* The last attempt is added. *x and the terms in *o become what it took. */
static TuneCandidate *add_choice(Tuner *t, const char *name, Choice *x,
                                 ChoiceOptions *o, const char *method)
{
    Attempt a = {.name = name, .method = method, .x = *x, .terms = *o};
    TuneCandidate *k = NULL;
    for (int again = 1; !k; again++) {
        certify(t, o, &a);
        bool is_safe = a.certificate.is_safe;
        if (!is_safe && again <= MOST_AGAIN && choose_more(t, false, again, &a))
            continue;
        k = try_out(t, &a);
        if (!k->trial->built || !is_safe || is_near(t, k) || !can_be_near(t) ||
            again > MOST_AGAIN || !choose_more(t, true, again, &a))
            break;
        t->r->candidate.n--;
        k = NULL;
    }
    indicate(t, k);
    *x = a.x;
    o->use = a.terms.use;
    o->drift = a.terms.drift;
    return k;
}

/* ---- the choices ---- */

/* What a pattern costs: its factorisation, and the entries themselves. */
typedef struct PatternCost {
    const PencilSet *p;
    double tau;
} PatternCost;

static double pattern_cost(void *context, const bool *keep)
{
    const PatternCost *c = context;
    double cost = search_flops(c->p, c->tau, keep);
    for (int e = 0; e < c->p->nnz; e++)
        if (keep[e] && !c->p->is_constant[e])
            cost += 4;
    return cost;
}

/* "EQUATION,VARIABLE" of --keep. */
static bool force_entries(Tuner *t, bool *force)
{
    const PencilSet *p = t->r->pencil;
    for (int i = 0; i < t->o->nkeep; i++) {
        const char *comma = strrchr(t->o->keep[i], ',');
        bool found = false;
        for (int j = 0; comma && j < p->n; j++)
            for (int e = p->start[j]; e < p->start[j + 1]; e++) {
                size_t n = (size_t)(comma - t->o->keep[i]);
                const char *eqn = p->eqn[p->row[e]];
                if (strcmp(comma + 1, p->var[j]) || strlen(eqn) != n ||
                    strncmp(eqn, t->o->keep[i], n))
                    continue;
                force[e] = found = true;
            }
        if (found)
            continue;
        diag_report(t->c->diag, NO_SPAN, DIAG_E1506,
                    "--keep: the matrix of the step has no entry '%s'; write "
                    "EQUATION,VARIABLE, for example %s,%s",
                    t->o->keep[i], p->eqn[0], p->var[0]);
        return false;
    }
    return true;
}

static ChoiceOptions choice_options(const Tuner *t, double rho,
                                    const bool *force)
{
    double limit = tuner_limit(t), full = 0;
    if (t->r->full != NONE)
        full = t->r->candidate.at[t->r->full].trial->deviation.percent;
    return (ChoiceOptions){.tau = t->c->size,
                           .rho = rho,
                           .rho_m = t->o->rho_min,
                           .force = force,
                           .known = t->known,
                           .path = t->r->path,
                           .drift =
                               DRIFT_USE * fmax(limit - full, 0.2 * limit)};
}

/* Is the outcome of the search no use beside Schiela's rule? */
static bool is_worse(const Tuner *t, const TuneCandidate *k,
                     const TuneCandidate *rule)
{
    if (!rule->trial->ran || !rule->is_safe)
        return false;
    return !k->trial->ran || !k->is_safe ||
           (is_near(t, rule) && !is_near(t, k)) ||
           k->trial->instructions > rule->trial->instructions;
}

/* What a search finds from `start` on these terms with so many tests (0: as
 * many as usual). */
static TuneCandidate *add_search(Tuner *t, const char *name,
                                 const Choice *start, const ChoiceOptions *co,
                                 int tests)
{
    const PencilSet *p = t->r->pencil;
    PatternCost cost = {p, t->c->size};
    SearchOptions so = {.cost = pattern_cost, .context = &cost, .tests = tests};
    ChoiceOptions o = *co;
    Choice y = search_improve(p, co, start, &so, t->o->progress, NULL, NULL,
                              t->c->arena);
    return add_choice(t, name, &y, &o, "lie");
}

/* Schiela's rule, and a search that starts from it, on the terms that the
 * rule was given. If that is no use it went too far: another one begins where
 * the rule came to rest on stricter terms, or ends sooner. */
static void add_sparsed(Tuner *t, double rho, const bool *force)
{
    Arena *a = t->c->arena;
    ChoiceOptions co = choice_options(t, rho, force);
    Choice x = choice_make(t->r->pencil, &co, t->o->progress, a);
    if (x.code != TUNE_FINE) {
        diag_report(t->c->diag, t->c->flat->span, DIAG_W1507,
                    "sparsing is left out: %s",
                    x.why ? x.why : tune_code_text(x.code));
        return;
    }
    ChoiceOptions stricter = co;
    Choice settled = x;
    add_choice(t, arena_printf(a, "sparsed %g", rho), &settled, &stricter,
               "lie");
    const char *name = arena_printf(a, "sparsed %g, by cost", rho);
    TuneCandidate *k = add_search(t, name, &x, &co, 0);
    if (is_worse(t, k, k - 1)) {
        bool is_settled = settled.ndropped != x.ndropped;
        t->r->candidate.n--;
        k = add_search(t, name, &settled, &stricter,
                       is_settled ? 0 : FEW_TESTS);
    }
    if (is_worse(t, k, k - 1)) { /* the search counts flops, not instructions */
        *k = *(k - 1);
        k->name = name;
    }
}

static void add_frozen(Tuner *t, double rho, const bool *force)
{
    Arena *a = t->c->arena;
    ChoiceOptions co = choice_options(t, rho, force);
    co.freeze = true;
    Choice x = choice_make(t->r->pencil, &co, t->o->progress, a);
    if (x.code == TUNE_FINE)
        add_choice(t, arena_printf(a, "frozen %g", rho), &x, &co, "lie");
}

static void add_sparsed_extrapolated(Tuner *t, double rho, const bool *force)
{
    Arena *a = t->c->arena;
    ChoiceOptions co = choice_options(t, rho, force);
    co.order = 2;
    co.path = NULL; /* the estimate is that of the plain step */
    Choice x = choice_make(t->r->pencil, &co, t->o->progress, a);
    if (x.code == TUNE_FINE)
        add_choice(t, arena_printf(a, "sparsed %g, extrapolated", rho), &x, &co,
                   "liex2");
}

/* W-methods keep their order with any matrix. */
static void add_sparsed_w(Tuner *t, double rho, const bool *force,
                          const char *method)
{
    Arena *a = t->c->arena;
    const Method *m = method_find(method, a);
    ChoiceOptions co = choice_options(t, rho, force);
    co.path = NULL; /* the estimate is that of the plain step */
    Choice x = choice_make(t->r->pencil, &co, t->o->progress, a);
    if (x.code != TUNE_FINE || !m)
        return;
    TuneCandidate *k =
        tuner_add(t, arena_printf(a, "sparsed %g, %s", rho, method),
                  TUNE_SPARSING, tuner_sparsed_plan(t, x.keep, NULL, method));
    k->keep = x.keep;
    k->modes = arena_printf(a, "%d entries dropped, order %d stays", x.ndropped,
                            m->order_any);
}

bool tuner_sparsed(Tuner *t)
{
    bool *force = NEW_ARRAY(t->c->arena, bool, t->r->pencil->nnz + 1);
    if (!force_entries(t, force))
        return false;
    for (int i = 0; i < t->o->nrho; i++)
        add_sparsed(t, t->o->rho[i], force);
    double middle = t->o->rho[t->o->nrho / 2];
    add_frozen(t, middle, force);
    tuner_rules(t);
    if (t->o->groups & TUNE_EXTRAPOLATED) {
        add_sparsed_extrapolated(t, middle, force);
        add_sparsed_w(t, middle, force, "ros2");
        add_sparsed_w(t, middle, force, "rosw3");
    }
    return true;
}
