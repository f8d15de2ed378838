/* takt_fmi3.h - types of FMI 3.0, and how its functions are called.
 *
 * Prefixes are those of FMI 3.0, section 2.2.1: as in takt_fmi2.h, with a 3.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_FMI3_H
#define TAKT_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *fmi3Instance, *fmi3InstanceEnvironment, *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8, fmi3Byte;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean, fmi3Clock;
typedef char fmi3Char;
typedef const fmi3Char *fmi3String;
typedef const fmi3Byte *fmi3Binary;

typedef enum {
    fmi3OK,
    fmi3Warning,
    fmi3Discard,
    fmi3Error,
    fmi3Fatal
} fmi3Status;

typedef enum {
    fmi3Independent,
    fmi3Constant,
    fmi3Fixed,
    fmi3Tunable,
    fmi3Discrete,
    fmi3Dependent
} fmi3DependencyKind;

typedef enum {
    fmi3IntervalNotYetKnown,
    fmi3IntervalUnchanged,
    fmi3IntervalChanged
} fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status,
                                       fmi3String category, fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(
    fmi3InstanceEnvironment, fmi3Float64 time, fmi3Boolean set_requested,
    fmi3Boolean get_allowed, fmi3Boolean step_finished, fmi3Boolean can_return,
    fmi3Boolean *return_requested, fmi3Float64 *return_time);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

#if !defined(FMI3_OVERRIDE_FUNCTION_PREFIX) && defined(FMI3_FUNCTION_PREFIX)
#define FMI3_ACTUAL_FUNCTION_PREFIX FMI3_FUNCTION_PREFIX
#endif

#define FMI3_JOIN_(a, b) a##b
#define FMI3_JOIN(a, b)  FMI3_JOIN_(a, b)
#ifdef FMI3_ACTUAL_FUNCTION_PREFIX
#define FMI3(name) FMI3_JOIN(FMI3_ACTUAL_FUNCTION_PREFIX, fmi3##name)
#else
#define FMI3(name) fmi3##name
#endif

#ifndef FMI3_Export
#if defined(FMI3_ACTUAL_FUNCTION_PREFIX)
#define FMI3_Export
#elif defined(_WIN32) || defined(__CYGWIN__)
#define FMI3_Export __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI3_Export __attribute__((visibility("default")))
#else
#define FMI3_Export
#endif
#endif

#endif
