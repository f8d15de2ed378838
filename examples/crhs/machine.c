/* machine.c - the same model in real time, without libtakt: machine [STEPS]. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>

#include <takt/takt_rt_step.h>

#include "model.h"

extern const size_t table_words;
extern const uint32_t table[];

static takt_rt_real memory[20000]; /* desk says how much is needed */

int main(int argc, char **argv)
{
    static TaktRt s;
    long steps = argc > 1 ? atol(argv[1]) : 1000;
    int status =
        takt_rt_init(&s, table, table_words, &model, memory, sizeof memory);
    if (status != 0) {
        fprintf(stderr, "takt_rt_init: status %d\n", status);
        return 1;
    }
    model_start(s.x);
    for (long k = 0; k < steps; k++) {
        status = takt_rt_step(&s); /* every millisecond */
        if (status < 0) {
            fprintf(stderr, "step %ld: status %d, unknown %d\n", k, status,
                    (int)s.where);
            return 1;
        }
    }
    for (int i = 0; i < MODEL_N; i++)
        printf("%.12g\n", (double)s.x[i]);
    return 0;
}
