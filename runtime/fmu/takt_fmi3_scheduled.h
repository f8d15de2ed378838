/* takt_fmi3_scheduled.h - what FMI 3.0 has for scheduled execution.
 *
 * fmu_clock[0] is the step: it takes time on. Then the clocks that are due tick
 * in the order of their priorities, and in the last of them what waits for
 * ticks is done. All this happens at one moment, and a moment must be complete
 * before the next one begins: a clock that is late, early or left out is an
 * error, so that no result is that of another schedule.
 */
/* SPDX-License-Identifier: BSD-3-Clause */

typedef void FmuVoid(void);

/* Nobody reads what is half done. */
static void fmu_lock(Fmu *f, int lock)
{
    FmuVoid *call;
    memcpy(&call, &f->callback[lock ? 1 : 2], sizeof call);
    if (call)
        call();
}

/* The clock that has to tick now; 0: the step. */
static int fmu_next_clock(const FmuState *s)
{
    int next = 0;
    for (int i = 1; i < FMU_NCLOCK; i++)
        if (s->due[i] &&
            (next == 0 || fmu_clock[i].priority < fmu_clock[next].priority))
            next = i;
    return next;
}

/* A status of the model: may it go on? */
static int fmu_ticked(Fmu *f, int status, int *worst)
{
    int fmi = fmu_judge(f, &f->now.m, status, fmu_time(&f->now));
    *worst = fmi > *worst ? fmi : *worst;
    return status >= 0;
}

/* Time goes on by a step. */
static int fmu_advance(Fmu *f, int *worst)
{
    if (f->now.lacking > 0) {
        *worst = fmu_say(f, FMU_ERROR,
                         "the model uses '%s': set it too where its input "
                         "changes",
                         FMU_CALL(name)(f->now.lacking - 1));
        return 0;
    }
    if (f->now.is_changed)
        FMU_CALL(update)(&f->now.m);
    f->now.is_changed = 0;
    int status = FMU_CALL(advance)(&f->now.m);
    f->now.steps += 1;
    if (!fmu_ticked(f, status, worst))
        return 0;
    for (int i = 1; i < FMU_NCLOCK; i++)
        f->now.due[i] =
            (unsigned char)FMU_CALL(due)(&f->now.m, fmu_clock[i].rate);
    return 1;
}

/* A tick of clock i, and what follows when it is the last of its moment. */
static int fmu_tick(Fmu *f, int i, int *ended)
{
    int worst = FMU_OK, status;
    f->before = f->now;
    int fine = i == 0 ? fmu_advance(f, &worst) : 1;
    if (fine && i > 0) {
        status = FMU_CALL(tick)(&f->now.m, fmu_clock[i].rate);
        fine = fmu_ticked(f, status, &worst);
        f->now.due[i] = 0;
    }
    if (fine && fmu_next_clock(&f->now) == 0) {
        status = FMU_CALL(settle)(&f->now.m);
        fine = fmu_ticked(f, status, &worst);
        *ended = FMU_HAS_ENDED(status);
    }
    if (!fine) { /* the state of before the call */
        f->now = f->before;
        f->now.mode = FMU_FAILED;
        return FMU_ERROR;
    }
    return worst;
}

/* Is it the turn of clock i at `time`? */
static int fmu_may_tick(Fmu *f, int i, double time)
{
    int next = fmu_next_clock(&f->now);
    double at = fmu_time(&f->now) + (next == 0 ? FMU_STEP : 0);
    if (i != next) {
        fmu_say(f, FMU_ERROR,
                "clock '%s' is activated at %.17g s, but it is the turn of "
                "clock '%s' at %.17g s",
                fmu_clock[i].name, time, fmu_clock[next].name, at);
        return 0;
    }
    if (!(fabs(time - at) <= 0.5 * FMU_STEP)) {
        fmu_say(f, FMU_ERROR,
                "clock '%s' is activated at %.17g s, but it ticks at %.17g s",
                fmu_clock[i].name, time, at);
        return 0;
    }
    if (i == 0 && at > f->stop + 1e-6 * FMU_STEP) {
        fmu_say(f, FMU_ERROR, "the step leads beyond the stop time %.17g s",
                f->stop);
        return 0;
    }
    return 1;
}

static int fmu_find_clock(Fmu *f, unsigned reference, const char *function)
{
    if (reference >= FMU_NVAR + FMU_NTEXT &&
        reference < FMU_NVAR + FMU_NTEXT + FMU_NCLOCK)
        return (int)(reference - FMU_NVAR - FMU_NTEXT);
    fmu_say(f, FMU_ERROR, "%s: there is no clock with the value reference %u",
            function, reference);
    return -1;
}

FMI3_FUNCTION(ActivateModelPartition, fmi3Instance c, fmi3ValueReference clock,
              fmi3Float64 time)
{
    FMI3_FMU("fmi3ActivateModelPartition", FMU_TICKING);
    int i = fmu_find_clock(f, clock, "fmi3ActivateModelPartition"), ended = 0;
    if (i < 0 || !fmu_may_tick(f, i, time)) {
        f->now.mode = FMU_FAILED; /* the moment can no longer be made whole */
        return fmi3Error;
    }
    fmu_lock(f, 1);
    int status = fmu_tick(f, i, &ended);
    fmu_lock(f, 0);
    if (!ended)
        return (fmi3Status)status;
    f->now.mode = FMU_ENDED;
    fmu_say(f, FMU_DISCARD, "t = %.9g s: the model ends the run: %s",
            fmu_time(&f->now), FMU_CALL(where)(&f->now.m));
    return fmi3Discard; /* there is no other way to say it here */
}

/* Of constant clocks; the description has the same numbers. */
FMI3_FUNCTION(GetIntervalDecimal, fmi3Instance c, const fmi3ValueReference r[],
              size_t n, fmi3Float64 interval[],
              fmi3IntervalQualifier qualifier[])
{
    FMI3_FMU("fmi3GetIntervalDecimal", FMU_ANYWHERE);
    for (size_t k = 0; k < n; k++) {
        int i = fmu_find_clock(f, r[k], "fmi3GetIntervalDecimal");
        if (i < 0)
            return fmi3Error;
        interval[k] = fmu_clock[i].interval;
        qualifier[k] = fmi3IntervalUnchanged;
    }
    return fmi3OK;
}

FMI3_FUNCTION(GetShiftDecimal, fmi3Instance c, const fmi3ValueReference r[],
              size_t n, fmi3Float64 shift[])
{
    FMI3_FMU("fmi3GetShiftDecimal", FMU_ANYWHERE);
    for (size_t k = 0; k < n; k++) {
        int i = fmu_find_clock(f, r[k], "fmi3GetShiftDecimal");
        if (i < 0)
            return fmi3Error;
        shift[k] = fmu_clock[i].shift;
    }
    return fmi3OK;
}
