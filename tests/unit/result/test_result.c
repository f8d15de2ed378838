/* Written files are read back by matio and by takt's own table reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <matio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "result/compare.h"
#include "result/result.h"
#include "result/table.h"

static const ResultSignal signals[] = {
    {"x", "position [m]", 0, 1, 0},
    {"minus_x", "", 0, -1, 0},
    {"k", "stiffness", NONE, 1, 7.5},
    {"v", "speed [m/s]", 1, 1, 0},
};

static void write_file(const char *path, Arena *arena)
{
    ResultFile *f = result_open(path, signals, 4, 2, arena);
    assert_non_null(f);
    bool is_csv = strstr(path, ".csv") != NULL; /* has no parameters */
    assert_int_equal(result_signals(f), is_csv ? 3 : 4);
    for (int i = 0; i <= 10; i++) {
        double value[2] = {0.1 * i, i * i};
        result_row(f, 0.5 * i, value);
    }
    assert_true(result_close(f));
}

/* An entry of dataInfo, whatever matio makes of its integers. */
static int entry(const matvar_t *m, int column, int row)
{
    int i = column * (int)m->dims[0] + row;
    return m->data_size == 8 ? (int)((const double *)m->data)[i]
                             : ((const int32_t *)m->data)[i];
}

static void a_mat_file_has_the_trajectory_layout(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    char path[64];
    snprintf(path, sizeof path, "/tmp/takt-result-%d.mat", (int)getpid());
    write_file(path, arena);
    mat_t *mat = Mat_Open(path, MAT_ACC_RDONLY);
    assert_non_null(mat);
    matvar_t *info = Mat_VarRead(mat, "dataInfo");
    matvar_t *data = Mat_VarRead(mat, "data_2");
    matvar_t *param = Mat_VarRead(mat, "data_1");
    matvar_t *name = Mat_VarRead(mat, "name");
    assert_non_null(info);
    assert_non_null(data);
    assert_int_equal(info->dims[0], 4);
    assert_int_equal(info->dims[1], 5);
    assert_int_equal(entry(info, 1, 1), 2);  /* x is row 2 of data_2 */
    assert_int_equal(entry(info, 2, 1), -2); /* minus_x is its negative */
    assert_int_equal(entry(info, 3, 0), 1);  /* k stands in data_1 */
    assert_int_equal(entry(info, 3, 1), 2);
    assert_int_equal(data->dims[0], 3);
    assert_int_equal(data->dims[1], 11);
    const double *value = data->data;
    assert_true(value[10 * 3 + 0] == 5.0);
    assert_true(value[10 * 3 + 2] == 100.0);
    const double *p = param->data;
    assert_true(p[1] == 7.5 && p[2] == 5.0 && p[3] == 7.5);
    assert_memory_equal((const char *)name->data + 2 * name->dims[0], "minus_x",
                        7);
    Mat_VarFree(info), Mat_VarFree(data), Mat_VarFree(param), Mat_VarFree(name);
    Mat_Close(mat);
    unlink(path);
    arena_free(arena);
}

static void a_csv_file_is_read_back_exactly(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    char path[64];
    snprintf(path, sizeof path, "/tmp/takt-result-%d.csv", (int)getpid());
    write_file(path, arena);
    Sources *sources = sources_new(arena);
    Diag *diag = diag_new(sources, arena);
    Table *t = table_read(sources, sources_read(sources, path), arena, diag);
    assert_non_null(t);
    assert_int_equal(t->nrow, 11);
    assert_int_equal(t->ncol, 4);
    int c = table_column(t, "minus_x");
    assert_true(t->value[3 * t->ncol + c] == -(0.1 * 3));
    unlink(path);
    arena_free(arena);
}

static Table *read_text(const char *text, Arena *arena, Diag **diag)
{
    Sources *sources = sources_new(arena);
    *diag = diag_new(sources, arena);
    int n = sources_add(sources, "t.csv", text, strlen(text));
    return table_read(sources, n, arena, *diag);
}

static void a_wrong_table_is_refused_with_its_line(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Diag *diag;
    assert_null(read_text("", arena, &diag));
    assert_true(diag_failed(diag));
    assert_null(read_text("time,u\n0,1\n1\n", arena, &diag));
    assert_true(diag_failed(diag));
    assert_null(read_text("time,u\n0,1\n1,abc\n", arena, &diag));
    assert_true(diag_failed(diag));
    Table *t =
        read_text("\"time\";\"a,b\"\n# c\n\n0;1\r\n1;-2e3\n", arena, &diag);
    assert_non_null(t);
    assert_string_equal(t->name[1], "a,b");
    assert_true(t->value[3] == -2000);
    arena_free(arena);
}

static void the_time_may_be_spelled_otherwise(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Diag *diag;
    Table *t = read_text("\"x\",\"Time\"\n5,0\n6,1\n", arena, &diag);
    assert_non_null(t);
    assert_int_equal(table_column(t, "time"), 1);
    t = read_text("Time,time\n5,0\n6,1\n", arena, &diag);
    assert_non_null(t);
    assert_int_equal(table_column(t, "Time"), 0);
    assert_int_equal(table_column(t, "time"), 1);
    arena_free(arena);
}

static void the_tube_forgives_a_late_jump_but_no_wrong_value(void **state)
{
    (void)state;
    double t[4] = {0, 0.5, 0.5, 1}, y[4] = {0, 0, 1, 1};
    double late[4] = {0, 0.5005, 0.5005, 1};
    double wrong[4] = {0, 0, 1, 1.01};
    Curve ref = {t, y, 4, 1};
    assert_int_equal(
        compare_tube(ref, (Curve){late, y, 4, 1}, 2e-3, 0).noutside, 0);
    TubeResult r = compare_tube(ref, (Curve){t, wrong, 4, 1}, 2e-3, 0);
    assert_int_equal(r.noutside, 1);
    assert_true(r.first == 1 && fabs(r.worst - 0.008) < 1e-12);
    double later[4] = {0, 0.51, 0.51, 1};
    assert_true(compare_tube(ref, (Curve){later, y, 4, 1}, 2e-3, 0).noutside >
                0);
}

/* The tube around a slope of 1 that is 0.1 wide in time and in value. */
static void the_tube_follows_a_slope_between_its_points(void **state)
{
    (void)state;
    double t[2] = {0, 1}, y[2] = {0, 1}, at = 0.5;
    Curve ref = {t, y, 2, 1};
    const double inside[] = {0.31, 0.5, 0.69}, outside[] = {0.29, 0.71};
    for (int i = 0; i < 3; i++)
        assert_int_equal(
            compare_tube(ref, (Curve){&at, &inside[i], 1, 1}, 0.1, 0).noutside,
            0);
    for (int i = 0; i < 2; i++) {
        TubeResult r =
            compare_tube(ref, (Curve){&at, &outside[i], 1, 1}, 0.1, 0);
        assert_int_equal(r.noutside, 1);
        assert_true(fabs(r.worst - 0.01) < 1e-12);
        assert_true(fabs(r.error - 0.11) < 1e-12);
    }
}

/* From 10 to 12: the width of a tube of 0.1 is 0.2, wherever the zero is. */
static void the_tube_is_as_wide_as_the_values_move(void **state)
{
    (void)state;
    double t[3] = {0, 1, 2}, y[3] = {10, 12, 12}, at = 2;
    const double value[] = {12.19, 12.21};
    for (int i = 0; i < 2; i++)
        assert_int_equal(compare_tube((Curve){t, y, 3, 1},
                                      (Curve){&at, &value[i], 1, 1}, 0.1, 0)
                             .noutside,
                         i);
}

/* Noise of 5e-20 is no signal: 0 lies within a floor of 1e-9, 1e-8 does not,
 * and a signal wider than the floor has the tube it had. */
static void a_reference_within_its_own_tolerance_has_a_floor(void **state)
{
    (void)state;
    double t[3] = {0, 1, 2}, y[3] = {-5e-20, 5e-20, 0}, at = 1;
    const double value[] = {0, 0.9e-9, 1.1e-9, 1e-8};
    for (int i = 0; i < 4; i++) {
        TubeResult r = compare_tube((Curve){t, y, 3, 1},
                                    (Curve){&at, &value[i], 1, 1}, 2e-3, 1e-9);
        assert_int_equal(r.noutside, i > 1);
        assert_true(r.by_floor);
    }
    assert_int_equal(compare_tube((Curve){t, y, 3, 1},
                                  (Curve){&at, &value[0], 1, 1}, 2e-3, 0)
                         .noutside,
                     1);
    double wide[3] = {0, 1, 2}, near = 1.005;
    TubeResult r = compare_tube((Curve){t, wide, 3, 1},
                                (Curve){&at, &near, 1, 1}, 1e-3, 1e-9);
    assert_int_equal(r.noutside, 1);
    assert_false(r.by_floor);
}

/* Before its first line and after its last one a table is constant; at its very
 * ends the slope is that of the piece there. */
static void a_table_is_a_line_between_its_points(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Diag *diag;
    Table *t = read_text("time,u\n1,5\n3,9\n", arena, &diag);
    assert_non_null(t);
    const double time[] = {0, 1, 1.5, 3, 4}, value[] = {5, 5, 6, 9, 9};
    const double slope[] = {0, 2, 2, 2, 0};
    for (int i = 0; i < 5; i++) {
        assert_true(table_at(t, 1, 0, time[i], time[i]) == value[i]);
        assert_true(table_at(t, 1, 1, time[i], time[i]) == slope[i]);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mat_file_has_the_trajectory_layout),
        cmocka_unit_test(a_csv_file_is_read_back_exactly),
        cmocka_unit_test(a_wrong_table_is_refused_with_its_line),
        cmocka_unit_test(the_time_may_be_spelled_otherwise),
        cmocka_unit_test(the_tube_forgives_a_late_jump_but_no_wrong_value),
        cmocka_unit_test(the_tube_is_as_wide_as_the_values_move),
        cmocka_unit_test(a_reference_within_its_own_tolerance_has_a_floor),
        cmocka_unit_test(a_table_is_a_line_between_its_points),
        cmocka_unit_test(the_tube_follows_a_slope_between_its_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
