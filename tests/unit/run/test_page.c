/* test_page.c - requests to the page of a run. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "run/page.h"

static PageRequest ask(const char *text)
{
    PageAsked asked;
    return page_request(text, strlen(text), &asked);
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
    for (size_t n = 0; n < strlen(text); n++) {
        char part[100] = {0};
        PageAsked asked;
        memcpy(part, text, n);
        assert_int_equal(page_request(part, n, &asked), PAGE_MORE);
    }
    assert_int_equal(ask(text), PAGE_MODEL);
}

static void what_is_no_request_is_bad(void **state)
{
    char text[PAGE_MOST_REQUEST + 1] = {0};
    PageAsked asked;
    (void)state;
    assert_int_equal(ask("POST / HTTP/1.1\r\n\r\n"), PAGE_BAD);
    assert_int_equal(ask("GET /order HTTP/1.1\r\n\r\n"), PAGE_BAD);
    assert_int_equal(ask("x"), PAGE_BAD);
    memset(text, 'a', PAGE_MOST_REQUEST); /* longer than any may be */
    memcpy(text, "GET /", 5);
    assert_int_equal(page_request(text, PAGE_MOST_REQUEST, &asked), PAGE_BAD);
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

static void a_stream_chooses_its_signals(void **state)
{
    const char *text = "GET /events?signals=3,0,x,,99999999,12 HTTP/1.1\n\n";
    PageAsked a;
    (void)state;
    assert_int_equal(page_request(text, strlen(text), &a), PAGE_EVENTS);
    assert_true(a.chooses);
    assert_int_equal(a.nsignal, 3);
    assert_int_equal(a.signal[0], 3);
    assert_int_equal(a.signal[1], 0);
    assert_int_equal(a.signal[2], 12);
    char many[200] = "GET /events?signals=1";
    for (int i = 0; i < 40; i++)
        strcat(many, ",1");
    strcat(many, " HTTP/1.1\n\n");
    assert_int_equal(page_request(many, strlen(many), &a), PAGE_EVENTS);
    assert_int_equal(a.nsignal, PAGE_MOST_CHOSEN);
}

static void an_order_needs_its_body_and_the_token(void **state)
{
    const char *text = "POST /order HTTP/1.1\r\nHost: localhost\r\n"
                       "X-Takt-Token: abcd\r\nContent-Length: 5\r\n\r\npause";
    char part[200] = {0};
    PageAsked a;
    (void)state;
    memcpy(part, text, strlen(text) - 1);
    assert_int_equal(page_request(part, strlen(part), &a), PAGE_MORE);
    assert_int_equal(page_request(text, strlen(text), &a), PAGE_ORDER);
    assert_int_equal(a.nbody, 5);
    assert_memory_equal(a.body, "pause", 5);
    assert_true(page_is_token(&a, "abcd"));
    assert_false(page_is_token(&a, "abce"));
    assert_false(page_is_token(&a, "abc"));
    assert_int_equal(ask("POST /order HTTP/1.1\r\n\r\npause"), PAGE_BAD);
    assert_int_equal(ask("POST /order HTTP/1.1\r\nContent-Length: "
                         "9999\r\n\r\npause"),
                     PAGE_BAD);
    text = "POST /order HTTP/1.1\nContent-Length: 1\n\nx";
    assert_int_equal(page_request(text, strlen(text), &a), PAGE_ORDER);
    assert_false(page_is_token(&a, ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_known_by_their_paths),
        cmocka_unit_test(a_request_may_come_in_pieces),
        cmocka_unit_test(what_is_no_request_is_bad),
        cmocka_unit_test(only_own_names_and_pages_are_answered),
        cmocka_unit_test(a_stream_chooses_its_signals),
        cmocka_unit_test(an_order_needs_its_body_and_the_token),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
