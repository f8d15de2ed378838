/* takt_fmi2_functions.h - the functions of FMI 2.0. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "takt_fmi2.h"

#include "takt_fmu_core.h"

#define FMI2_STATUS FMI2_Export fmi2Status
#define FMI2_FUNCTION(Name, ...)                                               \
    FMI2_STATUS FMI2(Name)(__VA_ARGS__);                                       \
    FMI2_STATUS FMI2(Name)(__VA_ARGS__)
#define FMI2_FMU(function, modes)                                              \
    Fmu *f = c;                                                                \
    if (!fmu_may(f, modes, function))                                          \
    return fmi2Error

/* The words of this version for what is the same in all of them. */
#define FMI_FUNCTION FMI2_FUNCTION
#define FMI_FMU      FMI2_FMU
#define FMI_TEXT     "fmi2"
#define FMI_NOMINALS (FMU_RATES | FMU_INSTANTIATED) /* may be asked then */
typedef fmi2Component FmiObject;
typedef fmi2Status FmiStatus;
typedef fmi2Real FmiReal;
typedef fmi2Boolean FmiBoolean;

/* ---- messages ---- */

/* In a message of FMI 2, % and # are read by the importer. */
static void fmi2_log(Fmu *f, int status, const char *message)
{
    fmi2CallbackFunctions call;
    char text[2048];
    size_t n = 0;
    memcpy(&call.logger, &f->callback[0], sizeof call.logger);
    for (; *message && n + 3 < sizeof text; message++) {
        if (*message == '%' || *message == '#')
            text[n++] = *message;
        text[n++] = *message;
    }
    text[n] = '\0';
    if (call.logger)
        call.logger(f->environment, f->name, (fmi2Status)status,
                    fmu_category[status], text);
}

FMI2_Export const char *FMI2(GetTypesPlatform)(void);
FMI2_Export const char *FMI2(GetTypesPlatform)(void)
{
    return "default";
}

FMI2_Export const char *FMI2(GetVersion)(void);
FMI2_Export const char *FMI2(GetVersion)(void)
{
    return "2.0";
}

FMI2_FUNCTION(SetDebugLogging, fmi2Component c, fmi2Boolean on, size_t n,
              const fmi2String category[])
{
    FMI2_FMU("fmi2SetDebugLogging", FMU_ANYWHERE);
    return (fmi2Status)fmu_set_logging(f, on != fmi2False, n, category,
                                       "fmi2SetDebugLogging");
}

/* ---- life ---- */

FMI2_Export fmi2Component FMI2(Instantiate)(fmi2String name, fmi2Type type,
                                            fmi2String token, fmi2String place,
                                            const fmi2CallbackFunctions *call,
                                            fmi2Boolean visible,
                                            fmi2Boolean logging);
FMI2_Export fmi2Component FMI2(Instantiate)(fmi2String name, fmi2Type type,
                                            fmi2String token, fmi2String place,
                                            const fmi2CallbackFunctions *call,
                                            fmi2Boolean visible,
                                            fmi2Boolean logging)
{
    (void)visible;
    if (!call || !name || !*name)
        return NULL;
    size_t size = sizeof(Fmu) + strlen(name);
    int theirs = call->allocateMemory && call->freeMemory;
    Fmu *f = theirs ? call->allocateMemory(1, size) : calloc(1, size);
    if (!f)
        return NULL;
    memset(f, 0, size);
    strcpy(f->name, name);
    f->environment = call->componentEnvironment;
    f->log = fmi2_log;
    f->release = theirs ? call->freeMemory : free;
    memcpy(&f->callback[0], &call->logger, sizeof call->logger);
    f->logging = FMU_LOG_ALL; /* why there is no instance is always said */
    const char *wrong = type != fmi2CoSimulation && !FMU_EXCHANGE
                            ? "this FMU is for co-simulation"
                        : type == fmi2CoSimulation && !FMU_COSIMULATION
                            ? "this FMU is for model exchange"
                        : !fmu_same_token(token)
                            ? "the GUID is not that of this FMU"
                            : NULL;
    f->now.is_exchange = type != fmi2CoSimulation;
    if (!wrong)
        wrong = fmu_begin(f, place);
    if (wrong) {
        fmu_say(f, FMU_ERROR, "fmi2Instantiate: %s", wrong);
        fmu_end(f);
        return NULL;
    }
    f->logging = logging != fmi2False ? FMU_LOG_ALL : FMU_LOG_FAILURES;
    return f;
}

FMI2_Export void FMI2(FreeInstance)(fmi2Component c);
FMI2_Export void FMI2(FreeInstance)(fmi2Component c)
{
    fmu_end(c);
}

FMI2_FUNCTION(SetupExperiment, fmi2Component c, fmi2Boolean has_tolerance,
              fmi2Real tolerance, fmi2Real begin, fmi2Boolean has_stop,
              fmi2Real stop)
{
    FMI2_FMU("fmi2SetupExperiment", FMU_INSTANTIATED);
    (void)has_tolerance;
    (void)tolerance;
    return fmu_experiment(f, begin, has_stop, stop) ? fmi2OK : fmi2Error;
}

FMI2_FUNCTION(EnterInitializationMode, fmi2Component c)
{
    FMI2_FMU("fmi2EnterInitializationMode", FMU_INSTANTIATED);
    f->now.mode = FMU_INITIALIZING;
    return fmi2OK;
}

FMI2_FUNCTION(ExitInitializationMode, fmi2Component c)
{
    FMI2_FMU("fmi2ExitInitializationMode", FMU_INITIALIZING);
    return (fmi2Status)fmu_start(f);
}

FMI2_FUNCTION(Terminate, fmi2Component c)
{
    FMI2_FMU("fmi2Terminate",
             FMU_STEPPING | FMU_ENDED | FMU_EVENT | FMU_CONTINUOUS);
    f->now.mode = FMU_TERMINATED;
    return fmi2OK;
}

FMI2_FUNCTION(Reset, fmi2Component c)
{
    FMI2_FMU("fmi2Reset", FMU_ANYWHERE);
    return (fmi2Status)fmu_again(f);
}

/* ---- values ---- */

enum {
    FMI2_GET = FMU_INITIALIZING | FMU_STEPPING | FMU_ENDED | FMU_TERMINATED |
               FMU_FAILED | FMU_EVENT | FMU_CONTINUOUS,
    FMI2_SET = FMU_INSTANTIATED | FMU_INITIALIZING | FMU_STEPPING | FMU_EVENT |
               FMU_CONTINUOUS
};

/* An Integer of FMI 2 may be an enumeration. */
static int fmi2_type(unsigned row, int type)
{
    return type == FMU_INTEGER && row < FMU_NVAR &&
                   fmu_row[row].type == FMU_ENUMERATION
               ? FMU_ENUMERATION
               : type;
}

/* All value references are looked at before anything is done. */
static int fmi2_are_rows(Fmu *f, const fmi2ValueReference *r, size_t n,
                         int type, const char *function)
{
    for (size_t i = 0; i < n; i++)
        if (!fmu_is_row(f, r[i], fmi2_type(r[i], type), function))
            return 0;
    return 1;
}

#define FMI2_GETTER(Name, Type, TYPE)                                          \
    FMI2_STATUS FMI2(Get##Name)(fmi2Component c, const fmi2ValueReference r[], \
                                size_t n, Type value[]);                       \
    FMI2_STATUS FMI2(Get##Name)(fmi2Component c, const fmi2ValueReference r[], \
                                size_t n, Type value[])                        \
    {                                                                          \
        FMI2_FMU("fmi2Get" #Name, FMI2_GET);                                   \
        const FmuState *s = NULL;                                              \
        if (fmi2_are_rows(f, r, n, TYPE, "fmi2Get" #Name))                     \
            s = fmu_shown(f);                                                  \
        for (size_t i = 0; s && i < n; i++)                                    \
            value[i] = (Type)fmu_value(s, r[i]);                               \
        return s ? fmi2OK : fmi2Error;                                         \
    }

#define FMI2_SETTER(Name, Type, TYPE)                                          \
    FMI2_STATUS FMI2(Set##Name)(fmi2Component c, const fmi2ValueReference r[], \
                                size_t n, const Type value[]);                 \
    FMI2_STATUS FMI2(Set##Name)(fmi2Component c, const fmi2ValueReference r[], \
                                size_t n, const Type value[])                  \
    {                                                                          \
        FMI2_FMU("fmi2Set" #Name, FMI2_SET);                                   \
        if (!fmi2_are_rows(f, r, n, TYPE, "fmi2Set" #Name))                    \
            return fmi2Error;                                                  \
        for (size_t i = 0; i < n; i++)                                         \
            if (fmu_set(f, r[i], (double)value[i], "fmi2Set" #Name) != FMU_OK) \
                return fmi2Error;                                              \
        return fmi2OK;                                                         \
    }

FMI2_GETTER(Real, fmi2Real, FMU_REAL)
FMI2_GETTER(Integer, fmi2Integer, FMU_INTEGER)
FMI2_GETTER(Boolean, fmi2Boolean, FMU_BOOLEAN)
FMI2_SETTER(Real, fmi2Real, FMU_REAL)
FMI2_SETTER(Integer, fmi2Integer, FMU_INTEGER)
FMI2_SETTER(Boolean, fmi2Boolean, FMU_BOOLEAN)

FMI2_FUNCTION(GetString, fmi2Component c, const fmi2ValueReference r[],
              size_t n, fmi2String value[])
{
    FMI2_FMU("fmi2GetString", FMI2_GET);
    for (size_t i = 0; i < n; i++)
        if (!(value[i] = fmu_string(f, r[i], "fmi2GetString")))
            return fmi2Error;
    return fmi2OK;
}

FMI2_FUNCTION(SetString, fmi2Component c, const fmi2ValueReference r[],
              size_t n, const fmi2String value[])
{
    FMI2_FMU("fmi2SetString", FMU_INSTANTIATED | FMU_INITIALIZING);
    for (size_t i = 0; i < n; i++)
        if (fmu_set_string(f, r[i], value[i], "fmi2SetString") != FMU_OK)
            return fmi2Error;
    return fmi2OK;
}

/* ---- saved states ---- */

FMI2_FUNCTION(GetFMUstate, fmi2Component c, fmi2FMUstate *state)
{
    FMI2_FMU("fmi2GetFMUstate", FMU_ANYWHERE);
    return (fmi2Status)fmu_save(f, (FmuSaved **)state);
}

FMI2_FUNCTION(SetFMUstate, fmi2Component c, fmi2FMUstate state)
{
    FMI2_FMU("fmi2SetFMUstate", FMU_ANYWHERE);
    return (fmi2Status)fmu_restore(f, state);
}

FMI2_FUNCTION(FreeFMUstate, fmi2Component c, fmi2FMUstate *state)
{
    FMI2_FMU("fmi2FreeFMUstate", FMU_ANYWHERE);
    if (state) {
        free(*state);
        *state = NULL;
    }
    return fmi2OK;
}

FMI2_FUNCTION(SerializedFMUstateSize, fmi2Component c, fmi2FMUstate state,
              size_t *size)
{
    FMI2_FMU("fmi2SerializedFMUstateSize", FMU_ANYWHERE);
    (void)state;
    *size = sizeof(FmuSaved);
    return fmi2OK;
}

FMI2_FUNCTION(SerializeFMUstate, fmi2Component c, fmi2FMUstate state,
              fmi2Byte bytes[], size_t size)
{
    FMI2_FMU("fmi2SerializeFMUstate", FMU_ANYWHERE);
    return (fmi2Status)fmu_serialize(f, state, (unsigned char *)bytes, size);
}

FMI2_FUNCTION(DeSerializeFMUstate, fmi2Component c, const fmi2Byte bytes[],
              size_t size, fmi2FMUstate *state)
{
    FMI2_FMU("fmi2DeSerializeFMUstate", FMU_ANYWHERE);
    return (fmi2Status)fmu_deserialize(f, (const unsigned char *)bytes, size,
                                       (FmuSaved **)state);
}

/* ---- steps ---- */

FMI2_FUNCTION(DoStep, fmi2Component c, fmi2Real from, fmi2Real length,
              fmi2Boolean no_set_before)
{
    FMI2_FMU("fmi2DoStep", FMU_STEPPING);
    (void)no_set_before;
    int ended, status = fmu_run(f, from, length, &ended);
    return ended ? fmi2Discard : (fmi2Status)status; /* section 4.2.3 */
}

FMI2_FUNCTION(CancelStep, fmi2Component c)
{
    FMI2_FMU("fmi2CancelStep", 0); /* no step is ever under way */
    return fmi2Error;
}

#define FMI2_STATUS_OF(Name, Type, KIND, now)                                  \
    FMI2_STATUS FMI2(Get##Name)(fmi2Component c, const fmi2StatusKind kind,    \
                                Type *value);                                  \
    FMI2_STATUS FMI2(Get##Name)(fmi2Component c, const fmi2StatusKind kind,    \
                                Type *value)                                   \
    {                                                                          \
        FMI2_FMU("fmi2Get" #Name,                                              \
                 FMU_STEPPING | FMU_ENDED | FMU_FAILED | FMU_TERMINATED);      \
        if ((int)kind != (KIND))                                               \
            return fmi2Discard;                                                \
        *value = (now);                                                        \
        return fmi2OK;                                                         \
    }

FMI2_STATUS_OF(Status, fmi2Status, fmi2DoStepStatus,
               f->now.mode == FMU_FAILED  ? fmi2Error
               : f->now.mode == FMU_ENDED ? fmi2Discard
                                          : fmi2OK)
FMI2_STATUS_OF(RealStatus, fmi2Real, fmi2LastSuccessfulTime, fmu_time(&f->now))
FMI2_STATUS_OF(BooleanStatus, fmi2Boolean, fmi2Terminated,
               f->now.mode == FMU_ENDED)
FMI2_STATUS_OF(IntegerStatus, fmi2Integer, -1, 0)
FMI2_STATUS_OF(StringStatus, fmi2String, fmi2PendingStatus, "")

#if FMU_EXCHANGE
#include "takt_fmi2_exchange.h"
#endif

/* ---- what this FMU does not do, as its description says ---- */

#define FMI2_NOT(Name, ...)                                                    \
    FMI2_STATUS FMI2(Name)(__VA_ARGS__);                                       \
    FMI2_STATUS FMI2(Name)(__VA_ARGS__)                                        \
    {                                                                          \
        Fmu *f = c;                                                            \
        if (f)                                                                 \
            fmu_say(f, FMU_ERROR, "fmi2" #Name ": this FMU does not have it"); \
        return fmi2Error;                                                      \
    }

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#if !FMU_MOVES
FMI2_NOT(GetDirectionalDerivative, fmi2Component c,
         const fmi2ValueReference unknown[], size_t nunknown,
         const fmi2ValueReference known[], size_t nknown, const fmi2Real seed[],
         fmi2Real value[])
#endif
FMI2_NOT(SetRealInputDerivatives, fmi2Component c, const fmi2ValueReference r[],
         size_t n, const fmi2Integer order[], const fmi2Real value[])
FMI2_NOT(GetRealOutputDerivatives, fmi2Component c,
         const fmi2ValueReference r[], size_t n, const fmi2Integer order[],
         fmi2Real value[])
#if !FMU_EXCHANGE
FMI2_NOT(EnterEventMode, fmi2Component c)
FMI2_NOT(NewDiscreteStates, fmi2Component c, fmi2EventInfo *info)
FMI2_NOT(EnterContinuousTimeMode, fmi2Component c)
FMI2_NOT(CompletedIntegratorStep, fmi2Component c, fmi2Boolean no_set,
         fmi2Boolean *event, fmi2Boolean *end)
FMI2_NOT(SetTime, fmi2Component c, fmi2Real time)
FMI2_NOT(SetContinuousStates, fmi2Component c, const fmi2Real x[], size_t n)
FMI2_NOT(GetDerivatives, fmi2Component c, fmi2Real x[], size_t n)
FMI2_NOT(GetEventIndicators, fmi2Component c, fmi2Real z[], size_t n)
FMI2_NOT(GetContinuousStates, fmi2Component c, fmi2Real x[], size_t n)
FMI2_NOT(GetNominalsOfContinuousStates, fmi2Component c, fmi2Real x[], size_t n)
#endif
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
