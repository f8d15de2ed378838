/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <string.h>

#include "base/sha1.h"

static void check(const char *text, const char *digest)
{
    char out[SHA1_TEXT];
    assert_string_equal(sha1_text(text, strlen(text), out), digest);
}

static void sha1_gives_the_digests_of_the_standard(void **state)
{
    (void)state;
    check("", "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    check("abc", "a9993e364706816aba3e25717850c26c9cd0d89d");
    check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
          "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
}

static void sha1_knows_the_ends_of_blocks(void **state)
{
    (void)state;
    static char a[1000001];
    char out[SHA1_TEXT];
    memset(a, 'a', 1000000);
    assert_string_equal(sha1_text(a, 55, out),
                        "c1c8bbdc22796e28c0e15163d20899b65621d65a");
    assert_string_equal(sha1_text(a, 56, out),
                        "c2db330f6083854c99d4b5bfb6e8f29f201be699");
    assert_string_equal(sha1_text(a, 64, out),
                        "0098ba824b5c16427bd7a1122a5a442a25ec644d");
    assert_string_equal(sha1_text(a, 1000000, out),
                        "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha1_gives_the_digests_of_the_standard),
        cmocka_unit_test(sha1_knows_the_ends_of_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
