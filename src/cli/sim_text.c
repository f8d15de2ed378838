/* sim_text.c - what a run says at its end: summary, JSON, warnings. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "cli/sim_run.h"

static const char *method_title(const SimRun *r)
{
    if (r->sim && r->sim->orders)
        return "BDF of orders 1 to 5";
    if (r->sim && r->sim->levels)
        return "linearly implicit extrapolation of orders up to 6";
    if (!r->is_reference)
        return r->c->method->title;
    return adaptive_row[r->adaptive.solver].title;
}

/* How far the equations are off in which the plan uses old values. */
static void print_lag_errors(const Sim *s)
{
    const Inlined *d = s->low->inlined;
    for (int i = 0; i < d->nlagged; i++)
        printf("  %s delayed in %s: that equation is off by at most %.3g (at "
               "time %g)\n",
               d->lagged[i].var, d->lagged[i].eqn, s->lag_error[i].largest,
               s->lag_error[i].time);
}

/* How many signals inside the tube are shown: those that are farthest. */
enum { SHOWN_INSIDE = 5 };

/* The next signal of the comparison that is to be shown, farthest first. */
static int next_inside(const SimTubes *t, const bool *shown)
{
    int best = NONE;
    for (int i = 0; i < t->n; i++) {
        const SimTube *x = &t->at[i];
        if (!shown[i] && !x->is_missing && !x->result.noutside &&
            (best == NONE || x->result.error > t->at[best].result.error))
            best = i;
    }
    return best;
}

static void print_tubes(const SimRun *r)
{
    const SimTubes *t = &r->tubes;
    bool *shown = NEW_ARRAY(r->c->arena, bool, t->n + 1);
    int inside = t->n - t->nmissing - t->noutside;
    for (int i = 0; i < t->n && !r->quiet; i++) {
        const SimTube *x = &t->at[i];
        if (x->is_missing)
            printf("  missing  %s\n", x->name);
        else if (x->result.noutside)
            printf("  OUTSIDE  %s: largest error %.3g of its range, first "
                   "outside at %g\n",
                   x->name, x->result.error, x->result.first);
    }
    for (int k = 0; k < SHOWN_INSIDE && k < inside && !r->quiet; k++) {
        int i = next_inside(t, shown);
        shown[i] = true;
        printf("  inside   %s: largest error %.3g of its range\n",
               t->at[i].name, t->at[i].result.error);
    }
    for (int i = 0; i < t->n && !r->quiet; i++)
        if (!t->at[i].is_missing && t->at[i].result.by_floor)
            printf("  floor    %s: the reference stays within its own "
                   "tolerance\n",
                   t->at[i].name);
    if (inside > SHOWN_INSIDE && !r->quiet)
        printf("  inside   %d more, nearer than these\n",
               inside - SHOWN_INSIDE);
    printf("compared with %s: %d of %d signals inside the tube of %g, %d "
           "missing\n",
           r->compare, inside, inside + t->noutside, r->tube, t->nmissing);
}

static void print_run(const SimRun *r)
{
    const SimStats *s = &r->sim->stats;
    const AdaptiveStats *o = &r->adaptive_stats;
    printf("%s: %s, %s %g, from %g to %g\n", r->c->flat->model, method_title(r),
           r->is_reference ? "output every" : "step", r->c->size, r->c->start,
           s->time);
    if (r->why)
        printf("  chosen by takt: %s\n", r->why);
    if (r->driver.with_array && r->c->index->uniform_index != NONE)
        printf("  rtol %g: index %d, %ld steps, %ld evaluations, %ld "
               "factorisations, %ld partitions, %d of %d rows\n"
               "  equations and their derivatives hold to %.1e of their terms "
               "(worst at time %g; with the derivatives of the run %.1e)\n",
               r->adaptive.rtol, r->c->index->uniform_index, o->steps,
               o->residuals, o->jacobians, o->restarts, o->rows, o->all_rows,
               o->drift, o->drift_time, o->defect);
    else if (r->driver.with_array)
        printf("  no index\n");
    else if (r->is_reference)
        printf("  rtol %g: %ld steps, %ld evaluations, %ld Jacobians, %ld "
               "restarts\n",
               r->adaptive.rtol, o->steps, o->residuals, o->jacobians,
               o->restarts);
    else
        printf("  %ld steps, %ld Newton iterations, largest last correction "
               "%.2g\n",
               s->steps, s->newton, s->residual);
    if (s->events)
        printf("  %ld steps with events, at most %d iterations in one\n",
               s->events, s->most_event_iterations);
    if (s->parts)
        printf("  rtol %g: %ld steps accepted, %ld rejected\n",
               r->adaptive.rtol, s->parts, s->rejected);
    if (r->sim->orders || r->sim->levels) {
        int most = r->sim->orders ? SIM_MOST_ORDER : SIM_MOST_LEVEL;
        printf("  steps of order");
        for (int k = r->sim->orders ? 1 : 2; k <= most; k++)
            printf(" %d: %ld%s", k, s->order_used[k], k < most ? "," : "\n");
    }
    if (s->located)
        printf("  %ld events were located between grid points\n", s->located);
    if (s->halved)
        printf("  %ld times a step was made in parts\n", s->halved);
    if (r->sim->change)
        printf("  change in a step: at most %.3g times its tolerance\n",
               s->change);
    trust_print(r);
    agreement_print(&r->agreement, r->c->arena);
    if (r->is_timed)
        printf("  %.6f s of processor time\n", r->processor);
    verify_print(r);
    print_lag_errors(r->sim);
    if (s->reselected)
        printf("  other states were chosen %ld times\n", s->reselected);
    if (s->terminated)
        printf("  ended by terminate() of the model\n");
    if (r->out)
        printf("  %s: %d signals\n", r->out, r->record->nwritten);
}

void sim_text_summary(const SimRun *r)
{
    if (!r->quiet)
        print_run(r);
    if (r->tubes.at)
        print_tubes(r);
}

static void put_tubes(JsonOut *j, const SimRun *r)
{
    const SimTubes *t = &r->tubes;
    json_begin_object(j, "compared");
    json_put_text(j, "reference", r->compare);
    json_put_number(j, "tube", r->tube);
    json_put_count(j, "inside", t->n - t->nmissing - t->noutside);
    json_put_count(j, "outside", t->noutside);
    json_put_count(j, "missing", t->nmissing);
    json_begin_object(j, "error");
    for (int i = 0; i < t->n; i++)
        json_put_number(j, t->at[i].name,
                        t->at[i].is_missing ? NAN : t->at[i].result.error);
    json_end(j);
    json_begin_object(j, "deviation");
    for (int i = 0; i < t->n; i++)
        json_put_number(j, t->at[i].name,
                        t->at[i].is_missing ? NAN : t->at[i].result.deviation);
    json_end(j);
    json_end(j);
}

static void put_lag_errors(JsonOut *j, const Sim *s)
{
    const Inlined *d = s->low->inlined;
    if (d->nlagged == 0)
        return;
    json_begin_array(j, "undelayed");
    for (int i = 0; i < d->nlagged; i++) {
        const SimLagError *u = &s->lag_error[i];
        double steps = s->stats.steps > 0 ? (double)s->stats.steps : 1;
        json_begin_object(j, NULL);
        json_put_text(j, "eq", d->lagged[i].eqn);
        json_put_text(j, "var", d->lagged[i].var);
        json_put_number(j, "largest", u->largest);
        json_put_number(j, "time", u->time);
        json_put_number(j, "rms", sqrt(u->squares / steps));
        json_end(j);
    }
    json_end(j);
}

/* Steps in which something happened, by the words of base/status.def. */
static void put_causes(JsonOut *j, const SimStats *s)
{
    json_begin_object(j, "causes");
    for (int i = 0; i < STATUS_NCAUSE; i++)
        if (s->cause[i].count > 0)
            json_put_count(j, status_row[i].word, s->cause[i].count);
    json_end(j);
}

static void put_final(JsonOut *j, const SimRun *r)
{
    const Tape *t = r->c->step->lowered->tape;
    json_begin_object(j, "final");
    for (int i = 0; i < t->symbol.n; i++)
        if (!record_is_auxiliary(t->symbol.at[i].name))
            json_put_number(j, t->symbol.at[i].name,
                            exec_value(r->sim->exec, &t->symbol.at[i]));
    json_end(j);
}

void sim_text_json(const SimRun *r, bool fine)
{
    const SimStats *s = &r->sim->stats;
    JsonOut out = json_start(stdout, JSON_INDENTED), *j = &out;
    json_begin_object(j, NULL);
    json_put_text(j, "model", r->c->flat->model);
    json_put_text(j, "method",
                  r->sim->orders     ? "bdf"
                  : r->sim->levels   ? "liex"
                  : !r->is_reference ? r->c->method->name
                                     : adaptive_row[r->adaptive.solver].key);
    if (r->is_reference) {
        json_put_number(j, "tolerance", r->adaptive.rtol);
        json_put_count(j, "integrator_steps", r->adaptive_stats.steps);
        json_put_count(j, "evaluations", r->adaptive_stats.residuals);
        json_put_count(j, "jacobians", r->adaptive_stats.jacobians);
    }
    if (r->driver.with_array) {
        json_put_count(j, "partitions", r->adaptive_stats.restarts);
        json_put_count(j, "completions", r->adaptive_stats.changes);
        json_put_number(j, "completion_jump", r->adaptive_stats.jump);
        json_put_count(j, "rows", r->adaptive_stats.rows);
        json_put_count(j, "all_rows", r->adaptive_stats.all_rows);
        json_put_count(j, "flops", r->adaptive_stats.flops);
        json_put_number(j, "drift", r->adaptive_stats.drift);
        json_put_number(j, "drift_time", r->adaptive_stats.drift_time);
        json_put_number(j, "defect", r->adaptive_stats.defect);
    }
    json_put_number(j, "step", r->c->size);
    if (r->why)
        json_put_text(j, "chosen", r->why);
    json_put_number(j, "start", r->c->start);
    json_put_number(j, "stop", s->time);
    json_put_bool(j, "completed", fine);
    json_put_count(j, "steps", s->steps);
    json_put_count(j, "newton", s->newton);
    json_put_number(j, "residual", s->residual);
    if (r->sim->change)
        json_put_number(j, "change", s->change);
    trust_put(j, r);
    agreement_put(j, &r->agreement);
    if (r->is_timed)
        json_put_number(j, "processor", r->processor);
    verify_put(j, r);
    put_causes(j, s);
    put_lag_errors(j, r->sim);
    json_put_count(j, "events", s->events);
    json_put_count(j, "event_iterations", s->event_iterations);
    json_put_count(j, "outside", s->outside);
    if (s->parts) {
        json_put_number(j, "tolerance", r->adaptive.rtol);
        json_put_count(j, "accepted", s->parts);
        json_put_count(j, "rejected", s->rejected);
        if (r->sim->orders || r->sim->levels) {
            json_begin_array(j, "orders"); /* from 1 on */
            for (int k = 1;
                 k <= (r->sim->orders ? SIM_MOST_ORDER : SIM_MOST_LEVEL); k++)
                json_put_count(j, NULL, s->order_used[k]);
            json_end(j);
        }
    }
    json_put_count(j, "located", s->located);
    json_put_count(j, "halved", s->halved);
    if (r->tubes.at)
        put_tubes(j, r);
    put_final(j, r);
    json_end(j);
    json_finish(j);
}

/* "; 'k' still changed" or "; the relation that ...": what is restless. */
static const char *restless(const SimRun *r)
{
    const SimStats *s = &r->sim->stats;
    const Inlined *d = r->c->step->inlined;
    const Tape *t = r->c->step->lowered->tape;
    if (s->unsettled_slot != NONE)
        return arena_printf(
            r->c->arena, "; '%s' still changed",
            inlined_known_as(d, t->meaning[s->unsettled_slot].entry,
                             r->c->arena));
    if (s->chatter == NONE)
        return "";
    return arena_printf(
        r->c->arena, "; the relation that changed most often (%ld times) is %s",
        s->chatter_count,
        expr_text(d->dag, d->relation[s->chatter].now, inlined_var_name,
                  (void *)d, 200, r->c->arena));
}

static void warn_unsettled(SimRun *r)
{
    const SimStats *s = &r->sim->stats;
    diag_report(r->c->diag, r->c->flat->span, DIAG_W1331,
                "%ld steps ended before their events came to rest, the first "
                "at time %g%s; --events-max N allows more than %d evaluations",
                s->cause[CAUSE_EVENTS].count, s->unsettled_time, restless(r),
                r->sim->options.events_max);
}

/* Steps in which a block was not as it should be. */
static void warn_block(SimRun *r, StatusCause cause, DiagCode code)
{
    const SimCause *k = &r->sim->stats.cause[cause];
    if (k->count == 0)
        return;
    const TapeBlock *b = &r->c->step->lowered->tape->block.at[k->block];
    diag_report(
        r->c->diag, r->c->flat->span, code, "%s",
        status_count_text(&status_row[cause], k->count, b->name, r->c->arena));
}

/* The same of the defect: where it was largest is known. */
static void warn_defect(SimRun *r, StatusCause cause, DiagCode code)
{
    const SimStats *s = &r->sim->stats;
    const SimCause *k = &s->cause[cause];
    const Tape *t = r->c->step->lowered->tape;
    if (k->count == 0)
        return;
    bool has_block = s->eta > 0 && s->eta_block != NONE;
    const char *text = status_count_text(
        &status_row[cause], k->count,
        has_block ? t->block.at[s->eta_block].name : "", r->c->arena);
    diag_report(r->c->diag, r->c->flat->span, code,
                "%s; the first at time %g, the largest defect is %.2g at time "
                "%g",
                text, k->first, s->eta, s->eta_time);
}

static void warn_crossed(SimRun *r)
{
    const SimCause *k = &r->sim->stats.cause[CAUSE_CROSSED];
    const char *name = k->block == NONE
                           ? NULL
                           : r->c->step->lowered->tape->slot_name[k->block];
    if (k->count > 0)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1360,
                    "%s; the first at time %g",
                    status_count_text(&status_row[CAUSE_CROSSED], k->count,
                                      name ? name : "an intermediate value",
                                      r->c->arena),
                    k->first);
}

/* Modes of the run may leave open what was determined at the start. */
static void warn_undetermined(SimRun *r)
{
    const char *name =
        r->is_static ? r->c->step->pivots->report.open : sim_open_later(r->sim);
    if (name)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1338,
                    "at some points the equations of the block of %s do not "
                    "determine it; of many solutions the nearest is taken",
                    name);
}

static void warn_far_out(SimRun *r)
{
    const SimCause *k = &r->sim->stats.cause[CAUSE_FAR_OUT];
    if (k->count > 0)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1362,
                    "%s; the first at time %g",
                    status_count_text(&status_row[CAUSE_FAR_OUT], k->count,
                                      r->c->step->inlined->var[k->block].name,
                                      r->c->arena),
                    k->first);
}

static void warn_switches(SimRun *r)
{
    const SimStats *s = &r->sim->stats;
    const Tape *t = r->c->step->lowered->tape;
    if (s->switches == 0)
        return;
    Span span = t->origin.at[s->switch_origin].span;
    const char *state = s->switch_state == NONE
                            ? "a state"
                            : sim_state_name(r, s->switch_state);
    diag_report(r->c->diag, span.source != NONE ? span : r->c->flat->span,
                DIAG_W1377,
                "%ld times slopes jump without an event, the first time at "
                "time %g, where that of %s does: steps end there",
                s->switches, s->switch_time, state);
}

/* Is what delay() reads continuous, does its time vary, and does a Rosenbrock
 * method read it? */
static bool loses_orders(const SimRun *r)
{
    const Inlined *d = r->c->step->inlined;
    bool reads = false;
    for (int i = 0; i < d->ndelay; i++)
        reads |= d->delay[i].past == IP_DELAY && !d->delay[i].is_discrete &&
                 inlined_delay_varies(d, i);
    return reads && r->sim->options.rtol > 0 &&
           d->method->kind == MK_ROSENBROCK;
}

static void warn_delays(SimRun *r)
{
    const SimStats *s = &r->sim->stats;
    if (loses_orders(r))
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1380,
                    "a Rosenbrock method does not know how a time of delay() "
                    "moves within a step, and neither does its estimate: its "
                    "error is above the tolerance; choose --method radau5 or "
                    "cvode");
    if (s->delay_off > 10)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1380,
                    "what delay() reads between the ends of steps is off by "
                    "up to %.2g times the tolerance, at time %g: choose a "
                    "smaller --step, or --method cvode",
                    s->delay_off, s->delay_time);
}

void sim_text_warn(SimRun *r)
{
    if (!r->sim)
        return; /* the run could not begin */
    const SimStats *s = &r->sim->stats;
    const Inlined *d = r->c->step->inlined;
    if (s->cause[CAUSE_EVENTS].count > 0)
        warn_unsettled(r);
    if (s->outside > 5)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1324,
                    "%ld variables in all were outside of their min and max",
                    s->outside);
    if (s->crowded > 0)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1333,
                    "%ld steps had too many events to locate them all; the "
                    "relation that changed most often (%ld times) is %s",
                    s->crowded, s->chatter_count,
                    s->chatter == NONE
                        ? "none"
                        : expr_text(d->dag, d->relation[s->chatter].now,
                                    inlined_var_name, (void *)d, 200,
                                    r->c->arena));
    if (s->jumps > 0)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1375,
                    "%ld times the branch ended that the solution of the block "
                    "of %s was on, and the run went on on another one; the "
                    "first time at time %g",
                    s->jumps,
                    r->c->step->lowered->tape->block.at[s->jump_block].name,
                    s->jump_time);
    warn_switches(r);
    warn_delays(r);
    if (s->halved > 0)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1334,
                    "%ld times a step had no solution and was made in parts: "
                    "choose a smaller step",
                    s->halved);
    if (s->change_bad > 0)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1358,
                    "in %ld steps a state changes by more than its tolerance; "
                    "the largest change is %.3g times it, of %s at time %g",
                    s->change_bad, s->change,
                    sim_state_name(r, s->change_state), s->change_time);
    trust_warn(r);
    agreement_warn(&r->agreement, r->sim, r->adaptive.rtol, r->c->arena);
    rounding_warn(r->rounding, r->c->diag);
    if (s->outside_range)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W1207,
                    "%ld steps are outside what the plan was made for, the "
                    "first at time %g: '%s' = %.6g, which was %.6g to %.6g",
                    s->cause[CAUSE_OUTSIDE].count, s->outside_time,
                    s->outside_range->name, s->outside_value,
                    s->outside_range->low, s->outside_range->high);
    warn_block(r, CAUSE_WARNING, DIAG_W1332);
    warn_block(r, CAUSE_FACTORS, DIAG_W1407);
    warn_defect(r, CAUSE_DEFECT, DIAG_W1359);
    warn_defect(r, CAUSE_BEYOND_PLAN, DIAG_W1361);
    warn_crossed(r);
    warn_undetermined(r);
    warn_far_out(r);
}
