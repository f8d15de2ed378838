/* balance.h - do the equations suffice for the unknowns, and if not, where?
 *
 *   in    Flat
 *   out   reports: W0902 (too few or too many), which component is at fault
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INSTANCE_BALANCE_H
#define TAKT_INSTANCE_BALANCE_H

#include "flat/flat.h"

/* Reports nothing if the counts agree, else an error and, as notes, up to five
 * components whose own equations are fewer or more than their own unknowns
 * need. Returns whether the model balances. */
bool balance_report(const Flat *f, Diag *diag);

#endif
