/* test_udp.c - datagrams. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "run/address.h"
#include "run/udp.h"

static void numbers_stand_with_their_least_byte_first(void **state)
{
    unsigned char data[16];
    const unsigned char want[16] = {0, 0, 0, 0, 0, 0, 0xf0, 0x3f,
                                    0, 0, 0, 0, 0, 0, 0,    0xc0};
    const double x[2] = {1, -2};
    double y[2] = {0};
    (void)state;
    udp_encode(x, 2, data);
    assert_memory_equal(data, want, 16);
    assert_true(udp_decode(data, 16, 2, y));
    assert_memory_equal(x, y, sizeof x);
}

static void malformed_datagrams_change_nothing(void **state)
{
    unsigned char data[24];
    const double x[3] = {1, 2, 3}, bad[3] = {1, NAN, 3};
    const double worse[3] = {1, 2, INFINITY};
    double y[3] = {7, 8, 9};
    const double before[3] = {7, 8, 9};
    (void)state;
    udp_encode(x, 3, data);
    assert_false(udp_decode(data, 24, 2, y));
    assert_false(udp_decode(data, 23, 3, y));
    assert_false(udp_decode(data, 0, 3, y));
    assert_false(udp_decode(data, 24, -1, y));
    udp_encode(bad, 3, data);
    assert_false(udp_decode(data, 24, 3, y));
    udp_encode(worse, 3, data);
    assert_false(udp_decode(data, 24, 3, y));
    assert_memory_equal(y, before, sizeof y);
}

typedef struct Ground {
    Arena *arena;
    Sources *sources;
    Diag *diag;
} Ground;

static int set_up(void **state)
{
    static Ground g;
    g.arena = arena_new();
    g.sources = sources_new(g.arena);
    g.diag = diag_new(g.sources, g.arena);
    *state = &g;
    return 0;
}

static int tear_down(void **state)
{
    arena_free(((Ground *)*state)->arena);
    return 0;
}

static void the_last_datagram_wins(void **state)
{
    Ground *g = *state;
    UdpIn *in = udp_in_open("0", 1, g->arena, g->diag);
    assert_non_null(in);
    assert_true(in->port > 0);
    assert_false(udp_in_poll(in));
    UdpOut *out = udp_out_open(arena_printf(g->arena, "%d", in->port), 0,
                               g->arena, g->diag);
    assert_non_null(out);
    for (int i = 1; i <= 3; i++) {
        out->value[0] = i;
        udp_out_send(out);
    }
    assert_int_equal(out->sent, 3);
    assert_true(udp_in_poll(in));
    assert_true(in->value[0] == 3);
    assert_int_equal(in->taken, 3);
    assert_false(udp_in_poll(in));
    udp_in_close(in);
    udp_out_close(out);
}

/* As in a program that was started without a standard input. */
static void the_first_descriptor_is_as_good_as_others(void **state)
{
    Ground *g = *state;
    int saved = dup(0);
    close(0);
    UdpOut *out = udp_out_open("9", 0, g->arena, g->diag);
    int fd = out ? out->fd : -1;
    if (out)
        udp_out_close(out);
    if (saved >= 0) {
        dup2(saved, 0);
        close(saved);
    }
    assert_int_equal(fd, 0);
}

static void a_port_belongs_to_one(void **state)
{
    Ground *g = *state;
    UdpIn *in = udp_in_open("0", 1, g->arena, g->diag);
    assert_non_null(in);
    assert_null(udp_in_open(arena_printf(g->arena, "%d", in->port), 1, g->arena,
                            g->diag));
    assert_int_equal(diag_count(g->diag, DIAG_ERROR), 1);
    udp_in_close(in);
}

static void what_is_no_socket_has_no_port(void **state)
{
    (void)state;
    assert_int_equal(address_port(-1), 0);
}

static void addresses_that_are_none_are_reported(void **state)
{
    Ground *g = *state;
    const char *const wrong[] = {"",   "x",      ":5000", "[]:5000", "5000x",
                                 "-1", "999999", "h:",    "70000"};
    int n = (int)(sizeof wrong / sizeof wrong[0]), errors = 0;
    for (int i = 0; i < n; i++) {
        UdpIn *in = udp_in_open(wrong[i], 1, g->arena, g->diag);
        errors += in == NULL;
        udp_in_close(in);
    }
    assert_int_equal(errors, n);
    assert_null(udp_in_open("0", UDP_MOST + 1, g->arena, g->diag));
    assert_null(udp_out_open("9", UDP_MOST, g->arena, g->diag));
}

/* A sequence of 100,000 frames of which some are left out, cut, sent twice or
 * in another order, or are noise: what the counters must be is known. */
static void counters_are_right_after_100000_bad_frames(void **state)
{
    enum { N = 3, FRAME = UDP_HEADER + 8 * N, MANY = 100000 };
    double value[N];
    UdpIn u = {.n = N, .value = value};
    unsigned char data[FRAME + 8];
    uint64_t seed = 12345, sent = 0, last = 0;
    int64_t taken = 0, malformed = 0, stale = 0, lost = 0;
    (void)state;
    for (int i = 0; i < MANY; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int what = (int)(seed >> 33) % 10;
        bool back = what == 1 && last > 5;
        uint64_t sequence = back ? last - 1 - (seed >> 50) % 4 : sent;
        double x[N] = {(double)i, 1, what == 2 ? NAN : 2};
        udp_encode_header(&(UdpHeader){what == 3 ? UDP_RESULTS : UDP_INPUTS,
                                       what == 4 ? N + 1 : N, sequence, i},
                          data);
        udp_encode(x, N, data + UDP_HEADER);
        size_t size = FRAME;
        if (what == 5)
            size = (size_t)(seed >> 40) % FRAME;
        if (what == 5 && size == 8 * N)
            size--;
        if (what == 6)
            for (int k = 0; k < 4; k++)
                data[k] = (unsigned char)(seed >> (8 * k + 8)) | 0x80;
        bool bad = what >= 2 && what <= 6;
        if (!back)
            sent++; /* what is damaged is missing in the sequence */
        bool is_taken = udp_in_take(&u, data, size);
        malformed += bad;
        stale += !bad && back;
        if (bad || back) {
            assert_false(is_taken);
            continue;
        }
        assert_true(is_taken);
        lost += taken > 0 ? (int64_t)(sequence - last - 1) : 0;
        taken++;
        last = sequence;
        assert_true(value[0] == (double)i && value[1] == 1 && value[2] == 2);
    }
    assert_true(taken > MANY / 4 && malformed > MANY / 4 && stale > MANY / 50);
    assert_int_equal(u.taken, taken);
    assert_int_equal(u.malformed, malformed);
    assert_int_equal(u.stale, stale);
    assert_int_equal(u.lost, lost);
}

static void sequence_number_0_begins_anew(void **state)
{
    double value[1], x[1] = {5};
    UdpIn u = {.n = 1, .value = value};
    unsigned char data[UDP_HEADER + 8];
    const uint64_t sequence[] = {7, 8, 8, 0, 1, 7};
    const bool want[] = {true, true, false, true, true, true};
    (void)state;
    udp_encode(x, 1, data + UDP_HEADER);
    for (int i = 0; i < 6; i++) {
        udp_encode_header(&(UdpHeader){UDP_INPUTS, 1, sequence[i], 0}, data);
        assert_int_equal(udp_in_take(&u, data, sizeof data), want[i]);
    }
    assert_int_equal(u.stale, 1);
    assert_int_equal(u.lost, 5);
}

/* Random, cut, repeated and reordered ones, against counters of another kind.
 */
static void a_hundred_thousand_datagrams_are_counted(void **state)
{
    enum { N = 100000, KEPT = 32 };
    unsigned char kept[KEPT][UDP_HEADER + 16];
    double value[2] = {0};
    UdpIn u = {.n = 2, .value = value};
    int64_t taken = 0, malformed = 0, stale = 0, lost = 0;
    uint64_t next = 1, last = 0;
    bool begun = false;
    (void)state;
    srand(7);
    memset(kept, 0, sizeof kept);
    for (int i = 0; i < N; i++) {
        unsigned char data[UDP_HEADER + 16 + 8], *f = data;
        size_t size = UDP_HEADER + 16;
        int kind = rand() % 6;
        double x[2] = {rand(), rand()};
        next += 1 + (rand() % 4 == 0 ? (uint64_t)(rand() % 3) : 0);
        UdpHeader h = {UDP_INPUTS, 2, next, i};
        udp_encode_header(&h, data);
        udp_encode(x, 2, data + UDP_HEADER);
        if (kind == 0) { /* cut, or too long */
            do
                size = (size_t)rand() % (sizeof data + 1);
            while (size == 16 || size == UDP_HEADER + 16);
        } else if (kind == 1) { /* any bytes */
            for (size_t k = 0; k < sizeof data; k++)
                data[k] = (unsigned char)rand();
        } else if (kind == 2) { /* one of those before */
            memcpy(data, kept[rand() % KEPT], UDP_HEADER + 16);
        } else if (kind == 3) { /* not finite */
            udp_encode((double[]){NAN}, 1, data + UDP_HEADER + 8);
        }
        bool fine = size == UDP_HEADER + 16 && !memcmp(f, "TKT1", 4) &&
                    kind != 0 && kind != 1 && kind != 3;
        uint64_t sequence = 0;
        for (int k = 7; k >= 0; k--)
            sequence = sequence << 8 | data[8 + k];
        if (!fine)
            malformed++;
        else if (begun && sequence <= last)
            stale++;
        else {
            lost += begun ? (int64_t)(sequence - last - 1) : 0;
            last = sequence;
            begun = true;
            taken++;
            memcpy(kept[rand() % KEPT], data, sizeof *kept);
        }
        unsigned char *copy = malloc(size + !size); /* no byte after it */
        memcpy(copy, data, size);
        int64_t before = u.taken;
        bool is_new = udp_in_take(&u, copy, size);
        free(copy);
        assert_int_equal(is_new, taken > before);
        assert_int_equal(u.taken, taken);
        assert_int_equal(u.malformed, malformed);
        assert_int_equal(u.stale, stale);
        assert_int_equal(u.lost, lost);
    }
    assert_true(taken > N / 10 && malformed > N / 10 && stale > N / 20 &&
                lost > N / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hundred_thousand_datagrams_are_counted),
        cmocka_unit_test(numbers_stand_with_their_least_byte_first),
        cmocka_unit_test(what_is_no_socket_has_no_port),
        cmocka_unit_test(malformed_datagrams_change_nothing),
        cmocka_unit_test(counters_are_right_after_100000_bad_frames),
        cmocka_unit_test(sequence_number_0_begins_anew),
        cmocka_unit_test_setup_teardown(the_last_datagram_wins, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            the_first_descriptor_is_as_good_as_others, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_port_belongs_to_one, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(addresses_that_are_none_are_reported,
                                        set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
