/* test_dbc.c - signals of CAN frames: layouts with known bytes, what is put in
 * comes out again, files that are wrong. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "io/dbc.h"

typedef struct Ground {
    Arena *arena;
    Sources *sources;
    Diag *diag;
} Ground;

static int setup(void **state)
{
    Ground *g = calloc(1, sizeof *g);
    g->arena = arena_new();
    g->sources = sources_new(g->arena);
    g->diag = diag_new(g->sources, g->arena);
    *state = g;
    return 0;
}

static int teardown(void **state)
{
    Ground *g = *state;
    arena_free(g->arena);
    free(g);
    return 0;
}

static Dbc *read(Ground *g, const char *text)
{
    return dbc_read(g->sources,
                    sources_add(g->sources, "a.dbc", text, strlen(text)),
                    g->arena, g->diag);
}

/* The only signal of a message. */
static DbcSignal *signal(Ground *g, const char *layout, const char *more)
{
    Dbc *d = read(g, arena_printf(g->arena, "BO_ 5 M: 8 X\n SG_ s : %s\n%s\n",
                                  layout, more));
    assert_non_null(d);
    return &d->at[0].signal.at[0];
}

/* Intel and Motorola, by hand: 0x1234 in the first two bytes, either way. */
static void bytes_stand_where_the_layout_says(void **state)
{
    Ground *g = *state;
    const unsigned char data[8] = {0x12, 0x34, 0xf0, 0, 0, 0, 0, 0x80};
    const struct {
        const char *layout;
        double value;
    } row[] = {
        {"0|16@1+ (1,0) [0|0] \"\" X", 0x3412},
        {"7|16@0+ (1,0) [0|0] \"\" X", 0x1234},
        {"3|12@0+ (1,0) [0|0] \"\" X", 0x234},
        {"4|8@1+ (1,0) [0|0] \"\" X", 0x41},
        {"20|4@1- (1,0) [0|0] \"\" X", -1},
        {"23|4@0- (1,0) [0|0] \"\" X", -1},
        {"63|1@1+ (1,0) [0|0] \"\" X", 1},
        {"63|1@0+ (1,0) [0|0] \"\" X", 1},
        {"7|64@0- (1,0) [0|0] \"\" X", 0x1234f00000000080p0},
        {"0|8@1+ (0.5,-10) [0|0] \"rpm\" X", -1},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        assert_true(dbc_get(signal(g, row[i].layout, ""), data) ==
                    row[i].value);
    const unsigned char pi[8] = {0, 0, 0, 0, 0x40, 0x49, 0x0f, 0xdb};
    DbcSignal *s =
        signal(g, "39|32@0- (1,0) [0|0] \"\" X", "SIG_VALTYPE_ 5 s : 1;");
    assert_true((float)dbc_get(s, pi) == 3.14159274f);
}

static void what_is_put_in_comes_out_again(void **state)
{
    Ground *g = *state;
    srand(1);
    for (int k = 0; k < 2000; k++) {
        int size = 1 + rand() % 64, intel = rand() % 2, minus = rand() % 2;
        int first = rand() % (65 - size); /* in the order of its bits */
        int start = intel ? first : first / 8 * 8 + 7 - first % 8;
        DbcSignal *s =
            signal(g,
                   arena_printf(g->arena, "%d|%d@%d%c (0.25,3) [0|0] \"\" X",
                                start, size, intel, minus ? '-' : '+'),
                   "");
        unsigned char data[8], other[8];
        for (int i = 0; i < 8; i++)
            other[i] = data[i] = (unsigned char)rand();
        double most = ldexp(1, (size < 50 ? size : 50) - minus) - 1;
        double least = minus ? -most - 1 : 0;
        double raw = floor(least + (most - least) * rand() / RAND_MAX);
        dbc_put(s, 0.25 * raw + 3, data);
        assert_true(dbc_get(s, data) == 0.25 * raw + 3);
        dbc_put(s, dbc_get(s, other), data); /* nothing else has changed */
        if (size <= 50)
            assert_memory_equal(data, other, 8);
        dbc_put(s, 1e300, data);
        assert_true(dbc_get(s, data) >= 0.25 * most + 3);
        dbc_put(s, -1e300, data);
        assert_true(dbc_get(s, data) <= 0.25 * least + 3);
    }
}

static void limits_and_switches_are_obeyed(void **state)
{
    Ground *g = *state;
    Dbc *d = read(g, "BO_ 2147483653 M: 2 X\n SG_ which M : 0|2@1+ (1,0) [0|0] "
                     "\"\" X\n SG_ a m1 : 2|4@1+ (1,0) [0|9] \"\" X\n"
                     " SG_ b m2 : 2|4@1+ (1,0) [0|0] \"\" X\r\n"
                     "BA_ \"GenMsgCycleTime\" BO_ 2147483653 20;\n");
    assert_non_null(d);
    const DbcMessage *m = &d->at[0];
    assert_true(m->id == (DBC_EXTENDED | 5u) && m->cycle == 0.02);
    assert_int_equal(m->signal.n, 3);
    unsigned char data[8] = {1};
    assert_true(dbc_has(m, &m->signal.at[1], data));
    assert_false(dbc_has(m, &m->signal.at[2], data));
    dbc_put(&m->signal.at[1], 100, data);
    assert_true(dbc_get(&m->signal.at[1], data) == 9);
}

static void a_wrong_file_is_refused(void **state)
{
    static const char *const text[] = {
        "BO_ x M: 8 X\n",
        "BO_ 1 M 8 X\n",
        "BO_ 1 M: 8 X\n SG_ s 0|8@1+ (1,0) [0|0] \"\" X\n",
        "BO_ 1 M: 8 X\n SG_ s : 0|8@2+ (1,0) [0|0] \"\" X\n",
        "BO_ 1 M: 8 X\n SG_ s : 0|8@1+ (0,0) [0|0] \"\" X\n",
        "BO_ 1 M: 8 X\n SG_ s : 60|8@1+ (1,0) [0|0] \"\" X\n",
        "BO_ 1 M: 1 X\n SG_ s : 0|16@1+ (1,0) [0|0] \"\" X\n",
        "BO_ 1 M: 1 X\n SG_ s : 0|9@0+ (1,0) [0|0] \"\" X\n",
        "BO_ 1 M: 8 X\n SG_ s : 0|0@1+ (1,0) [0|0] \"\" X\n",
        "BO_ 1 M: 8 X\n SG_ s : 0|65@1+ (1,0) [0|0] \"\" X\n",
        "BO_ 1 M: 8 X\n SG_ s : 0|16@1+ (1,0) [0|0] \"\" X\nSIG_VALTYPE_ 1 s "
        ": 1;\n",
        "BO_ 1 M: 64 X\n SG_ s : 0|16@1+ (1,0) [0|0] \"\" X\n",
        "BO_ 1 M: 8 X\nBO_ 1 N: 8 X\n",
        "BO_ 1 M: 8 X\n SG_ s : 0|16@1+ (1,0) [0|0 \"\" X\n",
        "BO_ 1 M: 8 X\n SG_ s : 0|16@1+ (1,0) [0|0] \"rpm X\n",
    };
    Ground *g = *state;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        assert_null(read(g, text[i]));
    assert_non_null(read(g, "")); /* nothing is said, nothing is wrong */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bytes_stand_where_the_layout_says,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_put_in_comes_out_again, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(limits_and_switches_are_obeyed, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_wrong_file_is_refused, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
