/* takt_fmu_exchange.h - an instance that an importer integrates, whatever the
 * version of FMI.
 *
 * NAME_fmu.c has, in front of it: FMU_NX, FMU_NZ, FMU_NKNOWN, FMU_NUNKNOWN, the
 * rows fmu_state, fmu_slope, fmu_indicator, FMU_NEXT, FMU_ASKS, the nominals
 * fmu_nominal, and fmu_known and fmu_unknown in the order of references.
 *
 * The importer sets time and states; values are computed when one of them is
 * asked for. Events are found by the importer and come to rest here in one
 * call.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>

static int fmu_fits(Fmu *f, size_t n, size_t has, const char *function)
{
    if (n == has)
        return 1;
    fmu_say(f, FMU_ERROR, "%s: there are %u numbers, not %u", function,
            (unsigned)has, (unsigned)n);
    return 0;
}

/* Rows of the values that are shown now. */
static int fmu_get_rows(Fmu *f, const int *row, double *x, size_t n)
{
    const FmuState *s = fmu_shown(f);
    for (size_t i = 0; s && i < n; i++)
        x[i] = (double)FMU_CALL(get)(&s->m, row[i]);
    return s ? FMU_OK : FMU_DISCARD;
}

static int fmu_set_time(Fmu *f, double time)
{
    if (FMU_CALL(set)(&f->now.m, 0, time) != 0)
        return fmu_say(f, FMU_ERROR, "%.17g is no time", time);
    f->now.is_stale = 1;
    return FMU_OK;
}

static int fmu_set_states(Fmu *f, const double *x)
{
    for (int i = 0; i < FMU_NX; i++)
        if (FMU_CALL(set)(&f->now.m, fmu_state[i], x[i]) != 0)
            return fmu_say(f, FMU_DISCARD, "%.17g is no value of '%s'", x[i],
                           FMU_CALL(name)(fmu_state[i]));
    f->now.is_stale = 1;
    return FMU_OK;
}

typedef struct FmuEvents {
    int ends, states_changed, has_next;
    double next;
} FmuEvents;

static int fmu_has_ended(Fmu *f, int status)
{
    if (!FMU_HAS_ENDED(status))
        return 0;
    fmu_say(f, FMU_OK, "t = %.9g s: the model ends the run: %s",
            fmu_time(&f->now), FMU_CALL(where)(&f->now.m));
    return 1;
}

/* An event at the present time. sample() asks whether one of its instants lies
 * between the last event and this one: that is the step. */
static int fmu_event(Fmu *f, FmuEvents *e)
{
    double before[FMU_NX + 1], time = fmu_time(&f->now);
    double step = time - f->now.last,
           usual = (double)FMU_CALL(get)(&f->now.m, 1);
    for (int i = 0; i < FMU_NX; i++)
        before[i] = (double)FMU_CALL(get)(&f->now.m, fmu_state[i]);
    if (f->now.is_changed)
        FMU_CALL(update)(&f->now.m);
    f->now.is_changed = 0;
    FMU_CALL(set)(&f->now.m, 1, step > 0 ? step : FLT_MIN);
    int status = FMU_CALL(event)(&f->now.m);
    FMU_CALL(set)(&f->now.m, 1, usual);
    int fmi = fmu_judge(f, &f->now.m, status, time);
    if (status < 0) {
        f->now.mode = FMU_FAILED;
        return FMU_ERROR;
    }
    e->ends = fmu_has_ended(f, status);
    e->states_changed = 0;
    for (int i = 0; i < FMU_NX; i++) {
        double now = (double)FMU_CALL(get)(&f->now.m, fmu_state[i]);
        e->states_changed |= now < before[i] || now > before[i];
    }
    e->next = (double)FMU_CALL(get)(&f->now.m, FMU_NEXT);
    e->has_next = e->next < 1e299;
    f->now.last = time;
    f->now.is_stale = 1;
    return fmi;
}

/* The integrator has made a step. *asks: there has to be an event here. */
static int fmu_accept(Fmu *f, int *asks, int *ends)
{
    int status = FMU_CALL(accept)(&f->now.m);
    int fmi = fmu_judge(f, &f->now.m, status, fmu_time(&f->now));
    *asks = *ends = 0;
    if (status < 0) {
        f->now.mode = FMU_FAILED;
        return FMU_ERROR;
    }
    *ends = fmu_has_ended(f, status);
    *asks = FMU_CALL(get)(&f->now.m, FMU_ASKS) > 0.5;
    f->now.is_stale = 0;
    return fmi;
}

/* ---- directions ---- */

#if FMU_MOVES
static const FmuMove *fmu_find_move(Fmu *f, const FmuMove *list, int n,
                                    unsigned reference, const char *function)
{
    int from = 0, to = n;
    while (from < to) {
        int mid = from + (to - from) / 2;
        if (list[mid].reference < reference)
            from = mid + 1;
        else
            to = mid;
    }
    if (from < n && list[from].reference == reference)
        return &list[from];
    fmu_say(f, FMU_ERROR,
            "%s: value reference %u is not among the %s quantities", function,
            reference, list == fmu_known ? "known" : "unknown");
    return NULL;
}

static int fmu_are_moves(Fmu *f, const unsigned *unknown, size_t nunknown,
                         const unsigned *known, size_t nknown,
                         const char *function)
{
    int fine = 1;
    for (size_t i = 0; i < nunknown && fine; i++)
        fine = fmu_find_move(f, fmu_unknown, FMU_NUNKNOWN, unknown[i],
                             function) != NULL;
    for (size_t i = 0; i < nknown && fine; i++)
        fine =
            fmu_find_move(f, fmu_known, FMU_NKNOWN, known[i], function) != NULL;
    return fine;
}

static void fmu_seed(FMU_MODEL *m, Fmu *f, unsigned known, double seed)
{
    const FmuMove *k = fmu_find_move(f, fmu_known, FMU_NKNOWN, known, "");
    FMU_CALL(set)(m, k->row, (double)FMU_CALL(get)(m, k->row) + k->sign * seed);
}

static double fmu_moved(const FMU_MODEL *m, Fmu *f, unsigned unknown)
{
    const FmuMove *u = fmu_find_move(f, fmu_unknown, FMU_NUNKNOWN, unknown, "");
    return u->sign * (double)FMU_CALL(get)(m, u->row);
}

/* The instance that is shown, with no seed. NULL: it cannot be. */
static FMU_MODEL *fmu_still(Fmu *f)
{
    if (!fmu_shown(f))
        return NULL;
    for (int i = 0; i < FMU_NKNOWN; i++)
        FMU_CALL(set)(&f->now.m, fmu_known[i].row, 0);
    return &f->now.m;
}

static int fmu_move(Fmu *f, FMU_MODEL *m)
{
    int status = FMU_CALL(tangent)(m);
    fmu_judge_as(f, m, status, fmu_time(&f->now), FMU_DISCARD);
    return status < 0 ? FMU_DISCARD : FMU_OK;
}

static int fmu_directional(Fmu *f, const unsigned *unknown, size_t nunknown,
                           const unsigned *known, size_t nknown,
                           const double *seed, double *value,
                           const char *function)
{
    if (!fmu_are_moves(f, unknown, nunknown, known, nknown, function))
        return FMU_ERROR;
    FMU_MODEL *m = fmu_still(f);
    for (size_t i = 0; m && i < nknown; i++)
        fmu_seed(m, f, known[i], seed[i]);
    if (!m || fmu_move(f, m) != FMU_OK)
        return FMU_DISCARD;
    for (size_t i = 0; i < nunknown; i++)
        value[i] = fmu_moved(m, f, unknown[i]);
    return FMU_OK;
}
#endif

#if FMU_MOVES && defined(FMU_ADJOINT)
/* Column by column. */
static int fmu_adjoint(Fmu *f, const unsigned *unknown, size_t nunknown,
                       const unsigned *known, size_t nknown, const double *seed,
                       double *value, const char *function)
{
    if (!fmu_are_moves(f, unknown, nunknown, known, nknown, function))
        return FMU_ERROR;
    for (size_t k = 0; k < nknown; k++) {
        FMU_MODEL *m = fmu_still(f);
        if (m)
            fmu_seed(m, f, known[k], 1);
        if (!m || fmu_move(f, m) != FMU_OK)
            return FMU_DISCARD;
        value[k] = 0;
        for (size_t i = 0; i < nunknown; i++)
            value[k] += seed[i] * fmu_moved(m, f, unknown[i]);
    }
    return FMU_OK;
}
#endif

/* ---- functions of FMI that are the same in all versions but for the words of
 * takt_fmiN_functions.h ---- */

enum {
    FMU_RATES = FMU_INITIALIZING | FMU_EVENT | FMU_CONTINUOUS | FMU_TERMINATED |
                FMU_FAILED,
    FMU_RUNNING = FMU_EVENT | FMU_CONTINUOUS
};

/* A function for instances of model exchange. */
#define FMI_EXCHANGE(function, modes)                                          \
    FMI_FMU(FMI_TEXT function, modes);                                         \
    if (!f->now.is_exchange)                                                   \
    return (FmiStatus)fmu_say(                                                 \
        f, FMU_ERROR, FMI_TEXT "%s: the instance is for co-simulation",        \
        function)

FMI_FUNCTION(EnterContinuousTimeMode, FmiObject c)
{
    FMI_EXCHANGE("EnterContinuousTimeMode", FMU_EVENT);
    f->now.mode = FMU_CONTINUOUS;
    return (FmiStatus)FMU_OK;
}

FMI_FUNCTION(CompletedIntegratorStep, FmiObject c, FmiBoolean no_set,
             FmiBoolean *event, FmiBoolean *end)
{
    FMI_EXCHANGE("CompletedIntegratorStep", FMU_CONTINUOUS);
    (void)no_set;
    int asks, ends, status = fmu_accept(f, &asks, &ends);
    *event = asks != 0;
    *end = ends != 0;
    return (FmiStatus)status;
}

FMI_FUNCTION(SetTime, FmiObject c, FmiReal time)
{
    FMI_EXCHANGE("SetTime", FMU_RUNNING);
    return (FmiStatus)fmu_set_time(f, time);
}

FMI_FUNCTION(SetContinuousStates, FmiObject c, const FmiReal x[], size_t n)
{
    FMI_EXCHANGE("SetContinuousStates", FMU_CONTINUOUS);
    if (!fmu_fits(f, n, FMU_NX, FMI_TEXT "SetContinuousStates"))
        return (FmiStatus)FMU_ERROR;
    return (FmiStatus)fmu_set_states(f, x);
}

#define FMI_ROWS(Name, row, count)                                             \
    FMI_FUNCTION(Name, FmiObject c, FmiReal x[], size_t n)                     \
    {                                                                          \
        FMI_EXCHANGE(#Name, FMU_RATES);                                        \
        if (!fmu_fits(f, n, count, FMI_TEXT #Name))                            \
            return (FmiStatus)FMU_ERROR;                                       \
        return (FmiStatus)fmu_get_rows(f, row, x, n);                          \
    }

FMI_ROWS(GetContinuousStates, fmu_state, FMU_NX)
FMI_ROWS(GetEventIndicators, fmu_indicator, FMU_NZ)

FMI_FUNCTION(GetNominalsOfContinuousStates, FmiObject c, FmiReal x[], size_t n)
{
    FMI_EXCHANGE("GetNominalsOfContinuousStates", FMI_NOMINALS);
    if (!fmu_fits(f, n, FMU_NX, FMI_TEXT "GetNominalsOfContinuousStates"))
        return (FmiStatus)FMU_ERROR;
    for (size_t i = 0; i < n; i++)
        x[i] = fmu_nominal[i];
    return (FmiStatus)FMU_OK;
}
