/* outcome.c - codes as texts, and the word to whoever waits. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/outcome.h"

#include <stddef.h>

const char *tune_code_text(TuneCode code)
{
    static const char *const text[] = {
#define TUNE(name, text) text,
        TUNE_CODES(TUNE)
#undef TUNE
    };
    return text[code];
}

void tune_say(const TuneProgress *p, const char *what, int done, int total)
{
    if (p != NULL && p->say != NULL)
        p->say(p->context, what, done, total);
}
