/* takt_fmi2.h - types of FMI 2.0, and how its functions are called.
 *
 * In sources an importer compiles, every function has the prefix
 * FMI2_FUNCTION_PREFIX; with FMI2_OVERRIDE_FUNCTION_PREFIX it is
 * FMI2_ACTUAL_FUNCTION_PREFIX, or none, as in a shared library (FMI 2.0,
 * section 2.1.1).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_FMI2_H
#define TAKT_FMI2_H

#include <stddef.h>

typedef void *fmi2Component, *fmi2ComponentEnvironment, *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef char fmi2Char, fmi2Byte;
typedef const fmi2Char *fmi2String;
enum { fmi2False, fmi2True };

typedef enum {
    fmi2OK,
    fmi2Warning,
    fmi2Discard,
    fmi2Error,
    fmi2Fatal,
    fmi2Pending
} fmi2Status;

typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;

typedef enum {
    fmi2DoStepStatus,
    fmi2PendingStatus,
    fmi2LastSuccessfulTime,
    fmi2Terminated
} fmi2StatusKind;

typedef struct {
    void (*logger)(fmi2ComponentEnvironment, fmi2String instance, fmi2Status,
                   fmi2String category, fmi2String message, ...);
    void *(*allocateMemory)(size_t n, size_t size);
    void (*freeMemory)(void *);
    void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
    fmi2Boolean newDiscreteStatesNeeded;
    fmi2Boolean terminateSimulation;
    fmi2Boolean nominalsOfContinuousStatesChanged;
    fmi2Boolean valuesOfContinuousStatesChanged;
    fmi2Boolean nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

#if !defined(FMI2_OVERRIDE_FUNCTION_PREFIX) && defined(FMI2_FUNCTION_PREFIX)
#define FMI2_ACTUAL_FUNCTION_PREFIX FMI2_FUNCTION_PREFIX
#endif

#define FMI2_JOIN_(a, b) a##b
#define FMI2_JOIN(a, b)  FMI2_JOIN_(a, b)
#ifdef FMI2_ACTUAL_FUNCTION_PREFIX
#define FMI2(name) FMI2_JOIN(FMI2_ACTUAL_FUNCTION_PREFIX, fmi2##name)
#else
#define FMI2(name) fmi2##name
#endif

#ifndef FMI2_Export
#if defined(FMI2_ACTUAL_FUNCTION_PREFIX)
#define FMI2_Export
#elif defined(_WIN32) || defined(__CYGWIN__)
#define FMI2_Export __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI2_Export __attribute__((visibility("default")))
#else
#define FMI2_Export
#endif
#endif

#endif
