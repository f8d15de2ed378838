/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/die.h"
#include "base/vec.h"

static jmp_buf death;
static char last_words[512];

static void note_death(const char *message)
{
    snprintf(last_words, sizeof last_words, "%s", message);
    longjmp(death, 1);
}

static void pieces_are_zero_aligned_and_apart(void **state)
{
    (void)state;
    Arena *a = arena_new();
    char *before = NULL;
    for (size_t size = 0; size < 3000; size += 7) {
        char *p = arena_alloc(a, size);
        assert_int_equal((uintptr_t)p % 16, 0);
        assert_ptr_not_equal(p, before);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, size);
        before = p;
    }
    arena_free(a);
}

static void all_memory_is_counted_and_given_back(void **state)
{
    (void)state;
    size_t start = arena_used();
    Arena *a = arena_new();
    arena_alloc(a, 100000);
    arena_alloc(a, 3000000);
    assert_true(arena_used() >= start + 3100000);
    assert_true(arena_used() < start + 3300000);
    arena_free(a);
    assert_int_equal(arena_used(), start);
    arena_free(NULL);
}

static void the_last_piece_grows_in_place(void **state)
{
    (void)state;
    Arena *a = arena_new();
    char *p = arena_alloc(a, 100);
    memset(p, 1, 100);
    assert_ptr_equal(arena_grow(a, p, 100, 200), p);
    assert_int_equal(p[99], 1);
    assert_int_equal(p[100], 0);
    assert_int_equal(p[199], 0);
    arena_alloc(a, 1);
    char *q = arena_grow(a, p, 200, 300);
    assert_ptr_not_equal(q, p);
    assert_int_equal(q[99], 1);
    assert_int_equal(q[299], 0);
    assert_ptr_equal(arena_grow(a, q, 300, 10), q);
    arena_free(a);
}

/* Two vectors that grow in turn: neither is ever the last piece, and the sum of
 * their pasts must not stay. */
static void large_vectors_leave_no_past_behind(void **state)
{
    (void)state;
    size_t start = arena_used();
    Arena *a = arena_new();
    Vec(int) v = {0};
    Vec(int) w = {0};
    for (int i = 0; i < 3000000; i++) {
        vec_push(a, &v, i);
        vec_push(a, &w, -i);
    }
    for (int i = 0; i < v.n; i++)
        assert_true(v.at[i] == i && w.at[i] == -i);
    assert_true(arena_used() - start < 8u * 3000000u * 3u);
    arena_free(a);
}

static void a_vector_is_a_stack(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Vec(double) v = {0};
    for (int i = 0; i < 100; i++)
        vec_push(a, &v, i);
    assert_true(vec_last(&v) == 99);
    assert_true(vec_pop(&v) == 99);
    assert_int_equal(v.n, 99);
    vec_clear(&v);
    assert_int_equal(v.n, 0);
    assert_true(v.cap >= 100);
    arena_free(a);
}

static void texts_are_formatted_whatever_their_length(void **state)
{
    (void)state;
    Arena *a = arena_new();
    assert_string_equal(arena_printf(a, "x[%d].%s", 3, "der"), "x[3].der");
    char *s = arena_printf(a, "%*d", 50000, 1);
    assert_int_equal(strlen(s), 50000);
    assert_string_equal(arena_strndup(a, "abcdef", 3), "abc");
    assert_string_equal(arena_strdup(a, ""), "");
    arena_free(a);
}

static void the_limit_ends_the_program_with_a_message(void **state)
{
    (void)state;
    Arena *a = arena_new();
    arena_limit(arena_used() + ((size_t)1 << 20));
    die_handler(note_death);
    if (setjmp(death) == 0) {
        arena_alloc(a, (size_t)2 << 20);
        fail();
    }
    die_handler(NULL);
    arena_limit((size_t)4 << 30);
    assert_non_null(strstr(last_words, "limit of 1 MB"));
    assert_non_null(arena_alloc(a, (size_t)2 << 20));
    arena_free(a);
}

static void a_product_that_overflows_is_no_small_array(void **state)
{
    (void)state;
    Arena *a = arena_new();
    die_handler(note_death);
    if (setjmp(death) == 0) {
        arena_array(a, SIZE_MAX / 2, 4);
        fail();
    }
    if (setjmp(death) == 0) {
        arena_alloc(a, SIZE_MAX - 3);
        fail();
    }
    if (setjmp(death) == 0) {
        vec_capacity(10, -5);
        fail();
    }
    die_handler(NULL);
    assert_non_null(strstr(last_words, "out of memory"));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_zero_aligned_and_apart),
        cmocka_unit_test(all_memory_is_counted_and_given_back),
        cmocka_unit_test(the_last_piece_grows_in_place),
        cmocka_unit_test(large_vectors_leave_no_past_behind),
        cmocka_unit_test(a_vector_is_a_stack),
        cmocka_unit_test(texts_are_formatted_whatever_their_length),
        cmocka_unit_test(the_limit_ends_the_program_with_a_message),
        cmocka_unit_test(a_product_that_overflows_is_no_small_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
