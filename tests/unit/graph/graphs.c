/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs.h"

#include <time.h>

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

double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
