/* web.c - the frame of a page, and the files in it. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/web.h"

#include <string.h>

#include "base/die.h"
#include "base/markup.h"

const char *web_file(const char *name)
{
#define EMBEDDED(file, ...)                                                    \
    if (!strcmp(name, file)) {                                                 \
        static const char text[] = {__VA_ARGS__};                              \
        return text;                                                           \
    }
#include "web_files.inc"
#undef EMBEDDED
    die("a page wants '%s', which is not there", name);
}

void web_begin(const char *title, FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>\n"
          "<meta name='viewport' content='width=device-width'>\n<title>",
          out);
    markup_text(title, out);
    fprintf(out, "</title>\n<style>\n%s</style></head>\n<body>\n<h1>",
            web_file("look.css"));
    markup_text(title, out);
    fputs("</h1>\n", out);
}

void web_end(FILE *out)
{
    static const char *const script[] = {"plot.js", "grid.js", "loops.js",
                                         "figures.js"};
    fputs("<script>\n", out);
    for (size_t i = 0; i < sizeof script / sizeof *script; i++)
        fputs(web_file(script[i]), out);
    fputs("</script>\n</body></html>\n", out);
}

void web_section(const char *id, const char *title, FILE *out)
{
    fprintf(out, "<section id='%s'>\n<h2>", id);
    markup_text(title, out);
    fputs("</h2>\n", out);
}

void web_section_end(FILE *out)
{
    fputs("</section>\n", out);
}

void web_figure_begin(const char *kind, const char *title, FILE *out)
{
    fprintf(out, "<figure data-kind='%s'><figcaption>", kind);
    markup_text(title, out);
    fputs("</figcaption><script type='application/json'>", out);
}

void web_figure_end(FILE *out)
{
    fputs("</script></figure>\n", out);
}
