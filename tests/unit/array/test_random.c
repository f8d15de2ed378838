/* test_random.c - linear systems with varying coefficients, made by random
 * transformations of a canonical form, so that index and solution are known and
 * structure sees nothing.
 *
 *     M y' = C y + g,  M = diag(I, N),  C = diag(-1 .., I),  x = R(t)^T y
 *
 * N is nilpotent with one chain, R turns pairs of coordinates of a constant
 * orthogonal matrix by angles that grow, and the rows are mixed by a matrix
 * that varies. y is given, g follows.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/march.h"
#include "simplify/simplify.h"
#include "support/flat_text.h"

enum { MOST = 7 };

typedef struct System {
    int n, ndiff, chain;
    double fixed[MOST][MOST]; /* R(0) */
    double speed[MOST];       /* of the angle of a pair */
    double mix[MOST][MOST], swing[MOST][MOST];
    double rate[MOST], phase[MOST]; /* y_i = sin(rate t + phase) */
} System;

static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return 2 * ((double)(*seed >> 8) / 0xffffff) - 1;
}

/* Rows of noise, made orthonormal. */
static void make_orthogonal(System *s, unsigned *seed)
{
    for (int i = 0; i < s->n; i++) {
        double norm = 0;
        for (int j = 0; j < s->n; j++)
            s->fixed[i][j] = noise(seed);
        for (int k = 0; k < 2 * i; k++) {
            double sum = 0;
            for (int j = 0; j < s->n; j++)
                sum += s->fixed[i][j] * s->fixed[k % i][j];
            for (int j = 0; j < s->n; j++)
                s->fixed[i][j] -= sum * s->fixed[k % i][j];
        }
        for (int j = 0; j < s->n; j++)
            norm += s->fixed[i][j] * s->fixed[i][j];
        for (int j = 0; j < s->n; j++)
            s->fixed[i][j] /= sqrt(norm);
    }
}

static System make_system(int ndiff, int chain, unsigned seed)
{
    System s = {.n = ndiff + chain, .ndiff = ndiff, .chain = chain};
    make_orthogonal(&s, &seed);
    for (int i = 0; i < s.n; i++) {
        s.speed[i] = 0.8 + 0.4 * noise(&seed);
        s.rate[i] = 1.2 + 0.6 * noise(&seed);
        s.phase[i] = noise(&seed);
        for (int j = 0; j < s.n; j++) {
            s.mix[i][j] = noise(&seed) + (i == j ? 2 : 0);
            s.swing[i][j] = 0.2 * noise(&seed);
        }
    }
    return s;
}

/* The other coordinate of a pair, and the sign of its sine; NONE: it is alone.
 */
static int partner(const System *s, int i, int *sign)
{
    *sign = i % 2 ? -1 : 1;
    int other = i % 2 ? i - 1 : i + 1;
    return other < s->n ? other : NONE;
}

static double value(const System *s, int i, double t)
{
    return sin(s->rate[i] * t + s->phase[i]);
}

/* x_j = sum_i R(t)_ij y_i */
static double solution(const System *s, int j, double t)
{
    double sum = 0;
    for (int i = 0; i < s->n; i++) {
        int sign, k = partner(s, i, &sign);
        double angle = k == NONE ? 0 : s->speed[i / 2] * t;
        double r = cos(angle) * s->fixed[i][j];
        if (k != NONE)
            r += sign * sin(angle) * s->fixed[k][j];
        sum += r * value(s, i, t);
    }
    return sum;
}

/* ---- as a text ---- */

static void put_sum(FILE *f, const System *s, int row, const char *format)
{
    fputc('(', f);
    for (int j = 0; j < s->n; j++) {
        fprintf(f, "%s(%.17g)*", j ? " + " : "", s->fixed[row][j]);
        fprintf(f, format, j);
    }
    fputc(')', f);
}

/* y_i of x less what it is to be, or the same of its derivative. */
static void put_error(FILE *f, const System *s, int i, bool is_der)
{
    int sign, k = partner(s, i, &sign);
    double w = k == NONE ? 0 : s->speed[i / 2];
    const char *x = "x%d", *v = "der(x%d)";
    fprintf(f, "(cos(%.17g*time)*", w);
    put_sum(f, s, i, is_der ? v : x);
    if (k != NONE) {
        fprintf(f, " + (%d)*sin(%.17g*time)*", sign, w);
        put_sum(f, s, k, is_der ? v : x);
    }
    if (is_der) {
        fprintf(f, " - %.17g*sin(%.17g*time)*", w, w);
        put_sum(f, s, i, x);
        if (k != NONE) {
            fprintf(f, " + (%.17g)*cos(%.17g*time)*", sign * w, w);
            put_sum(f, s, k, x);
        }
        fprintf(f, " - %.17g*cos(%.17g*time + (%.17g)))", s->rate[i],
                s->rate[i], s->phase[i]);
    } else {
        fprintf(f, " - sin(%.17g*time + (%.17g)))", s->rate[i], s->phase[i]);
    }
}

/* Row i of the canonical form in the errors. */
static void put_row(FILE *f, const System *s, int i)
{
    if (i < s->ndiff || i + 1 < s->n) {
        put_error(f, s, i < s->ndiff ? i : i + 1, true);
        fputs(i < s->ndiff ? " + " : " - ", f);
    } else {
        fputs("0 - ", f);
    }
    put_error(f, s, i, false);
}

static const char *text_of(const System *s, Arena *arena)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    for (int j = 0; j < s->n; j++)
        fprintf(f, "Real x%d(start=%.17g);\n", j, solution(s, j, 0));
    fputs("equation\n", f);
    for (int k = 0; k < s->n; k++) {
        fputs("0 = 0", f);
        for (int i = 0; i < s->n; i++) {
            fprintf(f, " + (%.17g + (%.17g)*sin(time))*(", s->mix[k][i],
                    s->swing[k][i]);
            put_row(f, s, i);
            fputc(')', f);
        }
        fputs(";\n", f);
    }
    fclose(f);
    const char *copy = arena_strdup(arena, text);
    free(text);
    return copy;
}

/* ---- tests ---- */

static void check(int ndiff, int chain, unsigned seed)
{
    Arena *arena = arena_new();
    System s = make_system(ndiff, chain, seed);
    const char *text = text_of(&s, arena);
    Sources *sources = sources_new(arena);
    sources_add(sources, "test.mo", text, strlen(text));
    Diag *diag = diag_new(sources, arena);
    Sys *sys =
        simplify(flat_text(text, arena), (SimplifyOptions){0}, arena, diag);
    Array *a = array_new(sys, 0, chain + 1, arena, diag);
    assert_non_null(a);
    ArrayIndex *x = array_index(a, 0, 1, arena);
    assert_int_equal(x->structural_index, 0);
    assert_int_equal(x->differentiation_index, chain);
    assert_int_equal(x->uniform_index, chain);
    assert_int_equal(x->states, ndiff);
    for (int kind = MARCH_COMPLETION; kind <= MARCH_PARTITION; kind++) {
        MarchOptions o = {.kind = (MarchKind)kind, .rtol = 1e-7};
        March *m = march_new(a, x, &o, arena);
        assert_non_null(m);
        assert_true(march_to(m, 1));
        for (int j = 0; j < s.n; j++)
            assert_true(fabs(march_point(m)[j] - solution(&s, j, 1)) < 1e-6);
        assert_true(kind == MARCH_COMPLETION || march_stats(m)->drift < 1e-9);
    }
    arena_free(arena);
}

static void index_and_solution_are_those_of_the_canonical_form(void **state)
{
    (void)state;
    check(2, 2, 1);
    check(1, 2, 2);
    check(2, 3, 3);
    check(1, 4, 4);
    check(1, 5, 5);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(index_and_solution_are_those_of_the_canonical_form),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
