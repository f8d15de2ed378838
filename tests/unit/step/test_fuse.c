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

static Built build_as(const char *text, const char *method, bool parts)
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
    o.parts = parts;
    bool fine = driver_compile(b.c, &o, PHASE_STEP);
    unlink(path);
    assert_true(fine);
    b.rt = b.c->step;
    assert_non_null(b.rt);
    return b;
}

static Built build(const char *text, const char *method)
{
    return build_as(text, method, false);
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

/* ---- parts ---- */

static const char *const drive =
    "model Drive\n"
    "  Real x(start = 1, fixed = true), f(start = 0), g(start = 2);\n"
    "  Integer hits(start = 0, fixed = true);\n"
    "  Clock slow = Clock(7, 1000);\n"
    "equation\n"
    "  der(x) = -hold(f) - 3*x + hits;\n"
    "  f = superSample(g, 7) + previous(f)/2 - sample(x);\n"
    "  g = previous(g)*0.9 + sample(x, slow);\n"
    "  when hold(f) > 2.5 then\n"
    "    hits = pre(hits) + 1;\n"
    "  end when;\n"
    "end Drive;\n";

static void run_in_parts(Exec *e, const FusedParts *p)
{
    exec_run(e, &e->tape->segment.at[p->advance]);
    for (int k = 0; k < p->nrate; k++)
        for (int r = 0; r < p->nrate; r++)
            if (p->rank[r] == k && e->r[p->due[r]] != 0)
                exec_run(e, &e->tape->segment.at[p->tick[r]]);
    exec_run(e, &e->tape->segment.at[p->settle]);
}

static void parts_in_their_order_are_a_step(void **unused)
{
    (void)unused;
    Built b = build_as(drive, "lie", true);
    const FusedParts *p = b.rt->fused->parts;
    assert_non_null(p);
    assert_int_equal(p->nrate, 2);
    Exec *whole = begin_fused(&b), *parts = begin_fused(&b);
    const Tape *t = whole->tape;
    const TapeSymbol *hits = tape_find_symbol(t, "hits");
    for (int k = 0; k < 500; k++) {
        exec_run(whole, &t->segment.at[1]);
        run_in_parts(parts, p);
        for (int i = 0; i < t->symbol.n; i++)
            assert_true(exec_value(whole, &t->symbol.at[i]) ==
                        exec_value(parts, &t->symbol.at[i]));
    }
    assert_true(exec_value(whole, hits) > 0); /* events follow ticks */
    exec_free(whole);
    exec_free(parts);
    driver_end(b.c);
}

static void parts_are_made_only_where_they_are_asked_for(void **unused)
{
    (void)unused;
    Built b = build(drive, "lie"), without = build_as(ball, "lie", true);
    assert_null(b.rt->fused->parts);
    assert_null(without.rt->fused->parts);
    driver_end(b.c);
    driver_end(without.c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_in_their_order_are_a_step),
        cmocka_unit_test(parts_are_made_only_where_they_are_asked_for),
        cmocka_unit_test(a_fused_step_is_a_step_of_sim),
        cmocka_unit_test(the_start_gives_the_same_initial_values),
        cmocka_unit_test(a_method_with_a_history_has_a_step_of_each_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
