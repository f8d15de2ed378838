/* utf8.c - characters of a text that may be anything. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/utf8.h"

int utf8_next(const char *s, unsigned *code)
{
    const unsigned char *b = (const unsigned char *)s;
    *code = b[0];
    if (b[0] < 0x80)
        return 1;
    int n = b[0] >= 0xF0 ? 4 : b[0] >= 0xE0 ? 3 : 2;
    unsigned c = b[0] & (0x7Fu >> n);
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    *code = UTF8_WRONG;
    if (b[0] < 0xC2 || b[0] > 0xF4)
        return 1;
    for (int i = 1; i < n; i++) {
        if ((b[i] & 0xC0) != 0x80) /* the end of the text is no such byte */
            return 1;
        c = c << 6 | (b[i] & 0x3Fu);
    }
    if (c < least[n] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        return 1;
    *code = c;
    return n;
}
