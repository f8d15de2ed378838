/* cost_sheet.c - counts of a step as text and as JSON. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cost_sheet.h"

#include <cJSON.h>

#include "base/die.h"

static long operations(const Cost *c)
{
    return c->add + c->mul + c->div + c->call + c->select;
}

CostSheet *sheet_make(const Compilation *c, const Realtime *rt,
                              bool is_float, Arena *arena)
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
    for (int i = 0; i < f->nstep; i++) {
        const CostTable *t =
            cost_of(f->tape, &f->tape->segment.at[i + 1], member, arena);
        if (!k->table || operations(&t->total) > operations(&k->table->total))
            k->table = t;
    }
    k->data_bytes = n * (is_float ? 4 : 8) + 12;
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
            t->total.code_bytes, k->data_bytes, t->total.stack_bytes);
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
    cJSON_AddNumberToObject(j, "code_bytes", (double)t->total.code_bytes);
    cJSON_AddNumberToObject(j, "data_bytes", (double)k->data_bytes);
    cJSON_AddNumberToObject(j, "stack_bytes", (double)t->total.stack_bytes);
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
    cJSON_AddNumberToObject(j, "weakest_pivot", k->pivots.weakest);
    char *text = cJSON_Print(j);
    if (!text)
        die("out of memory");
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(j);
}
