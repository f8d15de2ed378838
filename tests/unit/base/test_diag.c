/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <stdlib.h>

#include "base/diag.h"

typedef struct Fixture {
    Arena *arena;
    Sources *sources;
    Diag *diag;
} Fixture;

static int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    f->arena = arena_new();
    f->sources = sources_new(f->arena);
    f->diag = diag_new(f->sources, f->arena);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    arena_free(f->arena);
    free(f);
    return 0;
}

/* The span of the first occurrence of `what` in `text`, added as tank.mo. */
static Span span_of(Fixture *f, const char *text, const char *what)
{
    int k = sources_add(f->sources, "tank.mo", text, strlen(text));
    uint32_t begin = (uint32_t)(strstr(text, what) - text);
    return (Span){k, begin, begin + (uint32_t)strlen(what)};
}

static void assert_printed(Fixture *f, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    diag_print(f->diag, out);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void a_message_cannot_write_to_the_terminal(void **state)
{
    Fixture *f = *state;
    diag_report(f->diag, NO_SPAN, DIAG_E0101, "red \x1b[31m\a\n\xC3\xA4\xFF");
    diag_note(f->diag, NO_SPAN,
              "\xC2\x9B"
              "31m\t.");
    assert_printed(f, "error: red ?[31m?\n\xC3\xA4? [E0101]\n"
                      "note: ?31m\t.\n");
}

static void a_message_shows_its_line(void **state)
{
    Fixture *f = *state;
    Span p = span_of(f, "model Tank\n  p = rho * g * h;\nend Tank;\n",
                     "p = rho * g * h");
    diag_report(f->diag, p, DIAG_E0101, "no unknown is left for '%s'", "p");
    diag_note(f->diag, (Span){p.source, 0, 5}, "the model begins here");
    diag_note(f->diag, NO_SPAN, "this has no place");
    assert_printed(f, "tank.mo:2:3: error: no unknown is left for 'p' [E0101]\n"
                      "   2 |   p = rho * g * h;\n"
                      "     |   ^~~~~~~~~~~~~~~\n"
                      "tank.mo:1:1: note: the model begins here\n"
                      "note: this has no place\n");
    assert_printed(f, "");
    assert_int_equal(diag_exit_code(f->diag), 1);
}

static void a_message_without_place_is_one_line(void **state)
{
    Fixture *f = *state;
    diag_report(f->diag, NO_SPAN, DIAG_E0101, "nothing to read");
    assert_printed(f, "error: nothing to read [E0101]\n");
}

static void the_caret_stands_below_its_character(void **state)
{
    Fixture *f = *state;
    diag_report(f->diag, span_of(f, "\tx\t= größe + y;", "y"), DIAG_E0101, "a");
    diag_report(f->diag, span_of(f, "x = \x01 \xff + y", "y"), DIAG_E0101, "b");
    diag_report(f->diag, span_of(f, "x =\nend", "\nend"), DIAG_E0101, "c");
    assert_printed(f, "tank.mo:1:14: error: a [E0101]\n"
                      "   1 |     x   = größe + y;\n"
                      "     |                   ^\n"
                      "tank.mo:1:11: error: b [E0101]\n"
                      "   1 | x = ? ? + y\n"
                      "     |           ^\n"
                      "tank.mo:1:4: error: c [E0101]\n"
                      "   1 | x =\n"
                      "     |    ^\n");
}

static void a_long_line_is_cut_around_the_caret(void **state)
{
    Fixture *f = *state;
    char text[1001];
    memset(text, 'a', sizeof text - 1);
    text[1000] = '\0';
    memcpy(text + 500, "XYZ", 3);
    diag_report(f->diag, span_of(f, text, "XYZ"), DIAG_E0101, "long");
    char *out = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&out, &size);
    diag_print(f->diag, file);
    fclose(file);
    assert_true(size < 300);
    const char *line = strstr(out, "| ..."), *caret = strstr(out, "^~~");
    assert_non_null(line);
    assert_non_null(caret);
    const char *second = strrchr(out, '|');
    assert_int_equal(strstr(line, "XYZ") - line, caret - second);
    free(out);
}

static void the_same_finding_is_reported_once(void **state)
{
    Fixture *f = *state;
    Span x = span_of(f, "x = 1;", "x");
    for (int i = 0; i < 1000; i++) {
        diag_report(f->diag, x, DIAG_E0101, "twice");
        diag_note(f->diag, NO_SPAN, "note %d", i);
    }
    diag_report(f->diag, x, DIAG_E0101, "once");
    assert_int_equal(diag_count(f->diag, DIAG_ERROR), 2);
    assert_printed(f, "tank.mo:1:1: error: twice [E0101]\n"
                      "   1 | x = 1;\n"
                      "     | ^\n"
                      "note: note 0\n"
                      "tank.mo:1:1: error: once [E0101]\n"
                      "   1 | x = 1;\n"
                      "     | ^\n");
}

static void a_near_name_is_suggested(void **state)
{
    Fixture *f = *state;
    const char *const names[] = {"voltage", "current", "phase"};
    diag_report(f->diag, NO_SPAN, DIAG_E0101, "'votlage' is not declared");
    diag_suggest(f->diag, "votlage", names, 3);
    diag_report(f->diag, NO_SPAN, DIAG_E0101, "'mass' is not declared");
    diag_suggest(f->diag, "mass", names, 3);
    assert_printed(f, "error: 'votlage' is not declared [E0101]\n"
                      "note: did you mean 'voltage'?\n"
                      "error: 'mass' is not declared [E0101]\n");
}

static void after_fifty_errors_only_the_count_is_shown(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < 1050; i++)
        diag_report(f->diag, NO_SPAN, DIAG_E0101, "number %d", i);
    assert_int_equal(diag_count(f->diag, DIAG_ERROR), 1050);
    char *out = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&out, &size);
    diag_print(f->diag, file);
    fclose(file);
    assert_non_null(strstr(out, "number 49 "));
    assert_null(strstr(out, "number 50 "));
    assert_non_null(strstr(out, "note: 1000 more errors are not shown\n"));
    free(out);
}

static void a_muted_attempt_is_counted_and_forgotten(void **state)
{
    Fixture *f = *state;
    diag_mute(f->diag);
    diag_report(f->diag, NO_SPAN, DIAG_E0101, "first try");
    diag_mute(f->diag);
    diag_report(f->diag, NO_SPAN, DIAG_E0101, "second try");
    diag_note(f->diag, NO_SPAN, "dropped");
    assert_int_equal(diag_count(f->diag, DIAG_ERROR), 2);
    diag_unmute(f->diag);
    assert_int_equal(diag_count(f->diag, DIAG_ERROR), 1);
    diag_unmute(f->diag);
    assert_false(diag_failed(f->diag));
    assert_int_equal(diag_exit_code(f->diag), 0);
    diag_report(f->diag, NO_SPAN, DIAG_E0101, "first try");
    assert_printed(f, "error: first try [E0101]\n");
    assert_true(diag_failed(f->diag));
}

static void deep_mutes_end_where_they_began(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < 1000; i++)
        diag_mute(f->diag);
    diag_report(f->diag, NO_SPAN, DIAG_E0101, "try");
    for (int i = 0; i < 1000; i++)
        diag_unmute(f->diag);
    assert_int_equal(diag_count(f->diag, DIAG_ERROR), 0);
}

static void an_attempt_that_is_kept_is_appended(void **state)
{
    Fixture *f = *state;
    Arena *arena = arena_new();
    Diag *own = diag_new(NULL, arena);
    diag_report(f->diag, NO_SPAN, DIAG_E0101, "twice");
    diag_report(own, NO_SPAN, DIAG_E0101, "twice");
    diag_report(own, NO_SPAN, DIAG_E0101, "100 %%s");
    diag_note(own, NO_SPAN, "and why");
    diag_append(f->diag, own);
    assert_int_equal(diag_count(f->diag, DIAG_ERROR), 2);
    assert_string_equal(diag_message(f->diag, 1).text, "100 %s");
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    diag_print(f->diag, out);
    fclose(out);
    assert_non_null(strstr(text, "note: and why"));
    free(text);
    arena_free(arena);
}

/* The letters of the codes decide over kinds and exit codes; a code with
 * another letter or without a text would be found here. */
static void every_code_has_a_kind_and_a_text(void **state)
{
    (void)state;
    for (int c = 0; c < DIAG_NCODE; c++) {
        const char *name = diag_code_name((DiagCode)c);
        assert_int_equal(strlen(name), 5);
        assert_non_null(strchr("EUW", name[0]));
        assert_int_equal(strspn(name + 1, "0123456789"), 4);
        assert_true(strlen(diag_code_text((DiagCode)c)) > 10);
        for (int d = 0; d < c; d++)
            assert_string_not_equal(name, diag_code_name((DiagCode)d));
    }
}

/* Of each kind the first code there is. */
static void kinds_decide_over_the_exit_code(void **state)
{
    Fixture *f = *state;
    const char letters[] = "WUE";
    const int code_of[] = {0, 3, 1};
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < DIAG_NCODE; c++) {
            if (diag_code_name((DiagCode)c)[0] != letters[k])
                continue;
            diag_report(f->diag, NO_SPAN, (DiagCode)c, "one");
            assert_int_equal(diag_exit_code(f->diag), code_of[k]);
            break;
        }
    }
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_message_shows_its_line),
        CASE(a_message_cannot_write_to_the_terminal),
        CASE(a_message_without_place_is_one_line),
        CASE(the_caret_stands_below_its_character),
        CASE(a_long_line_is_cut_around_the_caret),
        CASE(the_same_finding_is_reported_once),
        CASE(a_near_name_is_suggested),
        CASE(after_fifty_errors_only_the_count_is_shown),
        CASE(a_muted_attempt_is_counted_and_forgotten),
        CASE(deep_mutes_end_where_they_began),
        CASE(an_attempt_that_is_kept_is_appended),
        CASE(every_code_has_a_kind_and_a_text),
        CASE(kinds_decide_over_the_exit_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
