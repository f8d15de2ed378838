/* picture.c - SVG to PNG by librsvg and cairo, found with dlopen. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "result/picture.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/dynamic.h"
#include "base/file.h"

enum { SCALE = 2, ARGB32 = 0, MOST_PIXELS = 16384 };

typedef struct Rectangle {
    double x, y, width, height;
} Rectangle;
typedef int WriteBytes(void *closure, const unsigned char *data, unsigned n);

/* What is used of the two libraries, with their own types as void. */
typedef struct Library {
    void *(*load)(const uint8_t *data, size_t n, void **error);
    int (*size)(void *handle, double *width, double *height);
    int (*render)(void *handle, void *cairo, const Rectangle *r, void **error);
    void (*unref)(void *object);
    void *(*surface)(int format, int width, int height);
    void *(*cairo)(void *surface);
    void (*cairo_free)(void *cairo);
    void (*surface_free)(void *surface);
    int (*to_png)(void *surface, WriteBytes *write, void *closure);
} Library;

static bool open_library(Library *l)
{
    void *rsvg = dynamic_open("librsvg-2.so.2");
    if (!rsvg)
        return false;
    return dynamic_take(rsvg, "rsvg_handle_new_from_data", &l->load) &&
           dynamic_take(rsvg, "rsvg_handle_get_intrinsic_size_in_pixels",
                        &l->size) &&
           dynamic_take(rsvg, "rsvg_handle_render_document", &l->render) &&
           dynamic_take(rsvg, "g_object_unref", &l->unref) &&
           dynamic_take(rsvg, "cairo_image_surface_create", &l->surface) &&
           dynamic_take(rsvg, "cairo_create", &l->cairo) &&
           dynamic_take(rsvg, "cairo_destroy", &l->cairo_free) &&
           dynamic_take(rsvg, "cairo_surface_destroy", &l->surface_free) &&
           dynamic_take(rsvg, "cairo_surface_write_to_png_stream", &l->to_png);
}

const char *picture_png_wants(void)
{
    Library l;
    return open_library(&l) ? NULL : "librsvg (Debian: librsvg2-2)";
}

static int write_bytes(void *closure, const unsigned char *data, unsigned n)
{
    enum { CAIRO_FINE = 0, CAIRO_WRITE_ERROR = 11 };
    return fwrite(data, 1, n, closure) == n ? CAIRO_FINE : CAIRO_WRITE_ERROR;
}

static bool draw(const Library *l, void *handle, FILE *out)
{
    Rectangle r = {0, 0, 0, 0};
    if (!l->size(handle, &r.width, &r.height))
        return false;
    r.width = ceil(r.width * SCALE);
    r.height = ceil(r.height * SCALE);
    if (!(r.width > 0 && r.width <= MOST_PIXELS && r.height > 0 &&
          r.height <= MOST_PIXELS))
        return false;
    void *surface = l->surface(ARGB32, (int)r.width, (int)r.height);
    void *cairo = l->cairo(surface);
    bool fine = l->render(handle, cairo, &r, NULL) &&
                l->to_png(surface, write_bytes, out) == 0;
    l->cairo_free(cairo);
    l->surface_free(surface);
    return fine;
}

bool picture_png(const char *svg, size_t n, FILE *out)
{
    Library l;
    if (!open_library(&l))
        return false;
    void *handle = l.load((const uint8_t *)svg, n, NULL);
    if (!handle)
        return false;
    bool fine = draw(&l, handle, out);
    l.unref(handle);
    return fine;
}

void picture_open(Picture *p)
{
    *p = (Picture){0};
    p->svg = open_memstream(&p->text, &p->size);
    if (!p->svg)
        die("out of memory");
}

static bool ends_in_png(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".png") == 0;
}

bool picture_save(Picture *p, const char *path, Arena *arena)
{
    OutFile f;
    bool fine = !ferror(p->svg) && fclose(p->svg) == 0;
    if (!fine)
        die("out of memory");
    fine = outfile_open(&f, path, arena);
    if (fine && ends_in_png(path)) {
        if (picture_png(p->text, p->size, f.file)) {
            fine = outfile_close(&f);
        } else {
            outfile_drop(&f);
            errno = ENOSYS;
            fine = false;
        }
    } else if (fine) {
        fwrite(p->text, 1, p->size, f.file);
        fine = outfile_close(&f);
    }
    free(p->text);
    return fine;
}
