/* march_partition.c - coordinates of a partition, and when others take over. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "array/march_internal.h"
#include "array/partition.h"

static const double WORSE = 1.0 / 3; /* of the condition at its choice */
static const double BETTER = 10;     /* a partition than another one */

/* A coordinate whose derivative is in none of the rows? */
static bool has_still_coordinate(const March *m)
{
    for (int j = 0; j < m->n; j++)
        if (!m->is_first[j] && !m->moves[j])
            return true;
    return false;
}

/* The solver of all rows from now on: what was left out says something here. */
void march_take_all_rows(March *m)
{
    const CompleteStats *s = complete_stats(m->solver);
    m->before.residuals += s->residuals;
    m->before.factors += s->jacobians;
    m->rows = NULL;
    m->stats.rows = m->stats.all_rows;
    m->solver = complete_new(m->a, m->k, m->free, m->x->level[m->k].all.rank,
                             false, m->arena);
    complete_set_tolerance(m->solver, 1e-12);
}

/* The columns that is_first says, at the present point. */
static bool take_partition(March *m)
{
    for (int j = 0; j < m->n; j++)
        m->free[j] = m->is_first[j];
    complete_set_free(m->solver, m->free, m->stats.rows);
    march_copy(m->trial, m->z, m->ncol);
    if (!march_solve(m, m->t, m->trial))
        return false;
    march_copy(m->z, m->trial, m->ncol);
    m->chosen = complete_condition(m->solver);
    m->estimate = complete_estimate(m->solver);
    m->looked = complete_stats(m->solver)->jacobians;
    return true;
}

static bool choose_columns(March *m)
{
    return partition_choose(m->a, m->x, m->rows, m->t, m->z, m->is_first);
}

bool march_repartition(March *m)
{
    bool fine = choose_columns(m);
    if (m->rows && (!fine || has_still_coordinate(m))) {
        march_take_all_rows(m);
        fine = choose_columns(m);
    }
    if (!fine || !take_partition(m))
        return false;
    m->stats.partitions++;
    return true;
}

/* The one in old_first at the point in `judged`. */
static bool restore_partition(March *m)
{
    memcpy(m->is_first, m->old_first, (size_t)m->n * sizeof *m->is_first);
    march_copy(m->z, m->judged, m->ncol);
    return take_partition(m);
}

/* Another partition if it is better than the one in use, whose condition is
 * this. Where equations are nearly singular by themselves none is. */
bool march_seek_partition(March *m, double estimate)
{
    memcpy(m->old_first, m->is_first, (size_t)m->n * sizeof *m->is_first);
    bool fine = choose_columns(m) && !(m->rows && has_still_coordinate(m));
    if (fine && !memcmp(m->old_first, m->is_first,
                        (size_t)m->n * sizeof *m->is_first)) {
        m->chosen = complete_condition(m->solver);
        m->estimate = estimate;
        return true;
    }
    march_copy(m->judged, m->z, m->ncol);
    if (fine && take_partition(m) && BETTER * m->estimate < estimate) {
        m->stats.partitions++;
        return true;
    }
    return restore_partition(m);
}

/* Is the partition as good as it was? Asked where factors are new: (69) costs
 * nothing and misleads, so the estimate has the last word. */
bool march_watch_partition(March *m)
{
    if (complete_stats(m->solver)->jacobians == m->looked)
        return true;
    m->looked = complete_stats(m->solver)->jacobians;
    double c = complete_condition(m->solver);
    double estimate = complete_estimate(m->solver);
    m->stats.condition = fmin(m->stats.condition, c);
    bool is_worse = estimate > 10 * m->estimate ||
                    (c < WORSE * m->chosen && estimate > 3 * m->estimate);
    return !is_worse || march_seek_partition(m, estimate);
}

/* A partition for where the solution goes, if it serves here too: what is no
 * coordinate behind a kink leads to none before it. */
bool march_look_ahead(March *m, double h)
{
    memcpy(m->old_first, m->is_first, (size_t)m->n * sizeof *m->is_first);
    march_copy(m->judged, m->z, m->ncol);
    march_predict(m, h, m->trial);
    bool fine = partition_choose(m->a, m->x, m->rows, m->t + h, m->trial,
                                 m->is_first) &&
                !(m->rows && has_still_coordinate(m)) && take_partition(m);
    m->stats.partitions += fine;
    return fine || restore_partition(m);
}
