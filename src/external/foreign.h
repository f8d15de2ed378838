/* foreign.h - a call of an external function of others. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EXTERNAL_FOREIGN_H
#define TAKT_EXTERNAL_FOREIGN_H

#include "external/external_internal.h"

/* False after a report. */
bool external_call_foreign(ExternalCall *c);

#endif
