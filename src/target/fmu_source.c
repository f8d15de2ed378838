/* fmu_source.c - NAME_fmu.c: the table of variables for the functions of FMI,
 * which stand in runtime/fmu/. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ctext.h"
#include "base/die.h"
#include "base/number.h"
#include "target/fmu.h"

static const char *upper(const char *text, Arena *arena)
{
    char *out = arena_strdup(arena, text);
    for (char *s = out; *s; s++)
        *s = (char)toupper((unsigned char)*s);
    return out;
}

/* A double of C. */
static const char *number(double x, Arena *arena)
{
    char text[40];
    return arena_printf(arena, "(%s + 0.0)", number_shortest(x, false, text));
}

static const char *access_of(const FmuVar *v)
{
    return v->causality == FMU_PARAMETER ? "FMU_PARAMETER"
           : v->causality == FMU_INPUT   ? "FMU_INPUT"
           : v->start_row != NONE        ? "FMU_START"
                                         : "FMU_READ";
}

static void write_rows(FILE *out, const FmuModel *m, Arena *arena)
{
    static const char *const type[] = {"FMU_REAL", "FMU_INTEGER", "FMU_BOOLEAN",
                                       "FMU_NONE", "FMU_ENUMERATION"};
    int n = m->in->out->nvar;
    const FmuVar **of = NEW_ARRAY(arena, const FmuVar *, n + 1);
    for (int i = 0; i < m->nvar; i++)
        if (m->var[i].row != NONE && m->var[i].alias == NONE)
            of[m->var[i].row] = &m->var[i];
    fprintf(out, "static const FmuRow fmu_row[FMU_NVAR] = {\n");
    for (int i = 0; i < n; i++) {
        const FmuVar *v = of[i];
        const char *name = c_comment(m->in->out->row[i].name, arena);
        if (v)
            fprintf(out, "    {%s, %s, %d, %d}, /* %s */\n", type[v->type],
                    access_of(v), v->start_row, v->base, name);
        else
            fprintf(out, "    {FMU_NONE, FMU_READ, -1, -1}, /* %s */\n", name);
    }
    fprintf(out, "};\n\n");
}

static void write_texts(FILE *out, const FmuModel *m, Arena *arena)
{
    fprintf(out, "static const char *const fmu_text[FMU_NTEXT + 1] = {\n");
    for (int i = m->nvar - m->ntext; i < m->nvar; i++)
        fprintf(out, "    %s,\n", c_string(m->var[i].text, arena));
    fprintf(out, "    \"\"};\n\n");
}

static void write_all(FILE *out, const FmuModel *m, Arena *arena)
{
    const char *n = m->in->name, *u = upper(n, arena);
    int version = m->version;
    fprintf(out,
            "/* %s_fmu.c - %s as an FMU for co-simulation, FMI %d.0. Made by "
            "takt. */\n"
            "#define FMI%d_FUNCTION_PREFIX %s_\n\n"
            "#include \"%s.h\"\n\n#include \"takt_fmu.h\"\n\n"
            "#define FMU_MODEL %s\n"
            "#define FMU_CALL(f) %s_##f\n"
            "#define FMU_HAS_ENDED(status) ((status) == %s_TERMINATED)\n"
            "#define FMU_TOKEN \"%s\"\n"
            "#define FMU_STEP %s\n"
            "#define FMU_BEGIN %s\n"
            "enum { FMU_NVAR = %s_NVAR, FMU_NTEXT = %d };\n\n",
            n, c_comment(m->in->model, arena), version, version, n, n, n, n, u,
            m->token, number(m->in->size, arena), number(m->in->start, arena),
            u, m->ntext);
    write_rows(out, m, arena);
    write_texts(out, m, arena);
    fprintf(out, "#include \"takt_fmi%d_functions.h\"\n", version);
}

const char *fmu_source(const FmuModel *m, Arena *arena)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        die("out of memory");
    write_all(out, m, arena);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed)
        die("out of memory");
    const char *copy = arena_strndup(arena, text, size);
    free(text);
    return copy;
}
