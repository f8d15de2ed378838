/* replay.c - feeds files to a fuzzing target, without a fuzzer: the seeds, and
 * inputs that once failed.
 *
 *   fuzz-x FILE...
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
size_t LLVMFuzzerMutate(unsigned char *data, size_t size, size_t most);

/* What mutators of targets call; nobody calls them here. */
size_t LLVMFuzzerMutate(unsigned char *data, size_t size, size_t most)
{
    (void)data;
    (void)most;
    return size;
}

static int feed(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) {
        perror(path);
        return 1;
    }
    long size = ftell(f);
    rewind(f);
    unsigned char *data = malloc((size_t)size + !size);
    int bad = !data || fread(data, 1, (size_t)size, f) != (size_t)size;
    fclose(f);
    if (bad)
        fprintf(stderr, "%s cannot be read\n", path);
    else
        LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    return bad;
}

int main(int argc, char **argv)
{
    int bad = argc < 2;
    for (int i = 1; i < argc; i++)
        bad |= feed(argv[i]);
    printf("%d inputs\n", argc - 1);
    return bad;
}
