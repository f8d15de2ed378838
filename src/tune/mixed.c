/* mixed.c - a step with some places of Df at the old time.
 *
 * R = M^-1 N with M = L - tau (1-E).Df and N = L + tau E.Df, on the variables
 * that are remembered from step to step (step.h): the states, and what is old
 * in some place.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/mixed.h"

#include <math.h>

#include "graph/blt.h"
#include "tune/certificate.h"
#include "tune/mixed_internal.h"
#include "tune/ritz.h"
#include "tune/step.h"

const char *mixed_form_name(MixForm form)
{
    static const char *const name[] = {"row", "column", "row and column",
                                       "place"};
    return name[form];
}

MixOptions mixed_defaults(void)
{
    return (MixOptions){.margin = 1e-3,
                        .strict = false,
                        .growth = 10,
                        .most_sets = 5,
                        .most_places = 2};
}

void mixed_places(const PencilSet *p, MixForm form, const bool *is_explicit,
                  bool *at_old)
{
    for (int j = 0; j < p->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            int i = p->row[k];
            bool row = i < p->nx && is_explicit[i];
            bool column = j < p->nx && is_explicit[j];
            at_old[k] =
                (form != MIX_COLUMN && row) || (form != MIX_ROW && column);
        }
}

/* ---- the matrix of a step ---- */

/* With one iteration from the old values, an iteration matrix without the
 * explicit places gives exactly this step (step.h). */
static StepMatrix matrix_of(const PencilSet *p, int sample, double tau,
                            const bool *at_old, Arena *work)
{
    bool *keep = NEW_ARRAY(work, bool, p->nnz + 1);
    for (int k = 0; k < p->nnz; k++)
        keep[k] = !at_old || !at_old[k];
    return step_matrix(p, sample, tau, 1, keep, NULL, work);
}

/* The spectral radius and the smallest real part of an eigenvalue. */
static bool extremes_of(const PencilSet *p, int sample, double tau,
                        const bool *at_old, double *radius, double *leftmost)
{
    Arena *work = arena_new();
    StepMatrix m = matrix_of(p, sample, tau, at_old, work);
    double complex *value = NEW_ARRAY(work, double complex, m.n + 1);
    bool is_fine =
        m.code == TUNE_FINE && step_eigenvalues(m.n, m.m, value) == TUNE_FINE;
    *radius = is_fine ? 0 : INFINITY;
    *leftmost = 0;
    for (int i = 0; i < m.n && is_fine; i++) {
        *radius = fmax(*radius, cabs(value[i]));
        *leftmost = fmin(*leftmost, creal(value[i]));
    }
    arena_free(work);
    return is_fine;
}

double mixed_radius(const PencilSet *p, int sample, double tau,
                    const bool *at_old)
{
    double radius, leftmost;
    extremes_of(p, sample, tau, at_old, &radius, &leftmost);
    return radius;
}

/* An eigenvalue mu of the implicit step is 1/(1 - tau lambda); a step that
 * happens to be 1/lambda makes it singular, another one is taken then. */
double mixed_own_growth(const PencilSet *p, int sample, double tau)
{
    Arena *work = arena_new();
    double part = 1, growth = NAN;
    StepMatrix m = matrix_of(p, sample, tau, NULL, work);
    if (m.code != TUNE_FINE) {
        part = 0.37;
        m = matrix_of(p, sample, part * tau, NULL, work);
    }
    double complex *mu = NEW_ARRAY(work, double complex, m.n + 1);
    if (m.code == TUNE_FINE && step_eigenvalues(m.n, m.m, mu) == TUNE_FINE) {
        growth = 0;
        for (int i = 0; i < m.n; i++)
            if (mu[i] != 0) /* 0: infinitely fast, or algebraic */
                growth = fmax(growth, exp(creal(1 - 1 / mu[i]) / part));
    }
    arena_free(work);
    return growth;
}

/* ---- is it sound? ---- */

/* What a step may grow by in a sample; NaN: the sample says nothing. */
static double allowed_growth(const PencilSet *p, int sample, double tau,
                             const MixOptions *o)
{
    double own = mixed_own_growth(p, sample, tau);
    if (o->strict)
        return own < 1 ? 1 : NAN;
    return fmax(1, own); /* a singular pencil (NaN) gives 1 */
}

double *mixed_allowed(const PencilSet *p, double tau, const MixOptions *o,
                      Arena *arena)
{
    double *allowed = NEW_ARRAY(arena, double, p->nsample + 1);
    for (int s = 0; s < p->nsample; s++)
        allowed[s] = p->sample[s].same < s ? allowed[p->sample[s].same]
                                           : allowed_growth(p, s, tau, o);
    return allowed;
}

/* Refuses what a few products with a vector show to grow or to ring. */
static bool is_hopeless(const PencilSet *p, int sample, double tau,
                        const bool *at_old, double allowed, const MixOptions *o)
{
    if (p->n < RITZ_FROM)
        return false;
    Arena *work = arena_new();
    double complex value[RITZ_STEPS];
    StepMatrix m = matrix_of(p, sample, tau, at_old, work);
    int n = m.code == TUNE_FINE ? ritz_values(m.n, m.m, value) : 0;
    arena_free(work);
    double most = isnan(allowed) ? INFINITY : allowed * (1 + o->margin);
    for (int i = 0; i < n; i++)
        if (cabs(value[i]) > most + RITZ_SETTLED ||
            (o->ringing > 0 && creal(value[i]) < -o->ringing - RITZ_SETTLED))
            return true;
    return false;
}

bool mixed_is_sound(const PencilSet *p, int sample, double tau,
                    const bool *at_old, double allowed, const MixOptions *o,
                    double *radius)
{
    double size, leftmost;
    if (!radius && is_hopeless(p, sample, tau, at_old, allowed, o))
        return false;
    extremes_of(p, sample, tau, at_old, &size, &leftmost);
    if (radius)
        *radius = size;
    if (o->ringing > 0 && leftmost < -o->ringing)
        return false;
    if (isnan(allowed))
        return true;
    return o->strict ? size < 1 : size <= allowed * (1 + o->margin);
}

enum { GROUP_FROM = 20 }; /* states: above, groups are tried first */

/* ---- Gustafsson's partition ---- */

/* 3.1.1 in one sample: state after state. Large models try groups of states
 * first: one that is sound as a whole needs no looking into. A group may help
 * where single states do not, so the result can differ from that of single
 * steps; it is sound all the same. With `is_quick` a set is refused only where
 * it is hopeless, and the result may be unsound. */
static void partition_by(const PencilSet *p, int sample, double tau,
                         MixForm form, double allowed, const MixOptions *o,
                         bool is_quick, bool *is_explicit, bool *at_old)
{
    int size = 1; /* of the group to try */
    for (int i = 0; i < p->nx; i++)
        is_explicit[i] = false;
    while (p->nx > GROUP_FROM && size < p->nx / 2)
        size *= 2;
    for (int at = 0; at < p->nx;) {
        int end = at + size < p->nx ? at + size : p->nx;
        for (int i = at; i < end; i++)
            is_explicit[i] = true;
        mixed_places(p, form, is_explicit, at_old);
        bool sound =
            is_quick ? !is_hopeless(p, sample, tau, at_old, allowed, o)
                     : mixed_is_sound(p, sample, tau, at_old, allowed, o, NULL);
        for (int i = at; i < end && !sound; i++)
            is_explicit[i] = false;
        if (!sound && size > 1) {
            size /= 2;
            continue;
        }
        at = end;
        if (sound && p->nx > GROUP_FROM)
            size *= 2;
    }
}

/* Large models quickly first: what comes out of that is mostly sound. */
static void partition_sample(const PencilSet *p, int sample, double tau,
                             MixForm form, double allowed, const MixOptions *o,
                             bool *is_explicit, bool *at_old)
{
    if (p->n >= RITZ_FROM) {
        partition_by(p, sample, tau, form, allowed, o, true, is_explicit,
                     at_old);
        mixed_places(p, form, is_explicit, at_old);
        if (mixed_is_sound(p, sample, tau, at_old, allowed, o, NULL))
            return;
    }
    partition_by(p, sample, tau, form, allowed, o, false, is_explicit, at_old);
}

int mixed_partition(const PencilSet *p, double tau, MixForm form,
                    const MixOptions *o, bool *is_explicit)
{
    Arena *work = arena_new();
    bool *here = NEW_ARRAY(work, bool, p->nx + 1);
    bool *at_old = NEW_ARRAY(work, bool, p->nnz + 1);
    const double *allowed = mixed_allowed(p, tau, o, work);
    bool any = false;
    for (int i = 0; i < p->nx; i++)
        is_explicit[i] = true;
    for (int s = 0; s < p->nsample; s++) {
        if (p->sample[s].kept_back || isnan(allowed[s]) ||
            pencil_is_repeated(p, s))
            continue;
        if (any && p->nx > GROUP_FROM) { /* what is left may do as it is */
            mixed_places(p, form, is_explicit, at_old);
            if (mixed_is_sound(p, s, tau, at_old, allowed[s], o, NULL))
                continue;
        }
        any = true;
        partition_sample(p, s, tau, form, allowed[s], o, here, at_old);
        for (int i = 0; i < p->nx; i++)
            is_explicit[i] = is_explicit[i] && here[i];
    }
    int n = 0;
    for (int i = 0; i < p->nx; i++) {
        is_explicit[i] = is_explicit[i] && any;
        n += is_explicit[i];
    }
    arena_free(work);
    return n;
}

/* ---- blocks ---- */

/* Has L a value there, in any sample? Then the place stays implicit. */
static bool has_mass(const PencilSet *p, int i, int j)
{
    for (int s = 0; s < p->nsample; s++)
        if (p->sample[s].l[(size_t)i + (size_t)j * (size_t)p->n] != 0)
            return true;
    return i == j && i < p->nx;
}

const Incidence *mixed_incidence(const PencilSet *p, const bool *at_old,
                                 Arena *out)
{
    Arena *work = arena_new();
    EdgeList list = edges_begin(work);
    for (int j = 0; j < p->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++)
            if (!at_old || !at_old[k] || has_mass(p, p->row[k], j))
                edges_add(&list, p->row[k], j, EDGE_CONSTANT, k);
    const Incidence *inc = edges_end(&list, p->n, p->n, out);
    arena_free(work);
    return inc;
}

/* ---- all figures of a set ---- */

static void judge_blocks(const PencilSet *p, MixedSet *set)
{
    Arena *work = arena_new();
    const Blt *blt = blt_order(mixed_incidence(p, set->at_old, work), work);
    set->largest = blt ? blt_largest(blt) : p->n;
    for (int b = 0; blt && b < blt->nblock; b++)
        set->nblock += blt->start[b + 1] - blt->start[b] > 1;
    arena_free(work);
}

double mixed_default_cost(void *context, const PencilSet *p, const bool *at_old)
{
    (void)context;
    Arena *work = arena_new();
    const Blt *blt = blt_order(mixed_incidence(p, at_old, work), work);
    double cost = blt ? 0 : INFINITY;
    for (int b = 0; blt && b < blt->nblock; b++) {
        double size = blt->start[b + 1] - blt->start[b];
        cost += size * size * size;
    }
    arena_free(work);
    return cost;
}

void mixed_judge(const PencilSet *p, double tau, const double *allowed,
                 const MixOptions *o, MixedSet *set)
{
    bool counted = false; /* no sample says anything: nothing was shown */
    set->sound = true;
    set->worst = NONE;
    for (int s = 0; s < p->nsample; s++) {
        double radius;
        if (p->sample[s].same < s)
            continue;
        bool sound =
            mixed_is_sound(p, s, tau, set->at_old, allowed[s], o, &radius);
        set->radius = fmax(set->radius, radius);
        set->sound = set->sound && sound;
        counted = counted || !isnan(allowed[s]);
        double growth = radius / (isnan(allowed[s]) ? 1 : allowed[s]);
        if (set->worst == NONE || growth > set->growth) {
            set->growth = growth;
            set->worst = s;
        }
    }
    set->sound = set->sound && counted;
    set->product_ratio = NAN;
    judge_blocks(p, set);
    set->cost = o->cost ? o->cost(o->context, p, set->at_old)
                        : mixed_default_cost(NULL, p, set->at_old);
}

void mixed_judge_products(const PencilSet *p, double tau, const MixOptions *o,
                          MixedSet *set)
{
    if (o->growth <= 0 || p->nsample == 0)
        return;
    Arena *work = arena_new();
    CertificateOptions co = {.choice = {.tau = tau}};
    Certificate c = {0};
    bool *keep = NEW_ARRAY(work, bool, p->nnz + 1);
    for (int k = 0; k < p->nnz; k++)
        keep[k] = !set->at_old[k];
    certificate_products(p, &co, keep, NULL, &c, NULL);
    set->product_ratio = c.product_ratio;
    set->sound = set->sound && c.product_ratio <= o->growth;
    arena_free(work);
}
