# Folder.cmake - one library per folder, and the direction of the phases.
#
#   takt_folder(parse DEPENDS ast)               folders it may include from
#   takt_folder(num DEPENDS base LINK suitesparse)  and libraries it uses
#
# makes the static library takt_parse of all .c files beside the caller (a
# folder with headers only becomes an interface library until it gets its first
# .c file). DEPENDS lists exactly the folders that are included from, which the
# test "layers" checks. An #include "other/..." of what is not even seen by those
# ends the configuration with a message, so that a phase cannot reach back.
include(${CMAKE_CURRENT_LIST_DIR}/Layers.cmake)

function(takt_folder name)
    cmake_parse_arguments(F "" "" "DEPENDS;LINK" ${ARGN})
    set(seen ${name})
    foreach(folder ${F_DEPENDS})
        get_property(theirs GLOBAL PROPERTY TAKT_SEEN_${folder})
        if(NOT theirs)
            message(FATAL_ERROR "src/${name} depends on '${folder}', which "
                    "is not declared before it in src/CMakeLists.txt")
        endif()
        list(APPEND seen ${theirs})
    endforeach()
    list(REMOVE_DUPLICATES seen)
    set_property(GLOBAL PROPERTY TAKT_SEEN_${name} ${seen})
    set_property(GLOBAL APPEND PROPERTY TAKT_FOLDERS ${name})
    file(APPEND ${CMAKE_BINARY_DIR}/layers.txt "${name}=${F_DEPENDS}\n")
    takt_check_layer(${CMAKE_CURRENT_SOURCE_DIR} "${seen}")

    file(GLOB sources CONFIGURE_DEPENDS *.c)
    list(FILTER sources EXCLUDE REGEX "/main\\.c$")
    set(scope INTERFACE)
    if(sources)
        set(scope PUBLIC)
        add_library(takt_${name} STATIC ${sources})
    else()
        add_library(takt_${name} INTERFACE)
    endif()
    target_include_directories(takt_${name} ${scope} ${CMAKE_SOURCE_DIR}/src
                               ${CMAKE_SOURCE_DIR}/include)
    foreach(folder ${F_DEPENDS})
        target_link_libraries(takt_${name} ${scope} takt_${folder})
    endforeach()
    foreach(package ${F_LINK})
        target_link_libraries(takt_${name} ${scope} takt::${package})
    endforeach()
endfunction()
