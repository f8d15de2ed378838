/* enumerate.c - modes by trying, where the path leads nowhere.
 *
 * A path (modes.c) ends where orientation and continuity hold. Elsewhere, with
 * exact events, the combinations of a group's relations are tried in the order
 * of their distance from the present one, each with an evaluation of the model,
 * at most MOST of them. The first one that agrees with the values it leads to
 * is taken. If there is none, one may still be right to rounding: its relations
 * that disagree are even there, and even if they are flipped. Else the run ends
 * with the relations of the combination that comes nearest. A combination of
 * the other orientation, on which nothing stays, is taken where there is no
 * other one.
 *
 * The same trials tell whether there is another one: where no path leads to
 * it, which of several is taken is no property of the model. It is said once.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "point/point_parts.h"

enum {
    MOST = 4096,
    FEW = 10, /* relations of a group whose other solutions are looked for */
};

bool sim_is_path_lost(const Sim *s)
{
    bool is_exact = s->band || (s->low->side && s->k == 0);
    return is_exact &&
           (s->modes->is_lost || s->modes->moves > 3 * s->low->nmode + 20);
}

/* The relations first .. first+n-1 of Lowered.mode, and what was found. */
typedef struct Group {
    int first, n;
    double *base, *best; /* values, size n */
    double least;        /* largest violation with `best` */
    double *says, *here; /* size n, and of all slots: to work in */
    int *at;             /* size n: places of a combination */
    Arena *work;
    int tries;
    bool takes_turned;   /* solutions of any orientation are right */
    const double *other; /* slots of a solution that is known, NULL: none is */
} Group;

static void set_values(Sim *s, const Group *g, const double *value)
{
    const Lowered *low = s->low;
    for (int k = 0; k < g->n; k++) {
        int relation = low->mode[g->first + k].relation;
        s->exec->r[low->slot[low->inlined->relation[relation].var]] = value[k];
        s->modes->at[g->first + k].entered = false;
        s->modes->at[g->first + k].is_tie = false;
        if (low->mode[g->first + k].stays != NONE)
            s->exec->r[low->mode[g->first + k].stays] = 1;
    }
}

/* The largest |lhs - rhs| of those that disagree; 0: all agree. */
static double violation(Sim *s, const Group *g)
{
    double worst = 0;
    exec_run(s->exec, &s->low->relations);
    exec_run(s->exec, &s->low->gaps);
    for (int k = g->first; k < g->first + g->n; k++)
        if (sim_mode_disagrees(s, k))
            worst = fmax(worst, fabs(s->modes->at[k].gap) + 1e-300);
    return worst;
}

/* Do the continuous values agree with those of another solution? */
static bool is_same(const Sim *s, const double *other)
{
    const double *r = s->exec->r;
    for (int i = 0; i < s->lists->nother; i++) {
        double a = r[s->lists->other[i]], b = other[s->lists->other[i]];
        if (fabs(a - b) > 1e-6 * (1 + fmax(fabs(a), fabs(b))))
            return false;
    }
    return true;
}

/* Those that disagree may decide on nothing here: a brake that slides does not
 * ask whether it would break away. Then the model has the same values with what
 * they say, and nobody disagrees. Else all is as it was. */
static bool settle_idle(Sim *s, const Group *g)
{
    const Lowered *low = s->low;
    size_t size = (size_t)low->tape->nslot * sizeof(double);
    double *here = g->here, *value = g->says;
    memcpy(here, s->exec->r, size);
    for (int k = 0; k < g->n; k++) {
        int i = low->mode[g->first + k].relation;
        double now = here[low->relation_now[i]];
        double was = here[low->slot[low->inlined->relation[i].var]];
        value[k] = sim_mode_disagrees(s, g->first + k) ? now : was;
    }
    set_values(s, g, value);
    diag_mute(s->diag);
    bool is_solved = sim_evaluate_event(s, "at an event");
    diag_unmute(s->diag);
    if (is_solved && violation(s, g) == 0 && is_same(s, here))
        return true;
    memcpy(s->exec->r, here, size);
    return false;
}

/* Tries `value`. Returns whether it is right. */
static bool try_values(Sim *s, Group *g, const double *value)
{
    g->tries++;
    set_values(s, g, value);
    diag_mute(s->diag);
    bool is_solved = sim_evaluate_event(s, "at an event");
    diag_unmute(s->diag);
    double worst = is_solved ? violation(s, g) : INFINITY;
    if (is_solved && worst > 0 && settle_idle(s, g))
        worst = 0;
    if (worst == 0 && g->other && is_same(s, g->other))
        return false;
    if (worst == 0 && !g->takes_turned && sim_is_turned(s))
        return false;
    if (worst < g->least) {
        g->least = worst;
        for (int k = 0; k < g->n; k++)
            g->best[k] = value[k];
    }
    return worst == 0;
}

/* All combinations that differ in `distance` places. */
static bool try_distance(Sim *s, Group *g, int distance, double *value)
{
    int *at = g->at;
    for (int i = 0; i < distance; i++)
        at[i] = i;
    while (g->tries < MOST) {
        for (int k = 0; k < g->n; k++)
            value[k] = g->base[k];
        for (int i = 0; i < distance; i++)
            value[at[i]] = 1 - value[at[i]];
        if (try_values(s, g, value))
            return true;
        int i = distance - 1; /* the next combination in lexical order */
        while (i >= 0 && at[i] == g->n - distance + i)
            i--;
        if (i < 0)
            return false;
        at[i]++;
        for (int j = i + 1; j < distance; j++)
            at[j] = at[j - 1] + 1;
    }
    return false;
}

/* ---- right to rounding ---- */

static bool evaluate_with(Sim *s, const Group *g, const double *value)
{
    set_values(s, g, value);
    diag_mute(s->diag);
    bool is_solved = sim_evaluate_event(s, "at an event");
    diag_unmute(s->diag);
    violation(s, g);
    return is_solved;
}

/* `best`, if its relations that disagree are even there and with each of them
 * flipped. Rounding is that of the block: beside a diode that holds off 100 V a
 * current of 1e-9 A can be none, and its voltage is 1e-4 V where it is taken to
 * block it. */
static bool accept_tie(Sim *s, const Group *g, double *value)
{
    double *gap = NEW_ARRAY(g->work, double, g->n); /* 0: it agrees */
    double most = 0;
    if (!isfinite(g->least) || !evaluate_with(s, g, g->best))
        return false;
    for (int k = 0; k < g->n; k++) {
        const SimMode *m = &s->modes->at[g->first + k];
        if (sim_mode_disagrees(s, g->first + k) && !sim_is_even(s, m))
            return false;
        gap[k] = sim_mode_disagrees(s, g->first + k) ? fabs(m->gap) : 0;
        value[k] = g->best[k];
        most = fmax(most, m->size);
    }
    for (int k = 0; k < g->n; k++) {
        if (gap[k] == 0)
            continue;
        value[k] = 1 - g->best[k];
        bool fine = evaluate_with(s, g, value);
        value[k] = g->best[k];
        if (!fine || !sim_is_even_beside(s, &s->modes->at[g->first + k], most))
            return false;
        sim_widen_band(s, s->low->mode[g->first + k].relation, 2 * gap[k]);
    }
    return evaluate_with(s, g, g->best);
}

/* ---- none is ---- */

static const char *relation_text(Sim *s, int k)
{
    const Inlined *d = s->low->inlined;
    return expr_text(d->dag, d->relation[s->low->mode[k].relation].now,
                     inlined_var_name, (void *)d, 200, s->arena);
}

static bool report_none(Sim *s, Group *g)
{
    Span span;
    evaluate_with(s, g, g->best);
    s->is_over = s->has_no_mode = true;
    int worst = g->first;
    for (int k = g->first; k < g->first + g->n; k++)
        if (sim_mode_disagrees(s, k) && fabs(s->modes->at[k].gap) <= g->least)
            worst = k;
    const char *path = sim_reader_of(s, s->low->mode[worst].relation, &span);
    diag_report(s->diag, span, DIAG_E1347,
                "%s%s%sno mode is consistent at time %g: of %d combinations of "
                "%d relations none agrees with the values it leads to",
                *path ? "in '" : "", path, *path ? "' " : "",
                s->exec->r[s->low->tape->time], g->tries, g->n);
    for (int k = g->first, shown = 0; k < g->first + g->n && shown < 6; k++)
        if (sim_mode_disagrees(s, k) || g->n <= 6) {
            path = sim_reader_of(s, s->low->mode[k].relation, &span);
            diag_note(s->diag, span, "%s%sthe nearest has %s %s, off by %.3g",
                      path, *path ? ": " : "", relation_text(s, k),
                      g->best[k - g->first] != 0 ? "true" : "false",
                      sim_mode_disagrees(s, k) ? fabs(s->modes->at[k].gap) : 0);
            shown++;
        }
    return false;
}

/* The group with the values that it has; lives in `work`. */
static Group present(const Sim *s, int first, int n, Arena *work)
{
    const Lowered *low = s->low;
    Group g = {.first = first,
               .n = n,
               .base = NEW_ARRAY(work, double, n),
               .best = NEW_ARRAY(work, double, n),
               .says = NEW_ARRAY(work, double, n),
               .here = NEW_ARRAY(work, double, low->tape->nslot),
               .at = NEW_ARRAY(work, int, n + 1),
               .work = work,
               .least = INFINITY};
    for (int k = 0; k < n; k++)
        g.base[k] =
            s->exec->r[low->slot[low->inlined
                                     ->relation[low->mode[first + k].relation]
                                     .var]];
    return g;
}

/* ---- more than one is ---- */

static void report_several(Sim *s, const Group *g, const double *value)
{
    Span span;
    int k = 0;
    while (k < g->n - 1 && value[k] == g->base[k])
        k++;
    const char *path =
        sim_reader_of(s, s->low->mode[g->first + k].relation, &span);
    diag_report(s->diag, span, DIAG_W1376,
                "%s%s%sseveral modes are consistent at time %g: with %s true "
                "and with it false the equations have solutions, and other "
                "ones; of them the nearest is taken",
                *path ? "in '" : "", path, *path ? "' " : "",
                s->exec->r[s->low->tape->time], relation_text(s, g->first + k));
}

/* Says once whether the group has another solution than the one that was
 * found. */
static void look_for_second(Sim *s, int first, int n)
{
    if (n > FEW || s->modes->is_ambiguous)
        return;
    size_t size = (size_t)s->low->tape->nslot * sizeof(double);
    Arena *work = arena_new();
    double *value = NEW_ARRAY(work, double, n);
    double *here = NEW_ARRAY(work, double, s->low->tape->nslot);
    SimMode *mode = NEW_ARRAY(work, SimMode, n);
    Group g = present(s, first, n, work);
    memcpy(here, s->exec->r, size);
    memcpy(mode, s->modes->at + first, (size_t)n * sizeof *mode);
    g.other = here;
    bool found = false;
    for (int distance = 1; distance <= n && !found; distance++)
        found = try_distance(s, &g, distance, value);
    memcpy(s->exec->r, here, size);
    memcpy(s->modes->at + first, mode, (size_t)n * sizeof *mode);
    if (found)
        report_several(s, &g, value);
    s->modes->is_ambiguous |= found;
    arena_free(work);
}

static bool enumerate_in(Sim *s, int first, int n, Arena *work)
{
    Group g = present(s, first, n, work);
    double *value = NEW_ARRAY(work, double, n);
    for (int turned = 0; turned < 2; turned++) {
        g.takes_turned = turned == 1;
        g.tries = 0;
        for (int distance = 0; distance <= n && g.tries < MOST; distance++)
            if (try_distance(s, &g, distance, value)) {
                look_for_second(s, first, n);
                return true;
            }
    }
    return accept_tie(s, &g, value) || report_none(s, &g);
}

static bool enumerate(Sim *s, int first, int n)
{
    Arena *work = arena_new();
    bool found = enumerate_in(s, first, n, work);
    arena_free(work);
    return found;
}

bool sim_enumerate_modes(Sim *s)
{
    const Lowered *low = s->low;
    for (int k = 0, end; k < low->nmode; k = end) {
        bool is_restless = false;
        for (end = k;
             end < low->nmode && low->mode[end].group == low->mode[k].group;
             end++)
            is_restless |= sim_mode_disagrees(s, end);
        if (is_restless && !enumerate(s, k, end - k))
            return false;
    }
    return true;
}

/* The group with another combination that has a solution. */
static bool resolve(Sim *s, int first, int n, Arena *work)
{
    Group g = present(s, first, n, work);
    double *value = NEW_ARRAY(work, double, n);
    for (int distance = 1; distance <= n && g.tries < MOST; distance++)
        if (try_distance(s, &g, distance, value))
            return true;
    return false;
}

bool sim_resolve_conflict(Sim *s)
{
    const Lowered *low = s->low;
    size_t size = (size_t)low->tape->nslot * sizeof(double);
    Arena *work = arena_new();
    double *here = NEW_ARRAY(work, double, low->tape->nslot);
    bool found = false;
    memcpy(here, s->exec->r, size);
    for (int k = 0, end; k < low->nmode && !found; k = end) {
        for (end = k;
             end < low->nmode && low->mode[end].group == low->mode[k].group;
             end++)
            ;
        found = resolve(s, k, end - k, work);
        if (found)
            look_for_second(s, k, end - k);
        else
            memcpy(s->exec->r, here, size);
    }
    arena_free(work);
    return found;
}

/* Start values, with the relations as they were when the system failed: those
 * outside of loops have looked at time and parameters by then. Bit k: loop
 * relation k of the initial system is another one. */
static void set_pattern(Sim *s, const double *begin, const double *relation,
                        unsigned pattern)
{
    const Lowered *low = s->low;
    memcpy(s->exec->r, begin, (size_t)low->tape->nslot * sizeof(double));
    for (int i = 0; i < low->inlined->nrelation; i++)
        if (low->slot[low->inlined->relation[i].var] != NONE)
            s->exec->r[low->slot[low->inlined->relation[i].var]] = relation[i];
    for (int k = 0; k < low->ninit_mode; k++) {
        int slot =
            low->slot[low->inlined->relation[low->init_mode[k].relation].var];
        if (k < 31 && pattern >> k & 1)
            s->exec->r[slot] = s->exec->r[slot] == 0;
    }
}

bool sim_find_regular(Sim *s, const double *begin, bool (*solve)(Sim *s))
{
    const Lowered *low = s->low;
    int n = low->ninit_mode;
    if (n == 0 || n > 30)
        return false;
    double *relation = NEW_ARRAY(s->scratch, double, low->inlined->nrelation);
    for (int i = 0; i < low->inlined->nrelation; i++)
        if (low->slot[low->inlined->relation[i].var] != NONE)
            relation[i] = s->exec->r[low->slot[low->inlined->relation[i].var]];
    for (int distance = 1; distance <= n; distance++)
        for (unsigned pattern = 1, tries = 0; pattern < 1u << n && tries < MOST;
             pattern++) {
            int bits = 0;
            for (int k = 0; k < n; k++)
                bits += pattern >> k & 1;
            if (bits != distance)
                continue;
            tries++;
            set_pattern(s, begin, relation, pattern);
            if (solve(s))
                return true;
        }
    return false;
}
