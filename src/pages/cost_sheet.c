/* cost_sheet.c - counts of a step as text and as JSON. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "pages/cost_sheet.h"

#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "emit/emit.h"
#include "pages/cost_rates.h"

/* NAME_status_text: the texts, and a case for each. */
static long status_bytes(void)
{
    long bytes = 0;
    for (int i = 0; i < STATUS_NCAUSE; i++)
        bytes += (long)strlen(status_row[i].text) + 24;
    return bytes;
}

/* The object as `size` shows it: segments, what initialisation needs, the
 * values of NAME_default, names and their access. */
static long object_bytes(const CostSheet *k, const Fused *f, const bool *member,
                         bool own_math)
{
    const Tape *t = f->tape;
    long bytes = 1000 + status_bytes(), ndamped = 0, most = 0;
    for (int i = 0; i < t->segment.n; i++) {
        /* NAME_update is compiled for less code */
        const Cost *c = &k->segment[i]->code;
        bytes += i > 0 ? k->segment[i]->total.code_bytes
                       : 7 * (c->add + c->mul + c->div) + 2 * c->load +
                             6 * c->store + 5 * c->select + 25 * c->call;
        bytes += own_math ? 150 * k->segment[i]->code.call : 0;
    }
    for (int i = 0; i < t->nslot; i++)
        bytes += member[i] && t->region[i] != TR_DERIVED ? 7 : 0;
    for (int i = 0; i < t->symbol.n; i++)
        if (member[t->symbol.at[i].slot])
            bytes += (long)strlen(t->symbol.at[i].name) + 1;
    for (int i = 0; i < t->block.n; i++) {
        bytes += (long)strlen(t->block.at[i].name) + 1;
        if (!t->block.at[i].is_damped)
            continue;
        ndamped++;
        most = t->block.at[i].n > most ? t->block.at[i].n : most;
    }
    long newton = ndamped == 0 ? 0 : most == 1 ? 800 : 2400;
    return bytes + newton + 250 * ndamped;
}

/* What a step does for a range: a distance, its size, two masks (takt_beyond of
 * the runtime). */
static const Cost range_cost = {
    .add = 2, .select = 1, .load = 1, .instructions = 11, .code_bytes = 40};

/* Ranges that a step looks at: of all but parameters. */
static long count_ranges(const Plan *p, const Tape *t, const bool *member)
{
    long n = 0;
    if (p->domain.no_check)
        return 0;
    for (int i = 0; i < t->symbol.n; i++) {
        int slot = t->symbol.at[i].slot;
        n += member[slot] && t->region[slot] != TR_PARAM &&
             plan_find_range(p, t->symbol.at[i].name);
    }
    return n;
}

static void add_ranges(CostTable *t, long n)
{
    Cost *to[] = {&t->watch[TO_DOMAIN], &t->total, &t->code};
    for (int i = 0; i < 3; i++) {
        to[i]->add += n * range_cost.add;
        to[i]->select += n * range_cost.select;
        to[i]->load += n * range_cost.load;
        to[i]->instructions += n * range_cost.instructions;
        to[i]->code_bytes += n * range_cost.code_bytes;
    }
}

CostSheet *sheet_make(const Compilation *c, Arena *arena)
{
    const Fused *f = c->step->fused;
    bool is_float = c->plan->scalar == PS_FLOAT;
    CostSheet *k = NEW(arena, CostSheet);
    bool *member = NEW_ARRAY(arena, bool, f->tape->nslot);
    long n = 0;
    for (int i = 0; i < f->tape->nslot; i++) {
        member[i] =
            (f->carried[i] || f->wanted[i]) && f->tape->region[i] != TR_CONST;
        n += member[i];
    }
    *k = (CostSheet){.model = c->flat->model,
                     .method = c->method->title,
                     .scalar = is_float ? "float" : "double",
                     .step = c->size,
                     .tape = f->tape,
                     .pivots = c->step->pivots->report};
    k->segment = NEW_ARRAY(arena, CostTable *, f->tape->segment.n + 1);
    for (int i = 0; i < f->tape->segment.n; i++) {
        CostTable *t = cost_of(f->tape, &f->tape->segment.at[i], member, arena);
        k->segment[i] = t;
        if (i > 0)
            add_ranges(t, count_ranges(c->plan, f->tape, member));
        if (i > 0 && i <= f->nstep &&
            (!k->table ||
             cost_operations(&t->total) > cost_operations(&k->table->total))) {
            k->table = t;
            k->schedule = c->step->schedule[f->system[i - 1]];
        }
    }
    long scalar = is_float ? 4 : 8, nstate = 0;
    for (int i = 0; i < f->tape->nslot; i++)
        nstate += member[i] && f->tape->region[i] != TR_PARAM &&
                  f->tape->region[i] != TR_DERIVED &&
                  f->tape->region[i] != TR_INPUT;
    for (int i = 0; i < f->tape->delay.n; i++)
        n += f->tape->delay.at[i].size;
    for (int i = 0; i < f->tape->set.n; i++)
        n += emit_set_room(&f->tape->set.at[i]);
    k->data_bytes =
        (n * scalar + EMIT_STATUS_BYTES + scalar - 1) / scalar * scalar;
    k->code_bytes = object_bytes(k, f, member, c->plan->math == PM_TAKT);
    /* the state as it was before the step is kept */
    k->stack_bytes = k->table->total.stack_bytes + nstate * scalar;
    return k;
}

static void print_row(FILE *out, const char *name, const Cost *c)
{
    fprintf(out, "  %8ld %8ld %6ld %6ld %8ld %8ld %8ld  %s\n", c->add, c->mul,
            c->div, c->call, c->select, c->load, c->store, name);
}

/* Rates with the work of a tick, and what that means for steps. */
static void print_rates(const CostSheet *k, FILE *out)
{
    const Tape *t = k->tape;
    CostCycle c = cost_cycle(t, k->table, k->step);
    fprintf(out, "  of it at the ticks of:\n");
    for (int i = 0; i < t->rate.n; i++) {
        char name[80];
        snprintf(name, sizeof name, "rate %d, every %g s: %g steps", i + 1,
                 t->rate.at[i].interval,
                 cost_steps_between(&t->rate.at[i], k->step));
        print_row(out, name, &k->table->rate[i]);
    }
    if (c.length)
        fprintf(out, "  in the %ld steps of a cycle ", c.length);
    else
        fprintf(out, "  ticks lie between steps: ");
    fprintf(out, "least %ld, mean %.1f, worst %ld operations\n",
            c.operations.least, c.operations.mean, c.operations.worst);
}

void sheet_print(const CostSheet *k, FILE *out)
{
    const CostTable *t = k->table;
    bool rates = k->tape->rate.n > 0;
    fprintf(out, "%s: %s, step %g s, %s: work of every step%s\n", k->model,
            k->method, k->step, k->scalar,
            rates ? " in which all clocks tick" : "");
    fprintf(out, "       add      mul    div   call   select     load    "
                 "store\n");
    for (int i = 0; i < t->nblock; i++) {
        int b = t->block[i].block;
        print_row(out,
                  b == NONE ? "outside of blocks" : k->tape->block.at[b].name,
                  &t->block[i].cost);
    }
    for (int i = 0; i < TO_NROLE; i++)
        if (t->watch[i].instructions > 0)
            print_row(out, cost_watch_name((TapeRole)i), &t->watch[i]);
    print_row(out, "in all", &t->total);
    if (rates)
        print_rates(k, out);
    fprintf(out,
            "  code about %ld bytes, data %ld bytes, stack about %ld bytes\n",
            k->code_bytes, k->data_bytes, k->stack_bytes);
    fprintf(out,
            "  pivots fixed for %d blocks from %d points, the weakest %.2g\n",
            k->pivots.nblock, k->pivots.nsample, k->pivots.weakest);
}

static void put_cost(JsonOut *j, const Cost *c)
{
    json_put_count(j, "add", c->add);
    json_put_count(j, "mul", c->mul);
    json_put_count(j, "div", c->div);
    json_put_count(j, "call", c->call);
    json_put_count(j, "select", c->select);
    json_put_count(j, "load", c->load);
    json_put_count(j, "store", c->store);
    json_put_count(j, "instructions", c->instructions);
}

/* What watches over the step, apart from it. */
static void put_watch(JsonOut *j, const CostTable *t)
{
    json_begin_array(j, "watch");
    for (int i = 0; i < TO_NROLE; i++) {
        if (t->watch[i].instructions == 0)
            continue;
        json_begin_object(j, NULL);
        json_put_text(j, "name", cost_watch_name((TapeRole)i));
        put_cost(j, &t->watch[i]);
        json_end(j);
    }
    json_end(j);
}

static void put_steps(JsonOut *j, const char *name, const CostSteps *s)
{
    json_begin_object(j, name);
    json_put_count(j, "least", s->least);
    json_put_number(j, "mean", s->mean);
    json_put_count(j, "worst", s->worst);
    json_end(j);
}

static void put_rates(JsonOut *j, const CostSheet *k)
{
    const Tape *t = k->tape;
    CostCycle c = cost_cycle(t, k->table, k->step);
    json_begin_array(j, "rates");
    for (int i = 0; i < t->rate.n; i++) {
        json_begin_object(j, NULL);
        json_put_number(j, "interval", t->rate.at[i].interval);
        json_put_number(j, "first", t->rate.at[i].first);
        put_cost(j, &k->table->rate[i]);
        json_end(j);
    }
    json_end(j);
    json_begin_object(j, "cycle");
    json_put_count(j, "steps", c.length);
    put_steps(j, "operations", &c.operations);
    put_steps(j, "instructions", &c.instructions);
    json_end(j);
}

/* What the step iterates on, as takt check shows it. */
static void put_structure(JsonOut *j, const Schedule *s)
{
    json_begin_array(j, "structure");
    for (int i = 0; i < s->nblock; i++) {
        const SchedBlock *b = &s->block[i];
        if (b->kind == SK_ASSIGN)
            continue;
        json_begin_object(j, NULL);
        json_put_count(j, "size", b->size);
        json_put_count(j, "torn", b->ntorn);
        json_put_text(j, "view", plan_algebraic_name(b->view));
        json_end(j);
    }
    json_end(j);
}

void sheet_json(const CostSheet *k, FILE *out)
{
    const CostTable *t = k->table;
    JsonOut text = json_start(out, JSON_INDENTED), *j = &text;
    json_begin_object(j, NULL);
    json_put_text(j, "model", k->model);
    json_put_text(j, "method", k->method);
    json_put_text(j, "scalar", k->scalar);
    json_put_number(j, "step", k->step);
    put_cost(j, &t->total);
    json_put_count(j, "code_bytes", k->code_bytes);
    json_put_count(j, "data_bytes", k->data_bytes);
    json_put_count(j, "stack_bytes", k->stack_bytes);
    json_begin_array(j, "blocks");
    for (int i = 0; i < t->nblock; i++) {
        json_begin_object(j, NULL);
        int number = t->block[i].block;
        json_put_text(j, "name",
                      number == NONE ? "outside of blocks"
                                     : k->tape->block.at[number].name);
        json_put_count(j, "iterations", t->block[i].iterations);
        put_cost(j, &t->block[i].cost);
        json_end(j);
    }
    json_end(j);
    put_watch(j, t);
    if (k->tape->rate.n > 0)
        put_rates(j, k);
    put_structure(j, k->schedule);
    json_begin_array(j, "segments");
    for (int i = 0; i < k->tape->segment.n; i++) {
        json_begin_object(j, NULL);
        json_put_text(j, "name", k->tape->segment.at[i].name);
        put_cost(j, &k->segment[i]->code);
        json_end(j);
    }
    json_end(j);
    json_put_number(j, "weakest_pivot", k->pivots.weakest);
    json_end(j);
    json_finish(j);
}
