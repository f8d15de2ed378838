/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <stdlib.h>

#include "cli/describe.h"

static const Option option[] = {
    {"L", "DIR", "look in DIR", OPT_LIST, NULL},
    {"kind", "one|two", "it's [this] or: that", OPT_WORD, NULL},
    {"method", "NAME|ida", "how", OPT_METHOD, NULL},
    {"a-name-that-is-much-too-long", "FILE", "read it", OPT_TEXT, NULL},
    {"quiet", NULL,
     "words that go on and on until the line is full and then some more",
     OPT_FLAG, NULL},
    {0},
};

static const Command command = {"try", "MODEL", ".starts with a dot",
                                "takt try a.mo", option};

/* The description as text. Lives in `arena`. */
static const char *described(Description how, Arena *arena)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    describe(&command, how, arena, out);
    assert_int_equal(fclose(out), 0);
    const char *copy = arena_strdup(arena, text);
    free(text);
    return copy;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no '%s' in:\n%s", part, text);
}

static void help_is_broken_at_the_79th_column(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *text = described(DESCRIBE_HELP, a);
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        assert_true(n <= 79);
        line += n + (line[n] == '\n');
    }
    /* the widest option that is not too wide has 17 columns */
    assert_has(text, "  -L DIR             look in DIR\n");
    assert_has(text, "  --kind one|two     it's [this] or: that\n");
    assert_has(text, "  --a-name-that-is-much-too-long FILE\n"
                     "                     read it\n");
    assert_has(text, "and then\n                     some more\n");
    assert_has(text, "\nmethods, or FILE.json with a tableau:\n  fe, ");
    assert_has(text, "\nexample:\n  takt try a.mo\n");
    arena_free(a);
}

static void no_text_becomes_a_request_of_roff(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *text = described(DESCRIBE_MAN, a);
    assert_has(text, "\n\\&.starts with a dot\n");
    assert_has(text, "\\fB\\-\\-kind\\fR \\fIone|two\\fR\n"
                     "it\\(aqs [this] or: that\n");
    assert_has(text, ".SH METHODS\nfe, ");
    arena_free(a);
}

static void bash_offers_words_and_not_what_stands_for_something(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *text = described(DESCRIBE_BASH, a);
    assert_has(text, "    try,--kind,*) words='one two' ;;\n");
    assert_has(text, "    try,-L,*) kind=directory ;;\n");
    assert_has(text, " none ida' ;;\n");
    assert_null(strstr(text, "NAME"));
    assert_has(text, "    try,*,-*) words='-L --kind --method "
                     "--a-name-that-is-much-too-long --quiet --help' ;;\n");
    arena_free(a);
}

static void zsh_reads_what_it_would_take_for_its_own_as_text(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *text = described(DESCRIBE_ZSH, a);
    assert_has(text, "'*-L+[look in DIR]:DIR:_files -/'");
    assert_has(text, "'--kind=[it'\\''s \\[this\\] or\\: that]:one|two:"
                     "(one two)'");
    assert_has(text, "'--quiet[words");
    arena_free(a);
}

static void descriptions_have_names(void **state)
{
    (void)state;
    Description how;
    assert_true(description_find("", &how) && how == DESCRIBE_HELP);
    assert_true(description_find("man", &how) && how == DESCRIBE_MAN);
    assert_true(description_find("bash", &how) && how == DESCRIBE_BASH);
    assert_true(description_find("zsh", &how) && how == DESCRIBE_ZSH);
    assert_false(description_find("latex", &how));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_is_broken_at_the_79th_column),
        cmocka_unit_test(no_text_becomes_a_request_of_roff),
        cmocka_unit_test(bash_offers_words_and_not_what_stands_for_something),
        cmocka_unit_test(zsh_reads_what_it_would_take_for_its_own_as_text),
        cmocka_unit_test(descriptions_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
