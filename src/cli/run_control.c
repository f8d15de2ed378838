/* run_control.c - parameters that can be changed, scenarios, consoles. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/run_command.h"

/* ---- parameters ---- */

enum { CAUSALITY_PARAMETER = 2, KIND_REAL = 0 }; /* of the generated table */

static double limit_of(const Flat *f, Expr e, double none)
{
    double x;
    return e != EXPR_NONE && expr_is_const(f->dag, e, &x) ? x : none;
}

static ControlParameter parameter(const RunCommand *r, const Flat *f,
                                  int number, const RunQuantity *q)
{
    int v = flat_find(f, q->name);
    return (ControlParameter){
        .name = run_name(r->model, number, r->c->arena),
        .unit = q->unit,
        .number = number,
        .min = v == NONE ? -INFINITY : limit_of(f, f->var[v].min, -INFINITY),
        .max = v == NONE ? INFINITY : limit_of(f, f->var[v].max, INFINITY),
        .is_whole = q->kind != KIND_REAL};
}

void run_find_parameters(RunCommand *r)
{
    int nvar = run_nquantity(r->model), n = 0, model = 0;
    ControlParameter *list = NEW_ARRAY(r->c->arena, ControlParameter, nvar + 1);
    const RunModel *m = r->model;
    for (int i = 0; i < nvar; i++) {
        RunQuantity q = run_quantity(r->model, i);
        for (; m != q.of; m = m->next)
            model++;
        if (q.causality == CAUSALITY_PARAMETER)
            list[n++] = parameter(r, run_compilation(r, model)->flat, i, &q);
    }
    r->run.control = control_new(list, n, r->c->arena);
}

/* ---- scenarios ---- */

static int find_input(const RunCommand *r, const char *name)
{
    for (int i = 0; i < r->inputs.n; i++)
        if (!strcmp(r->inputs.name[i], name))
            return i;
    return NONE;
}

static bool cannot(RunCommand *r, const ScenarioStep *s, const char *why)
{
    diag_report(r->c->diag, s->span, DIAG_E1613, "'%s': %s", s->name, why);
    return false;
}

static bool bind_set(RunCommand *r, ScenarioStep *s)
{
    const Control *c = r->run.control;
    for (int i = 0; i < c->n; i++) {
        if (strcmp(c->parameter[i].name, s->name))
            continue;
        s->index = i;
        const char *wrong = control_refuses(&c->parameter[i], s->value);
        return wrong ? cannot(r, s, wrong) : true;
    }
    return cannot(r, s, "there is no such parameter that can be changed");
}

static bool bind_input(RunCommand *r, ScenarioStep *s, bool *is_played)
{
    s->index = find_input(r, s->name);
    if (s->index == NONE)
        return cannot(r, s, "the model has no such input");
    s->number = r->inputs.number[s->index];
    if (s->number == NONE)
        return cannot(r, s, "nothing in the model depends on this input");
    is_played[s->index] = true;
    return true;
}

static bool bind_expect(RunCommand *r, ScenarioStep *s)
{
    s->number = run_find(r->model, s->name);
    return s->number != NONE ||
           cannot(r, s, "no such variable is kept: --output NAME keeps one");
}

bool run_read_scenario(RunCommand *r)
{
    Compilation *c = r->c;
    if (!r->scenario)
        return true;
    int source = sources_read(c->sources, r->scenario);
    if (source == NONE) {
        diag_report(c->diag, NO_SPAN, DIAG_E1309, "%s: %s", r->scenario,
                    strerror(errno));
        return false;
    }
    Scenario *s = scenario_read(c->sources, source, c->arena, c->diag);
    bool *is_played = NEW_ARRAY(c->arena, bool, r->inputs.n + 1);
    bool fine = s != NULL;
    for (int i = 0; s && i < s->n; i++) {
        ScenarioStep *e = &s->step[i];
        fine &= e->kind == SCENARIO_SET     ? bind_set(r, e)
                : e->kind == SCENARIO_INPUT ? bind_input(r, e, is_played)
                                            : bind_expect(r, e);
    }
    r->run.scenario = s;
    r->run.is_played = is_played;
    return fine;
}

static bool write_junit(RunCommand *r)
{
    OutFile f;
    const char *text = scenario_junit(r->run.scenario, r->c->flat->model,
                                      r->c->sources, r->c->arena);
    if (outfile_open(&f, r->junit, r->c->arena)) {
        fputs(text, f.file);
        if (outfile_close(&f))
            return true;
    }
    diag_report(r->c->diag, NO_SPAN, DIAG_E1308, "%s: %s", r->junit,
                strerror(errno));
    return false;
}

int run_count_failed(const RunCommand *r)
{
    const Scenario *s = r->run.scenario;
    int n = 0;
    for (int i = 0; s && i < s->n; i++)
        n += s->step[i].kind == SCENARIO_EXPECT && !scenario_held(&s->step[i]);
    return n;
}

void run_judge_scenario(RunCommand *r)
{
    const Scenario *s = r->run.scenario;
    if (!s)
        return;
    int failed = run_count_failed(r);
    if (r->junit)
        write_junit(r);
    if (failed == 0)
        return;
    diag_report(r->c->diag, NO_SPAN, DIAG_E1614,
                "%d of %d expectations of %s did not hold", failed, s->nexpect,
                r->scenario);
    for (int i = 0; i < s->n; i++)
        if (s->step[i].kind == SCENARIO_EXPECT && !scenario_held(&s->step[i]))
            diag_note(r->c->diag, s->step[i].span, "%s",
                      scenario_text(&s->step[i], r->c->arena));
}

/* ---- what is said of it ---- */

void run_print_control(const RunCommand *r)
{
    const RunReport *p = &r->report;
    const UdpIn *u = r->run.udp_in;
    if (r->run.scenario)
        printf("  %s: %d of %d expectations held\n", r->scenario,
               r->run.scenario->nexpect - run_count_failed(r),
               r->run.scenario->nexpect);
    if (p->changes + p->resets + p->paused > 0)
        printf("  %" PRId64 " changes of parameters, %" PRId64
               " resets, %" PRId64 " ticks paused\n",
               p->changes, p->resets, p->paused);
    if (u && u->has_sequence)
        printf("  %" PRId64 " datagrams lost, %" PRId64 " stale\n", u->lost,
               u->stale);
    if (p->silences > 0)
        printf("  inputs fell silent %" PRId64 " times, for %" PRId64
               " steps\n",
               p->silences, p->silent);
}

void run_put_control(const RunCommand *r, JsonOut *j)
{
    const RunReport *p = &r->report;
    const Control *c = r->run.control;
    json_begin_object(j, "control");
    json_put_count(j, "changes", p->changes);
    json_put_count(j, "resets", p->resets);
    json_put_count(j, "paused", p->paused);
    json_put_count(j, "held", p->held);
    json_put_count(j, "silences", p->silences);
    json_put_count(j, "silent_steps", p->silent);
    json_put_bool(j, "compiled_before", r->model->is_kept);
    json_begin_object(j, "parameters");
    for (int i = 0; i < c->n; i++)
        json_put_number(j, c->parameter[i].name, atomic_load(&c->value[i]));
    json_end(j);
    json_end(j);
    if (!r->run.scenario)
        return;
    json_begin_object(j, "scenario");
    json_put_count(j, "expectations", r->run.scenario->nexpect);
    json_put_count(j, "failed", run_count_failed(r));
    json_end(j);
}
