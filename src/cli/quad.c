/* quad.c - takt quad MODEL: a run with 33 digits; the orders of extrapolation.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "quad/quad.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/model_options.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "driver/driver.h"

typedef struct QuadRun {
    DriverOptions driver;
    TextList library, set;
    const char *method;
    int size, rows, halvings;
    double tolerance;
    bool orders, solve_end, json;
    Compilation *c;
    Sim *sim;
    QuadModel *m;
} QuadRun;

/* ---- the model ---- */

static bool make_model(QuadRun *r)
{
    Compilation *c = r->c;
    r->driver.goal = STEP_REFERENCE;
    if (!driver_compile(c, &r->driver, PHASE_STEP))
        return false;
    SimOptions o = {.start = c->start, .stop = c->start, .step = 1};
    r->sim = sim_new(c->step->lowered, &o, c->arena, c->diag);
    if (!r->sim)
        return false;
    r->sim->exec->tolerance = 1e-12;
    r->m = sim_init(r->sim) ? quad_new(r->sim, c->arena, c->diag) : NULL;
    return r->m != NULL;
}

/* The variable in a slot. */
static const char *name_of(const QuadRun *r, int slot)
{
    const Tape *t = r->m->tape;
    for (int i = 0; i < t->symbol.n; i++)
        if (t->symbol.at[i].slot == slot && t->symbol.at[i].sign == 1)
            return t->symbol.at[i].name;
    return "";
}

/* ---- a run ---- */

static void print_end(const QuadRun *r, const QuadStats *s)
{
    const QuadModel *m = r->m;
    Arena *arena = r->c->arena;
    if (r->json) {
        JsonOut text = json_start(stdout, JSON_INDENTED), *j = &text;
        json_begin_object(j, NULL);
        json_put_text(j, "model", r->c->flat->model);
        json_put_text(j, "method", r->method);
        json_put_count(j, "order", s->order);
        json_put_count(j, "steps", s->steps);
        json_put_count(j, "evaluations", s->evaluations);
        json_begin_object(j, "values");
        for (int i = 0; i < m->n; i++)
            json_put_text(j, name_of(r, m->ref->y[i]),
                          quad_text(m->y[i], arena));
        json_end(j);
        json_end(j);
        json_finish(j);
        return;
    }
    printf("%s: %s of order %d in quadruple precision, tolerance %g\n"
           "  %ld steps, %ld more refused, %ld evaluations; at time %s\n",
           r->c->flat->model, r->method, s->order, r->tolerance, s->steps,
           s->rejected, s->evaluations, quad_text(m->start, arena));
    for (int i = 0; i < m->n; i++)
        printf("  %-20s %s\n", name_of(r, m->ref->y[i]),
               quad_text(m->y[i], arena));
}

static bool run(QuadRun *r)
{
    bool rows = !strcmp(r->method, "extrapolation");
    QuadOptions o = {.family = rows ? QUAD_EXTRAPOLATION : QUAD_RADAU,
                     .size = r->size,
                     .tolerance = r->tolerance,
                     .stop = r->c->stop};
    QuadStats stats;
    if (!quad_run(r->m, &o, &stats, r->c->diag))
        return false;
    print_end(r, &stats);
    return true;
}

/* ---- orders ---- */

static void print_tableau(const char *name, int rows, double off,
                          double x[QUAD_ROWS][QUAD_ROWS])
{
    printf("  %s\n", name);
    for (int j = 0; j < rows; j++) {
        printf("   ");
        for (int k = 0; k <= j; k++)
            printf(" %5.2f", x[j][k] - off);
        putchar('\n');
    }
}

static void put_tableau(JsonOut *j, const char *name, int rows, double off,
                        double x[QUAD_ROWS][QUAD_ROWS])
{
    json_begin_array(j, name);
    for (int i = 0; i < rows; i++) {
        json_begin_array(j, NULL);
        for (int k = 0; k <= i; k++)
            json_put_number(j, NULL, x[i][k] - off);
        json_end(j);
    }
    json_end(j);
}

static void put_orders(const QuadRun *r, QuadOrders *out)
{
    JsonOut text = json_start(stdout, JSON_INDENTED), *j = &text;
    json_begin_array(j, NULL);
    for (int c = 0; c < QUAD_CASES; c++) {
        json_begin_object(j, NULL);
        json_put_text(j, "case", out[c].name);
        put_tableau(j, "r", r->rows, 1, out[c].x);
        put_tableau(j, "s", r->rows, 0, out[c].z);
        json_put_number(j, "apart", out[c].apart);
        json_put_number(j, "constant", out[c].constant);
        json_end(j);
    }
    json_end(j);
    json_finish(j);
}

static bool orders(QuadRun *r)
{
    QuadOrders out[QUAD_CASES];
    if (!quad_orders(r->m, r->rows, r->halvings, r->solve_end, out, r->c->diag))
        return false;
    if (r->json) {
        put_orders(r, out);
        return true;
    }
    printf("%s: linearly implicit extrapolation, one basic step of 2^-%d to "
           "2^-%d, harmonic sequence\n"
           "X_jk - x = O(H^(r+1)), Y_jk - y = O(H^s)%s\n",
           r->c->flat->model, r->halvings, r->halvings + 13,
           r->solve_end ? ", algebraic unknowns solved for at the end" : "");
    for (int c = 0; c < QUAD_CASES; c++) {
        printf("%s: slopes of two halvings differ by at most %.3f, smallest "
               "leading constant %.2g\n",
               out[c].name, out[c].apart, out[c].constant);
        print_tableau("r", r->rows, 1, out[c].x);
        if (r->m->nx < r->m->n)
            print_tableau("s", r->rows, 0, out[c].z);
    }
    return true;
}

/* ---- the command ---- */

static const char *wrong_use(const QuadRun *r, const TextList *args)
{
    if (args->n != 1)
        return "one model is expected";
    if (strcmp(r->method, "extrapolation") && strcmp(r->method, "radau"))
        return "--method takes extrapolation or radau";
    if (!(r->tolerance >= 1e-30 && r->tolerance <= 0.1))
        return "--tolerance takes a number from 1e-30 to 0.1";
    if (r->size < 0 || r->size > QUAD_ROWS)
        return "--size takes a number from 2 to 14";
    if (r->rows < 1 || r->rows > QUAD_ROWS)
        return "--rows takes a number from 1 to 14";
    if (r->halvings < 1 || r->halvings > 60)
        return "--halvings takes a number from 1 to 60";
    return NULL;
}

static void act(QuadRun *r, const TextList *args)
{
    DriverOptions *d = &r->driver;
    r->c = driver_new();
    model_options(d, args, &r->library, &r->set);
    if (make_model(r))
        (void)(r->orders ? orders(r) : run(r));
    sim_free(r->sim);
}

int cmd_quad(int argc, char **argv)
{
    Arena *arena = arena_new();
    QuadRun run = {.driver = driver_defaults(NULL),
                   .method = "extrapolation",
                   .rows = 5,
                   .halvings = 8,
                   .tolerance = 1e-24};
    const Option option[] = {
        {"method", "NAME", "extrapolation or radau", OPT_TEXT, &run.method},
        {"size", "N", "rows of extrapolation (12), stages of radau (7)",
         OPT_INT, &run.size},
        {"tolerance", "X", "error of a step (1e-24)", OPT_NUMBER,
         &run.tolerance},
        {"stop", "TIME", "stop time", OPT_TIME, &run.driver.stop},
        {"set", "NAME=VALUE", "value of a parameter or start value", OPT_LIST,
         &run.set},
        {"L", "DIR", "look for libraries in DIR", OPT_LIST, &run.library},
        {"orders", NULL,
         "measure the orders of extrapolation in one basic step", OPT_FLAG,
         &run.orders},
        {"rows", "N", "rows of the tableaux (5)", OPT_INT, &run.rows},
        {"halvings", "N",
         "the largest basic step is 2^-N (8); it is halved 13 times", OPT_INT,
         &run.halvings},
        {"solve-end", NULL, "solve for the algebraic unknowns at the end",
         OPT_FLAG, &run.solve_end},
        {"json", NULL, "print JSON for machines", OPT_FLAG, &run.json},
        {0},
    };
    const Command command = {
        "quad", "MODEL",
        "Runs a model in quadruple precision, or measures the orders of "
        "linearly implicit extrapolation on it.",
        "takt quad models/gallery/Hires.mo\n"
        "takt quad models/gallery/IndexOneTest.mo --orders",
        option};
    TextList args = {0};
    int code;
    if (!options_read(&command, argc, argv, &args, arena, &code)) {
        arena_free(arena);
        return code;
    }
    const char *wrong = wrong_use(&run, &args);
    if (wrong) {
        code = options_wrong(&command, "%s", wrong);
        arena_free(arena);
        return code;
    }
    act(&run, &args);
    code = driver_end(run.c);
    arena_free(arena);
    return code;
}
