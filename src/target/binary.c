/* binary.c - what a compiler made, as bytes. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "target/binary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Platform platform_of(const char *machine, Arena *arena)
{
    static const struct {
        const char *word, *fmi3; /* of the machine */
        const char *fmi2;        /* bits, as FMI 2 counts them */
    } cpu[] = {
        {"x86_64", "x86_64", "64"}, {"i386", "x86", "32"},
        {"i486", "x86", "32"},      {"i586", "x86", "32"},
        {"i686", "x86", "32"},
    };
    bool windows = strstr(machine, "mingw") || strstr(machine, "windows");
    bool apple = strstr(machine, "darwin") || strstr(machine, "apple");
    const char *system = windows ? "windows" : apple ? "darwin" : "linux";
    Platform p = {.ending = windows ? ".dll" : apple ? ".dylib" : ".so"};
    for (size_t i = 0; i < sizeof cpu / sizeof cpu[0]; i++)
        if (!strncmp(machine, cpu[i].word, strlen(cpu[i].word))) {
            p.fmi3 = arena_printf(arena, "%s-%s", cpu[i].fmi3, system);
            p.fmi2 = arena_printf(arena, "%s%s", windows ? "win" : system,
                                  cpu[i].fmi2);
        }
    if (!p.fmi3) /* FMI 2 has no names for others */
        p.fmi2 = p.fmi3 = arena_printf(
            arena, "%.*s-%s", (int)strcspn(machine, "-"), machine, system);
    return p;
}

/* Without anything that could end the program: the folder is there. */
static bool read_all(const char *path, char **data, size_t *size)
{
    FILE *f = fopen(path, "rb");
    bool fine = f && fseek(f, 0, SEEK_END) == 0;
    long n = fine ? ftell(f) : -1;
    *data = n >= 0 ? malloc((size_t)n + 1) : NULL;
    *size = (size_t)n;
    fine = *data && fseek(f, 0, SEEK_SET) == 0 &&
           fread(*data, 1, *size, f) == *size;
    if (f)
        fclose(f);
    if (!fine)
        free(*data);
    return fine;
}

const bool *binary_parts(const TargetInput *in, const CompileFile *file, int n,
                         Arena *arena)
{
    size_t k = strlen(TARGET_INNER);
    bool *is = NEW_ARRAY(arena, bool, n + 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < in->ninner; j++)
            if (!strncmp(file[i].name, TARGET_INNER, k) &&
                !strcmp(file[i].name + k, in->inner[j].name))
                is[i] = !in->inner[j].is_code;
    return is;
}

bool binary_read(const char *path, TargetFile *out, Arena *arena)
{
    char *data;
    size_t size;
    if (!read_all(path, &data, &size))
        return false;
    char *copy = arena_alloc(arena, size + 1);
    memcpy(copy, data, size);
    free(data);
    out->data = copy;
    out->size = size;
    return true;
}

bool binary_make(const CompileJob *job, TargetFile *out, Arena *arena,
                 Diag *diag)
{
    Compiled made;
    char *data;
    size_t size;
    if (!compile_make(job, &made, arena, diag))
        return false;
    bool fine = read_all(made.path, &data, &size);
    int failed = errno;
    compile_end(&made);
    if (!fine) {
        diag_report(diag, NO_SPAN, DIAG_E1602,
                    "what the compiler made cannot be read: %s",
                    strerror(failed));
        return false;
    }
    char *copy = arena_alloc(arena, size + 1);
    memcpy(copy, data, size);
    free(data);
    out->data = copy;
    out->size = size;
    return true;
}
