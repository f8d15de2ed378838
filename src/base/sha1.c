/* sha1.c - FIPS 180-4, sections 5 and 6.1: blocks of 64 bytes, 80 rounds. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sha1.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t rotate(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

/* The words of a block and those that follow from them. */
static void schedule(const unsigned char *block, uint32_t w[80])
{
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 80; i++)
        w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
}

static void add_block(uint32_t h[5], const unsigned char *block)
{
    uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    schedule(block, w);
    for (int i = 0; i < 80; i++) {
        uint32_t f = i < 20   ? (b & c) | (~b & d)
                     : i < 40 ? b ^ c ^ d
                     : i < 60 ? (b & c) | (b & d) | (c & d)
                              : b ^ c ^ d;
        static const uint32_t k[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc,
                                      0xca62c1d6};
        uint32_t next = rotate(a, 5) + f + e + k[i / 20] + w[i];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

const char *sha1_text(const void *data, size_t n, char out[SHA1_TEXT])
{
    uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
                     0xc3d2e1f0};
    const unsigned char *s = data;
    size_t left = n;
    for (; left >= 64; left -= 64, s += 64)
        add_block(h, s);
    /* the rest, a 1, zeros, the number of bits: one block or two */
    unsigned char last[128] = {0};
    size_t end = left < 56 ? 64 : 128;
    if (left > 0)
        memcpy(last, s, left);
    last[left] = 0x80;
    for (int i = 0; i < 8; i++)
        last[end - 1 - (size_t)i] =
            (unsigned char)((uint64_t)n * 8 >> (8 * i) & 255);
    for (size_t i = 0; i < end; i += 64)
        add_block(h, last + i);
    for (int i = 0; i < 5; i++)
        snprintf(out + 8 * i, 9, "%08x", (unsigned)h[i]);
    return out;
}
