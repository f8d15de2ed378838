/* outcome.h - what can go wrong when matrices of a model are looked at, and how
 * long work tells where it is.
 *
 * No function of tune/ that takes matrices ends the program or hands out
 * values that are not finite because of them: it returns a code, and a text
 * that names the variables and the sample.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_OUTCOME_H
#define TAKT_TUNE_OUTCOME_H

/* TUNE(name, text) */
#define TUNE_CODES(TUNE)                                                       \
    TUNE(FINE, "fine")                                                         \
    TUNE(NOT_FINITE, "a matrix has entries that are not finite")               \
    TUNE(SINGULAR, "the iteration matrix L - tau Df is singular")              \
    TUNE(HIGHER_INDEX, "the algebraic part is singular: the index is above 1") \
    TUNE(MASS_VARIES, "the mass matrix depends on the state")                  \
    TUNE(NO_CONVERGENCE, "the eigenvalue iteration did not converge")          \
    TUNE(NO_SAMPLES, "there are no samples")

typedef enum TuneCode {
#define TUNE(name, text) TUNE_##name,
    TUNE_CODES(TUNE)
#undef TUNE
} TuneCode;

/* The text of the list above. */
const char *tune_code_text(TuneCode code);

/* Called from time to time: `done` of `total` parts of `what` are done. */
typedef struct TuneProgress {
    void (*say)(void *context, const char *what, int done, int total);
    void *context;
} TuneProgress;

/* Nothing if `p` is NULL. */
void tune_say(const TuneProgress *p, const char *what, int done, int total);

#endif
