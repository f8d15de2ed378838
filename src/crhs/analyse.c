/* analyse.c - a C function becomes a table: see crhs.h for the way. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "crhs/crhs.h"

TaktRtSetup takt_rt_setup(double step, const double *x0)
{
    return (TaktRtSetup){.step = step, .x0 = x0, .refine = 1};
}

TaktRtStatus crhs_say(TaktRtReport *r, TaktRtStatus status, int row, int col,
                      const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsnprintf(r->message, sizeof r->message, format, ap);
    va_end(ap);
    r->row = row;
    r->col = col;
    return status;
}

static TaktRtSetup with_defaults(const TaktRtSetup *given)
{
    TaktRtSetup s = *given;
    if (s.t1 == 0 || s.t1 == s.t0)
        s.t1 = s.t0 + 100 * s.step;
    if (s.threshold == 0)
        s.threshold = 1e-3;
    if (s.nsample == 0)
        s.nsample = 12;
    if (s.spread == 0)
        s.spread = 0.1;
    if (s.seed == 0)
        s.seed = 1;
    if (s.order == 0)
        s.order = 1;
    s.refine = s.refine != 0;
    return s;
}

/* A share in [0, 1]; NaN is none. */
static bool is_share(double x)
{
    return x >= 0 && x <= 1;
}

static const char *fault_of(const TaktRtModel *m, const TaktRtSetup *s)
{
    if (m->n < 1 || m->n > TAKT_RT_MAX_N)
        return "n must be 1 .. 100000";
    if (!m->rhs)
        return "the model has no function rhs";
    if (m->derivative && m->jacobian)
        return "give `derivative` or `jacobian`, not both";
    if (m->jacobian && s->npattern == 0)
        return "`jacobian` needs a pattern, which says what its values are";
    if (!(s->step > 0) || !isfinite(s->step))
        return "the step must be a number > 0";
    if (!s->x0)
        return "x0 is missing";
    if (!isfinite(s->t0) || !isfinite(s->t1))
        return "t0 and t1 must be finite";
    if (s->npattern < 0 || (s->npattern > 0 && (!s->prow || !s->pcol)))
        return "npattern, prow and pcol do not fit";
    if (s->nkeep < 0 || (s->nkeep > 0 && (!s->krow || !s->kcol)))
        return "nkeep, krow and kcol do not fit";
    if (s->nl < 0 || (s->nl > 0 && (!s->lrow || !s->lcol || !s->lvalue)))
        return "nl, lrow, lcol and lvalue do not fit";
    if (s->nsample < 0 || s->nsample > 1000 || s->nown < 0 ||
        s->nown > 100000 || (s->nown > 0 && !s->own))
        return "nsample must be at most 1000, nown at most 100000";
    if (!is_share(s->threshold) || !is_share(s->noise) || !is_share(s->pivot) ||
        !is_share(s->damping))
        return "threshold, noise, pivot and damping must be 0 .. 1";
    if (!(s->spread >= 0) || !isfinite(s->spread))
        return "the spread must be a number >= 0";
    if (s->order < 1 || s->order > TAKT_RT_MAX_ORDER)
        return "the order must be 1 .. 8";
    if (s->damping > 0 && s->order > 1)
        return "damping is for order 1";
    if (!(s->rtol >= 0) || !isfinite(s->rtol) || !(s->atol >= 0) ||
        !isfinite(s->atol))
        return "rtol and atol must be numbers >= 0";
    return NULL;
}

static TaktRtStatus check_numbers(const TaktRtModel *m, const TaktRtSetup *s,
                                  TaktRtReport *r)
{
    for (int i = 0; i < m->n; i++) {
        if (!isfinite(s->x0[i]))
            return crhs_say(r, TAKT_RT_BAD_SETUP, i, -1, "x0[%d] is not finite",
                            i);
        if (s->nominal && (!(s->nominal[i] > 0) || !isfinite(s->nominal[i])))
            return crhs_say(r, TAKT_RT_BAD_SETUP, i, -1,
                            "nominal[%d] must be a number > 0", i);
    }
    for (int k = 0; k < s->nl; k++)
        if (s->lrow[k] < 0 || s->lrow[k] >= m->n || s->lcol[k] < 0 ||
            s->lcol[k] >= m->n || !isfinite(s->lvalue[k]))
            return crhs_say(r, TAKT_RT_BAD_SETUP, s->lrow[k], s->lcol[k],
                            "entry %d of L is outside of the matrix or not "
                            "finite",
                            k);
    return TAKT_RT_FINE;
}

/* The unit matrix where L is not given. */
static void fill_unit(TaktRtSetup *s, int n, Arena *arena)
{
    if (s->nl > 0)
        return;
    int *place = NEW_ARRAY(arena, int, n);
    double *one = NEW_ARRAY(arena, double, n);
    for (int i = 0; i < n; i++) {
        place[i] = i;
        one[i] = 1;
    }
    s->nl = n;
    s->lrow = s->lcol = place;
    s->lvalue = one;
}

/* Entries of L - h J; L must not name a place twice. */
static TaktRtStatus make_matrix(const TaktRtSetup *s, const Jacobian *j,
                                const Groups *g, Iteration *it, TaktRtReport *r,
                                Arena *arena)
{
    int most = g->nkept + s->nl;
    int *row = NEW_ARRAY(arena, int, most), *col = NEW_ARRAY(arena, int, most);
    double *value = NEW_ARRAY(arena, double, most);
    /* entries of J chained by row */
    int *head = NEW_ARRAY(arena, int, j->n),
        *next = NEW_ARRAY(arena, int, most);
    bool *taken = NEW_ARRAY(arena, bool, most);
    for (int i = 0; i < j->n; i++)
        head[i] = NONE;
    *it = (Iteration){.nj = g->nkept,
                      .na = g->nkept,
                      .row = row,
                      .col = col,
                      .lvalue = value};
    for (int k = 0; k < g->nkept; k++) {
        row[k] = j->row[g->entry[k]];
        col[k] = j->col[g->entry[k]];
        next[k] = head[row[k]];
        head[row[k]] = k;
    }
    for (int q = 0; q < s->nl; q++) {
        int at = head[s->lrow[q]];
        while (at != NONE && col[at] != s->lcol[q])
            at = next[at];
        if (at == NONE) {
            at = it->na++;
            row[at] = s->lrow[q];
            col[at] = s->lcol[q];
            next[at] = head[row[at]];
            head[row[at]] = at;
        }
        if (taken[at])
            return crhs_say(r, TAKT_RT_BAD_SETUP, row[at], col[at],
                            "L names the place (%d, %d) twice", row[at],
                            col[at]);
        taken[at] = true;
        value[at] = s->lvalue[q];
    }
    return TAKT_RT_FINE;
}

/* The matrices of all samples, for each substep of the extrapolation. */
static const double *make_samples(const TaktRtSetup *s, const Jacobian *j,
                                  const Groups *g, const Iteration *it,
                                  Arena *local)
{
    size_t na = (size_t)it->na;
    double *out =
        NEW_ARRAY(local, double, na *(size_t)j->nsample *(size_t)s->order + 1);
    double *at = out;
    for (int q = 1; q <= s->order; q++)
        for (int p = 0; p < j->nsample; p++, at += na)
            for (int k = 0; k < it->na; k++) {
                at[k] = it->lvalue[k];
                if (k < it->nj)
                    at[k] -= s->step / q *
                             j->value[(size_t)p * (size_t)j->nnz +
                                      (size_t)g->entry[k]];
            }
    return out;
}

/* Pivots with the largest share of their column that is possible. */
static const StaticLu *choose_pivots(const TaktRtSetup *s, const Jacobian *j,
                                     const Groups *g, const Iteration *it,
                                     int n, Arena *arena)
{
    static const double shares[] = {0.1, 0.01, 1e-3, 1e-4, 1e-6};
    Arena *local = arena_new();
    const double *samples = make_samples(s, j, g, it, local);
    const StaticLu *f = NULL;
    int count = (int)(sizeof shares / sizeof *shares);
    for (int i = 0; i < count && !f; i++) {
        double share = s->pivot > 0 ? s->pivot : shares[i];
        f = static_lu_new(n, it->na, it->row, it->col, samples,
                          j->nsample * s->order, share, arena);
        if (s->pivot > 0)
            break;
    }
    arena_free(local);
    return f;
}

/* Evaluations of f in a step. */
static int evaluations(const TaktRtModel *m, const TaktRtSetup *s,
                       const Groups *g)
{
    int count = 1 + (m->jacobian || m->derivative ? 0 : g->ngroup);
    if (s->order > 1)
        count += s->order * (s->order + 1) / 2;
    return count + (s->damping > 0 ? 3 : 0);
}

static void fill_report(const TaktRtModel *m, const TaktRtSetup *s,
                        const Points *p, const Jacobian *j, const Groups *g,
                        const Iteration *it, const StaticLu *f,
                        const uint32_t *table, TaktRtReport *r)
{
    r->n = m->n;
    r->kind = m->jacobian     ? TAKT_RT_ENTRIES
              : m->derivative ? TAKT_RT_DIRECTIONS
                              : TAKT_RT_DIFFERENCES;
    r->nsample = p->count;
    r->ndropped = p->ndropped;
    r->npattern = j->nnz;
    r->nkept = g->nkept;
    r->ngroup = m->jacobian ? 1 : g->ngroup;
    r->ngroup_pattern = m->jacobian ? 1 : g->ngroup_pattern;
    r->nevaluation = evaluations(m, s, g);
    r->nfill = f->nentry - it->na;
    r->weakest = f->weakest;
    r->flops = f->flops;
    r->words = takt_rt_words(table);
    r->memory = takt_rt_memory(table, r->words);
}

static TaktRtStatus analyse(const TaktRtModel *m, TaktRtSetup s,
                            uint32_t **table, TaktRtReport *r, Arena *arena)
{
    Points p;
    Jacobian j;
    Groups g;
    Iteration it;
    fill_unit(&s, m->n, arena);
    TaktRtStatus status = crhs_sample(m, &s, &p, r, arena);
    if (status)
        return status;
    TaktRtStatus note = crhs_detect(m, &s, &p, &j, r, arena);
    if (note < 0)
        return note;
    if ((status = crhs_group(&s, &j, &g, r, arena)) ||
        (status = make_matrix(&s, &j, &g, &it, r, arena)))
        return status;
    const StaticLu *f = choose_pivots(&s, &j, &g, &it, m->n, arena);
    if (!f)
        return crhs_say(r, TAKT_RT_SINGULAR, -1, -1,
                        "no order of pivots holds in all %d samples: L - h "
                        "df/dx is singular, or nearly, in one of them "
                        "(index above 1, an unknown that no row needs, or "
                        "entries that must be kept)",
                        j.nsample);
    *table = crhs_pack(m, &s, &g, &it, f, p.nominal, arena);
    fill_report(m, &s, &p, &j, &g, &it, f, *table, r);
    return note;
}

TaktRtStatus takt_rt_analyse(const TaktRtModel *model, const TaktRtSetup *setup,
                             uint32_t **table, TaktRtReport *report)
{
    TaktRtReport unused, *r = report ? report : &unused;
    *table = NULL;
    *r = (TaktRtReport){.row = -1, .col = -1};
    TaktRtSetup s = with_defaults(setup);
    const char *fault = fault_of(model, &s);
    if (fault)
        return crhs_say(r, TAKT_RT_BAD_SETUP, -1, -1, "%s", fault);
    TaktRtStatus status = check_numbers(model, &s, r);
    if (status)
        return status;
    Arena *arena = arena_new();
    status = analyse(model, s, table, r, arena);
    arena_free(arena);
    if (status == TAKT_RT_FINE)
        snprintf(r->message, sizeof r->message, "%s", takt_rt_text(status));
    return status;
}

const char *takt_rt_text(TaktRtStatus status)
{
    switch (status) {
    case TAKT_RT_FINE: return "fine";
    case TAKT_RT_NOTE_ERROR:
        return "the error estimate is beyond the tolerances";
    case TAKT_RT_NOTE_SOLVE:
        return "the linear system is close to singular, or its pivots are bad";
    case TAKT_RT_NOTE_JACOBIAN:
        return "derivatives differ from finite differences";
    case TAKT_RT_FAILED: return "a value is not finite; the state was kept";
    case TAKT_RT_RHS: return "the model's function could not be evaluated";
    case TAKT_RT_BAD_TABLE:
        return "not a table, a damaged one, or one of another version";
    case TAKT_RT_BAD_MODEL: return "the model does not fit the table";
    case TAKT_RT_NO_MEMORY: return "not enough memory was given";
    case TAKT_RT_BAD_SETUP: return "the setup has an impossible value";
    case TAKT_RT_BAD_PATTERN: return "f depends on more than the pattern says";
    case TAKT_RT_SINGULAR: return "no order of pivots holds in all samples";
    case TAKT_RT_NOT_FINITE: return "f or a derivative is not finite at x0";
    case TAKT_RT_FILE: return "the file could not be read or written";
    }
    return "unknown status";
}
