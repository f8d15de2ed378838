/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "support/random.h"

typedef struct Fixture {
    Arena *arena;
    char dir[64];
    const char *path;
} Fixture;

static int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    f->arena = arena_new();
    strcpy(f->dir, "/tmp/takt_file_XXXXXX");
    if (!mkdtemp(f->dir))
        return -1;
    f->path = arena_printf(f->arena, "%s/out.csv", f->dir);
    *state = f;
    return 0;
}

/* A temporary file that was left behind keeps the directory: rmdir fails. */
static int tear_down(void **state)
{
    Fixture *f = *state;
    unlink(f->path);
    int failed = rmdir(f->dir);
    arena_free(f->arena);
    free(f);
    return failed;
}

static void assert_holds(const char *path, const char *expected)
{
    char text[64] = "";
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    size_t n = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    assert_int_equal(n, strlen(expected));
    assert_string_equal(text, expected);
}

static void a_file_appears_when_it_is_closed(void **state)
{
    Fixture *f = *state;
    OutFile out;
    assert_true(outfile_open(&out, f->path, f->arena));
    fputs("t,x\n", out.file);
    assert_int_not_equal(access(f->path, F_OK), 0);
    assert_true(outfile_close(&out));
    assert_holds(f->path, "t,x\n");
    mode_t mask = umask(0);
    umask(mask);
    struct stat st;
    stat(f->path, &st);
    assert_int_equal(st.st_mode & 0777, 0666 & ~mask);
}

static void an_older_file_survives_what_is_dropped(void **state)
{
    Fixture *f = *state;
    OutFile out;
    assert_true(outfile_open(&out, f->path, f->arena));
    fputs("old", out.file);
    assert_true(outfile_close(&out));
    assert_true(outfile_open(&out, f->path, f->arena));
    fputs("new", out.file);
    outfile_drop(&out);
    assert_holds(f->path, "old");
}

/* Every possible place of the first failing write. */
static void a_failed_write_leaves_the_older_file(void **state)
{
    Fixture *f = *state;
    enum { SIZE = 10000, STEP = 617 };
    OutFile out;
    assert_true(outfile_open(&out, f->path, f->arena));
    fputs("old", out.file);
    assert_true(outfile_close(&out));

    struct rlimit usual, small;
    getrlimit(RLIMIT_FSIZE, &usual);
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    for (rlim_t limit = 0; limit < SIZE; limit += STEP) {
        assert_true(outfile_open(&out, f->path, f->arena));
        small = (struct rlimit){limit, usual.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        for (int i = 0; i < SIZE; i++)
            fputc('x', out.file);
        bool closed = outfile_close(&out);
        int why = errno;
        setrlimit(RLIMIT_FSIZE, &usual);
        assert_false(closed);
        assert_int_not_equal(why, 0);
        assert_holds(f->path, "old");
    }
    signal(SIGXFSZ, before);
}

static void what_cannot_be_opened_says_why(void **state)
{
    Fixture *f = *state;
    OutFile out;
    assert_false(outfile_open(&out, "/nowhere/out.csv", f->arena));
    assert_int_equal(errno, ENOENT);
    assert_false(outfile_open(&out, f->dir, f->arena));
    assert_int_equal(errno, EISDIR);
}

static void a_device_is_written_to_not_replaced(void **state)
{
    Fixture *f = *state;
    OutFile out;
    assert_true(outfile_open(&out, "/dev/null", f->arena));
    fputs("x", out.file);
    assert_true(outfile_close(&out));
    struct stat st;
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    assert_true(outfile_open(&out, "-", f->arena));
    assert_ptr_equal(out.file, stdout);
    assert_true(outfile_close(&out));
}

static void numbers_are_short_and_come_back(void **state)
{
    (void)state;
    char s[32];
    assert_string_equal(number_text(0.1, s), "0.1");
    assert_string_equal(number_text(1, s), "1");
    assert_string_equal(number_text(-2.5e-7, s), "-2.5e-07");
    assert_string_equal(number_text(0.1 + 0.2, s), "0.30000000000000004");
    assert_string_equal(number_text(INFINITY, s), "1e999");
    assert_string_equal(number_text(-INFINITY, s), "-1e999");
    assert_string_equal(number_text(NAN, s), "nan");
    assert_string_equal(number_text(-0.0, s), "-0");
    assert_true(strtod(number_text(DBL_MAX, s), NULL) == DBL_MAX);
    assert_true(strtod(number_text(5e-324, s), NULL) == 5e-324);
    Random r = random_start("test_file");
    for (int i = 0; i < 20000; i++) {
        union {
            uint64_t bits;
            double x;
        } u = {random_bits(&r)};
        if (isfinite(u.x))
            assert_true(strtod(number_text(u.x, s), NULL) == u.x);
        assert_true(strlen(s) < 32);
    }
}

static void a_name_stays_in_its_directory(void **state)
{
    Fixture *f = *state;
    char text[1001];
    memset(text, 'x', 1000);
    text[1000] = '\0';
    assert_string_equal(outfile_name("Lib.Tank_1", f->arena), "Lib.Tank_1");
    assert_string_equal(outfile_name("'../../x'", f->arena), "_.._.._x_");
    assert_string_equal(outfile_name("../x", f->arena), "_._x");
    assert_string_equal(outfile_name("-o\n$(x)", f->arena), "_o___x_");
    assert_string_equal(outfile_name("\xC3\xA4", f->arena), "\xC3\xA4");
    assert_int_equal(strlen(outfile_name(text, f->arena)), 200);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_file_appears_when_it_is_closed),
        CASE(an_older_file_survives_what_is_dropped),
        CASE(a_failed_write_leaves_the_older_file),
        CASE(what_cannot_be_opened_says_why),
        CASE(a_device_is_written_to_not_replaced),
        CASE(a_name_stays_in_its_directory),
        cmocka_unit_test(numbers_are_short_and_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
