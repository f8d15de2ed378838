/* alarms.c - what steps had to say. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/alarms.h"

int alarms_nplace(const RunModel *m, StatusCause cause)
{
    switch (status_row[cause].of) {
    case OF_BLOCK: return m->call->nblock + 1;
    case OF_MESSAGE: return m->nmessage;
    case OF_VARIABLE: return m->call->nvar;
    default: return 0;
    }
}

void alarms_init(RunAlarms *a, const RunModel *m, Arena *arena)
{
    for (int i = 0; i < STATUS_NCAUSE; i++)
        a->cause[i] =
            NEW_ARRAY(arena, int64_t, alarms_nplace(m, (StatusCause)i) + 1);
}

void alarms_note(RunAlarms *a, const RunModel *m)
{
    int place[OF_VARIABLE + 1] = {0};
    unsigned causes = m->call->what(m->m, place);
    for (int i = 0; i < STATUS_NCAUSE; i++) {
        if (!(causes >> i & 1))
            continue;
        int at = place[status_row[i].of];
        place[status_row[i].of] = 0; /* it is that of the first cause */
        a->cause[i][0]++;
        if (at > 0 && at <= alarms_nplace(m, (StatusCause)i))
            a->cause[i][at]++;
    }
}
