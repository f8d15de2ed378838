/* often.c - relations of time that change more than once in a step.
 *
 * sin(314*time) > 0 with a step of 20 ms is the same at every point of the
 * grid, and half of the time it is not. Where both sides are linear in time
 * there is one change at most, and the clock is bisected for it (locate.c); of
 * all others, points between those of the grid are looked at too. How many is
 * found once, on samples of the run: until four times as many show no more
 * changes.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "sim/sim_internal.h"

enum {
    LEAST_PARTS = 64, /* of a step */
    MOST_PARTS = 16384,
    SAMPLES = 16,    /* steps that the number of parts is found on */
    LOOKED_AT = 200, /* and in which the grid may lose changes */
};

struct SimOften {
    int *relation; /* that may change more than once in a step */
    int n;
    int parts;
};

/* ---- which, and how finely ---- */

/* Whole numbers that a step passes over are found one by one off the grid. */
static bool may_change_often(const Inlined *d, const InlinedRelation *r,
                             bool on_grid)
{
    int n = expr_node(d->dag, r->now)->narg;
    ExprOp op = expr_op(d->dag, r->now);
    bool is_often =
        on_grid && r->is_of_time &&
        (op == EX_FLOOR || op == EX_CEIL || op == EX_INTEGER || op == EX_IDIV);
    for (int k = 0; r->is_of_time && k < n; k++)
        is_often |= !expr_is_linear(d->dag, expr_arg(d->dag, r->now, k),
                                    expr_time(d->dag));
    return is_often;
}

static double now_at(Sim *s, int relation, double time)
{
    s->exec->r[s->low->tape->time] = time;
    exec_run(s->exec, &s->low->relations);
    return s->exec->r[s->low->relation_now[relation]];
}

/* How often a relation changes from `from` on for a step, at the points of so
 * many parts of it. */
static int changes_in(Sim *s, int relation, double from, int parts)
{
    int changes = 0;
    double last = now_at(s, relation, from);
    for (int k = 1; k <= parts; k++) {
        double now = now_at(s, relation, from + s->options.step * k / parts);
        changes += now != last;
        last = now;
    }
    return changes;
}

/* The begin of sample i of n in a run. */
static double sample_of(const Sim *s, int i, int n)
{
    double all = (double)sim_nstep(&s->options);
    return s->options.start + s->options.step * floor(all * i / n);
}

static int changes_in_samples(Sim *s, int relation, int parts)
{
    int changes = 0;
    for (int i = 0; i < SAMPLES; i++)
        changes += changes_in(s, relation, sample_of(s, i, SAMPLES), parts);
    return changes;
}

static const SimOften *find_often(Sim *s)
{
    const Inlined *d = s->low->inlined;
    if (s->often)
        return s->often;
    SimOften *o = s->often = NEW(s->arena, SimOften);
    double now = s->exec->r[s->low->tape->time];
    o->relation = NEW_ARRAY(s->arena, int, d->nrelation + 1);
    o->parts = LEAST_PARTS;
    for (int i = 0; i < d->nrelation; i++) {
        if (!may_change_often(d, &d->relation[i], !s->options.exact_events))
            continue;
        o->relation[o->n++] = i;
        int seen = changes_in_samples(s, i, o->parts), more;
        while (o->parts < MOST_PARTS &&
               (more = changes_in_samples(s, i, 4 * o->parts)) != seen) {
            o->parts *= 4;
            seen = more;
        }
    }
    now_at(s, 0, now);
    return o;
}

/* ---- exact events ---- */

double sim_next_often(Sim *s, double from, double to, double *before)
{
    const SimOften *o = s->low->inlined->nrelation > 0 ? find_often(s) : NULL;
    const double *r = s->exec->r;
    double part = o && o->n > 0 ? s->options.step / o->parts : INFINITY;
    *before = from;
    for (double k = 1; from + k * part < to; k++) {
        double t = from + k * part;
        now_at(s, 0, t);
        for (int i = 0; i < o->n; i++) {
            int var = s->low->inlined->relation[o->relation[i]].var;
            if (r[s->low->slot[var]] != r[s->low->relation_now[o->relation[i]]])
                return t;
        }
        *before = t;
    }
    return to;
}

/* ---- events of the grid ---- */

static void warn(Sim *s, int relation, int changes, double when)
{
    const Inlined *d = s->low->inlined;
    Span span;
    const char *path = sim_reader_of(s, relation, &span);
    diag_report(s->diag, span, DIAG_W1335,
                "%s%s%sthe relation %s changes %d times in the step of %g from "
                "%g on, of which points of the grid show at most one",
                *path ? "in '" : "", path, *path ? "' " : "",
                expr_text(d->dag, d->relation[relation].now, inlined_var_name,
                          (void *)d, 200, s->arena),
                changes, s->options.step, when);
}

void sim_warn_often(Sim *s)
{
    if (s->is_exact || s->options.exact_events ||
        s->low->inlined->nrelation == 0)
        return;
    const SimOften *o = find_often(s);
    double now = s->exec->r[s->low->tape->time];
    for (int i = 0; i < o->n; i++) {
        int worst = 1;
        double when = 0;
        for (int k = 0; k < LOOKED_AT; k++) {
            double from = sample_of(s, k, LOOKED_AT);
            double beside = s->options.step / (2 * o->parts); /* not at one */
            int changes =
                changes_in(s, o->relation[i], from + beside, o->parts);
            when = changes > worst ? from : when;
            worst = changes > worst ? changes : worst;
        }
        if (worst > 1)
            warn(s, o->relation[i], worst, when);
    }
    now_at(s, 0, now);
}
