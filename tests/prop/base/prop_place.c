/* Places of random spans in random texts, against a scan from the start; and
 * the message about each is three lines whatever the bytes are. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <stdlib.h>

#include "base/diag.h"
#include "support/random.h"

static const char *const bits[] = {"a",  " ",    "\n",   "\r\n",         "\r",
                                   "\t", "ö",    "\xff", "\x80",         "∂",
                                   "x",  "\x01", "end",  "\xef\xbb\xbf", "z"};
enum { NBIT = sizeof bits / sizeof bits[0] };

static size_t random_text(Random *r, char *text, int n)
{
    size_t size = 0;
    for (int i = 0; i < n; i++) {
        const char *bit = bits[random_below(r, NBIT)];
        memcpy(text + size, bit, strlen(bit));
        size += strlen(bit);
    }
    text[size] = '\0';
    return size;
}

/* Line and column of offset `at`, character by character. */
static void scan(const char *text, size_t size, size_t at, int *line,
                 int *column)
{
    *line = 1;
    *column = 1;
    size_t i = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    for (; i < at; i++) {
        bool ends = text[i] == '\n' || (text[i] == '\r' && text[i + 1] != '\n');
        if (ends) {
            ++*line;
            *column = 1;
        } else if (text[i] == '\r') {
            continue; /* belongs to the line end that follows */
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) {
            ++*column;
        }
    }
}

static int count(const char *s, char c)
{
    int n = 0;
    for (; *s; s++)
        n += *s == c;
    return n;
}

static void random_places_agree_with_a_scan(void **state)
{
    (void)state;
    Random r = random_start("prop_place");
    int cases = random_cases(3000, 300000);
    for (int k = 0; k < cases; k++) {
        char text[512];
        size_t size = random_text(&r, text, random_below(&r, 60));
        Arena *a = arena_new();
        Sources *s = sources_new(a);
        Diag *d = diag_new(s, a);
        int number = sources_add(s, "m.mo", text, size);
        uint32_t begin = (uint32_t)random_below(&r, (int)size + 2);
        uint32_t end = (uint32_t)random_below(&r, (int)size + 2);
        Span span = {number, begin, end};
        Place p = sources_place(s, span);
        int line, column;
        scan(text, size, begin < size ? begin : size, &line, &column);
        assert_int_equal(p.line, line);
        if (begin < size && text[begin] != '\n')
            assert_int_equal(p.column, column);
        assert_true(p.width >= 1);

        diag_report(d, span, DIAG_E0101, "message");
        char *out = NULL;
        size_t nout = 0;
        FILE *file = open_memstream(&out, &nout);
        diag_print(d, file);
        fclose(file);
        assert_int_equal(count(out, '\n'), 3);
        assert_int_equal(count(out, '^'), 1);
        assert_null(strpbrk(out, "\r\t\x01\xff"));
        free(out);
        arena_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_places_agree_with_a_scan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
