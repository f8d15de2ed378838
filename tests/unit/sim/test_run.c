/* Runs of small models, by the parts of sim/: time, events, inputs, bounds. */
#include "support/test.h"

#include <math.h>

#include "inline/inline.h"
#include "reduce/reduce.h"
#include "sim/sim_internal.h"
#include "simplify/simplify.h"
#include "support/flat_text.h"

typedef struct Bench {
    Arena *arena;
    Sources *sources;
    Diag *diag;
    const Lowered *low;
    Sim *sim;
} Bench;

static const Lowered *compile(Bench *t, const char *text, const char *method)
{
    Flat *flat = flat_text(text, t->arena);
    Sys *sys = simplify(flat, (SimplifyOptions){0}, t->arena, t->diag);
    assert_non_null(sys);
    Dae *dae = reduce(sys, (ReduceOptions){0}, t->arena, t->diag);
    assert_non_null(dae);
    Plan *plan = plan_default(t->arena);
    Inlined *d = inline_dae(dae, plan, method_find(method, t->arena), NULL,
                            t->arena, t->diag);
    assert_non_null(d);
    SchedSamples *samples = schedule_start_samples(d, 0.1, t->arena, t->diag);
    SchedOptions o = schedule_options(plan);
    const Schedule **s = NEW_ARRAY(t->arena, const Schedule *, d->nsystem + 1);
    for (int i = 0; i < d->nsystem; i++) {
        s[i] = schedule_make(d, &d->system[i], samples, &o, t->arena, t->diag);
        assert_non_null(s[i]);
    }
    return lower(d, s, &(LowerOptions){0}, t->arena);
}

static Bench bench(const char *text, const char *method, SimOptions options)
{
    Bench t = {.arena = arena_new()};
    t.sources = sources_new(t.arena);
    t.diag = diag_new(t.sources, t.arena);
    t.low = compile(&t, text, method);
    if (options.tolerance == 0)
        options.tolerance = 1e-12;
    t.sim = sim_new(t.low, &options, t.arena, t.diag);
    return t;
}

static void end(Bench *t)
{
    sim_free(t->sim);
    arena_free(t->arena);
}

static bool on_row(void *context, const Sim *sim, double time, bool at_event)
{
    (void)sim, (void)time, (void)at_event;
    ++*(int *)context;
    return true;
}

static double value(const Bench *t, const char *name)
{
    const TapeSymbol *s = tape_find_symbol(t->low->tape, name);
    assert_non_null(s);
    return exec_value(t->sim->exec, s);
}

/* Runs to the end; returns the number of rows. */
static int run(Bench *t)
{
    int rows = 0;
    assert_non_null(t->sim);
    assert_true(sim_run(t->sim, on_row, &rows));
    return rows;
}

static const char DECAY[] = "Real x(start=1, fixed=true);"
                            "equation der(x) = -x;";
static const char RAMP[] =
    "Real x(start=0, fixed=true); Boolean b(start=false, fixed=true);"
    "equation der(x) = 1; b = x > 0.37;";
static const char SOURCE[] = "Real x(start=0, fixed=true);"
                             "equation der(x) = if time < 0.34 then 0 else 1;";
static const char INPUT[] = "input Real u; Real x(start=0, fixed=true);"
                            "equation der(x) = u;";

/* ---- time ---- */

static void time_is_a_multiple_of_the_step(void **state)
{
    (void)state;
    Bench t = bench(DECAY, "be", (SimOptions){.stop = 1, .step = 0.1});
    assert_int_equal(run(&t), 11);
    assert_true(sim_time(t.sim) == 1);
    t.sim->k = 3;
    assert_true(sim_time(t.sim) == 3 * 0.1);
    end(&t);
}

static void the_last_step_is_shorter(void **state)
{
    (void)state;
    Bench t = bench(DECAY, "be", (SimOptions){.stop = 1, .step = 0.3});
    assert_int_equal(run(&t), 5);
    double expected = 1 / (1.3 * 1.3 * 1.3 * (1 + (1 - 3 * 0.3)));
    assert_true(fabs(value(&t, "x") - expected) < 1e-14);
    end(&t);
}

static void a_run_without_time_only_initialises(void **state)
{
    (void)state;
    Bench t = bench(DECAY, "be", (SimOptions){.step = 1});
    assert_int_equal(run(&t), 1);
    assert_int_equal(t.sim->stats.steps, 0);
    end(&t);
}

static void a_wrong_step_or_stop_is_reported(void **state)
{
    (void)state;
    SimOptions wrong[] = {{.stop = 1, .step = 0},
                          {.stop = 1, .step = NAN},
                          {.stop = -1, .step = 0.1},
                          {.stop = 1e12, .step = 1e-3}};
    for (int i = 0; i < 4; i++) {
        Bench t = bench(DECAY, "be", wrong[i]);
        assert_null(t.sim);
        assert_true(diag_failed(t.diag));
        end(&t);
    }
}

/* ---- events ---- */

static void a_crossing_is_seen_at_the_next_grid_point(void **state)
{
    (void)state;
    Bench t = bench(RAMP, "be", (SimOptions){.stop = 0.3, .step = 0.1});
    run(&t);
    assert_true(value(&t, "b") == 0);
    t.sim->options.stop = 0.4;
    assert_true(sim_step(t.sim));
    assert_true(value(&t, "b") == 1);
    assert_int_equal(t.sim->stats.events, 1);
    assert_int_equal(t.sim->stats.located, 0);
    end(&t);
}

static void an_exact_crossing_ends_a_part_of_the_step(void **state)
{
    (void)state;
    SimOptions o = {.stop = 0.3, .step = 0.1, .exact_events = true};
    Bench t = bench(RAMP, "be", o);
    run(&t);
    double reached;
    assert_true(sim_advance(t.sim, 0.3, 0.4, true, true, &reached));
    assert_true(fabs(reached - 0.37) < 1e-13);
    assert_true(sim_has_crossed(t.sim));
    assert_int_equal(t.sim->stats.located, 1);
    end(&t);
}

static void an_event_of_time_is_met_to_the_last_bit(void **state)
{
    (void)state;
    SimOptions o = {.stop = 1, .step = 0.1, .exact_events = true};
    Bench t = bench(SOURCE, "be", o);
    assert_true(sim_init(t.sim));
    assert_true(sim_next_time_event(t.sim, 0, 0.3) == 0.3);
    assert_true(sim_next_time_event(t.sim, 0.3, 0.4) == 0.34);
    assert_false(sim_has_crossed(t.sim)); /* that is not of state */
    end(&t);
    t = bench(SOURCE, "be", o);
    run(&t);
    assert_true(fabs(value(&t, "x") - 0.66) < 1e-14);
    end(&t);
}

static void a_multistep_method_begins_again_behind_an_event(void **state)
{
    (void)state;
    SimOptions o = {.stop = 0.4, .step = 0.1};
    Bench t = bench(SOURCE, "bdf3", o);
    run(&t); /* the step to 0.4 sees 1 there, with 6/11 of its length */
    assert_int_equal(t.sim->since_break, 0);
    t.sim->options.stop = 1;
    while (sim_time(t.sim) < 0.95)
        assert_true(sim_step(t.sim));
    assert_true(fabs(value(&t, "x") - (0.6 + 0.6 / 11)) < 1e-12);
    assert_int_equal(t.sim->since_break, 6);
    end(&t);
}

/* ---- inputs ---- */

static Table jump(Arena *arena)
{
    static const char *name[] = {"time", "u"};
    static const double at[] = {0, 0, 0.3, 0, 0.3, 2, 1, 2};
    Table t = {.ncol = 2, .nrow = 4, .name = name};
    t.value = NEW_ARRAY(arena, double, 8);
    memcpy(t.value, at, sizeof at);
    return t;
}

static void an_input_that_jumps_acts_from_there_on(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Table table = jump(arena);
    SimOptions o = {.stop = 0.3, .step = 0.1, .input = &table};
    Bench t = bench(INPUT, "be", o);
    run(&t);
    assert_true(value(&t, "x") == 0);
    assert_true(value(&t, "u") == 2);
    t.sim->options.stop = 0.4;
    assert_true(sim_step(t.sim));
    assert_true(fabs(value(&t, "x") - 0.2) < 1e-14);
    assert_true(sim_next_jump(t.sim, 0, 1) == 0.3);
    assert_true(sim_next_jump(t.sim, 0.3, 1) == 1);
    end(&t);
    arena_free(arena);
}

/* ---- bounds ---- */

static void a_variable_outside_its_bounds_is_said_once(void **state)
{
    (void)state;
    Bench t = bench("Real x(start=0, fixed=true, max=0.25);"
                    "equation der(x) = 1;",
                    "be", (SimOptions){.stop = 1, .step = 0.1});
    run(&t);
    assert_int_equal(t.sim->stats.outside, 1);
    assert_false(diag_failed(t.diag));
    end(&t);
}

/* ---- steps without a solution ---- */

static void a_step_without_a_solution_is_made_in_parts(void **state)
{
    (void)state;
    /* x = x0 + h x^2 has none for h x0 > 1/4 */
    const char text[] = "Real x(start=1, fixed=true); equation der(x) = x^2;";
    SimOptions o = {.stop = 0.4, .step = 0.4};
    Bench t = bench(text, "be", o);
    run(&t);
    assert_true(t.sim->stats.halved > 0);
    assert_true(value(&t, "x") > 1 && value(&t, "x") < 4);
    end(&t);
    o.stop = 2; /* the solution is 1/(1 - t) */
    t = bench(text, "be", o);
    int rows = 0;
    assert_false(sim_run(t.sim, on_row, &rows));
    assert_true(diag_failed(t.diag));
    end(&t);
}

/* ---- initialisation ---- */

/* Each condition is only known when the one before it was settled. */
static void initial_conditions_settle_one_after_the_other(void **state)
{
    (void)state;
    static const char text[] =
        "Real a; Real x; Real y; Real z;"
        "initial equation x = if a > 1 then 10 else 20;"
        "y = if x < 15 then 1 else 2; z = if y < 1.5 then 7 else 8;"
        "equation a^3 + a = 10 + time; der(x) = 0; der(y) = 0; der(z) = 0;";
    Bench t = bench(text, "be", (SimOptions){.step = 1});
    assert_int_equal(run(&t), 1);
    assert_true(value(&t, "x") == 10);
    assert_true(value(&t, "y") == 1);
    assert_true(value(&t, "z") == 7);
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_a_multiple_of_the_step),
        cmocka_unit_test(the_last_step_is_shorter),
        cmocka_unit_test(a_run_without_time_only_initialises),
        cmocka_unit_test(a_wrong_step_or_stop_is_reported),
        cmocka_unit_test(a_crossing_is_seen_at_the_next_grid_point),
        cmocka_unit_test(an_exact_crossing_ends_a_part_of_the_step),
        cmocka_unit_test(an_event_of_time_is_met_to_the_last_bit),
        cmocka_unit_test(a_multistep_method_begins_again_behind_an_event),
        cmocka_unit_test(an_input_that_jumps_acts_from_there_on),
        cmocka_unit_test(a_variable_outside_its_bounds_is_said_once),
        cmocka_unit_test(a_step_without_a_solution_is_made_in_parts),
        cmocka_unit_test(initial_conditions_settle_one_after_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
