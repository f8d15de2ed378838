# Manual.cmake - manual pages and completion, written by takt itself.
#
# The program writes them from the tables that its verbs read their options
# with, so that a page cannot forget an option. A new verb is found in verbs.def.
set(TAKT_SHARE ${CMAKE_BINARY_DIR}/share)
set(TAKT_MANUAL "")

# takt_writes(FILE ARGUMENT...): FILE is what `takt ARGUMENT...` prints.
function(takt_writes file)
    set(path ${TAKT_SHARE}/${file})
    get_filename_component(dir ${path} DIRECTORY)
    file(MAKE_DIRECTORY ${dir})
    string(JOIN " " arguments ${ARGN})
    add_custom_command(OUTPUT ${path}
        COMMAND sh -c "\"$1\" ${arguments} >\"$2\" || { rm -f \"$2\"; exit 1; }"
                sh $<TARGET_FILE:takt> ${path}
        DEPENDS takt VERBATIM)
    set(TAKT_MANUAL ${TAKT_MANUAL} ${path} PARENT_SCOPE)
endfunction()

file(STRINGS ${CMAKE_SOURCE_DIR}/src/cli/verbs.def rows REGEX "^VERB\\(")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${CMAKE_SOURCE_DIR}/src/cli/verbs.def)
takt_writes(man/man1/takt.1 --man)
foreach(row ${rows})
    string(REGEX REPLACE "^VERB\\(([a-z]+),.*" "\\1" verb "${row}")
    takt_writes(man/man1/takt-${verb}.1 --man ${verb})
endforeach()
takt_writes(bash-completion/completions/takt --completion bash)
takt_writes(zsh/site-functions/_takt --completion zsh)
add_custom_target(takt_manual ALL DEPENDS ${TAKT_MANUAL})
install(DIRECTORY ${TAKT_SHARE}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
install(DIRECTORY ${TAKT_SHARE}/bash-completion ${TAKT_SHARE}/zsh
        DESTINATION ${CMAKE_INSTALL_DATADIR})
