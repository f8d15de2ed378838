/* cache.c - finds, compares, copies. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/cache.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the key ---- */

static const char *compiler_of(const CompileJob *job)
{
    const char *cc = getenv("CC");
    return job->compiler ? job->compiler : cc && *cc ? cc : "cc";
}

/* Size and time of the compiler's file: another one makes other code. */
static const char *compiler_stamp(const char *command, Arena *arena)
{
    const char *path = getenv("PATH");
    char name[256];
    size_t n = strcspn(command, " \t");
    struct stat s;
    if (n >= sizeof name)
        return "";
    snprintf(name, sizeof name, "%.*s", (int)n, command);
    for (const char *at = path; !strchr(name, '/') && at && *at;) {
        size_t k = strcspn(at, ":");
        const char *full = arena_printf(arena, "%.*s/%s", (int)k, at, name);
        if (stat(full, &s) == 0)
            return arena_printf(arena, "%s %lld %lld.%09ld", full,
                                (long long)s.st_size, (long long)s.st_mtime,
                                s.st_mtim.tv_nsec);
        at += k + (at[k] == ':');
    }
    if (stat(name, &s) != 0)
        return "";
    return arena_printf(arena, "%s %lld %lld", name, (long long)s.st_size,
                        (long long)s.st_mtime);
}

static const char *make_key(const CompileJob *job, Arena *arena)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    const char *cc = compiler_of(job);
    fprintf(f, "%s\n%s\n", cc, compiler_stamp(cc, arena));
    for (const char *const *w = job->option; w && *w; w++)
        fprintf(f, "%s\n", *w);
    for (const char *const *w = job->library; w && *w; w++)
        fprintf(f, "%s\n", *w);
    for (int i = 0; i < job->nfile; i++)
        fprintf(f, "%s %zu\n%s\n", job->file[i].name, strlen(job->file[i].text),
                job->file[i].text);
    fclose(f);
    const char *key = arena_strndup(arena, text, size);
    free(text);
    return key;
}

/* FNV-1a: names the files; equality is that of the keys. */
static uint64_t hash(const char *text)
{
    uint64_t h = 14695981039346656037u;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h;
}

/* ---- the folder ---- */

static bool is_ours(const char *path, bool is_folder)
{
    struct stat s;
    return lstat(path, &s) == 0 && s.st_uid == geteuid() &&
           (s.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
           (is_folder ? S_ISDIR(s.st_mode) : S_ISREG(s.st_mode));
}

/* Makes the folder and the one above it where they are missing. */
static const char *find_dir(Arena *arena)
{
    const char *own = getenv("TAKT_CACHE"), *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME"), *base = NULL;
    if (own && !*own)
        return NULL;
    if (!own && xdg && *xdg == '/')
        base = xdg;
    else if (!own && home && *home == '/')
        base = arena_printf(arena, "%s/.cache", home);
    if (!own && !base)
        return NULL;
    const char *dir = own ? own : arena_printf(arena, "%s/takt", base);
    if (base)
        mkdir(base, 0700);
    if (mkdir(dir, 0700) != 0 && errno != EEXIST)
        return NULL;
    return is_ours(dir, true) ? dir : NULL;
}

Cache cache_of(const CompileJob *job, Arena *arena)
{
    Cache c = {.dir = find_dir(arena)};
    if (!c.dir || !(c.key = make_key(job, arena)))
        return (Cache){0};
    const char *base = arena_printf(arena, "%s/%016llx", c.dir,
                                    (unsigned long long)hash(c.key));
    c.made = arena_printf(arena, "%s.so", base);
    c.kept = arena_printf(arena, "%s.key", base);
    return c;
}

static bool is_same(const char *path, const char *text)
{
    FILE *f = fopen(path, "r");
    size_t n = strlen(text), at = 0;
    char piece[4096];
    if (!f)
        return false;
    for (size_t k; (k = fread(piece, 1, sizeof piece, f)) > 0; at += k)
        if (at + k > n || memcmp(piece, text + at, k))
            break;
    bool same = at == n && feof(f);
    fclose(f);
    return same;
}

bool cache_has(const Cache *c)
{
    return c->dir && is_ours(c->made, false) && is_ours(c->kept, false) &&
           is_same(c->kept, c->key);
}

/* ---- keeping ---- */

static void drop_oldest(const Cache *c)
{
    char path[4096], oldest[4096] = "";
    struct stat s;
    time_t least = 0;
    int n = 0;
    DIR *d = opendir(c->dir);
    for (struct dirent *e; d && (e = readdir(d));) {
        size_t size = strlen(e->d_name);
        if (size < 4 || strcmp(e->d_name + size - 3, ".so") ||
            snprintf(path, sizeof path, "%s/%s", c->dir, e->d_name) >=
                (int)sizeof path ||
            stat(path, &s) != 0)
            continue;
        if (n++ == 0 || s.st_mtime < least) {
            least = s.st_mtime;
            memcpy(oldest, path, sizeof path);
        }
    }
    if (d)
        closedir(d);
    if (n <= CACHE_MOST)
        return;
    unlink(oldest);
    memcpy(oldest + strlen(oldest) - 2, "key", 4);
    unlink(oldest);
}

/* Whole or not at all. */
static bool put_file(const char *path, const char *from, const char *text)
{
    char temp[4096], piece[1 << 14];
    if (snprintf(temp, sizeof temp, "%s.%ld", path, (long)getpid()) >=
        (int)sizeof temp)
        return false;
    FILE *in = from ? fopen(from, "r") : NULL;
    FILE *out = from && !in ? NULL : fopen(temp, "w");
    bool fine = out != NULL;
    if (fine && text)
        fine = fputs(text, out) >= 0;
    for (size_t k; fine && in && (k = fread(piece, 1, sizeof piece, in)) > 0;)
        fine = fwrite(piece, 1, k, out) == k;
    if (in)
        fclose(in);
    if (out)
        fine = (fclose(out) == 0) & fine;
    if (fine)
        fine = chmod(temp, 0600) == 0 && rename(temp, path) == 0;
    if (out && !fine)
        unlink(temp);
    return fine;
}

void cache_keep(const Cache *c, const char *made)
{
    if (!c->dir)
        return;
    unlink(c->kept); /* without a key there is nothing to be found */
    if (put_file(c->made, made, NULL) && put_file(c->kept, NULL, c->key))
        drop_oldest(c);
}
