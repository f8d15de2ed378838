/* select_matrix.c - the matrix that chooses among the candidates of a set.
 *
 * A constraint is a combination of rows of the array whose factors change with
 * the point. So not the constraint itself is kept but its rows: with the
 * columns of x' and w that the others of them determine, and the constraints
 * that have a pivot everywhere with these pivots, they are a matrix whose
 * elimination leaves the constraint in the candidates (dae_set_matrix).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/select_internal.h"

/* Constraints that belong to those of the set: they have pivots in them. */
static void close_rows(const Choice *c, const Constraints *k, bool *is_in)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (int r = 0; r < k->a; r++) {
            int j = k->pivot[r];
            bool asked = false;
            for (int i = 0; j != NONE && i < k->a; i++)
                asked |= is_in[i] && i != r && k->occurs[i * c->n + j];
            if (!asked || is_in[r])
                continue;
            is_in[r] = changed = true;
        }
    }
}

/* Rows of these circuits: the dependent ones, and those of the basis. */
static void list_rows(const Choice *c, const bool *is_in, int a,
                      bool *in_matrix, bool *in_basis)
{
    for (int r = 0; r < a; r++) {
        if (!is_in[r])
            continue;
        in_matrix[c->circuit.at[r]] = true;
        for (int p = 0; p < c->npoint; p++) {
            const double *l = c->lambda[p] + (size_t)r * (size_t)c->nrow;
            for (int i = 0; i < c->nrow; i++)
                if (i != c->circuit.at[r] &&
                    (l[i] > SUPPORT || l[i] < -SUPPORT))
                    in_matrix[i] = in_basis[i] = true;
        }
    }
}

/* Columns of x' and w that make the rows of the basis regular, low orders
 * first. */
static bool choose_eliminated(Choice *c, const bool *in_basis, SelectSet *s)
{
    int *row = NEW_ARRAY(c->arena, int, c->nrow), n = 0, nout = 0;
    for (int i = 0; i < c->nrow; i++)
        if (in_basis[i])
            row[n++] = i;
    Basis b = select_basis_new(c, n);
    b.row = row;
    bool *taken = NEW_ARRAY(c->arena, bool, c->ncol);
    select_take_columns(c, &b, n, true, taken, s->eliminated, &nout);
    s->neliminated = nout;
    return nout == n;
}

bool select_matrix(Choice *c, const Constraints *k, const int *rows, int n,
                   SelectSet *s)
{
    bool *is_in = NEW_ARRAY(c->arena, bool, k->a + 1);
    bool *in_matrix = NEW_ARRAY(c->arena, bool, c->nrow);
    bool *in_basis = NEW_ARRAY(c->arena, bool, c->nrow);
    for (int i = 0; i < n; i++)
        is_in[rows[i]] = true;
    close_rows(c, k, is_in);
    list_rows(c, is_in, k->a, in_matrix, in_basis);
    s->row = NEW_ARRAY(c->arena, int, c->nrow);
    s->eliminated = NEW_ARRAY(c->arena, int, c->ncol);
    if (!choose_eliminated(c, in_basis, s))
        return false;
    for (int r = 0; r < k->a; r++)
        if (is_in[r] && k->pivot[r] != NONE)
            s->eliminated[s->neliminated++] = k->pivot[r];
    for (int i = 0; i < c->nrow; i++)
        if (in_matrix[i])
            s->row[s->nrow++] = i;
    return s->nrow - s->neliminated == n;
}
