# Layers.cmake - does a folder include only what it may see?
#
# Included by Folder.cmake, or run as the test "layers":
#   cmake -DSOURCE=src -DTABLE=build/layers.txt -P cmake/Layers.cmake

cmake_policy(VERSION 3.22)

# Stops with a message at the first file of `dir` that includes "x/..." where
# x is a folder of src but not one of `seen`.
function(takt_check_layer dir seen)
    file(GLOB files ${dir}/*.c ${dir}/*.h ${dir}/*.def)
    get_filename_component(src ${dir} DIRECTORY)
    foreach(file ${files})
        file(STRINGS ${file} includes
             REGEX "^[ \t]*#[ \t]*include[ \t]+\"[a-z_]+/")
        foreach(line ${includes})
            string(REGEX REPLACE ".*\"([a-z_]+)/.*" "\\1" folder "${line}")
            if(EXISTS ${src}/${folder} AND NOT folder IN_LIST seen)
                file(RELATIVE_PATH short ${src} ${file})
                message(FATAL_ERROR "src/${short} includes from "
                        "'${folder}', but may only see: ${seen}. See the "
                        "DEPENDS in its CMakeLists.txt and the order of the "
                        "phases in docs/architecture.md.")
            endif()
        endforeach()
    endforeach()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE AND TABLE)
    file(STRINGS ${TABLE} rows)
    foreach(row ${rows})
        string(REPLACE "=" ";" row "${row}")
        list(POP_FRONT row name)
        takt_check_layer(${SOURCE}/${name} "${row}")
    endforeach()
endif()
