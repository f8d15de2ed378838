/* sim_again.c - a run with step-size control once more, with another tolerance.
 *
 * A tolerance holds for the error of a step. What becomes of it over a run
 * depends on the model: an oscillation of a thousand periods loses its phase,
 * an unstable or chaotic motion makes of any error one of its own size, and an
 * event between two steps may be seen by one run and not by another. So the run
 * is made again with ten times its tolerance, which costs less than it did
 * itself. If these two agree, so do the run and the solution. If not, a run
 * with a tenth of the tolerance tells by how much the first is off: what they
 * differ by is the error of the first, or nobody's to know.
 *
 * A state that stays near its absolute tolerance, as it has no `nominal`, is
 * not resolved by either. The run is made with a smaller one then; what two
 * such runs agree on is no noise.
 *
 * States, variables that could be some, and discrete ones are compared at
 * points of output, over their ranges. A jump that comes to one side of a point
 * in one run and to the other in the next is no difference: it takes several
 * points in a row.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "cli/sim_run.h"

enum {
    MOST_KEPT = 4000000, /* numbers; of longer runs every n-th row */
    IN_A_ROW = 3,        /* points that must differ */
    FEW_ROWS = 12,       /* and where there are less, one does */
};

/* Evaluations times the length of the tape: some seconds. */
static const double MOST_WORK = 1.5e9;
/* Of a range: what is worth a second look, and a word. The truth is a little
 * farther than a run with a smaller tolerance. */
static const double DIFFERS = 0.006;
static const double LEAST_TOLERANCE = 1e-12;
/* Times the absolute tolerance: less is not resolved well; */
static const double FAINT = 1e4;
/* and times one: nobody means so little. */
static const double NOTHING = 1e-30;

struct SimAgain {
    int n;
    const int *slot;
    const char **name;
    const double *resolved; /* absolute tolerance: less is nothing */
    bool faint;        /* and less counts too, of those below FAINT of it */
    int nth;           /* row is kept */
    Vec(double) value; /* n per row */
    Vec(double) time;
};

/* ---- what is kept ---- */

static bool is_watched(const Lowered *low, int i)
{
    const Inlined *d = low->inlined;
    return low->slot[i] != NONE && d->var[i].kind == IV_VALUE &&
           !record_is_auxiliary(d->var[i].name) &&
           (d->var[i].is_discrete || inlined_find(d, i, 1) != NONE);
}

static SimAgain *begin(const Sim *sim, double rtol, Arena *arena)
{
    const Lowered *low = sim->low;
    const Inlined *d = low->inlined;
    SimAgain *a = NEW(arena, SimAgain);
    int *slot = NEW_ARRAY(arena, int, d->sys->nvar + 1);
    double *resolved = NEW_ARRAY(arena, double, d->sys->nvar + 1);
    a->name = NEW_ARRAY(arena, const char *, d->sys->nvar + 1);
    for (int i = 0; i < d->sys->nvar; i++) {
        if (!is_watched(low, i))
            continue;
        slot[a->n] = low->slot[i];
        a->name[a->n] = d->var[i].name;
        resolved[a->n] =
            d->var[i].is_discrete ? 0 : 1e-3 * rtol * inlined_nominal(d, i);
        a->n++;
    }
    a->slot = slot;
    a->resolved = resolved;
    double all = (double)a->n * (double)(sim_nstep(&sim->options) + 1);
    a->nth = 1 + (int)fmin(all / MOST_KEPT, 1e9);
    return a;
}

void again_row(SimRun *r, const Sim *sim, double time)
{
    bool is_controlled = r->is_reference || sim->options.rtol > 0;
    if (!is_controlled || r->driver.with_array)
        return;
    if (r->rows == 0)
        r->again = begin(sim, r->adaptive.rtol, r->c->arena);
    SimAgain *a = r->again;
    if (sim->k % a->nth != 0)
        return;
    vec_push(r->c->arena, &a->time, time);
    for (int i = 0; i < a->n; i++)
        vec_push(r->c->arena, &a->value, sim->exec->r[a->slot[i]]);
}

/* ---- how far two runs differ ---- */

static double at(const SimAgain *a, int row, int i)
{
    return a->value.at[(long)row * a->n + i];
}

static double range_of(const SimAgain *a, int i)
{
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < a->time.n; k++) {
        least = fmin(least, at(a, k, i));
        most = fmax(most, at(a, k, i));
    }
    double size = fmax(fabs(least), fabs(most));
    return fmax(most - least, fmax(1e-6 * size, a->faint ? 0 : a->resolved[i]));
}

/* The largest size of a variable that has a tolerance. */
static double size_of(const SimAgain *a, int i)
{
    double size = 0;
    for (int k = 0; k < a->time.n; k++)
        size = fmax(size, fabs(at(a, k, i)));
    return size;
}

static bool is_faint(const SimAgain *a, int i)
{
    double size = size_of(a, i);
    return size > NOTHING && size < FAINT * a->resolved[i];
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The most that IN_A_ROW points in a row, or a hundredth of all n, have of
 * off[]. Sorts it. */
static double most_of(double *off, int n)
{
    int width = n < FEW_ROWS ? 1 : IN_A_ROW;
    int many = n / 100 > width ? n / 100 : width;
    double most = 0;
    for (int k = 0; k + width <= n; k++) {
        double least = INFINITY;
        for (int j = k; j < k + width; j++)
            least = fmin(least, off[j]);
        most = fmax(most, least);
    }
    qsort(off, (size_t)n, sizeof *off, by_size);
    return n >= many ? fmax(most, off[n - many]) : most;
}

/* How far two runs are apart in variable i, over its range; *row is the first
 * point where they are so, or by DIFFERS. `off` has room for all points. */
static double difference(const SimAgain *a, const SimAgain *b, int i,
                         double *off, int *row)
{
    int n = a->time.n < b->time.n ? a->time.n : b->time.n;
    double range = fmax(fmax(range_of(a, i), range_of(b, i)), 1e-300);
    for (int k = 0; k < n; k++)
        off[k] = fabs(at(a, k, i) - at(b, k, i)) / range;
    double most = most_of(off, n);
    for (*row = 0; *row + 1 < n; ++*row)
        if (fabs(at(a, *row, i) - at(b, *row, i)) / range >=
            fmin(most, DIFFERS))
            break;
    return most;
}

static SimAgreement compare(const SimAgain *a, const SimAgain *b, double rtol,
                            Arena *arena)
{
    SimAgreement found = {.tolerance = rtol, .is_known = true};
    double *off = NEW_ARRAY(arena, double, a->time.n + 1);
    for (int i = 0; i < a->n; i++) {
        int row = 0;
        if (a->faint && !is_faint(a, i))
            continue;
        double share = difference(a, b, i, off, &row);
        if (found.name && !(share > found.share))
            continue;
        found.name = a->name[i];
        found.share = share;
        found.time = a->time.at[row];
    }
    return found;
}

/* ---- the other runs ---- */

/* Of a run with other tolerances. *kept, if not NULL: what it went through. */
static SimAgreement run_again(SimRun *r, double rtol, double atol,
                              const SimAgain *beside, SimAgain **kept)
{
    SimRun other = *r;
    other.again = NULL;
    other.rows = 0;
    other.out = other.estimates = NULL;
    other.log = NULL;
    other.watch = NULL;
    other.sim = NULL;
    other.adaptive.rtol = rtol;
    if (atol > 0)
        other.adaptive.atol = atol;
    other.record = NEW(r->c->arena, Record);
    *other.record = *r->record;
    other.record->file = NULL;
    other.record->keep = false;
    other.adaptive.most_steps = 3 * r->adaptive_stats.steps + 1000;
    SimAgreement found = {.tolerance = rtol};
    diag_mute(r->c->diag);
    bool fine = sim_make(&other) && sim_march(&other) &&
                other.again->time.n == r->again->time.n;
    if (fine) {
        other.again->faint = beside->faint;
        found = compare(beside, other.again, rtol, r->c->arena);
    }
    if (kept)
        *kept = fine ? other.again : NULL;
    diag_unmute(r->c->diag);
    sim_free(other.sim);
    return found;
}

/* Do functions outside of the model do more than give values? */
static bool has_effects(const SimRun *r)
{
    const ExprFunction *f;
    for (int i = 0; (f = dag_function(r->c->sys->dag, i)); i++)
        if (f->is_impure || f->foreign)
            return true;
    return false;
}

/* Why there is no other run, or NULL. */
static const char *reason_against(const SimRun *r)
{
    const Tape *t = r->c->step->lowered->tape;
    double work =
        (double)(r->is_reference ? r->adaptive_stats.residuals
                                 : r->sim->stats.newton + r->sim->stats.parts) *
        t->code.n;
    if (has_effects(r))
        return "functions of the model may do more than give values";
    return work > MOST_WORK && !r->verify ? "the run was long; --verify does it"
                                          : NULL;
}

/* States that no tolerance resolves: does a smaller one change them, and two of
 * them in the same way? */
static void look_at_faint(SimRun *r)
{
    SimAgain *a = r->again, *first = NULL;
    double least = INFINITY, rtol = r->adaptive.rtol;
    for (int i = 0; i < a->n; i++)
        if (is_faint(a, i))
            least = fmin(least, size_of(a, i));
    if (!isfinite(least) || r->adaptive.atol > 0)
        return;
    a->faint = true;
    double atol = 1e-3 * rtol * least;
    SimAgreement other = run_again(r, rtol, atol, a, &first);
    if (first && other.name && other.share > DIFFERS) {
        SimAgreement same = run_again(r, rtol / 10, atol / 10, first, NULL);
        other.is_faint = same.is_known && same.share <= DIFFERS;
    }
    a->faint = false;
    if (other.is_faint) {
        r->agreement = other;
        r->agreement.tolerance = atol;
    }
}

static void look_at_all(SimRun *r)
{
    double rtol = r->adaptive.rtol;
    SimAgreement looser = run_again(r, 10 * rtol, 0, r->again, NULL);
    r->agreement = looser;
    if (looser.is_known && looser.share <= DIFFERS)
        return;
    SimAgreement tighter = {0};
    if (rtol / 10 >= LEAST_TOLERANCE)
        tighter = run_again(r, rtol / 10, 0, r->again, NULL);
    if (tighter.is_known)
        r->agreement = tighter;
    else if (!looser.is_known)
        r->agreement.reason = "no run with another tolerance came to the end";
}

void again_run(SimRun *r)
{
    if (!r->again || r->again->n == 0)
        return;
    r->agreement.reason = reason_against(r);
    if (r->agreement.reason)
        return;
    look_at_all(r);
    if (!(r->agreement.share > DIFFERS))
        look_at_faint(r);
}

/* ---- what is said ---- */

static const char *percent(const SimRun *r, double share)
{
    return share > 1 ? "more than 100 %"
                     : arena_printf(r->c->arena, "%.2g %%", 100 * share);
}

void again_print(const SimRun *r)
{
    const SimAgreement *a = &r->agreement;
    if (a->reason)
        printf("  trust: not compared with another tolerance: %s\n", a->reason);
    if (a->is_known)
        printf("  trust: differs by at most %s of the range of %s from a run "
               "with %s tolerance of %g\n",
               percent(r, a->share), a->name, a->is_faint ? "an absolute" : "a",
               a->tolerance);
}

void again_put(JsonOut *j, const SimRun *r)
{
    const SimAgreement *a = &r->agreement;
    if (!a->is_known)
        return;
    json_begin_object(j, "trust");
    json_put_text(j, "kind", "tolerance");
    json_put_number(j, "error", a->share);
    json_put_text(j, "state", a->name);
    json_put_number(j, "time", a->time);
    json_put_number(j, "tolerance", a->tolerance);
    json_end(j);
}

void again_warn(SimRun *r)
{
    const SimAgreement *a = &r->agreement;
    if (!a->is_known || a->share <= DIFFERS)
        return;
    diag_report(r->c->diag, r->c->flat->span, DIAG_W1378,
                "the result depends on the %stolerance: from time %g on '%s' "
                "differs from a run with %g, by %s of its range",
                a->is_faint ? "absolute " : "", a->time, a->name, a->tolerance,
                percent(r, a->share));
    if (a->is_faint) {
        diag_note(r->c->diag, NO_SPAN,
                  "'%s' is small: give it a `nominal` in the model, or choose "
                  "--atol %g",
                  a->name, a->tolerance);
        return;
    }
    diag_note(r->c->diag, NO_SPAN,
              "small errors grow in this model (a long oscillation, an "
              "unstable or chaotic motion), or events lie between the steps: "
              "choose --tolerance %g or less, or trust the time before only",
              fmax(r->adaptive.rtol / 1000, LEAST_TOLERANCE));
}
