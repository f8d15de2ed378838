/* groups.c - groups of candidates by their names. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuning/groups.h"

#include <string.h>

#include "tuning/tuning.h"

bool tune_read_groups(const char *text, unsigned *groups)
{
    static const struct {
        const char *word;
        unsigned group;
    } group[] = {{"given", TUNE_BASE},
                 {"sparsing", TUNE_SPARSING},
                 {"mixed", TUNE_MIXED},
                 {"delay", TUNE_LAG},
                 {"extrapolated", TUNE_EXTRAPOLATED},
                 {"combined", TUNE_COMBINED},
                 {"positions", TUNE_POSITIONS},
                 {"all", ~0u}};
    const int n = sizeof group / sizeof *group;
    for (const char *at = text; at && *at;) {
        size_t size = strcspn(at, ",");
        int i = 0;
        while (i < n && (strlen(group[i].word) != size ||
                         strncmp(group[i].word, at, size)))
            i++;
        if (i == n)
            return false;
        *groups |= group[i].group;
        at += size + (at[size] == ',');
    }
    return true;
}
