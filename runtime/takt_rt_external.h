/* takt_rt_external.h - around calls of external functions; included once, by
 * the file with their wrappers.
 *
 * In an FMU, which defines TAKT_INSTANCES, messages, objects and paths of files
 * are those of the instance, and threads may run several of them.
 *
 * Every wrapper has the form void f(const double *a, double *y): arguments in,
 * status and results out. An error (ModelicaError) jumps back into the wrapper
 * and becomes the status 1.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RT_EXTERNAL_H
#define TAKT_RT_EXTERNAL_H

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "ModelicaUtilities.h"

#if defined(__GNUC__)
#define TAKT_WEAK __attribute__((weak))
#else
#define TAKT_WEAK
#endif

enum { TAKT_EXTERNAL_TEXT = 65536 }; /* bytes of texts in one call */

#if !defined(TAKT_INSTANCES)
#define TAKT_THREAD
/* Gets messages: 0 text, 1 warning, 2 error. */
extern void (*takt_external_message)(int level, const char *text);
TAKT_WEAK void (*takt_external_message)(int level, const char *text) = 0;
#else
#if defined(__GNUC__)
#define TAKT_THREAD __thread
#elif defined(_MSC_VER)
#define TAKT_THREAD __declspec(thread)
#else
#define TAKT_THREAD
#endif
void TAKT_X(say)(int level, const char *text);
void **TAKT_X(objects)(void);
#define takt_external_message TAKT_X(say)
#endif

static TAKT_THREAD jmp_buf *takt_external_back; /* of the wrapper that runs */
static TAKT_THREAD char takt_external_text[TAKT_EXTERNAL_TEXT];
static TAKT_THREAD size_t takt_external_used;

static inline void takt_external_say(int level, const char *text)
{
#if !defined(TAKT_INSTANCES)
    if (!takt_external_message)
        return;
#endif
    takt_external_message(level, text);
}

static inline void takt_external_format(int level, const char *format,
                                        va_list args)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    takt_external_say(level, text);
}

static inline void takt_external_fail(void)
{
    if (takt_external_back)
        longjmp(*takt_external_back, 1);
    for (;;) { /* called from outside of a wrapper: nothing to go back to */
    }
}

TAKT_WEAK void ModelicaMessage(const char *string)
{
    takt_external_say(0, string);
}

TAKT_WEAK void ModelicaVFormatMessage(const char *format, va_list args)
{
    takt_external_format(0, format, args);
}

TAKT_WEAK void ModelicaFormatMessage(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    takt_external_format(0, format, args);
    va_end(args);
}

TAKT_WEAK void ModelicaWarning(const char *string)
{
    takt_external_say(1, string);
}

TAKT_WEAK void ModelicaVFormatWarning(const char *format, va_list args)
{
    takt_external_format(1, format, args);
}

TAKT_WEAK void ModelicaFormatWarning(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    takt_external_format(1, format, args);
    va_end(args);
}

TAKT_WEAK void ModelicaError(const char *string)
{
    takt_external_say(2, string);
    takt_external_fail();
    for (;;) {
    }
}

TAKT_WEAK void ModelicaVFormatError(const char *format, va_list args)
{
    takt_external_format(2, format, args);
    takt_external_fail();
    for (;;) {
    }
}

TAKT_WEAK void ModelicaFormatError(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    takt_external_format(2, format, args);
    va_end(args);
    takt_external_fail();
    for (;;) {
    }
}

TAKT_WEAK char *ModelicaAllocateStringWithErrorReturn(size_t length)
{
    char *text = takt_external_text + takt_external_used;
    if (length >= TAKT_EXTERNAL_TEXT - takt_external_used)
        return 0;
    takt_external_used += length + 1;
    memset(text, 0, length + 1);
    return text;
}

TAKT_WEAK char *ModelicaAllocateString(size_t length)
{
    char *text = ModelicaAllocateStringWithErrorReturn(length);
    if (!text)
        ModelicaError("a text is too long for its buffer");
    return text;
}

TAKT_WEAK char *ModelicaDuplicateStringWithErrorReturn(const char *string)
{
    char *text = ModelicaAllocateStringWithErrorReturn(strlen(string));
    return text ? strcpy(text, string) : 0;
}

TAKT_WEAK char *ModelicaDuplicateString(const char *string)
{
    return strcpy(ModelicaAllocateString(strlen(string)), string);
}

#endif
