/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/source.h"

/* The place of the first occurrence of `what` in `text`. */
static Place place_in(Sources *s, const char *text, const char *what)
{
    int k = sources_add(s, "m.mo", text, strlen(text));
    const char *at = strstr(text, what);
    uint32_t begin = (uint32_t)(at - text);
    return sources_place(s, (Span){k, begin, begin + (uint32_t)strlen(what)});
}

static void assert_place(Place p, int line, int column, int width)
{
    assert_int_equal(p.line, line);
    assert_int_equal(p.column, column);
    assert_int_equal(p.width, width);
}

static void lines_end_as_on_any_machine(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Sources *s = sources_new(a);
    assert_place(place_in(s, "model\n  x\nend", "x"), 2, 3, 1);
    assert_place(place_in(s, "model\r\n  x\r\nend", "x"), 2, 3, 1);
    assert_place(place_in(s, "model\r  x\rend", "end"), 3, 1, 3);
    assert_place(place_in(s, "model\n\n\nlast", "last"), 4, 1, 4);
    Place p = place_in(s, "a\r\nbc d\r\n", "bc");
    assert_int_equal(p.line_size, 4);
    assert_memory_equal(p.line_text, "bc d", 4);
    arena_free(a);
}

static void columns_count_characters(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Sources *s = sources_new(a);
    assert_place(place_in(s, "Real 'größe' = ümlaut;", "ümlaut"), 1, 16, 6);
    assert_place(place_in(s, "\tx", "x"), 1, 2, 1);
    assert_place(place_in(s, "\xef\xbb\xbfmodel", "model"), 1, 1, 5);
    arena_free(a);
}

static void a_span_over_lines_is_as_wide_as_its_first(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Sources *s = sources_new(a);
    assert_place(place_in(s, "if a then\n  b\nend", "then\n  b"), 1, 6, 4);
    arena_free(a);
}

static void odd_spans_still_have_a_place(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Sources *s = sources_new(a);
    int k = sources_add(s, "m.mo", "ab\n", 3);
    assert_place(sources_place(s, (Span){k, 3, 3}), 2, 1, 1);
    assert_place(sources_place(s, (Span){k, 2, 3}), 1, 3, 1);
    assert_place(sources_place(s, (Span){k, 900, 1000}), 2, 1, 1);
    assert_place(sources_place(s, (Span){k, 1, 0}), 1, 2, 1);
    assert_null(sources_place(s, NO_SPAN).path);
    assert_null(sources_place(s, (Span){7, 0, 1}).path);
    int empty = sources_add(s, "e.mo", "", 0);
    assert_place(sources_place(s, (Span){empty, 0, 0}), 1, 1, 1);
    arena_free(a);
}

static void spans_join_within_a_text(void **state)
{
    (void)state;
    Span a = {0, 3, 5}, b = {0, 9, 12}, other = {1, 0, 2};
    Span ab = span_join(a, b);
    assert_int_equal(ab.begin, 3);
    assert_int_equal(ab.end, 12);
    assert_int_equal(span_join(a, other).end, 5);
    assert_int_equal(span_join(NO_SPAN, b).begin, 9);
    assert_int_equal(span_join(a, NO_SPAN).end, 5);
}

static void a_file_is_read_whole(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Sources *s = sources_new(a);
    char path[] = "/tmp/takt_source_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "a\0b\n", 4), 4);
    close(fd);
    int k = sources_read(s, path);
    unlink(path);
    assert_int_equal(k, 0);
    assert_int_equal(sources_get(s, k)->size, 4);
    assert_memory_equal(sources_get(s, k)->text, "a\0b\n", 5);
    assert_string_equal(sources_get(s, k)->path, path);
    arena_free(a);
}

static void what_is_no_file_says_why(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Sources *s = sources_new(a);
    assert_int_equal(sources_read(s, "/nowhere/at/all.mo"), NONE);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(sources_read(s, "/tmp"), NONE);
    assert_int_equal(errno, EISDIR);
    arena_free(a);
}

static void a_pipe_is_read_to_its_end(void **state)
{
    (void)state;
    int end[2];
    assert_int_equal(pipe(end), 0);
    char block[5000];
    memset(block, 'x', sizeof block);
    for (int i = 0; i < 10; i++)
        assert_int_equal(write(end[1], block, sizeof block), sizeof block);
    close(end[1]);
    Arena *a = arena_new();
    Sources *s = sources_new(a);
    char path[32];
    snprintf(path, sizeof path, "/dev/fd/%d", end[0]);
    int k = sources_read(s, path);
    close(end[0]);
    if (k == NONE)
        skip();
    assert_int_equal(sources_get(s, k)->size, 50000);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_as_on_any_machine),
        cmocka_unit_test(columns_count_characters),
        cmocka_unit_test(a_span_over_lines_is_as_wide_as_its_first),
        cmocka_unit_test(odd_spans_still_have_a_place),
        cmocka_unit_test(spans_join_within_a_text),
        cmocka_unit_test(a_file_is_read_whole),
        cmocka_unit_test(what_is_no_file_says_why),
        cmocka_unit_test(a_pipe_is_read_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
