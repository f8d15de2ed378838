/* target_efmi.c - an eFMU (efmi.h). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/vec.h"
#include "target/binary.h"
#include "target/efmi.h"

typedef Vec(TargetFile) Files;

static bool ends_in_code(const char *name)
{
    size_t n = strlen(name);
    return !strchr(name, '/') && n > 2 && name[n - 2] == '.' &&
           (name[n - 1] == 'c' || name[n - 1] == 'h');
}

static void add_code(Efmi *e, Arena *arena)
{
    const TargetInput *in = e->galec->in;
    Files code = {0};
    for (int i = 0; i < in->nfile; i++)
        if (ends_in_code(in->file[i].name))
            vec_push(arena, &code,
                     target_text(in->file[i].name, in->file[i].text));
    vec_push(arena, &code,
             target_text(arena_printf(arena, "%s_block.h", in->name),
                         efmi_block_header(e, arena)));
    vec_push(arena, &code,
             target_text(arena_printf(arena, "%s_block.c", in->name),
                         efmi_block_code(e, arena)));
    e->code = code.at;
    e->ncode = code.n;
}

/* ---- schemas ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const TargetFile *)a)->name, ((const TargetFile *)b)->name);
}

/* Returns false after a report. */
static bool add_schemas(Files *files, const char *from, const char *to,
                        int depth, Arena *arena, Diag *diag)
{
    DIR *d = opendir(from);
    if (!d) {
        diag_report(diag, NO_SPAN, DIAG_E1405,
                    "the schemas of eFMI cannot be read from %s "
                    "(EFMI_SCHEMAS)",
                    from);
        return false;
    }
    bool fine = true;
    for (struct dirent *e; fine && (e = readdir(d));) {
        struct stat st;
        const char *path = arena_printf(arena, "%s/%s", from, e->d_name);
        const char *name = arena_printf(arena, "%s/%s", to, e->d_name);
        if (e->d_name[0] == '.' || stat(path, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode) && depth > 0) {
            fine = add_schemas(files, path, name, depth - 1, arena, diag);
        } else if (S_ISREG(st.st_mode)) {
            TargetFile f = {.name = name};
            fine = binary_read(path, &f, arena);
            vec_push(arena, files, f);
        }
    }
    closedir(d);
    return fine;
}

static bool add_given_schemas(Files *files, Arena *arena, Diag *diag)
{
    const char *from = getenv("EFMI_SCHEMAS");
    Files own = {0};
    if (!from || !*from)
        return true;
    if (!add_schemas(&own, from, "eFMU/schemas", 2, arena, diag))
        return false;
    qsort(own.at, (size_t)own.n, sizeof *own.at, by_name);
    for (int i = 0; i < own.n; i++)
        vec_push(arena, files, own.at[i]);
    return true;
}

/* ---- the container ---- */

static int files(const TargetInput *in, const TargetFile **out, Arena *arena,
                 Diag *diag)
{
    Efmi e = {.galec = galec_make(in, arena, diag)};
    Files all = {0};
    if (!e.galec)
        return -1;
    efmi_name_members(&e, arena);
    add_code(&e, arena);
    efmi_describe_algorithm(&e, arena);
    efmi_describe_production(&e, arena);
    vec_push(arena, &all,
             target_text("eFMU/__content.xml", efmi_content(&e, arena)));
    vec_push(arena, &all,
             target_text("eFMU/AlgorithmCode/manifest.xml", e.algorithm.text));
    vec_push(arena, &all,
             target_text("eFMU/AlgorithmCode/block.alg", e.galec->text));
    vec_push(
        arena, &all,
        target_text("eFMU/ProductionCode/manifest.xml", e.production.text));
    for (int i = 0; i < e.ncode; i++) {
        TargetFile f = e.code[i];
        f.name = arena_printf(arena, "eFMU/ProductionCode/%s", f.name);
        vec_push(arena, &all, f);
    }
    if (!add_given_schemas(&all, arena, diag))
        return -1;
    *out = all.at;
    return all.n;
}

const Target target_efmi = {
    .name = "efmi",
    .help = "an eFMU: the step in GALEC and in C",
    .form = TARGET_ARCHIVE,
    .files = files,
};
