/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "tree.h"

static const char *resolved(Tree *t, const char *arg)
{
    LoadClass *c = load_resolve_model(t->lib, arg, t->diag);
    return c ? c->full_name : "none";
}

static void a_lone_file_means_its_last_model(void **state)
{
    Tree *t = *state;
    tree_write(t, "m.mo",
               "function f end f;\nmodel A end A;\nmodel B end B;\n"
               "partial model C end C;\nrecord R end R;\n");
    tree_load(t, NULL);
    assert_string_equal(resolved(t, tree_path(t, "m.mo")), "B");
    assert_string_equal(resolved(t, tree_path(t, "m.mo:A")), "A");
    assert_string_equal(resolved(t, tree_path(t, "m.mo:C")), "C");
    assert_string_equal(tree_messages(t), "");
}

static void a_package_that_is_alone_is_entered(void **state)
{
    Tree *t = *state;
    tree_write(t, "p.mo",
               "package P\n  model A end A;\n  model B\n    model In end In;\n"
               "  end B;\n  record R end R;\nend P;\n");
    tree_load(t, NULL);
    assert_string_equal(resolved(t, tree_path(t, "p.mo")), "P.B");
    assert_string_equal(resolved(t, tree_path(t, "p.mo:P.A")), "P.A");
    assert_string_equal(resolved(t, tree_path(t, "p.mo:B.In")), "P.B.In");
    assert_string_equal(resolved(t, "P.A"), "P.A");
    assert_string_equal(tree_messages(t), "");
}

static void the_only_class_is_meant_whatever_it_is(void **state)
{
    Tree *t = *state;
    tree_write(t, "c.mo", "partial model C end C;\n");
    tree_load(t, NULL);
    assert_string_equal(resolved(t, tree_path(t, "c.mo")), "C");
}

static void a_file_of_a_library_brings_its_library(void **state)
{
    Tree *t = *state;
    tree_write(t, "x/L/package.mo", "package L end L;\n");
    tree_write(t, "x/L/S/package.mo", "within L;\npackage S end S;\n");
    tree_write(t, "x/L/S/M.mo", "within L.S;\nmodel M end M;\n");
    tree_write(t, "x/L/S/N.mo", "within L.S;\nmodel N end N;\n");
    tree_load(t, NULL);
    LoadClass *m =
        load_resolve_model(t->lib, tree_path(t, "x/L/S/M.mo"), t->diag);
    assert_string_equal(m->full_name, "L.S.M");
    assert_non_null(load_find_child(t->lib, m->parent, "N"));
    assert_ptr_equal(load_find(t->lib, "L.S.M"), m);
    assert_string_equal(resolved(t, tree_path(t, "x/L/S/M.mo:N")), "none");
    assert_string_equal(resolved(t, "L.S.N"), "L.S.N");
}

static void package_mo_means_its_directory(void **state)
{
    Tree *t = *state;
    tree_write(t, "x/L/package.mo", "package L end L;\n");
    tree_write(t, "x/L/M.mo", "within L;\nmodel M end M;\n");
    tree_load(t, NULL);
    assert_string_equal(resolved(t, tree_path(t, "x/L/package.mo")), "L.M");
    assert_string_equal(resolved(t, tree_path(t, "x/L")), "L.M");
    assert_string_equal(resolved(t, tree_path(t, "x/L/package.mo:M")), "L.M");
    assert_string_equal(tree_messages(t), "");
}

static void package_mo_of_a_package_inside_means_that_package(void **state)
{
    Tree *t = *state;
    tree_write(t, "x/L/package.mo", "package L end L;\n");
    tree_write(t, "x/L/S/package.mo", "within L;\npackage S end S;\n");
    tree_write(t, "x/L/S/M.mo", "within L.S;\nmodel M end M;\n");
    tree_write(t, "libs/S.mo", "package S model Other end Other; end S;\n");
    tree_load(t, "libs", NULL);
    assert_string_equal(resolved(t, tree_path(t, "x/L/S")), "L.S.M");
    assert_string_equal(resolved(t, tree_path(t, "x/L/S/package.mo")), "L.S.M");
    assert_string_equal(tree_messages(t), "");
}

static void a_file_within_a_package_joins_it(void **state)
{
    Tree *t = *state;
    tree_write(t, "libs/L.mo", "package L\n  model A end A;\nend L;\n");
    tree_write(t, "new.mo", "within L;\nmodel B end B;\n");
    tree_write(t, "other.mo", "within L;\nblock A end A;\n");
    tree_load(t, "libs", NULL);
    assert_string_equal(resolved(t, tree_path(t, "new.mo")), "L.B");
    assert_string_equal(resolved(t, tree_path(t, "other.mo")), "L.A");
    assert_int_equal(load_find(t->lib, "L.A")->ast->kind, CK_BLOCK);
    assert_non_null(load_find(t->lib, "L.B"));
}

static void missing_classes_are_named_with_a_suggestion(void **state)
{
    Tree *t = *state;
    tree_write(t, "libs/Lib.mo",
               "package Lib\n  model Resistor end Resistor;\nend Lib;\n");
    tree_write(t, "m.mo", "model Tank end Tank;\n");
    tree_write(t, "empty.mo", "// nothing\n");
    tree_load(t, "libs", NULL);
    assert_string_equal(resolved(t, "Lib.Resistr"), "none");
    assert_string_equal(resolved(t, "Lob.Resistor"), "none");
    assert_string_equal(resolved(t, tree_path(t, "m.mo:Tonk")), "none");
    assert_string_equal(resolved(t, tree_path(t, "no.mo")), "none");
    assert_string_equal(resolved(t, tree_path(t, "empty.mo")), "none");
    assert_string_equal(
        tree_messages(t),
        "error: there is no class 'Resistr' in 'Lib' [E0202]\n"
        "note: did you mean 'Resistor'?\n"
        "error: there is no class 'Lob'; name the directory of its library "
        "with -L DIR or in MODELICAPATH [E0202]\n"
        "note: did you mean 'Lib'?\n"
        "error: m.mo has no class 'Tonk' [E0202]\n"
        "note: did you mean 'Tank'?\n"
        "error: no.mo: No such file or directory [E0201]\n"
        "error: empty.mo: there is no class in this file [E0210]\n");
}

static void addresses_lead_to_the_directory_of_the_package(void **state)
{
    Tree *t = *state;
    tree_write(t, "libs/L/package.mo", "package L end L;\n");
    tree_write(t, "libs/L/F.mo",
               "within L;\npackage F\n  model M end M;\nend F;\n");
    tree_write(t, "libs/One.mo", "package One end One;\n");
    tree_load(t, "libs", NULL);
    const char *dir = tree_path(t, "libs");
#define PATH(uri)  load_uri_path(t->lib, uri, NO_SPAN)
#define HERE(rest) arena_printf(t->arena, "%s/%s", dir, rest)
    assert_string_equal(PATH("modelica://L/Resources/a%20b.txt"),
                        HERE("L/Resources/a b.txt"));
    assert_string_equal(PATH("modelica://L.F.M/x.txt"), HERE("L/x.txt"));
    assert_string_equal(PATH("Modelica://L"), HERE("L"));
    assert_string_equal(PATH("modelica://One/x"), HERE("x"));
    assert_string_equal(PATH("file:///a/b"), "/a/b");
    assert_string_equal(PATH("data/table.txt"), "data/table.txt");
    assert_null(PATH("modelica://Nobody/x"));
    assert_null(PATH("modelica:///x"));
    assert_int_equal(diag_count(t->diag, DIAG_ERROR), 2);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, tree_set_up, tree_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_lone_file_means_its_last_model),
        TEST(a_package_that_is_alone_is_entered),
        TEST(the_only_class_is_meant_whatever_it_is),
        TEST(a_file_of_a_library_brings_its_library),
        TEST(package_mo_means_its_directory),
        TEST(package_mo_of_a_package_inside_means_that_package),
        TEST(a_file_within_a_package_joins_it),
        TEST(missing_classes_are_named_with_a_suggestion),
        TEST(addresses_lead_to_the_directory_of_the_package),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
