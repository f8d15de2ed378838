/* Markup, CSV, CMake and Octave. SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/markup.h"
#include "base/script.h"

static Arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static const char *written(void (*put)(const char *, FILE *), const char *text)
{
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);
    put(text, out);
    fclose(out);
    const char *copy = arena_strdup(arena, buffer);
    free(buffer);
    return copy;
}

static void markup_means_itself(void **unused)
{
    (void)unused;
    assert_string_equal(written(markup_text, "<img onerror='x'> \"&\""),
                        "&lt;img onerror=&#39;x&#39;&gt; &quot;&amp;&quot;");
    assert_string_equal(written(markup_text, "]]>"), "]]&gt;");
    assert_string_equal(written(markup_text, "a\nb\tc"), "a\nb\tc");
    assert_string_equal(written(markup_text, "\x01\xFF"),
                        "\xEF\xBF\xBD\xEF\xBF\xBD");
    assert_string_equal(written(markup_text, "\xEF\xBF\xBE\xC3\xA4"),
                        "\xEF\xBF\xBD\xC3\xA4");
}

static void a_field_of_csv_is_one_field(void **unused)
{
    (void)unused;
    assert_string_equal(written(csv_text, "a,\"b\";c"), "\"a,\"\"b\"\";c\"");
    assert_string_equal(written(csv_text, "a\r\nb"), "\"a  b\"");
    assert_string_equal(written(csv_text, ""), "\"\"");
}

static void a_target_is_none_of_cmake_itself(void **unused)
{
    (void)unused;
    assert_string_equal(cmake_target("test", arena), "test_");
    assert_string_equal(cmake_target("Tank", arena), "Tank");
}

static void a_text_of_octave_is_one_text(void **unused)
{
    (void)unused;
    assert_string_equal(octave_string("'q'); system('x')", arena),
                        "'''q''); system(''x'')'");
    assert_string_equal(octave_string("a\nb\\", arena), "'a b\\'");
    assert_string_equal(octave_comment("{\nx", arena), " { x");
    assert_string_equal(octave_comment("M at", arena), "M at");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markup_means_itself),
        cmocka_unit_test(a_field_of_csv_is_one_field),
        cmocka_unit_test(a_target_is_none_of_cmake_itself),
        cmocka_unit_test(a_text_of_octave_is_one_text),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
