/* A Jacobian found group by group is the Jacobian. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "graph/color.h"
#include "systems.h"

/* Row i of the matrix with entries value[edge], times the sum of the unit
 * vectors of a group. */
static double compressed(const Incidence *inc, const double *value,
                         const Coloring *c, int i, int group)
{
    double sum = 0;
    for (int k = inc->start[i]; k < inc->start[i + 1]; k++)
        if (c->color[inc->var[k]] == group)
            sum += value[k];
    return sum;
}

static void every_entry_is_found_again(void **state)
{
    (void)state;
    Random r = random_start("color");
    long groups = 0, least = 0;
    for (int n_case = 0; n_case < random_cases(5000, 50000); n_case++) {
        Arena *a = arena_new();
        const Incidence *inc =
            random_any(&r, 1 + random_below(&r, 60), 1 + random_below(&r, 60),
                       random_between(&r, 0, 0.2), a);
        double *value = NEW_ARRAY(a, double, inc->nedge);
        for (int k = 0; k < inc->nedge; k++)
            value[k] = random_between(&r, -1, 1);
        const Coloring *c = color_columns(inc, a);
        color_check(inc, c);
        for (int i = 0; i < inc->neqn; i++)
            for (int k = inc->start[i]; k < inc->start[i + 1]; k++)
                assert_true(value[k] == compressed(inc, value, c, i,
                                                   c->color[inc->var[k]]));
        for (int g = 0; g < c->ncolor; g++)
            for (int q = c->start[g]; q < c->start[g + 1]; q++)
                assert_int_equal(c->color[c->var[q]], g);
        groups += c->ncolor;
        least += c->least;
        arena_free(a);
    }
    printf("%.3f of the least number of groups\n",
           (double)groups / (double)least);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry_is_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
