/* takt_fmu_host.h - an FMU as pure functions of numbers; included by the file
 * with the wrappers of foreign functions, after takt_fmu_host2.h and
 * takt_fmu_host3.h.
 *
 * What an FMU keeps to itself (its discrete states) is told by a number, the
 * epoch: takt_fmu_start and takt_fmu_event give a new one, all others take one.
 * An FMU that can save its state goes back to every epoch that is still kept;
 * any other one knows the last only, and a question about an earlier one fails.
 * The same question has the same answer: start and event remember.
 *
 *   start   t, values                       -> epoch, next event, end, x, d,
 *                                              which indicators are above 0
 *   event   t, x, u, discrete u, epoch, is  -> the same; nothing is done if
 *           there one?                         there is none
 *   slope   t, x, u, epoch                  -> derivatives of x
 *   value   t, x, u, epoch                  -> y
 *   cross   t, x, u, epoch                  -> event indicators
 *   done    t, x, u, epoch                  -> does the FMU ask for an event?
 *   step    t, u, epoch (co-simulation)     -> epoch, next event, end, d
 *
 * Every result begins with a status: 0 is fine.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_FMU_HOST_H
#define TAKT_FMU_HOST_H

enum { TAKT_FMU_RECENT = 16 }; /* answers that are looked through */

/* What is said again and again is said once. */
static void takt_fmu_say(int level, const char *name, const char *text)
{
    enum { MOST_WARNINGS = 20 };
    static char last[1024];
    static int nwarning;
    char line[1024];
    snprintf(line, sizeof line, "%s: %s", name, text);
    if (strcmp(line, last) == 0 || (level < 2 && nwarning > MOST_WARNINGS))
        return;
    memcpy(last, line, sizeof last);
    if (level < 2 && ++nwarning > MOST_WARNINGS)
        snprintf(line, sizeof line, "%s: further warnings are not shown", name);
    takt_external_say(level, line);
}

/* A step that is done, but. Said once, whether the FMU has more words or not.
 */
static void takt_fmu_doubt(TaktFmu *f)
{
    if (!f->has_warned)
        takt_fmu_say(1, f->is->name,
                     "a step ended with the status Warning: it may be wrong");
    f->has_warned = 1;
}

static int takt_fmu_fail(TaktFmu *f, const char *what)
{
    char line[1024];
    snprintf(line, sizeof line, "%s failed", what);
    takt_fmu_say(2, f->is->name, line);
    return 0;
}

/* ---- loading ---- */

static TaktFmu *takt_fmu_new(const TaktFmuIs *is)
{
    TaktFmu *f = (TaktFmu *)calloc(1, sizeof *f);
    if (!f)
        return 0;
    f->is = is;
    f->now = -1;
    f->slot = (TaktFmuSlot *)calloc(TAKT_FMU_SLOTS, sizeof *f->slot);
    f->room = (double *)calloc(4 * (size_t)is->room + 1, sizeof *f->room);
    f->refs = (unsigned *)calloc(2 * (size_t)is->room + 1, sizeof *f->refs);
    f->call = is->version == 2 ? &takt_fmu_calls2 : &takt_fmu_calls3;
    if (!f->slot || !f->room || !f->refs || !f->call->load(f)) {
        takt_fmu_say(2, is->name, "the FMU cannot be loaded");
        f->is_broken = 1;
    }
    return f;
}

static void takt_fmu_free(TaktFmu *f)
{
    if (!f)
        return;
    for (int i = 0; f->slot && i < TAKT_FMU_SLOTS; i++) {
        if (f->slot[i].state && f->instance)
            f->call->forget(f, &f->slot[i].state);
        free(f->slot[i].memo);
    }
    if (f->instance)
        f->call->free(f);
#ifndef TAKT_FMU_LINKED
    if (f->library)
        dlclose(f->library);
#endif
    free(f->fn);
    free(f->slot);
    free(f->room);
    free(f->refs);
    free(f);
}

/* ---- epochs ---- */

static TaktFmuSlot *takt_fmu_slot(TaktFmu *f, long epoch)
{
    TaktFmuSlot *s = &f->slot[epoch % TAKT_FMU_SLOTS];
    return epoch > 0 && s->epoch == epoch ? s : 0;
}

/* The answer to the same question, if it is still there. */
static TaktFmuSlot *takt_fmu_recall(TaktFmu *f, int kind, const double *a,
                                    int n)
{
    for (long e = f->last; e > 0 && e > f->last - TAKT_FMU_RECENT; e--) {
        TaktFmuSlot *s = takt_fmu_slot(f, e);
        if (s && s->kind == kind && (s->state || f->now == e) &&
            memcmp(s->memo, a, (size_t)n * sizeof *a) == 0)
            return s;
    }
    return 0;
}

/* A new epoch: what the FMU is in now, for question `a` with answer `y`. */
static int takt_fmu_keep(TaktFmu *f, int kind, const double *a, int n,
                         double *y, int ny)
{
    long epoch = f->last + 1;
    TaktFmuSlot *s = &f->slot[epoch % TAKT_FMU_SLOTS];
    double *memo =
        (double *)realloc(s->memo, (size_t)(n + ny + 1) * sizeof *memo);
    if (!memo)
        return 0;
    s->memo = memo;
    f->last = epoch;
    f->now = epoch;
    y[1] = (double)epoch;
    s->epoch = epoch;
    s->kind = kind;
    s->time = a[0];
    s->nmemo = n;
    memcpy(s->memo, a, (size_t)n * sizeof *a);
    memcpy(s->memo + n, y, (size_t)ny * sizeof *y);
    if (f->is->has_state && !f->call->save(f, &s->state))
        return takt_fmu_fail(f, "getFMUstate");
    return 1;
}

/* While an event is dealt with, questions about the time before it come once
 * more. An FMU that cannot go back answers them as it is after the event. */
static int takt_fmu_is_past(TaktFmu *f, long epoch, double t)
{
    TaktFmuSlot *s = takt_fmu_slot(f, f->now);
    return !f->is->has_state && s && s->kind == 1 && s->time == t &&
           (long)s->memo[s->nmemo - 1] == epoch;
}

/* Brings the FMU to an epoch, for a question about time t. */
static int takt_fmu_go(TaktFmu *f, double number, double t)
{
    long epoch = (long)number;
    if (f->is_broken || !f->instance)
        return 0;
    if (f->now == epoch || takt_fmu_is_past(f, epoch, t))
        return 1;
    TaktFmuSlot *s = takt_fmu_slot(f, epoch);
    if (epoch <= 0) /* nothing has begun yet */
        return 0;
    if (!s || !s->state) {
        takt_fmu_say(2, f->is->name,
                     "the FMU cannot save its state, and its events need that "
                     "here");
        return 0;
    }
    f->now = -1;
    if (!f->call->restore(f, s->state))
        return takt_fmu_fail(f, "setFMUstate");
    f->now = epoch;
    return 1;
}

static void takt_fmu_none(double *y, int ny)
{
    y[0] = 1;
    for (int i = 1; i < ny; i++)
        y[i] = NAN;
}

/* An answer that nobody uses. */
static void takt_fmu_idle(double *y, int ny, double epoch)
{
    for (int i = 0; i < ny; i++)
        y[i] = 0;
    y[1] = epoch;
    y[2] = 1e300;
}

/* Results of start and event. */
static int takt_fmu_nafter(const TaktFmuIs *is)
{
    return 4 + is->nx + is->nd_numbers + (is->is_block ? 0 : is->nz);
}

/* ---- the start ---- */

static int takt_fmu_begin(TaktFmu *f, const double *a)
{
    f->now = -1;
    if (f->is_broken)
        return 0;
    if (f->instance && !f->call->reset(f)) {
        f->call->free(f);
        f->instance = 0;
        for (int i = 0; i < TAKT_FMU_SLOTS; i++)
            f->slot[i].state = 0;
    }
    if (!f->instance && !f->call->instantiate(f))
        return takt_fmu_fail(f, "the instantiation");
    if (!f->call->initialize(f, a[0], a + 1))
        return takt_fmu_fail(f, "the initialisation");
    return 1;
}

/* Event iteration, then what came out: next event, end, x, d. */
static int takt_fmu_settle(TaktFmu *f, double *y)
{
    TaktFmuEvent e = {0, 0, 0};
    if (!f->call->update(f, &e))
        return takt_fmu_fail(f, "the update of discrete states");
    y[2] = e.has_next ? e.next : 1e300;
    y[3] = e.ends;
    return 1;
}

static int takt_fmu_read(TaktFmu *f, double *y)
{
    const TaktFmuIs *is = f->is;
    double *z = y + 4 + is->nx + is->nd_numbers;
    if (!(is->is_block || is->nx == 0 || f->call->get_states(f, y + 4)) ||
        !f->call->get(f, is->d, is->nd, y + 4 + is->nx))
        return takt_fmu_fail(f, "reading the values after an event");
    if (is->is_block || is->nz == 0)
        return 1;
    if (!f->call->get_indicators(f, z))
        return takt_fmu_fail(f, "getEventIndicators");
    for (int i = 0; i < is->nz; i++)
        z[i] = z[i] > 0;
    return 1;
}

static void takt_fmu_start(TaktFmu *f, const double *a, double *y)
{
    const TaktFmuIs *is = f->is;
    int n = 1 + is->nset_numbers, ny = takt_fmu_nafter(is);
    TaktFmuSlot *s = takt_fmu_recall(f, 0, a, n);
    if (s) {
        memcpy(y, s->memo + n, (size_t)ny * sizeof *y);
        return;
    }
    takt_fmu_none(y, ny);
    y[2] = 1e300;
    y[3] = 0;
    if (takt_fmu_begin(f, a) && (is->is_block || takt_fmu_settle(f, y)) &&
        takt_fmu_read(f, y)) {
        y[0] = 0;
        if (!takt_fmu_keep(f, 0, a, n, y, ny))
            y[0] = 1;
    }
}

/* ---- between events ---- */

/* Time, states and inputs of continuous variables; `a` ends with the epoch. */
static int takt_fmu_place(TaktFmu *f, const double *a, double epoch)
{
    const TaktFmuIs *is = f->is;
    return takt_fmu_go(f, epoch, a[0]) && f->call->set_time(f, a[0]) &&
           (is->nx == 0 || f->call->set_states(f, a + 1)) &&
           f->call->set(f, is->u, is->nu, a + 1 + is->nx);
}

enum { TAKT_FMU_ASK_SLOPE, TAKT_FMU_ASK_VALUE, TAKT_FMU_ASK_CROSS };

static int takt_fmu_nask(const TaktFmuIs *is, int which)
{
    return 1 + (which == TAKT_FMU_ASK_SLOPE   ? is->nx
                : which == TAKT_FMU_ASK_VALUE ? is->ny_numbers
                                              : is->nz);
}

static int takt_fmu_get(TaktFmu *f, int which, double *y)
{
    return which == TAKT_FMU_ASK_SLOPE ? f->call->get_slopes(f, y)
           : which == TAKT_FMU_ASK_VALUE
               ? f->call->get(f, f->is->y, f->is->ny, y)
               : f->call->get_indicators(f, y);
}

static void takt_fmu_ask(TaktFmu *f, int which, const double *a, double *y)
{
    const TaktFmuIs *is = f->is;
    int n = 2 + is->nx + is->nu_numbers, ny = takt_fmu_nask(is, which);
    takt_fmu_none(y, ny);
    if (takt_fmu_place(f, a, a[n - 1]) && takt_fmu_get(f, which, y + 1))
        y[0] = 0;
}

static void takt_fmu_slope(TaktFmu *f, const double *a, double *y)
{
    takt_fmu_ask(f, TAKT_FMU_ASK_SLOPE, a, y);
}

static void takt_fmu_value(TaktFmu *f, const double *a, double *y)
{
    takt_fmu_ask(f, TAKT_FMU_ASK_VALUE, a, y);
}

static void takt_fmu_cross(TaktFmu *f, const double *a, double *y)
{
    takt_fmu_ask(f, TAKT_FMU_ASK_CROSS, a, y);
}

/* completedIntegratorStep, once for a time and not at that of an event. */
static void takt_fmu_done(TaktFmu *f, const double *a, double *y)
{
    const TaktFmuIs *is = f->is;
    double epoch = a[1 + is->nx + is->nu_numbers];
    TaktFmuSlot *s = takt_fmu_slot(f, (long)epoch);
    y[0] = 1;
    y[1] = 0;
    if (s && a[0] <= s->time) {
        y[0] = 0;
        return;
    }
    if (s && s->is_done && s->done == a[0]) {
        y[0] = 0;
        y[1] = s->asks;
        return;
    }
    int asks = 0;
    if (!takt_fmu_place(f, a, epoch) || !f->call->completed(f, &asks))
        return;
    if (s) {
        s->is_done = 1;
        s->done = a[0];
        s->asks = asks;
    }
    y[0] = 0;
    y[1] = asks;
}

/* Has this event just been dealt with: the same time, states as it left them,
 * the same inputs? */
static TaktFmuSlot *takt_fmu_over(TaktFmu *f, const double *a, int n)
{
    const TaktFmuIs *is = f->is;
    TaktFmuSlot *s = takt_fmu_slot(f, (long)a[n - 1]);
    size_t nu = (size_t)(is->nu_numbers + is->nud_numbers);
    return s && s->kind == 1 && s->time == a[0] &&
                   memcmp(s->memo + n + 4, a + 1, (size_t)is->nx * sizeof *a) ==
                       0 &&
                   memcmp(s->memo + 1 + is->nx, a + 1 + is->nx,
                          nu * sizeof *a) == 0
               ? s
               : 0;
}

static void takt_fmu_event(TaktFmu *f, const double *a, double *y)
{
    const TaktFmuIs *is = f->is;
    int at = 1 + is->nx + is->nu_numbers, n = at + is->nud_numbers + 1;
    int ny = takt_fmu_nafter(is);
    if (a[n] == 0) {
        takt_fmu_idle(y, ny, a[n - 1]);
        return;
    }
    TaktFmuSlot *s = takt_fmu_is_past(f, (long)a[n - 1], a[0])
                         ? takt_fmu_slot(f, f->now)
                         : takt_fmu_over(f, a, n);
    s = s ? s : takt_fmu_recall(f, 1, a, n);
    if (s) {
        memcpy(y, s->memo + n, (size_t)ny * sizeof *y);
        return;
    }
    takt_fmu_none(y, ny);
    int fine = takt_fmu_place(f, a, a[n - 1]);
    f->now = -1;
    if (fine && f->call->enter_event(f) &&
        f->call->set(f, is->u, is->nu, a + 1 + is->nx) &&
        f->call->set(f, is->ud, is->nud, a + at) && takt_fmu_settle(f, y) &&
        takt_fmu_read(f, y)) {
        y[0] = 0;
        if (!takt_fmu_keep(f, 1, a, n, y, ny))
            y[0] = 1;
    }
}

/* ---- co-simulation ---- */

/* From the time of the epoch to a[0], with inputs from before. */
static void takt_fmu_step(TaktFmu *f, const double *a, double *y)
{
    const TaktFmuIs *is = f->is;
    int n = 2 + is->nu_numbers, ny = 4 + is->nd_numbers;
    TaktFmuSlot *s = takt_fmu_recall(f, 2, a, n);
    if (s) {
        memcpy(y, s->memo + n, (size_t)ny * sizeof *y);
        return;
    }
    takt_fmu_none(y, ny);
    y[2] = 1e300;
    s = takt_fmu_slot(f, (long)a[n - 1]);
    /* before the first step, or at the same time but for rounding */
    if (!s || !(a[0] - s->time > 1e-14 * (fabs(a[0]) + fabs(s->time)))) {
        takt_fmu_idle(y, ny, a[n - 1]);
        return;
    }
    int fine = takt_fmu_go(f, a[n - 1], s->time), ends = 0;
    double from = s->time;
    f->now = -1;
    if (fine && f->call->set(f, is->u, is->nu, a + 1) &&
        f->call->do_step(f, from, a[0] - from, &ends) &&
        f->call->get(f, is->d, is->nd, y + 4)) {
        y[0] = 0;
        y[3] = ends;
        if (!takt_fmu_keep(f, 2, a, n, y, ny))
            y[0] = 1;
    }
}

/* ---- derivatives ---- */

typedef void TaktFmuCall(TaktFmu *, const double *, double *);

static double takt_fmu_nudge(const TaktFmuIs *is, const double *a, int k)
{
    double x = fabs(a[k]);
    double size = k >= 1 && k <= is->nx ? is->nominal[k - 1] : 1;
    return 6e-6 * (x > size ? x : size);
}

/* Central differences of `call` by all arguments of a group: no row depends on
 * two of them. Argument 0 is the time, those after it are x and u. */
static void takt_fmu_differences(TaktFmu *f, TaktFmuCall *call,
                                 const TaktFmuMap *m, const double *a, int narg,
                                 double *y)
{
    double *up = f->room, *at = up + f->is->room;
    int group = (int)a[narg];
    memcpy(at, a, (size_t)narg * sizeof *at);
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (int k = 0; k < narg - 1; k++)
            if (m->group[k] == group)
                at[k] = a[k] + sign * takt_fmu_nudge(f->is, a, k);
        call(f, at, sign > 0 ? up : y);
    }
    y[0] = up[0] != 0 || y[0] != 0;
    for (int i = 0; i < m->nrow; i++) {
        int by = m->single ? m->single[group] : -1;
        for (int k = by < 0 ? m->start[i] : 0; by < 0 && k < m->start[i + 1];
             k++)
            if (m->group[m->col[k]] == group)
                by = m->col[k];
        double h = by < 0 ? 1 : takt_fmu_nudge(f->is, a, by);
        y[1 + i] = by < 0 ? 0 : (up[1 + i] - y[1 + i]) / (2 * h);
    }
}

/* By the FMU itself, where it can and the group is not that of the time: those
 * rows that it may be asked for. Returns how many. */
static int takt_fmu_directional(TaktFmu *f, const TaktFmuMap *m,
                                const double *a, int narg, double *y)
{
    int group = (int)a[narg];
    double *seed = f->room;
    int nrow = 0;
    if (!f->is->has_directional || m->group[0] == group || m->nvar == 0 ||
        !takt_fmu_place(f, a, a[narg - 1]))
        return 0;
    for (int k = 1; k < narg - 1; k++)
        seed[k - 1] = m->group[k] == group;
    if (!f->call->directional(f, m, seed, y + 1))
        return 0;
    for (int i = 0; i < m->nvar; i++)
        nrow += m->row[i].n;
    return nrow;
}

static void takt_fmu_slope_by(TaktFmu *f, const double *a, double *y)
{
    const TaktFmuIs *is = f->is;
    int narg = 2 + is->nx + is->nu_numbers;
    y[0] = 0;
    if (!takt_fmu_directional(f, &is->slope, a, narg, y))
        takt_fmu_differences(f, takt_fmu_slope, &is->slope, a, narg, y);
}

static void takt_fmu_value_by(TaktFmu *f, const double *a, double *y)
{
    const TaktFmuIs *is = f->is;
    int narg = 2 + is->nx + is->nu_numbers;
    y[0] = 0;
    int exact = takt_fmu_directional(f, &is->value, a, narg, y);
    if (exact == is->value.nrow)
        return;
    takt_fmu_differences(f, takt_fmu_value, &is->value, a, narg, y);
    if (exact > 0)
        (void)takt_fmu_directional(f, &is->value, a, narg, y);
}

#endif
