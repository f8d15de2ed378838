/* JSON that is written. SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include <cJSON.h>

#include "base/json.h"

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

/* One of everything. */
static const char *example(JsonLayout layout)
{
    JsonOut j;
    json_start_text(&j, layout);
    json_begin_object(&j, NULL);
    json_put_text(&j, "model", "q\"x");
    json_put_number(&j, "step", 0.001);
    json_begin_array(&j, "list");
    json_put_count(&j, NULL, 3);
    json_put_bool(&j, NULL, true);
    json_begin_object(&j, NULL);
    json_put_null(&j, "none");
    json_end(&j);
    json_end(&j);
    json_begin_array(&j, "empty");
    json_end(&j);
    json_begin_object(&j, "void");
    json_end(&j);
    json_end(&j);
    return json_finish_text(&j, arena);
}

static void indented_is_what_cjson_prints(void **unused)
{
    (void)unused;
    const char *text = example(JSON_INDENTED);
    cJSON *tree = cJSON_Parse(text);
    assert_non_null(tree);
    char *again = cJSON_Print(tree);
    assert_string_equal(text, again);
    cJSON_free(again);
    cJSON_Delete(tree);
}

static void the_other_layouts_have_one_line(void **unused)
{
    (void)unused;
    assert_string_equal(
        example(JSON_COMPACT),
        "{\"model\":\"q\\\"x\",\"step\":0.001,\"list\":[3,true,{\"none\":null}]"
        ",\"empty\":[],\"void\":{}}");
    assert_string_equal(
        example(JSON_SPACED),
        "{\"model\": \"q\\\"x\", \"step\": 0.001, \"list\": [3, true, "
        "{\"none\": null}], \"empty\": [], \"void\": {}}");
}

static void a_line_can_be_broken(void **unused)
{
    (void)unused;
    JsonOut j;
    json_start_text(&j, JSON_SPACED);
    json_begin_array(&j, NULL);
    json_break(&j, 2);
    json_put_count(&j, NULL, 1);
    json_break(&j, 2);
    json_put_count(&j, NULL, 2);
    json_put_count(&j, NULL, 3);
    json_end(&j);
    assert_string_equal(json_finish_text(&j, arena), "[\n  1,\n  2, 3]");
}

static const char *text_of(const char *text)
{
    JsonOut j;
    json_start_text(&j, JSON_COMPACT);
    json_put_text(&j, NULL, text);
    return json_finish_text(&j, arena);
}

static void a_text_may_hold_anything(void **unused)
{
    (void)unused;
    assert_string_equal(text_of("\b\t\n\v\f\r\x01\x1f"),
                        "\"\\b\\t\\n\\u000b\\f\\r\\u0001\\u001f\"");
    assert_string_equal(text_of("a\\b\"c/"), "\"a\\\\b\\\"c/\"");
    assert_string_equal(text_of("</script>"), "\"\\u003c/script>\"");
    assert_string_equal(text_of("\xC3\xA4\xF0\x9F\x98\x80"),
                        "\"\xC3\xA4\xF0\x9F\x98\x80\"");
    /* lone, overlong, surrogate, too large, cut off */
    assert_string_equal(text_of("\xE4"), "\"\\ufffd\"");
    assert_string_equal(text_of("\xC0\xAF"), "\"\\ufffd\\ufffd\"");
    assert_string_equal(text_of("\xED\xA0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");
    assert_string_equal(text_of("\xF5\x80\x80\x80x"),
                        "\"\\ufffd\\ufffd\\ufffd\\ufffdx\"");
    assert_string_equal(text_of("a\xE2\x82"), "\"a\\ufffd\\ufffd\"");
}

static const char *number_of(double x)
{
    JsonOut j;
    json_start_text(&j, JSON_COMPACT);
    json_put_number(&j, NULL, x);
    return json_finish_text(&j, arena);
}

static void a_number_reads_back_or_is_null(void **unused)
{
    (void)unused;
    assert_string_equal(number_of(NAN), "null");
    assert_string_equal(number_of(-INFINITY), "null");
    assert_string_equal(number_of(3), "3");
    assert_string_equal(number_of(1.0 / 3), "0.3333333333333333");
    assert_string_equal(number_of(5e-324), "4.94065645841247e-324");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indented_is_what_cjson_prints),
        cmocka_unit_test(the_other_layouts_have_one_line),
        cmocka_unit_test(a_line_can_be_broken),
        cmocka_unit_test(a_text_may_hold_anything),
        cmocka_unit_test(a_number_reads_back_or_is_null),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
