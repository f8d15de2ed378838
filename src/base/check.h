/* check.h - do the phases check what they hand out?
 *
 * Every data type has a TYPE_check() that asserts what must hold. They cost
 * time, so they run where wrong data must not go unnoticed: in builds with
 * sanitizers, and where the environment has TAKT_CHECK=1.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_CHECK_H
#define TAKT_BASE_CHECK_H

#include <stdbool.h>

bool check_is_on(void);

#endif
