/* fmu_files.c - what is in an FMU: description, sources, binaries. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "target/binary.h"
#include "target/fmu.h"
#include "target/foreign.h"

typedef struct Work {
    const FmuModel *m;
    Arena *arena;
    Diag *diag;
    Vec(TargetFile) file;
    Vec(CompileFile) source;
} Work;

static void add_text(Work *w, const char *name, const char *text)
{
    vec_push(w->arena, &w->file, target_text(name, text));
}

/* Sources that are not all there are of no use to others. */
static void add_source(Work *w, const char *name, const char *text)
{
    if (fmu_is_whole(w->m))
        add_text(w, arena_printf(w->arena, "sources/%s", name), text);
    vec_push(w->arena, &w->source, ((CompileFile){name, text}));
}

/* Sources of others, of which some are included only. */
static void add_inner(Work *w)
{
    const TargetInput *in = w->m->in;
    for (int i = 0; i < in->ninner; i++)
        add_source(
            w, arena_printf(w->arena, "%s%s", TARGET_INNER, in->inner[i].name),
            in->inner[i].text);
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);
    return n >= k && !strcmp(text + n - k, end);
}

static bool is_inner(const TargetInput *in, const char *name)
{
    for (int i = 0; in->foreign && i < in->ninner; i++)
        if (!strcmp(in->inner[i].name, name))
            return true;
    return false;
}

/* The C of the model, the functions of FMI. */
static void add_sources(Work *w)
{
    const TargetInput *in = w->m->in;
    for (int i = 0; i < in->nfile; i++)
        if (!strchr(in->file[i].name, '/') && !is_inner(in, in->file[i].name) &&
            (ends_with(in->file[i].name, ".c") ||
             ends_with(in->file[i].name, ".h")))
            add_source(w, in->file[i].name, in->file[i].text);
    add_source(w, arena_printf(w->arena, "%s_fmu.c", in->name),
               fmu_source(w->m, w->arena));
    static const char *const shared[] = {"takt_fmu.h", "takt_fmu_core.h"};
    for (int i = 0; i < 2; i++)
        add_source(w, shared[i], emit_runtime(shared[i]));
    static const char *const own[] = {"", "_functions", "_exchange",
                                      "_scheduled"};
    for (int i = 0; i < 4; i++) {
        if ((i == 2 && !w->m->exchange) || (i == 3 && w->m->nclock == 0))
            continue;
        const char *name =
            arena_printf(w->arena, "takt_fmi%d%s.h", w->m->version, own[i]);
        add_source(w, name, emit_runtime(name));
    }
    if (w->m->exchange)
        add_source(w, "takt_fmu_exchange.h",
                   emit_runtime("takt_fmu_exchange.h"));
    if (in->foreign)
        add_source(w, "takt_fmu_external.h",
                   emit_runtime("takt_fmu_external.h"));
}

/* FMI 3.0, section 2.5.1.4. */
static const char *build_description(Work *w)
{
    const bool *is_part =
        binary_parts(w->m->in, w->source.at, w->source.n, w->arena);
    XmlOut x;
    xml_start(&x);
    xml_begin(&x, "fmiBuildDescription");
    xml_text(&x, "fmiVersion", "3.0");
    xml_begin(&x, "BuildConfiguration");
    xml_text(&x, "modelIdentifier", w->m->in->name);
    xml_begin(&x, "SourceFileSet");
    xml_text(&x, "language", "C99");
    for (int i = 0; i < w->source.n; i++) {
        if (!ends_with(w->source.at[i].name, ".c") || is_part[i])
            continue;
        xml_begin(&x, "SourceFile");
        xml_text(&x, "name", w->source.at[i].name);
        xml_end(&x);
    }
    if (w->m->in->foreign) {
        xml_begin(&x, "IncludeDirectory");
        xml_text(&x, "name", "inner");
        xml_end(&x);
    }
    xml_end(&x);
    xml_begin(&x, "Library");
    xml_text(&x, "name", "m");
    xml_bool(&x, "external", true);
    xml_end(&x);
    xml_end(&x);
    xml_end(&x);
    return xml_finish(&x, w->arena);
}

/* In a library the functions of FMI have no prefix; those of an FMU inside keep
 * theirs. */
static const CompileFile *without_prefix(const Work *w)
{
    const char *own = arena_printf(w->arena, "%s_fmu.c", w->m->in->name);
    CompileFile *file = NEW_ARRAY(w->arena, CompileFile, w->source.n + 1);
    for (int i = 0; i < w->source.n; i++) {
        file[i] = w->source.at[i];
        if (!strcmp(file[i].name, own))
            file[i].text = arena_printf(
                w->arena, "#define FMI%d_OVERRIDE_FUNCTION_PREFIX\n%s",
                w->m->version, file[i].text);
    }
    return file;
}

static const char *const *libraries(const Work *w)
{
    Vec(const char *) word = {0};
    const TargetForeign *f = w->m->in->foreign;
    for (int i = 0; f && f->archive[i]; i++)
        vec_push(w->arena, &word, f->archive[i]);
    vec_push(w->arena, &word, "-lm");
    vec_push(w->arena, &word, NULL);
    return word.at;
}

/* A shared library by `compiler`; NULL: the usual one. */
static bool add_binary(Work *w, const char *compiler)
{
    const FmuModel *m = w->m;
    const char *machine = compile_machine(compiler, w->arena, w->diag);
    if (!machine)
        return false;
    Platform p = platform_of(machine, w->arena);
    bool strict = m->in->foreign && !strcmp(p.ending, ".so");
    const char *option[] = {m->in->inner ? "-std=gnu99" : "-std=c99",
                            "-O2",
                            "-ffp-contract=off",
                            "-shared",
                            "-fPIC",
                            "-fvisibility=hidden",
                            "-s",
                            m->in->foreign ? "-static-libgcc" : NULL,
                            strict ? "-Wl,-z,defs" : NULL,
                            NULL};
    CompileJob job = {
        .compiler = compiler,
        .option = option,
        .file = without_prefix(w),
        .nfile = w->source.n,
        .folder = m->in->inner ? TARGET_INNER : NULL,
        .is_part = binary_parts(m->in, w->source.at, w->source.n, w->arena),
        .library = libraries(w),
        .output = "model.bin"};
    TargetFile f = {.name = arena_printf(w->arena, "binaries/%s/%s%s",
                                         m->version == 2 ? p.fmi2 : p.fmi3,
                                         m->in->name, p.ending)};
    if (!binary_make(&job, &f, w->arena, w->diag))
        return false;
    vec_push(w->arena, &w->file, f);
    return true;
}

static void add_reference(Work *w)
{
    static const char folder[] = "extra/org.fmi-standard.fmi-ls-ref";
    const char *csv = fmu_reference(w->m, w->arena);
    if (!csv)
        return;
    add_text(w, arena_printf(w->arena, "%s/fmi-ls-manifest.xml", folder),
             fmu_reference_manifest(w->m, w->arena));
    add_text(w, arena_printf(w->arena, "%s/%s_out.csv", folder, w->m->in->name),
             csv);
}

int fmu_files(const TargetInput *in, int version, const TargetFile **files,
              Arena *arena, Diag *diag)
{
    if (in->foreign && in->foreign->archive[0] && in->ncross > 0) {
        diag_report(diag, in->flat->span, DIAG_U1403,
                    "not supported: --cross with the library '%s', whose "
                    "sources are not there",
                    in->foreign->archive[0]);
        return -1;
    }
    Work w = {.m = fmu_model(in, version, arena), .arena = arena, .diag = diag};
    if (in->interface == TARGET_EXCHANGE && !w.m->exchange) {
        diag_report(diag, in->flat->span, DIAG_U1403,
                    "not supported: model exchange of a model with delays, or "
                    "whose states are chosen as it runs; --interface cosim");
        return -1;
    }
    if (in->interface == TARGET_SCHEDULED && (version == 2 || !w.m->nclock)) {
        diag_report(diag, in->flat->span, DIAG_U1403,
                    "not supported: scheduled execution of %s",
                    version == 2 ? "an FMU of FMI 2, which has none"
                                 : fmu_clocks_missing(in));
        return -1;
    }
    add_text(&w, "modelDescription.xml",
             version == 2 ? fmu_description2(w.m, arena)
                          : fmu_description3(w.m, arena));
    add_sources(&w);
    add_inner(&w);
    if (version == 3 && fmu_is_whole(w.m))
        add_text(&w, "sources/buildDescription.xml", build_description(&w));
    for (int i = 0; in->foreign && i < in->foreign->nresource; i++)
        vec_push(arena, &w.file, in->foreign->resource[i]);
    add_text(&w, "documentation/licenses/license.txt", emit_runtime("LICENSE"));
    const char *terminals = fmu_terminals(w.m, arena);
    if (terminals)
        add_text(&w, "terminalsAndIcons/terminalsAndIcons.xml", terminals);
    if (w.m->has_cosim)
        add_reference(&w);
    if (!add_binary(&w, NULL))
        return -1;
    for (int i = 0; i < in->ncross; i++)
        if (!add_binary(&w, in->cross[i]))
            return -1;
    *files = w.file.at;
    return w.file.n;
}
