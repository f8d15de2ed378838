/* tree.h - a directory with files, made for one test. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_LOAD_TREE_H
#define TAKT_TESTS_LOAD_TREE_H

#include "load/load.h"

typedef struct Tree {
    char dir[64];
    Arena *arena;
    Sources *sources;
    Intern *names;
    Diag *diag;
    Library *lib;
} Tree;

int tree_set_up(void **state);
int tree_tear_down(void **state);
/* Writes a file below the directory; directories are made. */
void tree_write(Tree *t, const char *path, const char *text);
const char *tree_path(Tree *t, const char *path);
/* The library with these -L directories (below the tree), NULL ends them. */
void tree_load(Tree *t, const char *dir, ...);
/* The messages so far, with the directory of the tree taken out. */
const char *tree_messages(Tree *t);

#endif
