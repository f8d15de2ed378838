/* SPDX-License-Identifier: BSD-3-Clause */
#include "systems.h"

const Incidence *random_regular(Random *r, int n, double extra, int weights,
                                Arena *out)
{
    EdgeList list = edges_begin(out);
    int *p = NEW_ARRAY(out, int, n);
    for (int i = 0; i < n; i++)
        p[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int k = random_below(r, i + 1), keep = p[i];
        p[i] = p[k];
        p[k] = keep;
    }
    for (int i = 0; i < n; i++) {
        int more = (int)(extra + random_unit(r));
        for (int k = 0; k <= more; k++)
            edges_add(&list, i, k == 0 ? p[i] : random_below(r, n),
                      (EdgeClass)random_below(r, 3),
                      random_below(r, weights + 1));
    }
    return edges_end(&list, n, n, out);
}

const Incidence *random_any(Random *r, int neqn, int nvar, double density,
                            Arena *out)
{
    EdgeList list = edges_begin(out);
    for (int i = 0; i < neqn; i++)
        for (int j = 0; j < nvar; j++)
            if (random_unit(r) < density)
                edges_add(&list, i, j, EDGE_CONSTANT, 0);
    return edges_end(&list, neqn, nvar, out);
}

int random_size(Random *r, int most)
{
    int limit = random_below(r, 10) == 0 ? most : most / 5;
    return 1 + random_below(r, limit > 1 ? limit : 1);
}

typedef struct Plain {
    const Incidence *inc;
    int without;
    int *eqn_of;
    bool *seen;
} Plain;

/* Recursive on purpose: the textbook's words. */
static bool find_pair(Plain *p, int i)
{
    for (int k = p->inc->start[i]; k < p->inc->start[i + 1]; k++) {
        int j = p->inc->var[k];
        if (j == p->without || p->seen[j])
            continue;
        p->seen[j] = true;
        if (p->eqn_of[j] == NONE || find_pair(p, p->eqn_of[j])) {
            p->eqn_of[j] = i;
            return true;
        }
    }
    return false;
}

int plain_matching(const Incidence *inc, int eqn, int var)
{
    Arena *local = arena_new();
    Plain p = {inc, var, NEW_ARRAY(local, int, inc->nvar),
               NEW_ARRAY(local, bool, inc->nvar)};
    int size = 0;
    for (int j = 0; j < inc->nvar; j++)
        p.eqn_of[j] = NONE;
    for (int i = 0; i < inc->neqn; i++) {
        memset(p.seen, 0, (size_t)inc->nvar * sizeof *p.seen);
        size += i != eqn && find_pair(&p, i);
    }
    arena_free(local);
    return size;
}
