/* fmilib.c - a co-simulation FMU run by fmi-library (Modelon), which takt did
 * not write:
 *
 *     fmilib FMU FOLDER H STEPS NAME...
 *
 * unpacks the FMU into FOLDER and prints the variables NAME..., a line for each
 * communication point, to the last bit. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <JM/jm_portability.h>
#include <fmilib.h>

static void say(jm_callbacks *c, jm_string module, jm_log_level_enu_t level,
                jm_string message)
{
    (void)c, (void)level;
    fprintf(stderr, "%s: %s\n", module, message);
}

static void need(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fmi-library: %s\n", what);
    exit(1);
}

/* ---- FMI 2 ---- */

static double value2(fmi2_import_t *f, fmi2_import_variable_t *v)
{
    fmi2_value_reference_t r = fmi2_import_get_variable_vr(v);
    fmi2_real_t x = 0;
    fmi2_integer_t n = 0;
    fmi2_boolean_t b = 0;
    switch (fmi2_import_get_variable_base_type(v)) {
    case fmi2_base_type_real:
        need(fmi2_import_get_real(f, &r, 1, &x) == fmi2_status_ok, "get");
        return x;
    case fmi2_base_type_bool:
        need(fmi2_import_get_boolean(f, &r, 1, &b) == fmi2_status_ok, "get");
        return b;
    default:
        need(fmi2_import_get_integer(f, &r, 1, &n) == fmi2_status_ok, "get");
        return n;
    }
}

static void run2(fmi_import_context_t *context, const char *folder, double h,
                 long steps, char **name, int n)
{
    fmi2_import_t *f = fmi2_import_parse_xml(context, folder, NULL);
    fmi2_callback_functions_t call = {fmi2_log_forwarding, calloc, free, NULL,
                                      NULL};
    need(f != NULL, "modelDescription.xml");
    need(fmi2_import_create_dllfmu(f, fmi2_fmu_kind_cs, &call) ==
             jm_status_success,
         "the binary");
    need(fmi2_import_instantiate(f, "one", fmi2_cosimulation, NULL, 0) ==
             jm_status_success,
         "instantiate");
    need(fmi2_import_setup_experiment(f, 0, 0, 0, 0, 0) == fmi2_status_ok,
         "setup");
    need(fmi2_import_enter_initialization_mode(f) == fmi2_status_ok, "enter");
    need(fmi2_import_exit_initialization_mode(f) == fmi2_status_ok, "exit");
    for (long k = 0;; k++) {
        for (int i = 0; i < n; i++) {
            fmi2_import_variable_t *v =
                fmi2_import_get_variable_by_name(f, name[i]);
            need(v != NULL, name[i]);
            printf("%s%.17g", i ? "," : "", value2(f, v));
        }
        printf("\n");
        if (k == steps)
            break;
        fmi2_status_t s = fmi2_import_do_step(f, (double)k * h, h, 1);
        need(s == fmi2_status_ok || s == fmi2_status_warning, "step");
    }
    fmi2_import_terminate(f);
    fmi2_import_free_instance(f);
    fmi2_import_destroy_dllfmu(f);
    fmi2_import_free(f);
}

/* ---- FMI 3 ---- */

static double value3(fmi3_import_t *f, fmi3_import_variable_t *v)
{
    fmi3_value_reference_t r = fmi3_import_get_variable_vr(v);
    fmi3_float64_t x = 0;
    fmi3_int32_t n = 0;
    fmi3_int64_t e = 0;
    fmi3_boolean_t b = 0;
    switch (fmi3_import_get_variable_base_type(v)) {
    case fmi3_base_type_float64:
        need(fmi3_import_get_float64(f, &r, 1, &x, 1) == fmi3_status_ok, "get");
        return x;
    case fmi3_base_type_bool:
        need(fmi3_import_get_boolean(f, &r, 1, &b, 1) == fmi3_status_ok, "get");
        return b;
    case fmi3_base_type_enum:
        need(fmi3_import_get_int64(f, &r, 1, &e, 1) == fmi3_status_ok, "get");
        return (double)e;
    default:
        need(fmi3_import_get_int32(f, &r, 1, &n, 1) == fmi3_status_ok, "get");
        return n;
    }
}

static void run3(fmi_import_context_t *context, const char *folder, double h,
                 long steps, char **name, int n)
{
    fmi3_import_t *f = fmi3_import_parse_xml(context, folder, NULL);
    need(f != NULL, "modelDescription.xml");
    need(fmi3_import_create_dllfmu(f, fmi3_fmu_kind_cs, NULL, NULL) ==
             jm_status_success,
         "the binary");
    need(fmi3_import_instantiate_co_simulation(f, "one", NULL, 0, 0, 0, 0, NULL,
                                               0, NULL) == jm_status_success,
         "instantiate");
    need(fmi3_import_enter_initialization_mode(f, 0, 0, 0, 0, 0) ==
             fmi3_status_ok,
         "enter");
    need(fmi3_import_exit_initialization_mode(f) == fmi3_status_ok, "exit");
    for (long k = 0;; k++) {
        fmi3_boolean_t event, end, early;
        fmi3_float64_t last;
        for (int i = 0; i < n; i++) {
            fmi3_import_variable_t *v =
                fmi3_import_get_variable_by_name(f, name[i]);
            need(v != NULL, name[i]);
            printf("%s%.17g", i ? "," : "", value3(f, v));
        }
        printf("\n");
        if (k == steps)
            break;
        fmi3_status_t s = fmi3_import_do_step(f, (double)k * h, h, 1, &event,
                                              &end, &early, &last);
        need(s == fmi3_status_ok || s == fmi3_status_warning, "step");
    }
    fmi3_import_terminate(f);
    fmi3_import_free_instance(f);
    fmi3_import_destroy_dllfmu(f);
    fmi3_import_free(f);
}

int main(int argc, char **argv)
{
    jm_callbacks call = {0};
    need(argc > 5, "FMU FOLDER H STEPS NAME...");
    call.malloc = malloc;
    call.calloc = calloc;
    call.realloc = realloc;
    call.free = free;
    call.logger = say;
    call.log_level = jm_log_level_warning;
    fmi_import_context_t *context = fmi_import_allocate_context(&call);
    fmi_version_enu_t version =
        fmi_import_get_fmi_version(context, argv[1], argv[2]);
    double h = strtod(argv[3], NULL);
    long steps = strtol(argv[4], NULL, 10);
    if (version == fmi_version_2_0_enu)
        run2(context, argv[2], h, steps, argv + 5, argc - 5);
    else
        run3(context, argv[2], h, steps, argv + 5, argc - 5);
    fmi_import_free_context(context);
    return 0;
}
