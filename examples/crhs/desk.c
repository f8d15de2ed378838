/* desk.c - makes the table of a model: desk TABLE.c [h [order]]. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "model.h"

int main(int argc, char **argv)
{
    double x0[MODEL_N];
    uint32_t *table;
    TaktRtReport r;
    model_start(x0);
    TaktRtSetup setup = takt_rt_setup(argc > 2 ? atof(argv[2]) : 1e-3, x0);
    model_setup(&setup);
    setup.order = argc > 3 ? atoi(argv[3]) : 1;
    if (takt_rt_analyse(&model, &setup, &table, &r) < 0) {
        fprintf(stderr, "%s\n", r.message);
        return 1;
    }
    printf("%d entries of the Jacobian from %d evaluations, fill %d, %ld "
           "operations to factor and solve\n",
           r.nkept, r.ngroup, r.nfill, r.flops);
    printf("%zu bytes of table, %zu bytes of memory\n", 4 * r.words, r.memory);
    int status = argc > 1 ? takt_rt_save(table, argv[1], "table") : 0;
    takt_rt_free(table);
    return status == 0 ? 0 : 1;
}
