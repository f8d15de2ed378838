/* trust_text.c - how far can a run be trusted? What its estimates say. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/sim_run.h"

/* Above this share of a state's range late events are worth a warning, */
static const double LATE = 0.01;
/* and estimated errors above this share of the tolerance, which is one of
 * sizes, not of ranges: an estimate may be too small by a half. */
static const double OF_TOLERANCE = 0.4;

const char *sim_state_name(const SimRun *r, int state)
{
    return dae_leaf_text(r->c->dae, dae_state_shown(r->c->dae, state),
                         r->c->arena);
}

static const char *percent(const SimRun *r, double share)
{
    return agreement_percent(share, r->c->arena);
}

/* What lies within steps. */
static const char *within_text(const SimRun *r, const SimTrust *t)
{
    const char *when =
        t->within == 1
            ? arena_printf(r->c->arena, "at time %.6g", t->within_time)
            : arena_printf(r->c->arena, "%ld times, first at time %.6g,",
                           t->within, t->within_time);
    return arena_printf(r->c->arena,
                        "%s something begins and ends between two points of "
                        "the grid (%s), which may cost %s of the range of %s",
                        when, t->within_what, percent(r, t->late_cost),
                        sim_state_name(r, t->late_state));
}

static const char *late_text(const SimRun *r, const SimTrust *t)
{
    if (t->late_state == NONE)
        return arena_printf(r->c->arena,
                            "events acted up to %.3g s late, which no state "
                            "remembers",
                            t->late);
    return arena_printf(r->c->arena,
                        "events acted up to %.3g s late, which may cost %s of "
                        "the range of %s",
                        t->late, percent(r, t->late_cost),
                        sim_state_name(r, t->late_state));
}

void trust_print(const SimRun *r)
{
    SimTrust t = sim_trust(r->sim);
    if (r->c->step->inlined->estimate.opaque != NONE)
        printf("  trust: no estimate, a function in the model has no "
               "derivative\n");
    if (t.state == NONE)
        return;
    printf("  trust: estimated error%s at most %s of the range of %s",
           t.is_local ? " of a step" : "", percent(r, t.error),
           sim_state_name(r, t.state));
    if (t.late > 0)
        printf("; %s", late_text(r, &t));
    printf("\n");
}

void trust_put(JsonOut *j, const SimRun *r)
{
    SimTrust t = sim_trust(r->sim);
    if (t.state == NONE)
        return;
    json_begin_object(j, "trust");
    json_put_text(j, "kind", t.is_local ? "local" : "running");
    json_put_number(j, "error", t.error);
    json_put_text(j, "state", sim_state_name(r, t.state));
    json_put_number(j, "time", t.time);
    json_put_count(j, "inaccurate",
                   r->sim->stats.cause[CAUSE_INACCURATE].count);
    if (t.late_state != NONE) {
        json_put_number(j, "late", t.late);
        json_put_number(j, "late_cost", t.late_cost);
        json_put_text(j, "late_state", sim_state_name(r, t.late_state));
    }
    json_end(j);
}

/* What delay() reads on the grid. */
static void warn_delayed(SimRun *r, const SimTrust *t, double tolerance)
{
    const Inlined *d = r->c->step->inlined;
    if (!(t->delayed > tolerance))
        return;
    diag_report(r->c->diag, r->c->flat->span, DIAG_W1380,
                "what delay() reads of %s is off by up to %s of its range, at "
                "time %g: choose a smaller step",
                expr_text(d->dag, d->delay[t->delayed_what].expr,
                          inlined_var_name, (void *)d, 120, r->c->arena),
                percent(r, t->delayed), t->delayed_time);
}

/* Variables that make more of the errors of states than these do. */
static void warn_followers(SimRun *r, double tolerance)
{
    TrailDifference x = follow_worst(r->follow, FOLLOW_STEPS);
    if (x.name && x.share > tolerance)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1372,
                    "the estimated error of %s, which %s, reaches %s of its "
                    "range at time %g: choose a smaller step, or a method of "
                    "higher order",
                    x.name, follow_why(&x), percent(r, x.share), x.time);
}

/* Errors of steps and of late events that are bearable each, and not together.
 * Where slopes jump without an event the estimates of steps see something of it
 * too. */
static void warn_both(SimRun *r, const SimTrust *t, double tolerance)
{
    if (t->both_state != NONE && t->late > 0 && t->both > LATE &&
        t->error <= tolerance && t->late_cost <= LATE)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1373,
                    "events acted up to %.3g s late: what that costs and the "
                    "errors of the steps may together be %s of the range of "
                    "%s: --events exact, or a smaller step",
                    t->late, percent(r, t->both),
                    sim_state_name(r, t->both_state));
}

/* What late events cost variables that make much of it. */
static void warn_late_followers(SimRun *r, const SimTrust *t, double tolerance)
{
    TrailDifference steps = follow_worst(r->follow, FOLLOW_STEPS);
    TrailDifference x = follow_worst(r->follow, FOLLOW_ALL);
    bool is_said = (t->state != NONE && !(t->error <= tolerance)) ||
                   t->late_cost > LATE || t->both > LATE;
    if (x.share > LATE && t->late > 0 && !is_said && steps.share <= tolerance)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1373,
                    "events acted up to %.3g s late, which may cost %s of the "
                    "range of %s, which %s, at time %g: --events exact, or a "
                    "smaller step",
                    t->late, percent(r, x.share), x.name, follow_why(&x),
                    x.time);
}

void trust_warn(SimRun *r)
{
    SimTrust t = sim_trust(r->sim);
    double tolerance = OF_TOLERANCE * r->c->plan->estimate_tolerance;
    if (t.state != NONE && !(t.error <= tolerance))
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1372,
                    "the estimated error%s of %s reaches %s of its range "
                    "at time %g: choose a smaller step, or a method of higher "
                    "order",
                    t.is_local ? " of a step" : "", sim_state_name(r, t.state),
                    percent(r, t.error), t.time);
    else {
        warn_delayed(r, &t, tolerance); /* else it is in the error */
        warn_followers(r, tolerance);
    }
    if (t.lost > 0)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1379,
                    "from time %.9g to %.9g, between two points of the grid, "
                    "%s is another than at both: an event there is lost%s; "
                    "--events exact, or a smaller step",
                    t.lost_from, t.lost_to, t.lost_what,
                    t.lost == 1 ? ""
                                : arena_printf(r->c->arena, ", and %ld more",
                                               t.lost - 1));
    if (t.broken > 0)
        diag_report(r->c->diag,
                    r->sim->low->inlined->sys->assertion[t.broken_what].span,
                    DIAG_W1379,
                    "this assertion fails at time %.9g, between two points of "
                    "the grid, and holds at both: a smaller step, or "
                    "step-size control",
                    t.broken_time);
    if (t.near > 0)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1382,
                    "at time %.6g %s %s by less than the estimated error of "
                    "the run, and an event hangs on it%s: choose a smaller "
                    "step, or a method of higher order",
                    t.near_time, t.near_what,
                    t.near_changed ? "has changed" : "has not changed",
                    t.near == 1 ? "" : ", and more such later");
    if (t.late_cost > LATE && t.within > 0)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1379,
                    "%s: a smaller step, or step-size control",
                    within_text(r, &t));
    if (t.late_cost > LATE && t.leaps > 0)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1373,
                    "slopes jump without an event in %ld steps, first at time "
                    "%.6g, which may cost %s of the range of %s: a smaller "
                    "step, or step-size control",
                    t.leaps, t.leap_time, percent(r, t.late_cost),
                    sim_state_name(r, t.late_state));
    if (t.late_cost > LATE && t.late > 0)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1373,
                    "%s: --events exact, or a smaller step", late_text(r, &t));
    warn_both(r, &t, tolerance);
    warn_late_followers(r, &t, tolerance);
}
