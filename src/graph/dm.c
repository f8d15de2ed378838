/* dm.c - Dulmage-Mendelsohn parts by alternating paths.
 *
 * Over-determined is what an alternating path reaches from an equation without
 * an unknown; under-determined what one reaches from an unknown without an
 * equation. No node is reached from both, or the matching would not be maximum.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph/dm.h"

#include <assert.h>

typedef struct Split {
    const Incidence *inc;
    const Transpose *t;
    const Match *m;
    unsigned char *eqn_part, *var_part;
    int *queue; /* size max(neqn, nvar) */
} Split;

/* eqn - its unknowns - their equations - ... */
static void mark_over(Split *s)
{
    int head = 0, tail = 0;
    for (int i = 0; i < s->inc->neqn; i++)
        if (s->m->var_of[i] == NONE) {
            s->eqn_part[i] = DM_OVER;
            s->queue[tail++] = i;
        }
    while (head < tail) {
        int i = s->queue[head++];
        for (int k = s->inc->start[i]; k < s->inc->start[i + 1]; k++) {
            int j = s->inc->var[k];
            if (s->var_part[j] == DM_OVER)
                continue;
            s->var_part[j] = DM_OVER;
            int other = s->m->eqn_of[j];
            assert(other != NONE);
            if (s->eqn_part[other] == DM_OVER)
                continue;
            s->eqn_part[other] = DM_OVER;
            s->queue[tail++] = other;
        }
    }
}

/* var - its equations - their unknowns - ... */
static void mark_under(Split *s)
{
    int head = 0, tail = 0;
    for (int j = 0; j < s->inc->nvar; j++)
        if (s->m->eqn_of[j] == NONE) {
            s->var_part[j] = DM_UNDER;
            s->queue[tail++] = j;
        }
    while (head < tail) {
        int j = s->queue[head++];
        for (int k = s->t->start[j]; k < s->t->start[j + 1]; k++) {
            int i = s->t->eqn[k];
            if (s->eqn_part[i] == DM_UNDER)
                continue;
            s->eqn_part[i] = DM_UNDER;
            int other = s->m->var_of[i];
            assert(other != NONE);
            if (s->var_part[other] == DM_UNDER)
                continue;
            s->var_part[other] = DM_UNDER;
            s->queue[tail++] = other;
        }
    }
}

/* The numbers i < n with part_of[i] == part. */
static const int *members(const unsigned char *part_of, int n, DmPart part,
                          int *count, Arena *out)
{
    *count = 0;
    for (int i = 0; i < n; i++)
        *count += part_of[i] == part;
    int *list = NEW_ARRAY(out, int, *count);
    int k = 0;
    for (int i = 0; i < n; i++)
        if (part_of[i] == part)
            list[k++] = i;
    return list;
}

const Dm *dm_split(const Incidence *inc, Arena *out)
{
    Dm *dm = NEW(out, Dm);
    unsigned char *eqn_part = NEW_ARRAY(out, unsigned char, inc->neqn);
    unsigned char *var_part = NEW_ARRAY(out, unsigned char, inc->nvar);
    memset(eqn_part, DM_WELL, (size_t)inc->neqn);
    memset(var_part, DM_WELL, (size_t)inc->nvar);
    dm->match = match_maximum(inc, out);
    dm->surplus = inc->neqn - dm->match->size;
    dm->missing = inc->nvar - dm->match->size;

    Arena *local = arena_new();
    int longest = inc->neqn > inc->nvar ? inc->neqn : inc->nvar;
    Split s = {inc,      incidence_transpose(inc, local), dm->match, eqn_part,
               var_part, NEW_ARRAY(local, int, longest)};
    mark_over(&s);
    mark_under(&s);
    arena_free(local);

    dm->part_of_eqn = eqn_part;
    dm->part_of_var = var_part;
    for (int p = 0; p < DM_NPART; p++) {
        DmList *l = &dm->part[p];
        l->eqn = members(eqn_part, inc->neqn, (DmPart)p, &l->neqn, out);
        l->var = members(var_part, inc->nvar, (DmPart)p, &l->nvar, out);
    }
    return dm;
}

typedef struct Pieces {
    const Incidence *inc;
    const Transpose *t;
    const Dm *dm;
    DmPart part;
    int *of_eqn, *of_var;
    int *queue; /* size neqn+nvar: equation i, or unknown neqn + j */
    int tail;
} Pieces;

static void enter_eqn(Pieces *p, int i, int piece)
{
    if (p->dm->part_of_eqn[i] != p->part || p->of_eqn[i] != NONE)
        return;
    p->of_eqn[i] = piece;
    p->queue[p->tail++] = i;
}

static void enter_var(Pieces *p, int j, int piece)
{
    if (p->dm->part_of_var[j] != p->part || p->of_var[j] != NONE)
        return;
    p->of_var[j] = piece;
    p->queue[p->tail++] = p->inc->neqn + j;
}

/* Everything of the part that is connected with the equation `root`. */
static void fill_piece(Pieces *p, int root, int piece)
{
    p->tail = 0;
    enter_eqn(p, root, piece);
    for (int head = 0; head < p->tail; head++) {
        int i = p->queue[head], j = i - p->inc->neqn;
        if (j < 0)
            for (int k = p->inc->start[i]; k < p->inc->start[i + 1]; k++)
                enter_var(p, p->inc->var[k], piece);
        else
            for (int k = p->t->start[j]; k < p->t->start[j + 1]; k++)
                enter_eqn(p, p->t->eqn[k], piece);
    }
}

int dm_pieces(const Incidence *inc, const Dm *dm, DmPart part,
              int *piece_of_eqn, int *piece_of_var)
{
    Arena *local = arena_new();
    Pieces p = {.inc = inc, .dm = dm, .part = part};
    p.t = incidence_transpose(inc, local);
    p.of_eqn = piece_of_eqn;
    p.of_var = piece_of_var;
    p.queue = NEW_ARRAY(local, int, inc->neqn + inc->nvar);
    for (int i = 0; i < inc->neqn; i++)
        piece_of_eqn[i] = NONE;
    for (int j = 0; j < inc->nvar; j++)
        piece_of_var[j] = NONE;

    int npiece = 0;
    const DmList *l = &dm->part[part];
    for (int k = 0; k < l->neqn; k++)
        if (piece_of_eqn[l->eqn[k]] == NONE)
            fill_piece(&p, l->eqn[k], npiece++);
    for (int k = 0; k < l->nvar; k++) /* unknowns that occur nowhere */
        if (piece_of_var[l->var[k]] == NONE)
            piece_of_var[l->var[k]] = npiece++;
    arena_free(local);
    return npiece;
}
