/* takt_fmi3_functions.h - the functions of FMI 3.0. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "takt_fmi3.h"

#include "takt_fmu_core.h"

#define FMI3_FUNCTION(Name, ...)                                               \
    FMI3_Export fmi3Status FMI3(Name)(__VA_ARGS__);                            \
    FMI3_Export fmi3Status FMI3(Name)(__VA_ARGS__)
#define FMI3_FMU(function, modes)                                              \
    Fmu *f = c;                                                                \
    if (!fmu_may(f, modes, function))                                          \
    return fmi3Error

/* The words of this version for what is the same in all of them. */
#define FMI_FUNCTION FMI3_FUNCTION
#define FMI_FMU      FMI3_FMU
#define FMI_TEXT     "fmi3"
#define FMI_NOMINALS FMU_RATES /* may be asked then */
typedef fmi3Instance FmiObject;
typedef fmi3Status FmiStatus;
typedef fmi3Float64 FmiReal;
typedef fmi3Boolean FmiBoolean;

/* ---- messages ---- */

static void fmi3_log(Fmu *f, int status, const char *message)
{
    fmi3LogMessageCallback log;
    memcpy(&log, &f->callback[0], sizeof log);
    if (log)
        log(f->environment, (fmi3Status)status, fmu_category[status], message);
}

FMI3_Export const char *FMI3(GetVersion)(void);
FMI3_Export const char *FMI3(GetVersion)(void)
{
    return "3.0";
}

FMI3_FUNCTION(SetDebugLogging, fmi3Instance c, fmi3Boolean on, size_t n,
              const fmi3String category[])
{
    FMI3_FMU("fmi3SetDebugLogging", FMU_ANYWHERE);
    return (fmi3Status)fmu_set_logging(f, on, n, category,
                                       "fmi3SetDebugLogging");
}

/* ---- life ---- */

static Fmu *fmi3_new(fmi3String name, fmi3InstanceEnvironment environment,
                     fmi3LogMessageCallback log)
{
    size_t size = sizeof(Fmu) + (name ? strlen(name) : 0);
    Fmu *f = name && *name ? calloc(1, size) : NULL;
    if (!f)
        return NULL;
    strcpy(f->name, name);
    f->environment = environment;
    f->log = fmi3_log;
    f->release = free;
    memcpy(&f->callback[0], &log, sizeof log);
    f->logging = FMU_LOG_ALL; /* why there is no instance is always said */
    return f;
}

static fmi3Instance fmi3_refuse(Fmu *f, const char *why)
{
    if (f) {
        fmu_say(f, FMU_ERROR, "%s", why);
        fmu_end(f);
    }
    return NULL;
}

static fmi3Instance fmi3_begin(Fmu *f, fmi3String place, fmi3Boolean logging)
{
    const char *wrong = fmu_begin(f, place);
    if (wrong)
        return fmi3_refuse(f, wrong);
    f->logging = logging ? FMU_LOG_ALL : FMU_LOG_FAILURES;
    return f;
}

#define FMI3_NEW(Name, ...)                                                    \
    FMI3_Export fmi3Instance FMI3(Instantiate##Name)(__VA_ARGS__);             \
    FMI3_Export fmi3Instance FMI3(Instantiate##Name)(__VA_ARGS__)

FMI3_NEW(CoSimulation, fmi3String name, fmi3String token, fmi3String place,
         fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean events,
         fmi3Boolean early, const fmi3ValueReference between[], size_t nbetween,
         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
         fmi3IntermediateUpdateCallback update)
{
    (void)visible;
    (void)early;
    (void)between;
    (void)update;
    Fmu *f = fmi3_new(name, environment, log);
    if (!f)
        return NULL;
    if (!fmu_same_token(token))
        return fmi3_refuse(f, "the instantiation token is not that of this "
                              "FMU");
    if (!FMU_COSIMULATION)
        return fmi3_refuse(f, FMU_SCHEDULED
                                  ? "this FMU is for scheduled execution"
                                  : "this FMU is for model exchange");
    if (events)
        return fmi3_refuse(f, "this FMU has no event mode");
    if (nbetween > 0)
        return fmi3_refuse(f, "this FMU has no intermediate variables");
    return fmi3_begin(f, place, logging);
}

FMI3_NEW(ModelExchange, fmi3String name, fmi3String token, fmi3String place,
         fmi3Boolean visible, fmi3Boolean logging,
         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)
{
    (void)visible;
    Fmu *f = fmi3_new(name, environment, log);
    if (!f)
        return NULL;
    if (!fmu_same_token(token))
        return fmi3_refuse(f, "the instantiation token is not that of this "
                              "FMU");
    if (!FMU_EXCHANGE)
        return fmi3_refuse(f, FMU_SCHEDULED
                                  ? "this FMU is for scheduled execution"
                                  : "this FMU is for co-simulation");
    f->now.is_exchange = 1;
    return fmi3_begin(f, place, logging);
}

FMI3_NEW(ScheduledExecution, fmi3String name, fmi3String token,
         fmi3String place, fmi3Boolean visible, fmi3Boolean logging,
         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
         fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
         fmi3UnlockPreemptionCallback unlock)
{
    (void)visible;
    (void)update; /* no clock ticks by itself */
    Fmu *f = fmi3_new(name, environment, log);
    if (!f)
        return NULL;
    if (!fmu_same_token(token))
        return fmi3_refuse(f, "the instantiation token is not that of this "
                              "FMU");
    if (!FMU_SCHEDULED)
        return fmi3_refuse(f, "this FMU is not for scheduled execution");
    memcpy(&f->callback[1], &lock, sizeof lock);
    memcpy(&f->callback[2], &unlock, sizeof unlock);
    return fmi3_begin(f, place, logging);
}

FMI3_Export void FMI3(FreeInstance)(fmi3Instance c);
FMI3_Export void FMI3(FreeInstance)(fmi3Instance c)
{
    fmu_end(c);
}

FMI3_FUNCTION(EnterInitializationMode, fmi3Instance c,
              fmi3Boolean has_tolerance, fmi3Float64 tolerance,
              fmi3Float64 begin, fmi3Boolean has_stop, fmi3Float64 stop)
{
    FMI3_FMU("fmi3EnterInitializationMode", FMU_INSTANTIATED);
    (void)has_tolerance;
    (void)tolerance;
    if (!fmu_experiment(f, begin, has_stop, stop))
        return fmi3Error;
    f->now.mode = FMU_INITIALIZING;
    return fmi3OK;
}

FMI3_FUNCTION(ExitInitializationMode, fmi3Instance c)
{
    FMI3_FMU("fmi3ExitInitializationMode", FMU_INITIALIZING);
    return (fmi3Status)fmu_start(f);
}

FMI3_FUNCTION(Terminate, fmi3Instance c)
{
    FMI3_FMU("fmi3Terminate", FMU_STEPPING | FMU_ENDED | FMU_EVENT |
                                  FMU_CONTINUOUS | FMU_TICKING);
    f->now.mode = FMU_TERMINATED;
    return fmi3OK;
}

FMI3_FUNCTION(Reset, fmi3Instance c)
{
    FMI3_FMU("fmi3Reset", FMU_ANYWHERE);
    return (fmi3Status)fmu_again(f);
}

/* ---- values ---- */

enum {
    FMI3_GET = FMU_ANYWHERE,
    FMI3_SET = FMU_INSTANTIATED | FMU_INITIALIZING | FMU_STEPPING | FMU_EVENT |
               FMU_CONTINUOUS | FMU_TICKING
};

/* All value references are looked at before anything is done. */
static int fmi3_are_rows(Fmu *f, const fmi3ValueReference *r, size_t n,
                         size_t nvalue, int type, const char *function)
{
    if (n != nvalue) {
        fmu_say(f, FMU_ERROR, "%s: all variables of this FMU are scalars",
                function);
        return 0;
    }
    for (size_t i = 0; i < n; i++)
        if (!fmu_is_row(f, r[i], type, function))
            return 0;
    return 1;
}

#define FMI3_ACCESS(Name, Type, TYPE)                                          \
    FMI3_FUNCTION(Get##Name, fmi3Instance c, const fmi3ValueReference r[],     \
                  size_t n, Type value[], size_t nvalue)                       \
    {                                                                          \
        FMI3_FMU("fmi3Get" #Name, FMI3_GET);                                   \
        const FmuState *s = NULL;                                              \
        if (fmi3_are_rows(f, r, n, nvalue, TYPE, "fmi3Get" #Name))             \
            s = fmu_shown(f);                                                  \
        for (size_t i = 0; s && i < n; i++)                                    \
            value[i] = (Type)fmu_value(s, r[i]);                               \
        return s ? fmi3OK : fmi3Error;                                         \
    }                                                                          \
    FMI3_FUNCTION(Set##Name, fmi3Instance c, const fmi3ValueReference r[],     \
                  size_t n, const Type value[], size_t nvalue)                 \
    {                                                                          \
        FMI3_FMU("fmi3Set" #Name, FMI3_SET);                                   \
        if (!fmi3_are_rows(f, r, n, nvalue, TYPE, "fmi3Set" #Name))            \
            return fmi3Error;                                                  \
        for (size_t i = 0; i < n; i++)                                         \
            if (fmu_set(f, r[i], (double)value[i], "fmi3Set" #Name) != FMU_OK) \
                return fmi3Error;                                              \
        return fmi3OK;                                                         \
    }

enum { FMU_NO_TYPE = 99 }; /* of no variable */
FMI3_ACCESS(Float64, fmi3Float64, FMU_REAL)
FMI3_ACCESS(Int32, fmi3Int32, FMU_INTEGER)
FMI3_ACCESS(Int64, fmi3Int64, FMU_ENUMERATION)
FMI3_ACCESS(Boolean, fmi3Boolean, FMU_BOOLEAN)
FMI3_ACCESS(Float32, fmi3Float32, FMU_NO_TYPE)
FMI3_ACCESS(Int8, fmi3Int8, FMU_NO_TYPE)
FMI3_ACCESS(UInt8, fmi3UInt8, FMU_NO_TYPE)
FMI3_ACCESS(Int16, fmi3Int16, FMU_NO_TYPE)
FMI3_ACCESS(UInt16, fmi3UInt16, FMU_NO_TYPE)
FMI3_ACCESS(UInt32, fmi3UInt32, FMU_NO_TYPE)
FMI3_ACCESS(UInt64, fmi3UInt64, FMU_NO_TYPE)

FMI3_FUNCTION(GetString, fmi3Instance c, const fmi3ValueReference r[], size_t n,
              fmi3String value[], size_t nvalue)
{
    FMI3_FMU("fmi3GetString", FMI3_GET);
    for (size_t i = 0; i < n; i++)
        if (n != nvalue || !(value[i] = fmu_string(f, r[i], "fmi3GetString")))
            return fmi3Error;
    return fmi3OK;
}

FMI3_FUNCTION(SetString, fmi3Instance c, const fmi3ValueReference r[], size_t n,
              const fmi3String value[], size_t nvalue)
{
    FMI3_FMU("fmi3SetString", FMU_INSTANTIATED | FMU_INITIALIZING);
    for (size_t i = 0; i < n; i++)
        if (n != nvalue ||
            fmu_set_string(f, r[i], value[i], "fmi3SetString") != FMU_OK)
            return fmi3Error;
    return fmi3OK;
}

/* ---- saved states ---- */

FMI3_FUNCTION(GetFMUState, fmi3Instance c, fmi3FMUState *state)
{
    FMI3_FMU("fmi3GetFMUState", FMU_ANYWHERE);
    return (fmi3Status)fmu_save(f, (FmuSaved **)state);
}

FMI3_FUNCTION(SetFMUState, fmi3Instance c, fmi3FMUState state)
{
    FMI3_FMU("fmi3SetFMUState", FMU_ANYWHERE);
    return (fmi3Status)fmu_restore(f, state);
}

FMI3_FUNCTION(FreeFMUState, fmi3Instance c, fmi3FMUState *state)
{
    FMI3_FMU("fmi3FreeFMUState", FMU_ANYWHERE);
    if (state) {
        free(*state);
        *state = NULL;
    }
    return fmi3OK;
}

FMI3_FUNCTION(SerializedFMUStateSize, fmi3Instance c, fmi3FMUState state,
              size_t *size)
{
    FMI3_FMU("fmi3SerializedFMUStateSize", FMU_ANYWHERE);
    (void)state;
    *size = sizeof(FmuSaved);
    return fmi3OK;
}

FMI3_FUNCTION(SerializeFMUState, fmi3Instance c, fmi3FMUState state,
              fmi3Byte bytes[], size_t size)
{
    FMI3_FMU("fmi3SerializeFMUState", FMU_ANYWHERE);
    return (fmi3Status)fmu_serialize(f, state, bytes, size);
}

FMI3_FUNCTION(DeserializeFMUState, fmi3Instance c, const fmi3Byte bytes[],
              size_t size, fmi3FMUState *state)
{
    FMI3_FMU("fmi3DeserializeFMUState", FMU_ANYWHERE);
    return (fmi3Status)fmu_deserialize(f, bytes, size, (FmuSaved **)state);
}

/* ---- steps ---- */

FMI3_FUNCTION(DoStep, fmi3Instance c, fmi3Float64 from, fmi3Float64 length,
              fmi3Boolean no_set_before, fmi3Boolean *event, fmi3Boolean *end,
              fmi3Boolean *early, fmi3Float64 *reached)
{
    FMI3_FMU("fmi3DoStep", FMU_STEPPING);
    (void)no_set_before;
    int ended, status = fmu_run(f, from, length, &ended);
    *event = false;
    *end = ended != 0;
    *early = false;
    *reached = fmu_time(&f->now);
    return (fmi3Status)status;
}

#if FMU_EXCHANGE
#include "takt_fmi3_exchange.h"
#endif
#if FMU_SCHEDULED
#include "takt_fmi3_scheduled.h"
#endif

/* ---- what this FMU does not do, as its description says ---- */

#define FMI3_NOT(Name, ...)                                                    \
    FMI3_FUNCTION(Name, __VA_ARGS__)                                           \
    {                                                                          \
        Fmu *f = c;                                                            \
        if (f)                                                                 \
            fmu_say(f, FMU_ERROR, "fmi3" #Name ": this FMU does not have it"); \
        return fmi3Error;                                                      \
    }
#define FMI3_OF fmi3Instance c, const fmi3ValueReference r[], size_t n

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#if !FMU_EXCHANGE
FMI3_NOT(EnterEventMode, fmi3Instance c)
#endif
FMI3_NOT(GetBinary, FMI3_OF, size_t size[], fmi3Binary value[], size_t nvalue)
FMI3_NOT(SetBinary, FMI3_OF, const size_t size[], const fmi3Binary value[],
         size_t nvalue)
FMI3_NOT(GetClock, FMI3_OF, fmi3Clock value[])
FMI3_NOT(SetClock, FMI3_OF, const fmi3Clock value[])
FMI3_NOT(GetNumberOfVariableDependencies, fmi3Instance c, fmi3ValueReference r,
         size_t *n)
FMI3_NOT(GetVariableDependencies, fmi3Instance c, fmi3ValueReference r,
         size_t element[], fmi3ValueReference of[], size_t of_element[],
         fmi3DependencyKind kind[], size_t n)
#if !FMU_MOVES
FMI3_NOT(GetDirectionalDerivative, FMI3_OF, const fmi3ValueReference known[],
         size_t nknown, const fmi3Float64 seed[], size_t nseed,
         fmi3Float64 value[], size_t nvalue)
FMI3_NOT(GetAdjointDerivative, FMI3_OF, const fmi3ValueReference known[],
         size_t nknown, const fmi3Float64 seed[], size_t nseed,
         fmi3Float64 value[], size_t nvalue)
#endif
FMI3_NOT(EnterConfigurationMode, fmi3Instance c)
FMI3_NOT(ExitConfigurationMode, fmi3Instance c)
#if !FMU_SCHEDULED
FMI3_NOT(GetIntervalDecimal, FMI3_OF, fmi3Float64 interval[],
         fmi3IntervalQualifier qualifier[])
FMI3_NOT(GetShiftDecimal, FMI3_OF, fmi3Float64 shift[])
#endif
FMI3_NOT(GetIntervalFraction, FMI3_OF, fmi3UInt64 counter[],
         fmi3UInt64 resolution[], fmi3IntervalQualifier qualifier[])
FMI3_NOT(GetShiftFraction, FMI3_OF, fmi3UInt64 counter[],
         fmi3UInt64 resolution[])
FMI3_NOT(SetIntervalDecimal, FMI3_OF, const fmi3Float64 interval[])
FMI3_NOT(SetIntervalFraction, FMI3_OF, const fmi3UInt64 counter[],
         const fmi3UInt64 resolution[])
FMI3_NOT(SetShiftDecimal, FMI3_OF, const fmi3Float64 shift[])
FMI3_NOT(SetShiftFraction, FMI3_OF, const fmi3UInt64 counter[],
         const fmi3UInt64 resolution[])
FMI3_NOT(EvaluateDiscreteStates, fmi3Instance c)
#if !FMU_EXCHANGE
FMI3_NOT(UpdateDiscreteStates, fmi3Instance c, fmi3Boolean *again,
         fmi3Boolean *end, fmi3Boolean *nominals, fmi3Boolean *states,
         fmi3Boolean *has_next, fmi3Float64 *next)
FMI3_NOT(EnterContinuousTimeMode, fmi3Instance c)
FMI3_NOT(CompletedIntegratorStep, fmi3Instance c, fmi3Boolean no_set_before,
         fmi3Boolean *event, fmi3Boolean *end)
FMI3_NOT(SetTime, fmi3Instance c, fmi3Float64 time)
FMI3_NOT(SetContinuousStates, fmi3Instance c, const fmi3Float64 x[], size_t n)
FMI3_NOT(GetContinuousStateDerivatives, fmi3Instance c, fmi3Float64 x[],
         size_t n)
FMI3_NOT(GetEventIndicators, fmi3Instance c, fmi3Float64 z[], size_t n)
FMI3_NOT(GetContinuousStates, fmi3Instance c, fmi3Float64 x[], size_t n)
FMI3_NOT(GetNominalsOfContinuousStates, fmi3Instance c, fmi3Float64 x[],
         size_t n)
FMI3_NOT(GetNumberOfEventIndicators, fmi3Instance c, size_t *n)
FMI3_NOT(GetNumberOfContinuousStates, fmi3Instance c, size_t *n)
#endif
FMI3_NOT(EnterStepMode, fmi3Instance c)
FMI3_NOT(GetOutputDerivatives, FMI3_OF, const fmi3Int32 order[],
         fmi3Float64 value[], size_t nvalue)
#if !FMU_SCHEDULED
FMI3_NOT(ActivateModelPartition, fmi3Instance c, fmi3ValueReference clock,
         fmi3Float64 time)
#endif
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
