/* Schedules of the systems in Cellier, Kofman 8.5, 8.6, 8.9 and Gustafsson 4.
 */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "inline/inline.h"
#include "schedule/schedule.h"
#include "support/run_schedule.h"
#include "support/system.h"

typedef struct Made {
    Inlined *inlined;
    const Schedule *s;
    const InlinedSystem *system;
} Made;

static Made make(System *sys, const char *method, double step, bool direct,
                 bool keep_aliases, double bound)
{
    Made m = {0};
    Plan *plan = plan_default(sys->arena);
    plan->growth_bound = bound;
    plan->algebraic = PA_TEAR;
    InlineOptions options = {.keep_aliases = keep_aliases};
    const Method *how = method_find(method, sys->arena);
    assert_non_null(how);
    m.inlined = direct ? inline_sys(system_end(sys), plan, how, &options,
                                    sys->arena, sys->diag)
                       : inline_dae(system_dae(sys), plan, how, &options,
                                    sys->arena, sys->diag);
    assert_non_null(m.inlined);
    inlined_check(m.inlined);
    SchedSamples *samples =
        schedule_start_samples(m.inlined, step, sys->arena, sys->diag);
    SchedOptions o = schedule_options(plan);
    m.system = &m.inlined->system[m.inlined->cycle[0]];
    m.s =
        schedule_make(m.inlined, m.system, samples, &o, sys->arena, sys->diag);
    if (!m.s)
        diag_print(sys->diag, stdout);
    assert_non_null(m.s);
    schedule_check(m.s);
    if (getenv("TAKT_SHOW"))
        schedule_print(m.s, stdout);
    return m;
}

static int count_assignments(const Schedule *s)
{
    int n = 0;
    for (int i = 0; i < s->nblock; i++)
        n += s->block[i].kind == SK_ASSIGN;
    return n;
}

static int count_notes(const Schedule *s, SchedNoteKind kind)
{
    int n = 0;
    for (int i = 0; i < s->nnote; i++)
        n += s->note[i].kind == kind;
    return n;
}

#define MUL(a, b) expr_mul(s.dag, a, b)
#define ADD(a, b) expr_add(s.dag, a, b)
#define SUB(a, b) expr_sub(s.dag, a, b)
#define DIV(a, b) expr_div(s.dag, a, b)
#define NUM(x)    expr_real(s.dag, x)

/* kind 0, 1, 2: the circuits (8.81), (8.85), (8.88) */
static System circuit(int kind)
{
    System s = system_start();
    Expr R1 = system_param(&s, "R1", 2), R2 = system_param(&s, "R2", 3);
    Expr L = system_param(&s, "L", 0.5), C = system_param(&s, "C", 0.1);
    Expr u0 = system_var(&s, "u0", 0, 0), u1 = system_var(&s, "u1", 0, 0);
    Expr u2 = system_var(&s, "u2", 0, 0), uL = system_var(&s, "uL", 0, 0);
    Expr uC = system_var(&s, "uC", kind != 1, 0);
    Expr i0 = system_var(&s, "i0", 0, 0), i1 = system_var(&s, "i1", 0, 0);
    Expr i2 = system_var(&s, "i2", 0, 0), iC = system_var(&s, "iC", 0, 0);
    Expr iL = system_var(&s, "iL", 1, 0);
    system_eqn(&s, u0, expr_unary(s.dag, EX_SIN, expr_time(s.dag)));
    system_eqn(&s, u1, MUL(R1, i1));
    system_eqn(&s, u2, MUL(R2, i2));
    system_eqn(&s, uL, MUL(L, system_der(&s, iL)));
    if (kind == 1) /* a resistor in place of the capacitor */
        system_eqn(&s, uC, MUL(C, iC));
    else
        system_eqn(&s, iC, MUL(C, system_der(&s, uC)));
    Expr a = kind == 2 ? uL : uC, b = kind == 2 ? uC : uL;
    system_eqn(&s, u0, ADD(u1, a));
    system_eqn(&s, b, ADD(u1, u2));
    system_eqn(&s, a, u2);
    system_eqn(&s, i0, ADD(i1, kind == 2 ? iC : iL));
    system_eqn(&s, i1, ADD(i2, kind == 2 ? iL : iC));
    return s;
}

static void three_circuits_have_one_iteration_variable_each(void **state)
{
    (void)state;
    const int size[] = {12, 11, 12};
    for (int kind = 0; kind < 3; kind++) {
        System s = circuit(kind);
        Made m = make(&s, "be", 0.01, kind == 2, true, 1e3);
        assert_int_equal(m.system->neqn, size[kind]);
        assert_int_equal(count_assignments(m.s), 5);
        assert_int_equal(m.s->niteration, 1);
        assert_int_equal(count_notes(m.s, SN_DIVIDES_BY_STEP), kind == 2);
        arena_free(s.arena);
    }
}

static void radau_on_the_first_circuit_has_two(void **state)
{
    (void)state;
    System s = circuit(0);
    Made m = make(&s, "radau3", 0.01, false, true, 1e3);
    assert_int_equal(m.system->neqn, 24);
    assert_int_equal(count_assignments(m.s), 10);
    assert_int_equal(m.s->niteration, 2);
    arena_free(s.arena);
}

static System spring_pendulum(void)
{
    System s = system_start();
    Expr m = system_param(&s, "m", 3), k = system_param(&s, "k", 35);
    Expr l0 = system_param(&s, "l0", 1), g = system_param(&s, "g", 9.81);
    Expr x = system_var(&s, "x", 1, 1.5), v = system_var(&s, "v", 1, 0);
    Expr th = system_var(&s, "theta", 1, 0.785),
         om = system_var(&s, "omega", 1, 0);
    Expr len = ADD(l0, x);
    system_eqn(&s, system_der(&s, x), v);
    system_eqn(&s, system_der(&s, v),
               ADD(SUB(MUL(len, MUL(om, om)), MUL(DIV(k, m), x)),
                   MUL(g, expr_unary(s.dag, EX_COS, th))));
    system_eqn(&s, system_der(&s, th), om);
    system_eqn(
        &s, system_der(&s, om),
        SUB(MUL(DIV(expr_neg(s.dag, g), len), expr_unary(s.dag, EX_SIN, th)),
            MUL(DIV(MUL(NUM(2), v), len), om)));
    return s;
}

static void the_spring_pendulum_has_a_loop_of_six_and_two_variables(void **st)
{
    (void)st;
    System s = spring_pendulum();
    Made m = make(&s, "be", 0.01, false, false, 1e3);
    assert_int_equal(m.system->neqn, 6);
    assert_int_equal(m.s->largest, 6);
    assert_int_equal(m.s->niteration, 2);
    assert_int_equal(m.s->ntail, 2); /* der(x) := v, der(theta) := omega */
    assert_int_equal(m.s->block[0].kind, SK_NONLINEAR);
    arena_free(s.arena);
}

static void an_explicit_state_breaks_the_loop(void **st)
{
    (void)st;
    System s = spring_pendulum();
    Plan *plan = plan_default(s.arena);
    PlanStateMode mode = {"omega", MODE_EXPLICIT, NO_SPAN};
    plan->mode = &mode;
    plan->nmode = 1;
    Inlined *d = inline_dae(system_dae(&s), plan, method_find("be", s.arena),
                            NULL, s.arena, s.diag);
    assert_non_null(d);
    SchedOptions o = schedule_options(plan);
    const Schedule *sc = schedule_make(
        d, &d->system[d->cycle[0]],
        schedule_start_samples(d, 0.01, s.arena, s.diag), &o, s.arena, s.diag);
    assert_non_null(sc);
    schedule_check(sc);
    assert_int_equal(sc->niteration, 1);
    arena_free(s.arena);
}

/* (8.112) */
static System heat(int n)
{
    System s = system_start();
    double pi = 3.14159265358979323846;
    Expr k = system_param(&s, "k", n * n / (120 * pi * pi));
    Expr *x = NEW_ARRAY(s.arena, Expr, n + 1);
    for (int i = 1; i <= n; i++) {
        char name[20];
        snprintf(name, sizeof name, "x[%d]", i);
        x[i] = system_var(&s, name, 1, cos(pi * i / n));
    }
    Expr u = system_var(&s, "u", 0, 1);
    system_eqn(&s, u,
               expr_unary(s.dag, EX_EXP, MUL(NUM(-0.1), expr_time(s.dag))));
    for (int i = 1; i <= n; i++) {
        static const double first[] = {10, -15, -4, 14, -6, 1};
        static const double usual[] = {-1, 16, -30, 16, -1};
        Expr sum = NUM(0);
        if (i == 1) {
            for (int j = 0; j < 6; j++)
                sum = ADD(sum, MUL(NUM(first[j]), j ? x[j] : u));
        } else if (i == n) {
            sum = SUB(SUB(MUL(NUM(32), x[n - 1]), MUL(NUM(2), x[n - 2])),
                      MUL(NUM(30), x[n]));
        } else {
            for (int j = 0; j < 5; j++) {
                int at = i - 2 + j;
                double c = usual[j];
                if (i == n - 1 && j == 2)
                    c = -31;
                if (at <= n)
                    sum = ADD(sum, MUL(NUM(c), at == 0 ? u : x[at]));
            }
        }
        system_eqn(&s, system_der(&s, x[i]), MUL(k, sum));
    }
    return s;
}

static void heat_is_torn_to_25_with_bounded_growth(void **st)
{
    (void)st;
    System s = heat(50);
    Made m = make(&s, "bdf3", 0.1, false, false, 1e3);
    printf("heat 50, h = 0.1: %d iteration variables, growth %.4g\n",
           m.s->niteration, m.s->growth);
    const SchedBlock *b = NULL;
    for (int i = 0; i < m.s->nblock; i++)
        if (m.s->block[i].ntorn > 0)
            b = &m.s->block[i];
    assert_non_null(b);
    bool useless = false;
    for (int i = 0; i < b->nalternative; i++) {
        printf("  %-30s %3d, growth %.3g%s%s\n", b->alternative[i].name,
               b->alternative[i].ntorn, b->alternative[i].growth,
               b->alternative[i].refused ? ", refused" : "",
               b->alternative[i].chosen ? ", chosen" : "");
        useless = useless || (b->alternative[i].ntorn <= 3 &&
                              b->alternative[i].growth > 1e40 &&
                              b->alternative[i].refused);
    }
    assert_int_equal(b->size, 100);
    assert_true(m.s->niteration <= 25);
    assert_true(m.s->growth <= 1e3 && m.s->growth > 1);
    assert_true(useless);
    assert_int_equal(b->kind, SK_CONSTANT);
    arena_free(s.arena);
}

static void heat_at_1_ms_refuses_more_growth(void **st)
{
    (void)st;
    System s = heat(50);
    Made m = make(&s, "bdf3", 1e-3, false, false, 1e3);
    printf("heat 50, h = 1e-3: %d iteration variables, growth %.4g\n",
           m.s->niteration, m.s->growth);
    assert_true(m.s->growth <= 1e3);
    assert_true(count_notes(m.s, SN_GROWTH_REFUSED) > 0);
    arena_free(s.arena);
}

static void radau_on_heat_stays_within_100(void **st)
{
    (void)st;
    System s = heat(50);
    Made m = make(&s, "radau3", 0.1, false, false, 1e3);
    printf("heat 50, Radau IIA(3): %d iteration variables, growth %.4g\n",
           m.s->niteration, m.s->growth);
    assert_int_equal(m.s->largest, 200);
    assert_true(m.s->niteration <= 100 && m.s->growth <= 1e3);
    arena_free(s.arena);
}

static void explicit_methods_need_no_iteration(void **st)
{
    (void)st;
    const char *const name[] = {"fe", "rk2", "rk3", "rk4"};
    for (int i = 0; i < 4; i++) {
        System s = spring_pendulum();
        Made m = make(&s, name[i], 0.01, false, false, 1e3);
        assert_int_equal(m.s->niteration, 0);
        arena_free(s.arena);
    }
}

static void diagonally_implicit_stages_fall_apart(void **st)
{
    (void)st;
    System s = spring_pendulum();
    Made m = make(&s, "sdirk4", 0.01, false, false, 1e3);
    assert_int_equal(m.system->neqn, 30);
    assert_int_equal(m.s->largest, 6);
    assert_int_equal(m.s->niteration, 10);
    arena_free(s.arena);
}

static void every_method_can_be_scheduled(void **st)
{
    (void)st;
    for (int i = 0; i < method_count(); i++) {
        if (strcmp(method_name(i), "none") == 0)
            continue;
        System s = spring_pendulum();
        make(&s, method_name(i), 0.01, false, false, 1e3);
        arena_free(s.arena);
    }
}

static void a_block_can_keep_all_its_states(void **st)
{
    (void)st;
    System s = heat(20);
    Plan *plan = plan_default(s.arena);
    plan->algebraic = PA_KEEP;
    Inlined *d = inline_dae(system_dae(&s), plan, method_find("be", s.arena),
                            NULL, s.arena, s.diag);
    SchedOptions o = schedule_options(plan);
    const Schedule *sc =
        schedule_make(d, &d->system[d->cycle[0]], NULL, &o, s.arena, s.diag);
    assert_non_null(sc);
    schedule_check(sc);
    assert_int_equal(sc->niteration, 20);
    const SchedBlock *b = &sc->block[sc->nblock - 1];
    assert_int_equal(b->nchain, 20);
    assert_int_equal(b->nstate, 20);
    assert_true(b->jac.nnz < 20 * 6);
    arena_free(s.arena);
}

/* A cut leaves the equations as they are: iterating gives the same result. */
static void cut_entries_leave_the_matrix_only(void **st)
{
    (void)st;
    double found[3][2];
    for (int round = 0; round < 3; round++) {
        System s = system_start();
        Expr x = system_var(&s, "x", 1, 1), y = system_var(&s, "y", 1, 2);
        system_eqn(&s, system_der(&s, x), SUB(MUL(NUM(2), y), x));
        system_eqn(&s, system_der(&s, y), SUB(x, MUL(NUM(3), y)));
        Plan *plan = plan_default(s.arena);
        PlanCut cut = {round == 1 ? CUT_SPARSED : CUT_FROZEN, "int(x)", "y",
                       1.5, NO_SPAN};
        plan->cut = &cut;
        plan->ncut = round > 0;
        plan->algebraic = PA_KEEP;
        Inlined *d =
            inline_dae(system_dae(&s), plan, method_find("be", s.arena), NULL,
                       s.arena, s.diag);
        assert_non_null(d);
        SchedOptions o = schedule_options(plan);
        SchedSamples *samples = schedule_start_samples(d, 0.1, s.arena, s.diag);
        const Schedule *sc = schedule_make(d, &d->system[d->cycle[0]], samples,
                                           &o, s.arena, s.diag);
        assert_non_null(sc);
        assert_int_equal(sc->block[0].jac.nnz, round == 1 ? 3 : 4);
        assert_int_equal(sc->block[0].kind, round ? SK_NONLINEAR : SK_CONSTANT);
        RunPoint p = {NEW_ARRAY(s.arena, double, d->nvar), 0};
        memcpy(p.value, samples->value[0], sizeof *p.value * (size_t)d->nvar);
        run_carry(d->first, d->nfirst, &p);
        run_schedule(sc, 60, &p);
        found[round][0] = p.value[0];
        found[round][1] = p.value[1];
        arena_free(s.arena);
    }
    for (int k = 1; k < 3; k++)
        for (int i = 0; i < 2; i++)
            assert_true(fabs(found[k][i] - found[0][i]) < 1e-13);
}

static void a_singular_system_is_explained(void **st)
{
    (void)st;
    System s = system_start();
    Expr x = system_var(&s, "x", 0, 0), y = system_var(&s, "y", 0, 0);
    system_eqn(&s, x, NUM(1));
    system_eqn(&s, x, NUM(2));
    (void)y;
    Plan *plan = plan_default(s.arena);
    Inlined *d = inline_sys(system_end(&s), plan, method_find("be", s.arena),
                            NULL, s.arena, s.diag);
    SchedOptions o = schedule_options(plan);
    assert_null(
        schedule_make(d, &d->system[d->cycle[0]], NULL, &o, s.arena, s.diag));
    char text[2000] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    diag_print(s.diag, out);
    fclose(out);
    assert_non_null(strstr(text, "E1207"));
    assert_non_null(strstr(text, "'y'"));
    arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_circuits_have_one_iteration_variable_each),
        cmocka_unit_test(radau_on_the_first_circuit_has_two),
        cmocka_unit_test(
            the_spring_pendulum_has_a_loop_of_six_and_two_variables),
        cmocka_unit_test(an_explicit_state_breaks_the_loop),
        cmocka_unit_test(heat_is_torn_to_25_with_bounded_growth),
        cmocka_unit_test(heat_at_1_ms_refuses_more_growth),
        cmocka_unit_test(radau_on_heat_stays_within_100),
        cmocka_unit_test(explicit_methods_need_no_iteration),
        cmocka_unit_test(diagonally_implicit_stages_fall_apart),
        cmocka_unit_test(every_method_can_be_scheduled),
        cmocka_unit_test(a_block_can_keep_all_its_states),
        cmocka_unit_test(cut_entries_leave_the_matrix_only),
        cmocka_unit_test(a_singular_system_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
