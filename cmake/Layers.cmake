# Layers.cmake - does a folder include only what it may see?
#
# Included by Folder.cmake, or run as the test "layers":
#   cmake -DSOURCE=src -DTABLE=build/layers.txt -P cmake/Layers.cmake
# which also finds what is listed in vain, and folders that grew too large.

cmake_policy(VERSION 3.22)

set(TAKT_MOST_LINES 9000) # of a folder

# The folders of src that the files of `dir` include from, in `out`; of each
# the first file that does so in OUT_FOLDER.
function(takt_included dir out)
    get_filename_component(src ${dir} DIRECTORY)
    get_filename_component(self ${dir} NAME)
    file(GLOB files ${dir}/*.c ${dir}/*.h ${dir}/*.def)
    set(found)
    foreach(file ${files})
        file(STRINGS ${file} includes
             REGEX "^[ \t]*#[ \t]*include[ \t]+\"[a-z_]+/")
        foreach(line ${includes})
            string(REGEX REPLACE ".*\"([a-z_]+)/.*" "\\1" folder "${line}")
            if(EXISTS ${src}/${folder} AND NOT folder STREQUAL self
               AND NOT folder IN_LIST found)
                list(APPEND found ${folder})
                file(RELATIVE_PATH short ${src} ${file})
                set(${out}_${folder} ${short} PARENT_SCOPE)
            endif()
        endforeach()
    endforeach()
    set(${out} ${found} PARENT_SCOPE)
endfunction()

# Stops with a message at the first file of `dir` that includes "x/..." where
# x is a folder of src but not one of `seen`.
function(takt_check_layer dir seen)
    takt_included(${dir} found)
    foreach(folder ${found})
        if(NOT folder IN_LIST seen)
            message(FATAL_ERROR "src/${found_${folder}} includes from "
                    "'${folder}', but may only see: ${seen}. See the "
                    "DEPENDS in its CMakeLists.txt and the order of the "
                    "phases in docs/architecture.md.")
        endif()
    endforeach()
endfunction()

# DEPENDS lists the folders that are included from, no more and no fewer, and
# none that is declared after this one (those in `after`).
function(takt_check_depends dir depends after)
    get_filename_component(name ${dir} NAME)
    takt_included(${dir} found)
    foreach(folder ${found})
        if(folder IN_LIST after)
            message(SEND_ERROR "src/${found_${folder}} includes from "
                    "'${folder}', which comes after '${name}'")
        elseif(NOT folder IN_LIST depends)
            message(SEND_ERROR "src/${found_${folder}} includes from "
                    "'${folder}': add it to DEPENDS in "
                    "src/${name}/CMakeLists.txt")
        endif()
    endforeach()
    foreach(folder ${depends})
        if(NOT folder IN_LIST found)
            message(SEND_ERROR "src/${name} includes nothing from "
                    "'${folder}': strike it from DEPENDS in "
                    "src/${name}/CMakeLists.txt")
        endif()
    endforeach()
endfunction()

function(takt_check_size dir)
    file(GLOB files ${dir}/*.c ${dir}/*.h ${dir}/*.def)
    set(lines 0)
    foreach(file ${files})
        file(READ ${file} text)
        string(REGEX REPLACE "[^\n]+" "" text "${text}")
        string(LENGTH "${text}" n)
        math(EXPR lines "${lines} + ${n}")
    endforeach()
    if(lines GREATER TAKT_MOST_LINES)
        message(SEND_ERROR "${dir} has ${lines} lines, more than "
                "${TAKT_MOST_LINES}: it holds more than one thing")
    endif()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE AND TABLE)
    file(STRINGS ${TABLE} rows)
    set(after)
    foreach(row ${rows}) # name=depends
        string(REGEX REPLACE "=.*" "" name "${row}")
        list(APPEND after ${name})
    endforeach()
    foreach(row ${rows})
        string(REPLACE "=" ";" row "${row}")
        list(POP_FRONT row name)
        list(REMOVE_ITEM after ${name})
        takt_check_depends(${SOURCE}/${name} "${row}" "${after}")
        takt_check_size(${SOURCE}/${name})
    endforeach()
endif()
