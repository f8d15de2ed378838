/* test_hdf5.c - what is written is read again by the library itself. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <hdf5.h>
#include <stdlib.h>
#include <unistd.h>

#include "result/result.h"

enum { ROWS = 2500 }; /* two chunks and a part */

static hsize_t read_set(hid_t file, const char *name, double *value)
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(set >= 0);
    hid_t space = H5Dget_space(set);
    hsize_t n = (hsize_t)H5Sget_simple_extent_npoints(space);
    assert_true(n <= ROWS);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                        value) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    return n;
}

static void signals_come_back_to_the_last_bit(void **state)
{
    const ResultSignal signal[] = {{"x", "a length [m]", 0, 1, 0},
                                   {"minus.x", "", 0, -1, 0},
                                   {"'a/b'", "", 1, 1, 0},
                                   {"k", "", NONE, -1, 2.5}};
    char path[] = "/tmp/takt-test-XXXXXX.h5";
    Arena *arena = arena_new();
    static double value[ROWS], time[ROWS];
    (void)state;
    close(mkstemps(path, 3));
    ResultFile *f = result_open(path, signal, 4, 2, arena);
    assert_non_null(f);
    assert_int_equal(result_signals(f), 4);
    for (int i = 0; i < ROWS; i++)
        result_row(f, i / 3.0, (double[]){i / 7.0, -i / 9.0});
    assert_true(result_close(f));
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    assert_int_equal(read_set(file, "time", time), ROWS);
    assert_int_equal(read_set(file, "x", value), ROWS);
    for (int i = 0; i < ROWS; i++)
        assert_true(time[i] == i / 3.0 && value[i] == i / 7.0);
    assert_int_equal(read_set(file, "minus.x", value), ROWS);
    assert_true(value[ROWS - 1] == -(ROWS - 1) / 7.0);
    assert_int_equal(read_set(file, "'a\\b'", value), ROWS);
    assert_true(value[ROWS - 1] == -(ROWS - 1) / 9.0);
    assert_int_equal(read_set(file, "k", value), 1);
    assert_true(value[0] == -2.5);
    H5Fclose(file);
    unlink(path);
    arena_free(arena);
}

static void a_file_without_rows_is_whole(void **state)
{
    char path[] = "/tmp/takt-test-XXXXXX.h5";
    Arena *arena = arena_new();
    double value[1];
    (void)state;
    close(mkstemps(path, 3));
    ResultFile *f = result_open(path, NULL, 0, 0, arena);
    assert_true(f && result_close(f));
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_int_equal(read_set(file, "time", value), 0);
    H5Fclose(file);
    unlink(path);
    assert_null(result_open("/nonexistent/a.h5", NULL, 0, 0, arena));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_come_back_to_the_last_bit),
        cmocka_unit_test(a_file_without_rows_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
