# Packages.cmake - the libraries takt stands on, each as a target takt::NAME.
# Debian gives some of them no CMake file, so all are found the plain way.
function(takt_package name header)
    cmake_parse_arguments(P "" "SUFFIX" "LIBS" ${ARGN})
    find_path(TAKT_${name}_INCLUDE ${header} PATH_SUFFIXES ${P_SUFFIX})
    set(found ${TAKT_${name}_INCLUDE})
    set(libs)
    foreach(lib ${P_LIBS})
        find_library(TAKT_${name}_${lib} ${lib})
        list(APPEND libs ${TAKT_${name}_${lib}})
        if(NOT TAKT_${name}_${lib})
            set(found FALSE)
        endif()
    endforeach()
    if(NOT found)
        message(FATAL_ERROR "${name} is missing (${header}; ${P_LIBS}). "
                "`make packages` installs what takt needs on Debian.")
    endif()
    add_library(takt::${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(takt::${name} INTERFACE
                               ${TAKT_${name}_INCLUDE})
    target_link_libraries(takt::${name} INTERFACE ${libs})
endfunction()

# takt::NAME_later: a library that base/dynamic.h loads when it is needed, by its
# file name TAKT_LATER_NAME; takt::NAME, linked as usual, is for tests.
function(takt_later name lib)
    execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${TAKT_${name}_${lib}}
                    OUTPUT_VARIABLE head)
    if(NOT head MATCHES "SONAME +([^ \n]+)")
        message(FATAL_ERROR "${TAKT_${name}_${lib}} has no SONAME")
    endif()
    add_library(takt::${name}_later INTERFACE IMPORTED GLOBAL)
    target_include_directories(takt::${name}_later INTERFACE
                               ${TAKT_${name}_INCLUDE})
    target_compile_definitions(takt::${name}_later INTERFACE
                               TAKT_LATER_${name}="${CMAKE_MATCH_1}")
endfunction()

takt_package(cjson cJSON.h SUFFIX cjson LIBS cjson)
takt_package(lapacke lapacke.h LIBS lapacke lapack blas)
takt_package(suitesparse klu.h SUFFIX suitesparse
             LIBS klu btf amd colamd cxsparse suitesparseconfig)
takt_package(sundials sundials/sundials_types.h
             LIBS sundials_ida sundials_cvode sundials_kinsol
                  sundials_nvecserial sundials_sunlinsolklu
                  sundials_sunmatrixsparse sundials_sunlinsoldense
                  sundials_sunmatrixdense)
takt_package(matio matio.h LIBS matio)
takt_package(hdf5 hdf5.h SUFFIX hdf5/serial LIBS hdf5_serial)
takt_package(zip zip.h LIBS zip)
takt_later(lapacke lapacke)
takt_later(zip zip)
takt_later(matio matio)
takt_later(hdf5 hdf5_serial)
takt_package(expat expat.h LIBS expat)
# quadruple precision: part of GCC where the type is not one of the machine's own
add_library(takt::quadmath INTERFACE IMPORTED GLOBAL)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|i.86|ppc64")
    target_link_libraries(takt::quadmath INTERFACE quadmath)
endif()
if(TAKT_TESTS)
    takt_package(cmocka cmocka.h LIBS cmocka)
endif()
