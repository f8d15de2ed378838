/* test.h - the includes that cmocka wants, in its order. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_TEST_H
#define TAKT_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#endif
