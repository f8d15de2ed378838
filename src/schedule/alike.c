/* alike.c - iteration variables of an event that the step iterates on too.
 *
 * A linearly implicit step begins by evaluating the machine where the events of
 * the last step have left it, and keeps of that what it would compute again
 * (tape/recall.c). The same operations are asked for, so the columns of both
 * matrices have to be those of the same unknowns: an event that iterates on a
 * torque where the step iterates on an acceleration shares little of the mass
 * matrix with it.
 *
 * An iteration variable of the event that is none of the step gives way to one
 * of the step, if the tearing stays as small and within its bound on growth.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "schedule/schedule_internal.h"

/* So many exchanges are tried in a block. */
enum { MOST_TRIED = 100 };

typedef struct Alike {
    Part *p;
    TearProblem problem;
    TearOptions options;
    bool *wanted;  /* of the unknowns of the part: the step iterates on it */
    bool *is_torn; /* likewise: the event does */
    int *torn, n;  /* these */
    int ntried;
} Alike;

/* What the step iterates on goes by all of its names: events know other
 * aliases. */
static void find_wanted(Alike *a, const Schedule *step)
{
    const Maker *m = a->p->m;
    bool *torn = NEW_ARRAY(m->work, bool, m->d->nvar + 1);
    for (int b = 0; b < step->nblock; b++)
        for (int k = 0; k < step->block[b].ntorn; k++)
            torn[step->block[b].torn[k]] = true;
    for (int i = 0; i < step->system->nalias; i++)
        if (torn[step->system->alias[i].target])
            torn[step->system->alias[i].var] = true;
    a->wanted = NEW_ARRAY(m->work, bool, a->p->n + 1);
    for (int j = 0; j < a->p->n; j++)
        a->wanted[j] = torn[m->system->unknown[a->p->var[j]]];
}

/* The tearing with unknown j in place of the one at k; NULL if it is larger or
 * grows too much. */
static const Tear *exchanged(Alike *a, int k, int j)
{
    int old = a->torn[k];
    a->torn[k] = j;
    const Tear *t =
        tear_given(&a->problem, &a->options, a->torn, a->n, a->p->m->work);
    a->torn[k] = old;
    a->ntried++;
    bool is_fine = t->ntorn == a->n && t->npenalty == 0 && t->nforbidden == 0 &&
                   t->growth <= a->options.bound;
    return is_fine ? t : NULL;
}

static const Tear *exchange(Alike *a, int k)
{
    for (int j = 0; j < a->p->n && a->ntried < MOST_TRIED; j++) {
        if (!a->wanted[j] || a->is_torn[j])
            continue;
        const Tear *t = exchanged(a, k, j);
        if (!t)
            continue;
        a->is_torn[a->torn[k]] = false;
        a->is_torn[j] = true;
        a->torn[k] = j;
        return t;
    }
    return NULL;
}

const Tear *alike_tear(Part *p, const SchedBlock *b, const Schedule *step)
{
    Maker *m = p->m;
    Alike a = {.p = p,
               .problem = part_problem(p, PART_ANY),
               .options = part_options(p),
               .is_torn = NEW_ARRAY(m->work, bool, p->n + 1),
               .torn = NEW_ARRAY(m->work, int, b->ntorn + 1),
               .n = b->ntorn};
    const int *place = part_places(p);
    for (int k = 0; k < a.n; k++) {
        a.torn[k] = place[b->torn[k]];
        a.is_torn[a.torn[k]] = true;
    }
    find_wanted(&a, step);
    const Tear *found = NULL;
    for (int k = 0; k < a.n; k++) {
        const Tear *t = a.wanted[a.torn[k]] ? NULL : exchange(&a, k);
        found = t ? t : found;
    }
    return found;
}
