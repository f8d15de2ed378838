/* diag.h - what takt has to say about the user's model.
 *
 * Messages are collected, so that one run shows all; the command prints them
 * at its end in the order they came. A phase goes on while its findings stay
 * meaningful; the driver stops after the first phase that reported an error.
 *
 *     tank.mo:14:3: error: no unknown is left for this equation [E1001]
 *       14 |   p = rho * g * h;
 *          |   ^~~~~~~~~~~~~~~
 *     tank.mo:9:3: note: 'p' is already determined here
 *
 * A code stands once in codes/PHASE.def with its kind of finding:
 *   E....  error        the model is wrong             exit 1
 *   U....  unsupported  a feature takt does not know   exit 3 (if no error)
 *   W....  warning      does not change the exit code
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_DIAG_H
#define TAKT_BASE_DIAG_H

#include <stdbool.h>
#include <stdio.h>

#include "base/source.h"

#if defined(__GNUC__)
#define TAKT_PRINTF(a, b) __attribute__((format(printf, a, b)))
#else
#define TAKT_PRINTF(a, b)
#endif

typedef enum DiagCode {
#define CODE(name, text) DIAG_##name,
#include "base/codes.def"
#undef CODE
    DIAG_NCODE
} DiagCode;

typedef enum DiagKind { DIAG_ERROR, DIAG_UNSUPPORTED, DIAG_WARNING } DiagKind;

typedef struct Diag Diag;

/* Messages point into `sources`, which must outlive the Diag. */
Diag *diag_new(const Sources *sources, Arena *arena);

/* Reports a finding. The kind follows from the first letter of the code:
 *     diag_report(diag, span, DIAG_E0301, "'%s' is not declared", name);
 * A finding with the same code, place and text as an earlier one is dropped. */
void diag_report(Diag *d, Span span, DiagCode code, const char *fmt, ...)
    TAKT_PRINTF(4, 5);
/* Adds a note to the last report (dropped if that report was). */
void diag_note(Diag *d, Span span, const char *fmt, ...) TAKT_PRINTF(3, 4);
/* "did you mean 'NAME'?" as a note, if one of the candidates is near `name`
 * (edit distance at most a third of its length). */
void diag_suggest(Diag *d, const char *name, const char *const *candidate,
                  int ncandidate);

/* While muted (nested mutes are counted), reports are counted but not kept: for
 * attempts. Ask diag_count() before unmuting, which forgets those counted since
 * its mute. */
void diag_mute(Diag *d);
void diag_unmute(Diag *d);
/* Reports of `from` with their notes, as if they had been made to `d`: for an
 * attempt with a Diag of its own, of the same sources, that is kept. */
void diag_append(Diag *d, const Diag *from);
/* Those with this code. */
void diag_append_only(Diag *d, const Diag *from, DiagCode code);

int diag_count(const Diag *d, DiagKind kind);
bool diag_failed(const Diag *d); /* an error or an unsupported feature */
int diag_exit_code(const Diag *d);
/* The first error or unsupported feature as one line without its place, NULL
 * if there is none: for attempts with a Diag of their own. */
const char *diag_first(const Diag *d, Arena *arena);
/* Prints all messages not printed before; after 50 errors only the count. */
void diag_print(Diag *d, FILE *out);

/* The messages that were kept, as data; notes are not part of them. */
typedef struct DiagMessage {
    DiagKind kind;
    const char *code, *text;
    Place place;
    Span span;
} DiagMessage;
int diag_nmessage(const Diag *d);
DiagMessage diag_message(const Diag *d, int number);

const char *diag_code_name(DiagCode code); /* "E0301" */
const char *diag_code_text(DiagCode code); /* one line: what the code means */

#endif
