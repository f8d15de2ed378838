/* emit.c - the files: the entry of the phase. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/ctext.h"
#include "base/script.h"
#include "emit/emit_internal.h"
#include "tape/split.h"

static const char *make_code(Emit *e)
{
    Text out = {0};
    const char *n = e->o->name;
    text_add(e, &out,
             "/* %s.c - %s: %s, step %g s. Made by takt.\n"
             " *\n"
             " * Compile with -ffp-contract=off for the results of takt sim to "
             "the last bit;\n"
             " * never with -ffast-math: values that are not finite must stay "
             "visible. */\n"
             "#include \"%s.h\"\n\n#include \"takt_rt_base.h\"\n%s%s\n",
             n, c_comment(e->o->model, e->local),
             c_comment(e->o->method, e->local), e->o->step, n,
             !e->o->own_math  ? ""
             : e->o->is_float ? "#include \"takt_rt_mathf.h\"\n"
                              : "#include \"takt_rt_math.h\"\n",
             arena_printf(
                 e->local,
                 "#define TAKT_REAL %s\n"
                 "#define TAKT_F(name) name%s\n%s%s",
                 e->real, e->o->is_float ? "##f" : "",
                 e->f->start == NONE ? "" : "#include \"takt_rt_start.h\"\n",
                 e->t->set.n == 0 ? "" : "#include \"takt_rt_states.h\"\n"));
    emit_call_headers(e, &out);
    emit_call_lists(e, &out);
    emit_call_definitions(e, &out);
    if (emit_factor_is_used(e)) {
        text_add(e, &out, "#include \"takt_rt_factor.h\"\n\n");
        emit_factor_tables(e, &out);
    }
    emit_estimate_table(e, &out);
    emit_functions(e, &out);
    emit_estimate_functions(e, &out);
    emit_names(e, &out);
    return text_end(e, &out);
}

/* ---- what stands beside ---- */

static const char *make_cmake(Emit *e)
{
    const char *n = e->o->name, *t = cmake_target(n, e->local);
    return arena_printf(
        e->arena,
        "cmake_minimum_required(VERSION 3.13)\n"
        "project(%s C)\n"
        "set(CMAKE_C_STANDARD 99)\n"
        "if(NOT CMAKE_BUILD_TYPE)\n    set(CMAKE_BUILD_TYPE Release)\n"
        "endif()\n"
        "add_library(%s STATIC %s.c)\n"
        "target_include_directories(%s PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})\n"
        "target_compile_options(%s PRIVATE -ffp-contract=off)\n"
        "%starget_link_libraries(%s PUBLIC m)\n"
        "add_executable(%s_example example/main.c)\n"
        "target_link_libraries(%s_example PRIVATE %s)\n",
        n, t, n, t, t, emit_foreign_cmake(e, t), t, t, t, t);
}

static const char *make_example(Emit *e)
{
    const char *n = e->o->name, *u = emit_upper(e, n);
    return arena_printf(
        e->arena,
        "/* main.c - runs %s and prints where it ends.\n"
        " *\n"
        " *     %s_example [STEPS]\n"
        " */\n"
        "#include <stdio.h>\n#include <stdlib.h>\n\n#include \"%s.h\"\n\n"
        "int main(int argc, char **argv)\n{\n"
        "    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;\n"
        "    static %s m;\n"
        "    if (%s_init(&m) < 0) {\n"
        "        printf(\"no start: %%s\\n\", %s_where(&m));\n"
        "        return 1;\n    }\n"
        "    for (long k = 0; k < n; k++) {\n"
        "        int status = %s_step(&m);\n"
        "        if (status < 0) {\n"
        "            printf(\"step %%ld: %%s: %%s\\n\", k,\n"
        "                   %s_status_text(status), %s_where(&m));\n"
        "            return 1;\n"
        "        }\n"
        "        if (status == %s_TERMINATED)\n            break;\n"
        "    }\n"
        "    for (int i = 0; i < %s_NVAR; i++)\n"
        "        printf(\"%%s %%.17g\\n\", %s_name(i), (double)%s_get(&m, "
        "i));\n"
        "    return 0;\n}\n",
        n, n, n, n, n, n, n, n, n, u, u, n, n);
}

static size_t data_bytes(const Emit *e)
{
    size_t scalar = e->o->is_float ? sizeof(float) : sizeof(double), n = 0;
    for (Home h = HOME_PARAM; h <= HOME_STATE; h++)
        n += (size_t)e->nmember[h];
    for (int i = 0; i < e->t->delay.n; i++)
        n += (size_t)e->t->delay.at[i].size;
    for (int i = 0; i < e->t->set.n; i++)
        n += (size_t)emit_set_room(&e->t->set.at[i]);
    size_t size = n * scalar + EMIT_STATUS_BYTES +
                  (emit_has_ranges(e, HOME_PARAM) ? sizeof(int) : 0);
    return (size + scalar - 1) / scalar * scalar;
}

/* `f` with names that hold (tape/split.h). */
static Fused with_true_names(const Fused *f, Arena *arena)
{
    int n = f->tape->nslot;
    bool *kept = NEW_ARRAY(arena, bool, n + 1);
    for (int i = 0; i < n; i++)
        kept[i] = f->carried[i] || f->wanted[i];
    Fused own = *f;
    own.tape = tape_split(f->tape, kept, arena);
    bool *carried = NEW_ARRAY(arena, bool, own.tape->nslot + 1);
    bool *wanted = NEW_ARRAY(arena, bool, own.tape->nslot + 1);
    memcpy(carried, f->carried, (size_t)n * sizeof *carried);
    memcpy(wanted, f->wanted, (size_t)n * sizeof *wanted);
    own.carried = carried;
    own.wanted = wanted;
    return own;
}

Emitted *emit_c(const Fused *f, const EmitOptions *options, Arena *arena)
{
    Arena *local = arena_new();
    Fused own = with_true_names(f, local);
    Emit e = {.f = &own,
              .t = own.tape,
              .o = options,
              .arena = arena,
              .local = local,
              .real = options->is_float ? "float" : "double",
              .suffix = options->is_float ? "f" : ""};
    emit_places(&e);
    emit_rows(&e);
    emit_formulas(&e);
    emit_find_ranges(&e);
    emit_map_begin(&e);
    Emitted *out = NEW(arena, Emitted);
    out->header = emit_header(&e);
    out->code = make_code(&e);
    out->map = emit_map(&e);
    out->cmake = make_cmake(&e);
    out->example = make_example(&e);
    out->nvar = e.row.n;
    out->row = e.row.at;
    out->data_bytes = data_bytes(&e);
    out->has_tables = emit_factor_is_used(&e);
    out->runtime = emit_call_files(&e);
    out->external = emit_foreign_file(&e);
    out->foreign = emit_foreign(&e);
    arena_free(e.local);
    return out;
}

int emit_files(const Emitted *e, const EmitOptions *options,
               const EmitFile **files, Arena *arena)
{
    const char *const runtime[] = {
        "takt_rt_base.h",
        "takt_rt_start.h",
        "takt_rt_states.h",
        e->has_tables ? "takt_rt_factor.h" : NULL,
        options->own_math ? "takt_rt_math.h" : NULL,
        options->own_math && options->is_float ? "takt_rt_mathf.h" : NULL};
    enum { NRUNTIME = sizeof runtime / sizeof runtime[0], NOWN = 5 };
    const char *name = options->name;
    int n = 0;
    while (e->runtime[n])
        n++;
    EmitFile *file = NEW_ARRAY(arena, EmitFile, NRUNTIME + NOWN + n + 3);
    n = 0;
    file[n++] = (EmitFile){arena_printf(arena, "%s.h", name), e->header};
    file[n++] = (EmitFile){arena_printf(arena, "%s.c", name), e->code};
    file[n++] = (EmitFile){arena_printf(arena, "%s.map.json", name), e->map};
    for (int i = 0; i < NRUNTIME; i++)
        if (runtime[i])
            file[n++] = (EmitFile){runtime[i], emit_runtime(runtime[i])};
    for (const char *const *h = e->runtime; *h; h++)
        file[n++] = (EmitFile){*h, emit_runtime(*h)};
    if (e->external) {
        static const char *const header[] = {"ModelicaUtilities.h",
                                             "takt_rt_external.h"};
        for (int i = 0; i < 2; i++)
            file[n++] = (EmitFile){header[i], emit_runtime(header[i])};
        file[n++] =
            (EmitFile){arena_printf(arena, "%s_external.c", name), e->external};
    }
    file[n++] = (EmitFile){"CMakeLists.txt", e->cmake};
    file[n++] = (EmitFile){"example/main.c", e->example};
    *files = file;
    return n;
}
