/* ModelicaUtilities.h - what external C functions may call (section 12.9.6 of
 * the Modelica language specification).
 *
 * In generated code nothing is printed and nothing is allocated: messages go to
 * takt_external_message if that is set, an error ends the external function and
 * becomes the status of the step, and texts come from a buffer that is used
 * anew in every call.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODELICA_UTILITIES_H
#define MODELICA_UTILITIES_H

#include <stdarg.h>
#include <stddef.h>

#if defined(__GNUC__)
#define TAKT_NORETURN        __attribute__((noreturn))
#define TAKT_FORMAT_OF(a, b) __attribute__((format(printf, a, b)))
#else
#define TAKT_NORETURN
#define TAKT_FORMAT_OF(a, b)
#endif

#if defined(__cplusplus)
extern "C" {
#endif

/* Texts for the user. */
void ModelicaMessage(const char *string);
void ModelicaFormatMessage(const char *format, ...) TAKT_FORMAT_OF(1, 2);
void ModelicaVFormatMessage(const char *format, va_list args)
    TAKT_FORMAT_OF(1, 0);
void ModelicaWarning(const char *string);
void ModelicaFormatWarning(const char *format, ...) TAKT_FORMAT_OF(1, 2);
void ModelicaVFormatWarning(const char *format, va_list args)
    TAKT_FORMAT_OF(1, 0);

/* The function cannot go on. These do not return. */
void ModelicaError(const char *string) TAKT_NORETURN;
void ModelicaFormatError(const char *format, ...) TAKT_NORETURN
    TAKT_FORMAT_OF(1, 2);
void ModelicaVFormatError(const char *format, va_list args) TAKT_NORETURN
    TAKT_FORMAT_OF(1, 0);

/* Memory for a text of `length` characters and its end, to be returned. */
char *ModelicaAllocateString(size_t length);
char *ModelicaAllocateStringWithErrorReturn(size_t length);
char *ModelicaDuplicateString(const char *string);
char *ModelicaDuplicateStringWithErrorReturn(const char *string);

#if defined(__cplusplus)
}
#endif

#endif
