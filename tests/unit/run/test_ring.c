/* test_ring.c - rows and figures from one thread to another. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "run/live.h"
#include "run/record.h"
#include "run/ring.h"

static void a_full_ring_has_no_room_until_a_row_is_taken(void **state)
{
    Arena *arena = arena_new();
    Ring r;
    (void)state;
    ring_init(&r, 3, 2, (const double[]){7, 8}, arena);
    assert_null(ring_front(&r));
    for (int i = 0; i < 3; i++) {
        double *row = ring_room(&r);
        assert_non_null(row);
        assert_true(row[1] == 8); /* what was there first */
        row[0] = i;
        ring_push(&r);
    }
    assert_null(ring_room(&r));
    assert_true(ring_front(&r)[0] == 0);
    ring_pop(&r);
    assert_non_null(ring_room(&r));
    assert_true(ring_front(&r)[0] == 1);
    arena_free(arena);
}

enum { ROWS = 20000 };

static void *push_rows(void *context)
{
    Ring *r = context;
    for (int i = 0; i < ROWS; i++) {
        double *row;
        while (!(row = ring_room(r)))
            sched_yield();
        for (int k = 0; k < 5; k++)
            row[k] = i + k;
        ring_push(r);
    }
    return NULL;
}

static void rows_come_whole_and_in_order(void **state)
{
    Arena *arena = arena_new();
    Ring r;
    pthread_t thread;
    (void)state;
    ring_init(&r, 16, 5, NULL, arena);
    assert_int_equal(pthread_create(&thread, NULL, push_rows, &r), 0);
    for (int i = 0; i < ROWS; i++) {
        const double *row;
        while (!(row = ring_front(&r)))
            sched_yield();
        for (int k = 0; k < 5; k++)
            assert_true(row[k] == i + k);
        ring_pop(&r);
    }
    pthread_join(thread, NULL);
    assert_null(ring_front(&r));
    arena_free(arena);
}

static void *write_figures(void *context)
{
    Live *l = context;
    for (int i = 1; i <= ROWS; i++) {
        live_write(
            l, &(LiveFigures){
                   .time = i, .steps = i, .work = i, .late = i, .skipped = i});
        if (i % 64 == 0) /* let the reader have a turn */
            sched_yield();
    }
    return NULL;
}

static void a_reader_never_sees_half_of_the_figures(void **state)
{
    Arena *arena = arena_new();
    Live *l = live_new(arena);
    pthread_t thread;
    LiveFigures f = {0};
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, write_figures, l), 0);
    while (f.steps < ROWS) {
        live_read(l, &f);
        assert_true(f.time == (double)f.steps);
        assert_int_equal(f.skipped, f.steps);
        assert_int_equal(f.work, f.steps);
        assert_int_equal(f.late, f.steps);
    }
    pthread_join(thread, NULL);
    arena_free(arena);
}

/* No thread takes rows out, so it fills up. */
static void rows_that_find_no_room_are_counted(void **state)
{
    Arena *arena = arena_new();
    char path[] = "/tmp/takt-test-XXXXXX";
    int number[2] = {0, NONE};
    double first[2] = {0, 42};
    ResultSignal signal[2] = {{"x", "", 0, 1, 0}, {"c", "", 1, 1, 0}};
    int fd = mkstemp(path);
    int64_t pushed = 0;
    (void)state;
    assert_true(fd >= 0);
    close(fd);
    ResultFile *file = result_open(path, signal, 2, 2, arena);
    assert_non_null(file);
    Recorder *r = recorder_new(file, number, 2, first, NONE, arena);
    for (double *row; (row = recorder_room(r)); pushed++) {
        row[0] = (double)pushed;
        row[1] = 1;
        recorder_push(r, pushed);
    }
    assert_int_equal(r->rows, pushed);
    assert_int_equal(r->lost, 1);
    assert_true(recorder_start(r)); /* now they are written */
    recorder_stop(r);
    assert_true(result_close(file));
    FILE *in = fopen(path, "r");
    char line[80];
    int64_t lines = 0;
    while (fgets(line, sizeof line, in))
        lines++;
    fclose(in);
    unlink(path);
    assert_int_equal(lines, pushed + 1);
    assert_non_null(strstr(line, ",1,42"));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_ring_has_no_room_until_a_row_is_taken),
        cmocka_unit_test(rows_come_whole_and_in_order),
        cmocka_unit_test(a_reader_never_sees_half_of_the_figures),
        cmocka_unit_test(rows_that_find_no_room_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
