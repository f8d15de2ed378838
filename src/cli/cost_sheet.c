/* cost_sheet.c - counts of a step as text and as JSON. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cost_sheet.h"

#include <string.h>

#include "base/die.h"
#include "emit/emit.h"
#include "plan/json.h"

static long operations(const Cost *c)
{
    return c->add + c->mul + c->div + c->call + c->select;
}

/* The object as `size` shows it: segments, what initialisation needs, the
 * values of NAME_default, names and their access. */
static long object_bytes(const CostSheet *k, const Fused *f, const bool *member,
                         bool own_math)
{
    const Tape *t = f->tape;
    long bytes = 1000, ndamped = 0, most = 0;
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

CostSheet *sheet_make(const Compilation *c, const Realtime *rt, bool is_float,
                      bool own_math, Arena *arena)
{
    const Fused *f = rt->fused;
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
                     .step = c->step,
                     .tape = f->tape,
                     .pivots = rt->pivots};
    k->segment = NEW_ARRAY(arena, CostTable *, f->tape->segment.n + 1);
    for (int i = 0; i < f->tape->segment.n; i++) {
        CostTable *t = cost_of(f->tape, &f->tape->segment.at[i], member, arena);
        k->segment[i] = t;
        if (i > 0 && i <= f->nstep &&
            (!k->table || operations(&t->total) > operations(&k->table->total)))
            k->table = t;
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
    k->data_bytes = (n * scalar + 16 + scalar - 1) / scalar * scalar;
    k->code_bytes = object_bytes(k, f, member, own_math);
    /* the state as it was before the step is kept */
    k->stack_bytes = k->table->total.stack_bytes + nstate * scalar;
    return k;
}

static void print_row(FILE *out, const char *name, const Cost *c)
{
    fprintf(out, "  %8ld %8ld %6ld %6ld %8ld %8ld %8ld  %s\n", c->add, c->mul,
            c->div, c->call, c->select, c->load, c->store, name);
}

void sheet_print(const CostSheet *k, FILE *out)
{
    const CostTable *t = k->table;
    fprintf(out, "%s: %s, step %g s, %s: work of every step\n", k->model,
            k->method, k->step, k->scalar);
    fprintf(out, "       add      mul    div   call   select     load    "
                 "store\n");
    for (int i = 0; i < t->nblock; i++) {
        int b = t->block[i].block;
        print_row(out,
                  b == NONE ? "outside of blocks" : k->tape->block.at[b].name,
                  &t->block[i].cost);
    }
    print_row(out, "in all", &t->total);
    fprintf(out,
            "  code about %ld bytes, data %ld bytes, stack about %ld bytes\n",
            k->code_bytes, k->data_bytes, k->stack_bytes);
    fprintf(out,
            "  pivots fixed for %d blocks from %d points, the weakest %.2g\n",
            k->pivots.nblock, k->pivots.nsample, k->pivots.weakest);
}

static void add_cost(cJSON *j, const Cost *c)
{
    cJSON_AddNumberToObject(j, "add", (double)c->add);
    cJSON_AddNumberToObject(j, "mul", (double)c->mul);
    cJSON_AddNumberToObject(j, "div", (double)c->div);
    cJSON_AddNumberToObject(j, "call", (double)c->call);
    cJSON_AddNumberToObject(j, "select", (double)c->select);
    cJSON_AddNumberToObject(j, "load", (double)c->load);
    cJSON_AddNumberToObject(j, "store", (double)c->store);
    cJSON_AddNumberToObject(j, "instructions", (double)c->instructions);
}

void sheet_json(const CostSheet *k, FILE *out)
{
    const CostTable *t = k->table;
    cJSON *j = cJSON_CreateObject();
    cJSON_AddStringToObject(j, "model", k->model);
    cJSON_AddStringToObject(j, "method", k->method);
    cJSON_AddStringToObject(j, "scalar", k->scalar);
    cJSON_AddNumberToObject(j, "step", k->step);
    add_cost(j, &t->total);
    cJSON_AddNumberToObject(j, "code_bytes", (double)k->code_bytes);
    cJSON_AddNumberToObject(j, "data_bytes", (double)k->data_bytes);
    cJSON_AddNumberToObject(j, "stack_bytes", (double)k->stack_bytes);
    cJSON *blocks = cJSON_AddArrayToObject(j, "blocks");
    for (int i = 0; i < t->nblock; i++) {
        cJSON *b = cJSON_CreateObject();
        int number = t->block[i].block;
        cJSON_AddStringToObject(b, "name",
                                number == NONE
                                    ? "outside of blocks"
                                    : k->tape->block.at[number].name);
        cJSON_AddNumberToObject(b, "iterations", t->block[i].iterations);
        add_cost(b, &t->block[i].cost);
        cJSON_AddItemToArray(blocks, b);
    }
    cJSON *segments = cJSON_AddArrayToObject(j, "segments");
    for (int i = 0; i < k->tape->segment.n; i++) {
        cJSON *b = cJSON_CreateObject();
        cJSON_AddStringToObject(b, "name", k->tape->segment.at[i].name);
        add_cost(b, &k->segment[i]->code);
        cJSON_AddItemToArray(segments, b);
    }
    cJSON_AddNumberToObject(j, "weakest_pivot", k->pivots.weakest);
    json_print(j, out);
}
