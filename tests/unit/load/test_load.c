/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tree.h"

/* A library in all three forms: nested, file, directory. */
static void write_library(Tree *t)
{
    tree_write(t, "libs/Lib/package.mo",
               "within ;\npackage Lib\n  constant Real g = 9.81;\n"
               "  model Inside\n    model Deep end Deep;\n  end Inside;\n"
               "  annotation(version = \"1.0\");\nend Lib;\n");
    tree_write(t, "libs/Lib/package.order", "g\nSub\nInside\nFile\n");
    tree_write(t, "libs/Lib/File.mo",
               "within Lib;\npackage File\n  model M end M;\nend File;\n");
    tree_write(t, "libs/Lib/Sub/package.mo",
               "within Lib;\npackage Sub end Sub;\n");
    tree_write(t, "libs/Lib/Sub/Leaf.mo",
               "within Lib.Sub;\nmodel Leaf end Leaf;\n");
    tree_write(t, "libs/Lib/Resources/readme.txt", "no class\n");
    tree_write(t, "libs/Alone.mo", "record Alone end Alone;\n");
}

static void classes_are_found_in_all_forms_of_a_package(void **state)
{
    Tree *t = *state;
    write_library(t);
    tree_load(t, "libs", NULL);
    LoadClass *deep = load_find(t->lib, "Lib.Inside.Deep");
    assert_non_null(deep);
    assert_string_equal(deep->full_name, "Lib.Inside.Deep");
    assert_string_equal(deep->parent->name, "Inside");
    assert_non_null(deep->elem);
    LoadClass *leaf = load_find(t->lib, "Lib.Sub.Leaf");
    assert_string_equal(leaf->full_name, "Lib.Sub.Leaf");
    assert_null(leaf->elem);
    assert_non_null(leaf->parent->directory);
    assert_int_equal(load_find(t->lib, "Lib.File.M")->ast->kind, CK_MODEL);
    assert_int_equal(load_find(t->lib, "Alone")->ast->kind, CK_RECORD);
    assert_null(load_find(t->lib, "Lib.Resources"));
    assert_null(load_find(t->lib, "Lib.package"));
    assert_null(load_find(t->lib, "Lib.g"));
    assert_null(load_find(t->lib, "Lib..Sub"));
    assert_null(load_find(t->lib, "Nobody"));
    assert_string_equal(tree_messages(t), "");
}

static void a_class_has_one_address(void **state)
{
    Tree *t = *state;
    write_library(t);
    tree_load(t, "libs", NULL);
    LoadClass *lib = load_find_top(t->lib, "Lib");
    assert_ptr_equal(lib, load_find_top(t->lib, "Lib"));
    char name[] = "Sub"; /* not interned */
    assert_ptr_equal(load_find_child(t->lib, lib, name),
                     load_find(t->lib, "Lib.Sub"));
}

static void files_are_read_when_asked_for(void **state)
{
    Tree *t = *state;
    write_library(t);
    tree_load(t, "libs", NULL);
    assert_int_equal(load_file_count(t->lib), 0);
    load_find(t->lib, "Lib.Inside");
    assert_int_equal(load_file_count(t->lib), 1);
    assert_int_equal(load_child_count(t->lib, load_find(t->lib, "Lib")), 3);
    assert_int_equal(load_file_count(t->lib), 1);
    load_find(t->lib, "Lib.Sub.Leaf");
    assert_int_equal(load_file_count(t->lib), 3);
}

static void children_keep_the_order_of_package_order(void **state)
{
    Tree *t = *state;
    write_library(t);
    tree_write(t, "libs/Lib/Another.mo",
               "within Lib;\nmodel Another end Another;\n");
    tree_load(t, "libs", NULL);
    LoadClass *lib = load_find_top(t->lib, "Lib");
    const char *want[] = {"Sub", "Inside", "File", "Another"};
    assert_int_equal(load_child_count(t->lib, lib), 4);
    for (int i = 0; i < 4; i++)
        assert_string_equal(load_child_name(t->lib, lib, i), want[i]);
    assert_string_equal(tree_messages(t), "");
}

static void a_directory_that_is_a_library_may_be_named_itself(void **state)
{
    Tree *t = *state;
    write_library(t);
    tree_load(t, "libs/Lib/", "libs/Alone.mo", NULL);
    assert_non_null(load_find(t->lib, "Lib.Sub.Leaf"));
    assert_non_null(load_find(t->lib, "Alone"));
    assert_string_equal(tree_messages(t), "");
}

static void modelicapath_is_searched_behind_the_options(void **state)
{
    Tree *t = *state;
    tree_write(t, "a/X.mo", "model X end X;\n");
    tree_write(t, "b/X.mo", "block X end X;\n");
    tree_write(t, "b/Y.mo", "block Y end Y;\n");
    setenv("MODELICAPATH",
           arena_printf(t->arena, "/nowhere::%s:", tree_path(t, "b")), 1);
    tree_load(t, "a", NULL);
    assert_int_equal(load_find(t->lib, "X")->ast->kind, CK_MODEL);
    assert_int_equal(load_find(t->lib, "Y")->ast->kind, CK_BLOCK);
    assert_string_equal(tree_messages(t), "");
    LoadOptions opt = {.no_path = true};
    Library *lib = load_new(&opt, t->sources, t->names, t->arena, t->diag);
    assert_null(load_find(lib, "Y"));
    unsetenv("MODELICAPATH");
}

static void own_services_win_and_own_models_come_last(void **state)
{
    Tree *t = *state;
    tree_write(t, "own/ModelicaServices/package.mo",
               "package ModelicaServices\n  constant Integer own = 1;\n"
               "end ModelicaServices;\n");
    tree_write(t, "own/Takt/package.mo", "package Takt end Takt;\n");
    tree_write(t, "libs/ModelicaServices/package.mo",
               "package ModelicaServices end ModelicaServices;\n");
    tree_write(t, "libs/Takt.mo", "model Takt end Takt;\n");
    tree_load(t, "libs", NULL);
    assert_int_equal(load_find(t->lib, "ModelicaServices")->ast->nelem, 1);
    assert_int_equal(load_find(t->lib, "Takt")->ast->kind, CK_MODEL);
    tree_load(t, NULL);
    assert_int_equal(load_find(t->lib, "Takt")->ast->kind, CK_PACKAGE);
    assert_string_equal(tree_messages(t), "");
}

static void top_level_names_can_be_listed(void **state)
{
    Tree *t = *state;
    write_library(t);
    tree_write(t, "libs/notes.txt", "");
    tree_write(t, "libs/1st.mo", "");
    tree_write(t, "libs/-x.mo", "");
    tree_write(t, "libs/Lib 0.9/package.mo", "package Lib end Lib;\n");
    tree_load(t, "libs", NULL);
    assert_int_equal(load_child_count(t->lib, NULL), 2);
    assert_string_equal(load_child_name(t->lib, NULL, 0), "Alone");
    assert_string_equal(load_child_name(t->lib, NULL, 1), "Lib");
}

static void quoted_names_may_hold_dots(void **state)
{
    Tree *t = *state;
    tree_write(t, "libs/P.mo",
               "package P\n  package 'a.b'\n    model 'it\\'s' end 'it\\'s';\n"
               "  end 'a.b';\nend P;\n");
    tree_load(t, "libs", NULL);
    LoadClass *c = load_find(t->lib, "P.'a.b'.'it\\'s'");
    assert_non_null(c);
    assert_string_equal(c->full_name, "P.'a.b'.'it\\'s'");
    assert_null(load_find(t->lib, "P.'a"));
}

static void a_link_that_leads_back_is_an_error(void **state)
{
    Tree *t = *state;
    tree_write(t, "libs/A/package.mo", "package A end A;\n");
    assert_int_equal(symlink("../A", tree_path(t, "libs/A/B")), 0);
    assert_int_equal(symlink("C.mo", tree_path(t, "libs/A/C.mo")), 0);
    tree_load(t, "libs", NULL);
    assert_null(load_find(t->lib, "A.B"));
    assert_null(load_find(t->lib, "A.C"));
    assert_string_equal(
        tree_messages(t),
        "error: libs/A/B: this directory leads to one that it lies in [E0211]\n"
        "error: libs/A/C.mo: Too many levels of symbolic links [E0201]\n");
}

static void a_huge_directory_is_an_error(void **state)
{
    Tree *t = *state;
    mkdir(tree_path(t, "many"), 0777);
    for (int i = 0; i < 100002; i++) {
        const char *path =
            tree_path(t, arena_printf(t->arena, "many/x%d.mo", i));
        if (mknod(path, S_IFREG | 0666, 0) != 0) {
            skip();
        }
    }
    tree_load(t, "many", NULL);
    assert_null(load_find(t->lib, "Nobody"));
    assert_string_equal(
        tree_messages(t),
        "error: many: this directory has more than 100000 entries; takt reads "
        "no more [E0211]\n");
}

static void what_cannot_be_read_is_named(void **state)
{
    Tree *t = *state;
    tree_write(t, "libs/A/package.mo", "package A end A;\n");
    mkdir(tree_path(t, "libs/A/D.mo"), 0777);
    tree_load(t, "libs", "nowhere", NULL);
    assert_null(load_find(t->lib, "A.D"));
    assert_null(load_find(t->lib, "A.D")); /* said once */
    assert_string_equal(tree_messages(t),
                        "error: nowhere: No such file or directory [E0201]\n"
                        "error: libs/A/D.mo: Is a directory [E0201]\n");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, tree_set_up, tree_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(classes_are_found_in_all_forms_of_a_package),
        TEST(a_class_has_one_address),
        TEST(files_are_read_when_asked_for),
        TEST(children_keep_the_order_of_package_order),
        TEST(a_directory_that_is_a_library_may_be_named_itself),
        TEST(modelicapath_is_searched_behind_the_options),
        TEST(own_services_win_and_own_models_come_last),
        TEST(top_level_names_can_be_listed),
        TEST(quoted_names_may_hold_dots),
        TEST(a_link_that_leads_back_is_an_error),
        TEST(a_huge_directory_is_an_error),
        TEST(what_cannot_be_read_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
