/* A fused step, run by the interpreter, is a step of sim/ to the last bit. */
#include <stdlib.h>
#include <unistd.h>

#include "driver/driver.h"
#include "sim/sim.h"
#include "support/test.h"

static const char *const ball =
    "model Ball\n"
    "  parameter Real e = 0.8;\n"
    "  Real h(start = 0.1, fixed = true), v(start = 0, fixed = true);\n"
    "  Real drag(start = 0);\n"
    "equation\n"
    "  der(h) = v;\n"
    "  der(v) = -9.81 - drag;\n"
    "  drag + 0.1*drag^3 = 0.3*v;\n"
    "  when h < 0 then\n"
    "    reinit(v, -e*pre(v));\n"
    "  end when;\n"
    "end Ball;\n";

typedef struct Built {
    Compilation *c;
    const Step *rt;
} Built;

static Built build(const char *text, const char *method)
{
    char path[] = "/tmp/takt_fuse_XXXXXX.mo";
    int fd = mkstemps(path, 3);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    DriverOptions o = driver_defaults(path);
    Built b = {.c = driver_new()};
    plan_add_edit(&o.edits, PLAN_METHOD, method, b.c->arena);
    plan_add_number(&o.edits, PLAN_STEP, 1e-3, b.c->arena);
    o.stop = 0.5;
    o.all = true;
    o.goal = STEP_REALTIME;
    bool fine = driver_compile(b.c, &o, PHASE_STEP);
    unlink(path);
    assert_true(fine);
    b.rt = b.c->step;
    assert_non_null(b.rt);
    return b;
}

static Sim *begin_sim(const Built *b)
{
    SimOptions o = step_sim_options(b->c->step);
    Sim *s = sim_new(b->c->step->lowered, &o, b->c->arena, b->c->diag);
    assert_true(s && sim_init(s));
    return s;
}

static Exec *begin_fused(const Built *b)
{
    Exec *e = exec_new(b->rt->fused->tape);
    memcpy(e->r, b->rt->value, (size_t)e->tape->nslot * sizeof(double));
    e->r[e->tape->step] = b->c->size;
    exec_run(e, &e->tape->segment.at[0]);
    return e;
}

static bool same_symbols(const Sim *s, const Exec *e)
{
    const Tape *t = s->low->tape;
    for (int i = 0; i < t->symbol.n; i++)
        if (exec_value(s->exec, &t->symbol.at[i]) !=
            exec_value(e, &t->symbol.at[i]))
            return false;
    return true;
}

static void a_fused_step_is_a_step_of_sim(void **unused)
{
    (void)unused;
    Built b = build(ball, "lie");
    Sim *s = begin_sim(&b);
    Exec *e = begin_fused(&b);
    assert_int_equal(b.rt->fused->nstep, 1);
    for (int k = 0; k < 400; k++) {
        exec_reset_status(e);
        exec_run(e, &e->tape->segment.at[1]);
        assert_true(sim_step(s));
        assert_true(same_symbols(s, e));
    }
    assert_true(s->stats.events > 0); /* it did bounce */
    exec_free(e);
    sim_free(s);
    assert_int_equal(driver_end(b.c), 0);
}

static void the_start_gives_the_same_initial_values(void **unused)
{
    (void)unused;
    Built b = build(ball, "lie");
    Sim *s = begin_sim(&b);
    Exec *e = begin_fused(&b);
    exec_run(e, &e->tape->segment.at[b.rt->fused->start]);
    assert_int_equal(e->code, STATUS_FINE);
    assert_true(same_symbols(s, e));
    exec_free(e);
    sim_free(s);
    assert_int_equal(driver_end(b.c), 0);
}

static void a_method_with_a_history_has_a_step_of_each_kind(void **unused)
{
    (void)unused;
    Built b = build(ball, "bdf2");
    assert_true(b.rt->fused->nstep > 1);
    assert_true(b.rt->fused->broken != NONE); /* a bounce breaks it */
    assert_int_equal(driver_end(b.c), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fused_step_is_a_step_of_sim),
        cmocka_unit_test(the_start_gives_the_same_initial_values),
        cmocka_unit_test(a_method_with_a_history_has_a_step_of_each_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
