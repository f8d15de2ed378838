/* bench_expr.c - how fast the expression DAG is.
 *
 *   cmake --build build --target bench_expr && build/bench/bench_expr
 *
 * Nodes are made as a model of many equations makes them: variables, numbers
 * and operations that mix old and new ones. The chain is
 *   der(x[i]) = k*(x[i-1] - x[i])*sin(x[i]) - x[i+1]^2/c + p*time.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "expr/expr.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void say(const char *what, double count, double seconds)
{
    printf("%-34s %8.0f thousand in %6.3f s, %7.2f million/s\n", what,
           count / 1e3, seconds, count / seconds / 1e6);
}

static Expr chain_equation(Dag *d, int i, int n)
{
    Expr x = expr_var(d, i, 0, ET_REAL);
    Expr before = expr_var(d, (i + n - 1) % n, 0, ET_REAL);
    Expr after = expr_var(d, (i + 1) % n, 0, ET_REAL);
    Expr k = expr_var(d, n, 0, ET_REAL), p = expr_var(d, n + 1, 0, ET_REAL);
    Expr flow = expr_mul(d, expr_mul(d, k, expr_sub(d, before, x)),
                         expr_unary(d, EX_SIN, x));
    Expr loss = expr_div(d, expr_mul(d, after, after), expr_real(d, 3.5));
    Expr rhs =
        expr_add(d, expr_sub(d, flow, loss), expr_mul(d, p, expr_time(d)));
    return expr_sub(d, expr_var(d, i, 1, ET_REAL), rhs);
}

static void bench_building(int n)
{
    size_t before = arena_used();
    Arena *arena = arena_new();
    Dag *d = dag_new(arena);
    double start = now();
    Expr e = expr_var(d, 0, 0, ET_REAL);
    for (int i = 0; i < n; i++) {
        Expr x = expr_var(d, i, 0, ET_REAL);
        Expr a = expr_add(d, expr_mul(d, expr_real(d, i + 0.5), x), e);
        e = i % 16 ? expr_mul(d, a, x) : x;
    }
    say("nodes made by expr_make", dag_count(d), now() - start);
    printf("%-34s %8.1f\n", "bytes per node",
           (double)(arena_used() - before) / dag_count(d));
    arena_free(arena);
}

static void bench_chain(int n)
{
    Arena *arena = arena_new();
    Dag *d = dag_new(arena);
    Expr *e = NEW_ARRAY(arena, Expr, n), *x = NEW_ARRAY(arena, Expr, n);
    bool *varies = NEW_ARRAY(arena, bool, n + 2);
    double start = now();
    for (int i = 0; i < n; i++)
        e[i] = chain_equation(d, i, n);
    say("chain: equations built", n, now() - start);
    for (int i = 0; i < n; i++) {
        varies[i] = true;
        x[i] = expr_var(d, i, 0, ET_REAL);
    }
    start = now();
    for (int i = 0; i < n; i++) {
        Expr *leaf;
        if (expr_leaves(d, e[i], &leaf, arena) != 6)
            abort();
    }
    say("chain: expr_leaves", n, now() - start);
    start = now();
    for (int i = 0; i < n; i++)
        expr_total_diff(d, e[i], varies, n + 2);
    say("chain: expr_total_diff", n, now() - start);
    start = now();
    ExprDiff *total = expr_diff_new_total(d, varies, n + 2, arena);
    for (int i = 0; i < n; i++)
        expr_diff_of(total, e[i]);
    say("chain: total, with memory", n, now() - start);
    start = now();
    for (int i = 0; i < n; i++)
        expr_diff(d, e[i], x[i]);
    say("chain: expr_diff by one leaf", n, now() - start);
    start = now();
    const ExprJacobian *jac = expr_jacobian(d, e, n, x, n, arena);
    say("chain: entries of expr_jacobian", jac->start[n], now() - start);
    start = now();
    for (int i = 0; i < n; i++)
        expr_solve(d, e[i], expr_real(d, 0), expr_var(d, i, 1, ET_REAL), NULL,
                   NULL);
    say("chain: expr_solve", n, now() - start);
    start = now();
    for (int i = 0; i < n; i++)
        expr_simplify(d, e[i]);
    say("chain: expr_simplify", n, now() - start);
    printf("%-34s %8d thousand, %zu MB in all arenas\n",
           "chain: nodes at the end", dag_count(d) / 1000, arena_used() >> 20);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100000;
    bench_building(10 * n);
    bench_chain(n);
    return 0;
}
