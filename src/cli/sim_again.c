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
 * A state that stays near its absolute tolerance, as it has no `nominal`, or
 * that begins below it, is not resolved by either. The run is made with a
 * smaller one then; what two such runs agree on is no noise. The same if a
 * variable that follows from states differs, as the quotient of two states
 * does that have fallen below their absolute tolerance.
 *
 * Both runs tell where sides of relations came near to equality and turned
 * (crest/crest.h). Where one did nearer than the two are apart, the run is made
 * once more with that relation shifted by so little that it comes out the other
 * way. If that leads elsewhere, an event hangs on less than the error.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "cli/sim_run.h"

/* Evaluations times the length of the tape: some seconds. */
static const double MOST_WORK = 1.5e9;
/* The same of runs that resolve what is small, where they need many steps. */
static const double MOST_FAINT = 4e8;
/* Relations that are shifted, one by one. */
enum { MOST_CRESTS = 3 };
/* Smaller tolerances that are tried. */
enum { TIGHTER = 4 };
/* States that are smaller, times one, are resolved only if that is needed. */
static const double LEAST_RESOLVED = 1e-15;

static const char NO_OTHER[] =
    "no run with another tolerance came to the same end";

static long parts_of(const Sim *sim)
{
    return sim->stats.parts + sim->stats.rejected;
}

void again_row(SimRun *r, const Sim *sim, double time)
{
    bool is_controlled = r->is_reference || sim->options.rtol > 0;
    if (!is_controlled || r->driver.with_array)
        return;
    if (r->rows == 0)
        r->trail = trail_begin(sim, r->adaptive.rtol, r->c->arena);
    trail_row(r->trail, sim, time);
}

/* ---- the other runs ---- */

static double work_of(const SimRun *r)
{
    long n = r->is_reference ? r->adaptive_stats.residuals
                             : r->sim->stats.newton + r->sim->stats.parts;
    return (double)n * r->c->step->lowered->tape->code.n;
}

/* What is not resolved has few steps, and many when it is: so many times those
 * of the run may be made, fewer if they are much work. */
static long times_faint(const SimRun *r)
{
    return (long)fmin(20, fmax(3, MOST_FAINT / fmax(work_of(r), 1)));
}

/* Of a run with other tolerances. *kept, if not NULL: what it went through. */
static SimAgreement run_again(SimRun *r, double rtol, double atol,
                              const Trail *beside, bool faint, Trail **kept)
{
    SimRun other = *r;
    other.trail = NULL;
    other.rows = 0;
    other.out = other.estimates = NULL;
    other.log = NULL;
    other.watch = NULL;
    other.rounding = NULL;
    other.is_other = true;
    other.sim = NULL;
    other.adaptive.rtol = rtol;
    if (atol > 0)
        other.adaptive.atol = atol;
    other.record = NEW(r->c->arena, Record);
    *other.record = *r->record;
    other.record->file = NULL;
    other.record->keep = false;
    long times = faint ? times_faint(r) : r->is_reference ? 3 : 5;
    long more = faint ? 10000 : 1000;
    other.adaptive.most_steps = times * r->adaptive_stats.steps + more;
    other.most_parts = times * parts_of(r->sim) + more;
    SimAgreement found = {.tolerance = rtol};
    diag_mute(r->c->diag);
    bool ended = sim_make(&other) && sim_march(&other);
    bool fine = ended && trail_rows(other.trail) == trail_rows(r->trail);
    found.failed = !ended;
    if (fine) {
        found.is_known = true;
        found.crests = other.sim->crests;
        found.parts = parts_of(other.sim);
        found.differs = trail_compare(beside, other.trail, faint);
    }
    if (kept)
        *kept = fine ? other.trail : NULL;
    diag_unmute(r->c->diag);
    sim_free(other.sim);
    return found;
}

/* Why there is no other run, or NULL. */
static const char *reason_against(const SimRun *r)
{
    if (r->once)
        return "--once";
    if (inlined_has_effects(r->c->step->inlined))
        return "functions of the model may do more than give values";
    return work_of(r) > MOST_WORK && !r->verify
               ? "the run was long; --verify does it"
               : NULL;
}

/* States that no tolerance resolves: does a smaller one change them, and two of
 * them in the same way? */
static void look_at_faint(SimRun *r)
{
    Trail *first = NULL;
    double least = trail_faintest(r->trail), rtol = r->adaptive.rtol;
    if (!isfinite(least) || r->adaptive.atol > 0)
        return;
    double atol = 1e-3 * rtol * least;
    SimAgreement other = run_again(r, rtol, atol, r->trail, true, &first);
    if (first && other.differs.share > TRAIL_DIFFERS) {
        SimAgreement same =
            run_again(r, rtol / 10, atol / 10, first, true, NULL);
        other.is_faint = same.is_known && same.differs.share <= TRAIL_DIFFERS;
    }
    if (other.is_faint) {
        r->agreement = other;
        r->agreement.tolerance = atol;
    }
}

/* A variable differs that follows from states. If some of these fell below
 * their absolute tolerance, is it right with a smaller one? */
static void look_at_followers(SimRun *r)
{
    Trail *first = NULL, *second = NULL;
    double least = trail_least(r->trail), rtol = r->adaptive.rtol;
    if (!isfinite(least) || r->adaptive.atol > 0)
        return;
    double atol = 1e-3 * rtol * least;
    run_again(r, rtol, atol, r->trail, true, &first);
    if (first)
        run_again(r, rtol / 10, atol / 10, first, true, &second);
    if (!second || trail_compare_followers(first, second).share > TRAIL_DIFFERS)
        return;
    TrailDifference differs = trail_compare_followers(r->trail, first);
    if (differs.share > TRAIL_DIFFERS)
        r->agreement = (SimAgreement){.is_known = true,
                                      .is_faint = true,
                                      .tolerance = atol,
                                      .differs = differs};
}

/* Do the steps of a run, as many as this one has, end at points of output with
 * ten times the tolerance too? Then their agreement says nothing. */
static bool is_same(const SimRun *r, const SimAgreement *looser)
{
    double n = (double)looser->parts, rows = (double)r->sim->stats.steps;
    return !r->is_reference && looser->is_known &&
           (n > 0.75 * (double)parts_of(r->sim) ||
            (n > 0.9 * rows && n < 1.2 * rows));
}

/* With ten times the tolerance, but states resolved that fell below their
 * absolute one. Returns whether nothing differs; *felt: a variable does that
 * follows from them. */
static bool is_resolved(SimRun *r, bool *felt)
{
    double rtol = r->adaptive.rtol, least = trail_least(r->trail);
    if (!isfinite(least) || r->adaptive.atol > 0)
        return false;
    double atol = 1e-3 * rtol * fmax(least, LEAST_RESOLVED);
    SimAgreement looser = run_again(r, 10 * rtol, atol, r->trail, false, NULL);
    *felt = looser.is_known && looser.differs.share > TRAIL_DIFFERS &&
            looser.differs.follows;
    if (!looser.is_known || looser.differs.share > TRAIL_DIFFERS ||
        is_same(r, &looser))
        return false;
    r->agreement = looser;
    return true;
}

/* A run with a smaller tolerance; `must_differ`: the first of some that has
 * more steps, or the last of them. */
static SimAgreement run_tighter(SimRun *r, bool must_differ)
{
    double rtol = r->adaptive.rtol / 10;
    SimAgreement found = {0};
    for (int k = 0; k < TIGHTER && rtol >= AGREEMENT_LEAST; k++, rtol /= 10) {
        SimAgreement other = run_again(r, rtol, 0, r->trail, false, NULL);
        if (other.is_known || k == 0)
            found = other;
        if (!other.is_known || !must_differ ||
            (double)other.parts > 2.5 * (double)parts_of(r->sim))
            break;
    }
    return found;
}

static void look_at_all(SimRun *r)
{
    double rtol = r->adaptive.rtol;
    bool felt = false;
    if (is_resolved(r, &felt))
        return;
    SimAgreement looser = run_again(r, 10 * rtol, 0, r->trail, false, NULL);
    r->agreement = looser;
    SimAgreement tighter = {0};
    bool agrees = looser.is_known && looser.differs.share <= TRAIL_DIFFERS;
    if (!agrees || is_same(r, &looser))
        tighter = run_tighter(r, is_same(r, &looser));
    if (tighter.is_known)
        r->agreement = tighter;
    else if (!looser.is_known)
        r->agreement = (SimAgreement){
            .reason = NO_OTHER, .failed = looser.failed && tighter.failed};
    if (felt || (!agrees && r->agreement.differs.follows &&
                 r->agreement.differs.share > TRAIL_DIFFERS))
        look_at_followers(r);
}

/* Crests that are nearer to equality than the two runs are to each other. */
static void look_at_crests(SimRun *r)
{
    Crest found[MOST_CRESTS];
    double rtol = r->adaptive.rtol;
    int n = crests_doubtful(r->sim->crests, r->agreement.crests, rtol, found,
                            MOST_CRESTS);
    for (int k = 0; k < n; k++) {
        const Crest *x = &found[k];
        r->shift = agreement_shift(r->sim, x);
        SimAgreement other = run_again(r, rtol, 0, r->trail, false, NULL);
        if (other.is_known && other.differs.share <= TRAIL_DIFFERS)
            continue;
        SimAgreement *a = &r->agreement;
        if (a->nnear++ == 0 || x->time < a->near.time)
            a->near = *x;
    }
    r->shift = (SimShift){0};
}

void again_run(SimRun *r)
{
    if (!r->trail || trail_rows(r->trail) == 0)
        return;
    r->agreement.reason = reason_against(r);
    if (r->agreement.reason)
        return;
    look_at_all(r);
    if (!(r->agreement.differs.share > TRAIL_DIFFERS))
        look_at_faint(r);
    if (!(r->agreement.differs.share > TRAIL_DIFFERS))
        look_at_crests(r);
}
