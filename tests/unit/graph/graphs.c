/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs.h"

#include <time.h>

#include <math.h>

#include "support/random.h"

const Incidence *draw(const char *const *line, int neqn, Arena *out)
{
    EdgeList list = edges_begin(out);
    int nvar = (int)strlen(line[0]);
    for (int i = 0; i < neqn; i++)
        for (int j = 0; j < nvar; j++) {
            char c = line[i][j];
            if (c == 'x')
                edges_add(&list, i, j, EDGE_NONLINEAR, 0);
            else if (c == 'o' || c == 'h')
                edges_add(&list, i, j, EDGE_CONSTANT, c == 'h');
            else if (c >= '0' && c <= '9')
                edges_add(&list, i, j, EDGE_CONSTANT, c - '0');
        }
    return edges_end(&list, neqn, nvar, out);
}

static int *shuffled_numbers(int n, Random *r, Arena *out)
{
    int *p = NEW_ARRAY(out, int, n);
    for (int i = 0; i < n; i++)
        p[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int k = random_below(r, i + 1), keep = p[i];
        p[i] = p[k];
        p[k] = keep;
    }
    return p;
}

const Incidence *chain(int n, bool shuffled, Arena *out)
{
    Random r = {1};
    Arena *local = arena_new();
    EdgeList list = edges_begin(local);
    int *eqn = shuffled ? shuffled_numbers(n, &r, local) : NULL;
    int *var = shuffled ? shuffled_numbers(n, &r, local) : NULL;
    for (int i = 0; i < n; i++) {
        int at = eqn ? eqn[i] : i;
        edges_add(&list, at, var ? var[i] : i, EDGE_CONSTANT, 0);
        if (i + 1 < n)
            edges_add(&list, at, var ? var[i + 1] : i + 1, EDGE_CONSTANT, 0);
    }
    const Incidence *inc = edges_end(&list, n, n, out);
    arena_free(local);
    return inc;
}

const Incidence *grid(int side, Arena *out)
{
    Arena *local = arena_new();
    EdgeList list = edges_begin(local);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            int i = y * side + x;
            edges_add(&list, i, i, EDGE_CONSTANT, 0);
            if (x > 0)
                edges_add(&list, i, i - 1, EDGE_CONSTANT, 0);
            if (x + 1 < side)
                edges_add(&list, i, i + 1, EDGE_CONSTANT, 0);
            if (y > 0)
                edges_add(&list, i, i - side, EDGE_CONSTANT, 0);
            if (y + 1 < side)
                edges_add(&list, i, i + side, EDGE_CONSTANT, 0);
        }
    const Incidence *inc = edges_end(&list, side * side, side * side, out);
    arena_free(local);
    return inc;
}

enum { SEGMENTS = 50 };

/* Row i of A, first column in *from; returns the number of entries. */
static int heat_row(int i, double *row, int *from)
{
    static const double inner[] = {-1, 16, -30, 16, -1};
    static const double left[2][5] = {{-15, -4, 14, -6, 1}, {16, -30, 16, -1}};
    static const double right[2][4] = {{-1, 16, -31, 16}, {-2, 32, -30}};
    const double *given = inner;
    int n = 5;
    *from = i - 2;
    if (i < 2) {
        given = left[i];
        n = 5 - i;
        *from = 0;
    } else if (i >= SEGMENTS - 2) {
        given = right[i - (SEGMENTS - 2)];
        n = SEGMENTS + 2 - i;
    }
    const double k = SEGMENTS * SEGMENTS / (120 * acos(-1) * acos(-1));
    for (int c = 0; c < n; c++)
        row[c] = k * given[c];
    return n;
}

/* The numbers are collected beside the edges, which carry their places. */
typedef struct Numbers {
    EdgeList list;
    Vec(double) value;
} Numbers;

static void add(Numbers *m, int i, int j, bool penalty, double value)
{
    edges_add(&m->list, i, j, EDGE_CONSTANT, 2 * m->value.n + penalty);
    vec_push(m->list.arena, &m->value, value);
}

TearProblem heat(double h, int nstage, Arena *out)
{
    static const double radau[2][2] = {{5.0 / 12, -1.0 / 12}, {0.75, 0.25}};
    Arena *local = arena_new();
    Numbers m = {.list = edges_begin(local)};
    for (int s = 0; s < nstage; s++)
        for (int i = 0; i < SEGMENTS; i++) {
            double row[5];
            int from, n = heat_row(i, row, &from);
            int x = s * SEGMENTS, der = (nstage + s) * SEGMENTS;
            for (int c = 0; c < n; c++)
                add(&m, x + i, x + from + c, false, -row[c]);
            add(&m, x + i, der + i, false, 1);
            add(&m, der + i, x + i, false, 1);
            for (int q = 0; q < nstage; q++)
                add(&m, der + i, (nstage + q) * SEGMENTS + i, true,
                    -h * (nstage == 1 ? 1 : radau[s][q]));
        }
    int n = 2 * nstage * SEGMENTS;
    const Incidence *inc = edges_end(&m.list, n, n, out);
    double *value = NEW_ARRAY(out, double, inc->nedge);
    int *weight = NEW_ARRAY(out, int, inc->nedge);
    for (int k = 0; k < inc->nedge; k++) {
        value[k] = m.value.at[inc->weight[k] / 2];
        weight[k] = inc->weight[k] % 2;
    }
    Incidence *whole = NEW(out, Incidence);
    *whole = *inc;
    whole->weight = weight;
    arena_free(local);
    return (TearProblem){whole, 1, value, NULL};
}

double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
