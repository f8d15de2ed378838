/* fmu.c - an FMU, opened and closed. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "fmu/fmu.h"

#include <string.h>
#include <strings.h>

#include "fmu/fmu_internal.h"

/* Characters of the path; 0: it is no name of an FMU. */
static size_t path_length(const char *model, FmuUse *use)
{
    static const struct {
        const char *end;
        FmuUse use;
    } form[] = {{".fmu", FMU_AS_EITHER},
                {".fmu:exchange", FMU_AS_EXCHANGE},
                {".fmu:cosim", FMU_AS_BLOCK},
                {".ssd", FMU_AS_SYSTEM},
                {".ssp", FMU_AS_SYSTEM}};
    size_t n = strlen(model);
    for (size_t i = 0; i < sizeof form / sizeof form[0]; i++) {
        size_t k = strlen(form[i].end);
        if (n > k && strcasecmp(model + n - k, form[i].end) == 0) {
            *use = form[i].use;
            return n - k + 4;
        }
    }
    return 0;
}

bool fmu_is_name(const char *model)
{
    FmuUse use;
    return path_length(model, &use) > 0;
}

Fmu *fmu_open(const char *name, Sources *sources, Arena *arena, Diag *diag)
{
    size_t size = 0;
    Fmu *f = NEW(arena, Fmu);
    const char *path = arena_strndup(arena, name, path_length(name, &f->use));
    f->path = path;
    f->arena = arena;
    if (f->use == FMU_AS_SYSTEM) {
        f->system = fmu_open_system(path, sources, arena, diag);
        return f->system ? f : NULL;
    }
    char *text =
        fmu_read_file(path, "modelDescription.xml", &size, arena, diag);
    if (!text)
        return NULL;
    int number = sources_add(sources, path, text, size);
    f->d = fmu_describe(sources, number, arena, diag);
    return f->d ? f : NULL;
}

Span fmu_span(const Fmu *f)
{
    return f->system ? f->system->span : f->d->span;
}

void fmu_close(Fmu *f)
{
    if (f && f->folder)
        fmu_remove(f->folder);
    for (int i = 0; f && f->system && i < f->system->npart; i++)
        fmu_close(f->system->part[i]);
    if (f && f->system && f->system->folder)
        fmu_remove(f->system->folder);
}
