/* test_page.c - requests to the page of a run. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "run/page.h"

static PageRequest ask(const char *text)
{
    return page_request(text, strlen(text));
}

static void pages_are_known_by_their_paths(void **state)
{
    (void)state;
    assert_int_equal(ask("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
                     PAGE_HOME);
    assert_int_equal(ask("GET /?x=1 HTTP/1.1\r\n\r\n"), PAGE_HOME);
    assert_int_equal(ask("GET /model HTTP/1.0\n\n"), PAGE_MODEL);
    assert_int_equal(ask("GET /events HTTP/1.1\r\n\r\n"), PAGE_EVENTS);
    assert_int_equal(ask("GET /event HTTP/1.1\r\n\r\n"), PAGE_UNKNOWN);
    assert_int_equal(ask("GET /../etc HTTP/1.1\r\n\r\n"), PAGE_UNKNOWN);
    assert_int_equal(ask("GET \r\n\r\n"), PAGE_UNKNOWN);
}

static void a_request_may_come_in_pieces(void **state)
{
    const char *text = "GET /model HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    (void)state;
    for (size_t n = 0; n < strlen(text); n++)
        assert_int_equal(page_request(text, n), PAGE_MORE);
    assert_int_equal(ask(text), PAGE_MODEL);
}

static void what_is_no_request_is_bad(void **state)
{
    char text[PAGE_MOST_REQUEST];
    (void)state;
    assert_int_equal(ask("POST / HTTP/1.1\r\n\r\n"), PAGE_BAD);
    assert_int_equal(ask("x"), PAGE_BAD);
    memset(text, 'a', sizeof text); /* longer than any request may be */
    memcpy(text, "GET /", 5);
    assert_int_equal(page_request(text, sizeof text), PAGE_BAD);
}

static void only_own_names_and_pages_are_answered(void **state)
{
    (void)state;
    assert_int_equal(ask("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"),
                     PAGE_FOREIGN);
    assert_int_equal(ask("GET / HTTP/1.1\r\nhost: 127.0.0.1.a.example\r\n\r\n"),
                     PAGE_FOREIGN);
    assert_int_equal(ask("GET / HTTP/1.1\r\nHost:\r\n\r\n"), PAGE_FOREIGN);
    assert_int_equal(ask("GET / HTTP/1.1\r\nHost: localhost:80\r\n\r\n"),
                     PAGE_HOME);
    assert_int_equal(ask("GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n"),
                     PAGE_HOME);
    assert_int_equal(ask("GET / HTTP/1.1\r\nHost: 10.0.0.1:80\r\nOrigin: "
                         "http://10.0.0.1:80\r\n\r\n"),
                     PAGE_HOME);
    assert_int_equal(ask("GET / HTTP/1.1\r\nHost: 10.0.0.1:80\r\nOrigin: "
                         "http://10.0.0.1:81\r\n\r\n"),
                     PAGE_FOREIGN);
    assert_int_equal(ask("GET / HTTP/1.1\r\nOrigin: http://a.example\r\n\r\n"),
                     PAGE_FOREIGN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_known_by_their_paths),
        cmocka_unit_test(a_request_may_come_in_pieces),
        cmocka_unit_test(what_is_no_request_is_bad),
        cmocka_unit_test(only_own_names_and_pages_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
