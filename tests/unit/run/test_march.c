/* test_march.c - the loop, with a model that is made up.
 *
 * Times are only ever bounded from the side that a busy machine cannot push
 * them over.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <malloc.h>
#include <signal.h>

#include "run/run.h"

/* An instance: x counts steps, u is an input. */
typedef struct Fake {
    double x, u;
    int slow_at;   /* step that takes 20 ms; 0: none */
    int status_at; /* step that returns `status` */
    int status;
    int kill_at;    /* step in which a signal comes */
    double seen[8]; /* u in the first steps */
    size_t memory;  /* in use at the first step */
    bool allocated; /* more was in use at a later one */
} Fake;

static void set_default(void *m)
{
    ((Fake *)m)->x = 0;
}

static int start(void *m)
{
    return ((Fake *)m)->status_at == -1 ? -1 : 0;
}

static void look_at_memory(Fake *f, int k)
{
    size_t now = mallinfo2().uordblks;
    if (k == 1)
        f->memory = now;
    f->allocated |= now != f->memory;
}

static int step(void *m)
{
    Fake *f = m;
    int k = (int)f->x + 1;
    look_at_memory(f, k);
    if (k <= 8)
        f->seen[k - 1] = f->u;
    if (k == f->slow_at)
        clock_wait(clock_now() + 20000000);
    if (k == f->kill_at)
        raise(SIGTERM);
    int status = k == f->status_at ? f->status : 0;
    if (status >= 0)
        f->x++;
    return status;
}

static int find(const char *name)
{
    return !strcmp(name, "x") ? 0 : !strcmp(name, "u") ? 1 : -1;
}

static int set(void *m, int number, double value)
{
    Fake *f = m;
    *(number == 0 ? &f->x : &f->u) = value;
    return 0;
}

static void get(const void *m, const int *number, int n, double *value)
{
    const Fake *f = m;
    for (int i = 0; i < n; i++)
        if (number[i] >= 0)
            value[i] = number[i] == 0 ? f->x : f->u;
}

static const char *status_text(int status)
{
    return status == -1 ? "a value is not finite" : "else";
}

static const char *block_name(int block)
{
    return block == 2 ? "valve.p" : "";
}

static const char *message(int number)
{
    (void)number;
    return "";
}

static const char *where(const void *m)
{
    (void)m;
    return "valve.p";
}

static const char *name(int number)
{
    (void)number;
    return "";
}

static unsigned what(const void *m, int *place)
{
    (void)m;
    place[OF_BLOCK] = 2;
    place[OF_MESSAGE] = 1;
    return 1u << CAUSE_WARNING | 1u << CAUSE_REMARK | 1u << CAUSE_EVENTS;
}

static const TaktRun calls = {.bytes = sizeof(Fake),
                              .nvar = 2,
                              .nblock = 3,
                              .defaults = set_default,
                              .start = start,
                              .step = step,
                              .find = find,
                              .set = set,
                              .get = get,
                              .status_text = status_text,
                              .block_name = block_name,
                              .message = message,
                              .name = name,
                              .where = where,
                              .scalar = sizeof(double),
                              .what = what};

typedef struct Ground {
    Arena *arena;
    Diag *diag;
    Fake fake;
    RunModel model;
    RunOptions options;
    RunReport report;
} Ground;

static int set_up(void **state)
{
    static Ground g;
    g = (Ground){.arena = arena_new()};
    g.diag = diag_new(sources_new(g.arena), g.arena);
    g.model = (RunModel){.m = &g.fake, .call = &calls, .nmessage = 1};
    g.options = (RunOptions){
        .step = 1e-3, .nstep = 50, .rate = 1, .means = {.cpu = NONE}};
    *state = &g;
    clock_catch_signals();
    return 0;
}

static int tear_down(void **state)
{
    clock_release_signals();
    arena_free(((Ground *)*state)->arena);
    return 0;
}

static bool march(Ground *g)
{
    run_report_init(&g->report, &g->model, &g->options, g->arena);
    return run_start(&g->model, &g->options, g->diag) &&
           run_march(&g->model, &g->options, &g->report, g->diag);
}

static bool has_error(const Ground *g, const char *text)
{
    const char *first = diag_first(g->diag, g->arena);
    return first && strstr(first, text);
}

static void all_steps_are_made_and_none_before_its_time(void **state)
{
    Ground *g = *state;
    assert_true(march(g));
    assert_int_equal(g->report.end, RUN_DONE);
    assert_int_equal(g->report.steps, 50);
    assert_true(g->fake.x == 50);
    assert_true(g->report.time == 50 * 1e-3);
    assert_true(g->report.wall >= 49000000); /* the last tick begins there */
    assert_int_equal(g->report.work.n, 50);
    assert_true(g->report.wake.n <= 50);
}

static void the_loop_allocates_nothing(void **state)
{
    Ground *g = *state;
    int number[2] = {0, NONE};
    double first[2] = {0, 7};
    g->options.live = live_new(g->arena);
    g->options.feed = feed_new(number, first, 2, 1e-3, g->arena);
    g->options.udp_in = udp_in_open("0", 1, g->arena, g->diag);
    g->options.udp_out = udp_out_open("9", 1, g->arena, g->diag);
    g->options.udp_out->number = number;
    int input = 1, column = 1;
    double table[4] = {0, 0, 1, 1};
    const char *name[2] = {"time", "u"};
    Table t = {2, 2, name, table};
    g->options.input = &input;
    g->options.ninput = 1;
    TableInput from = {.column = column};
    g->options.from = &from;
    g->options.table = &t;
    assert_true(march(g));
    assert_false(g->fake.allocated);
    const double *row = ring_front(&g->options.feed->ring);
    for (int i = 0; i <= 50; i++, ring_pop(&g->options.feed->ring)) {
        row = ring_front(&g->options.feed->ring);
        assert_non_null(row); /* of each step */
        assert_true(row[FEED_STEPS] == i && row[FEED_NFIGURE] == i);
        assert_true(row[FEED_NFIGURE + 1] == 7); /* a constant */
    }
    assert_null(ring_front(&g->options.feed->ring));
    udp_in_close(g->options.udp_in);
    udp_out_close(g->options.udp_out);
}

static void without_deadlines_nothing_is_late(void **state)
{
    Ground *g = *state;
    g->options.no_wait = true;
    g->fake.slow_at = 3;
    assert_true(march(g));
    assert_int_equal(g->report.overruns, 0);
    assert_int_equal(g->report.wake.n, 0);
    assert_true(g->report.work.max >= 20000000);
}

static void a_late_run_catches_up(void **state)
{
    Ground *g = *state;
    g->fake.slow_at = 3;
    assert_true(march(g));
    assert_int_equal(g->report.steps, 50);
    assert_int_equal(g->report.skipped, 0);
    assert_true(g->report.overruns >= 1);
    assert_true(g->report.worst.late >= 19000000);
    assert_true(g->report.first.step <= 3);
}

static void ticks_that_were_missed_are_skipped(void **state)
{
    Ground *g = *state;
    g->fake.slow_at = 3;
    g->options.overrun = RUN_SKIP;
    assert_true(march(g));
    assert_int_equal(g->report.steps, 50);
    assert_true(g->report.skipped >= 19);
    assert_true(g->report.wall >= (49 + 19) * 1000000);
}

static void a_run_can_end_at_its_first_overrun(void **state)
{
    Ground *g = *state;
    g->fake.slow_at = 1;
    g->options.overrun = RUN_STOP;
    assert_false(march(g));
    assert_int_equal(g->report.end, RUN_TOO_LATE);
    assert_int_equal(g->report.steps, 1);
    assert_true(has_error(g, "step 1, to time 0.001, ended"));
}

static void a_failed_step_is_named(void **state)
{
    Ground *g = *state;
    g->options.no_wait = true;
    g->fake.status_at = 12;
    g->fake.status = -1;
    assert_false(march(g));
    assert_int_equal(g->report.end, RUN_FAILED);
    assert_int_equal(g->report.steps, 11);
    assert_true(has_error(
        g, "step 12, from time 0.011: a value is not finite: valve.p"));
}

static void a_start_that_fails_is_named(void **state)
{
    Ground *g = *state;
    g->fake.status_at = -1;
    assert_false(march(g));
    assert_int_equal(g->report.steps, 0);
    assert_true(has_error(g, "cannot be initialised"));
}

static void alarms_are_counted_by_block_and_message(void **state)
{
    Ground *g = *state;
    g->options.no_wait = true;
    g->fake.status_at = 5;
    g->fake.status = STATUS_WARNING;
    assert_true(march(g));
    assert_int_equal(g->report.steps, 50);
    assert_int_equal(g->report.alarms.cause[CAUSE_WARNING][0], 1);
    assert_int_equal(g->report.alarms.cause[CAUSE_WARNING][2], 1);
    assert_int_equal(g->report.alarms.cause[CAUSE_EVENTS][1], 1);
    assert_int_equal(g->report.alarms.cause[CAUSE_REMARK][0], 1);
    assert_int_equal(g->report.alarms.cause[CAUSE_REMARK][1],
                     0); /* of the first */
    assert_int_equal(g->report.alarms.cause[CAUSE_FACTORS][0], 0);
}

static void the_model_may_end_the_run(void **state)
{
    Ground *g = *state;
    g->options.no_wait = true;
    g->options.nstep = NONE;
    g->fake.status_at = 20;
    g->fake.status = STATUS_TERMINATED;
    assert_true(march(g));
    assert_int_equal(g->report.end, RUN_TERMINATED);
    assert_int_equal(g->report.steps, 20);
}

static void a_signal_ends_an_endless_run(void **state)
{
    Ground *g = *state;
    g->options.nstep = NONE;
    g->fake.kill_at = 7;
    assert_true(march(g));
    assert_int_equal(g->report.end, RUN_SIGNAL);
    assert_int_equal(g->report.steps, 7);
}

static void inputs_are_those_of_the_end_of_a_step(void **state)
{
    Ground *g = *state;
    int input = 1, column = 1;
    /* a ramp, and at 0.004 a jump that acts from then on */
    double table[8] = {0, 0, 0.004, 4, 0.004, 10, 1, 10};
    const char *name[2] = {"time", "u"};
    Table t = {2, 4, name, table};
    g->options.no_wait = true;
    g->options.input = &input;
    g->options.ninput = 1;
    TableInput from = {.column = column};
    g->options.from = &from;
    g->options.table = &t;
    assert_true(march(g));
    const double want[6] = {1, 2, 3, 4, 10, 10};
    for (int i = 0; i < 6; i++)
        assert_true(g->fake.seen[i] > want[i] - 1e-9 &&
                    g->fake.seen[i] < want[i] + 1e-9);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_steps_are_made_and_none_before_its_time),
        TEST(the_loop_allocates_nothing),
        TEST(without_deadlines_nothing_is_late),
        TEST(a_late_run_catches_up),
        TEST(ticks_that_were_missed_are_skipped),
        TEST(a_run_can_end_at_its_first_overrun),
        TEST(a_failed_step_is_named),
        TEST(a_start_that_fails_is_named),
        TEST(alarms_are_counted_by_block_and_message),
        TEST(the_model_may_end_the_run),
        TEST(a_signal_ends_an_endless_run),
        TEST(inputs_are_those_of_the_end_of_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
