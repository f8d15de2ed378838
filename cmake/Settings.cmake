# Settings.cmake - language, warnings, build types.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# What one clone has compiled serves the next, wherever it lies.
find_program(CCACHE ccache)
if(CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER env
        CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()

# asserts stay in: they say "internal error" instead of wrong numbers. Lines of stacks
# are enough: with -g a sixth of the time to compile is for what Debug has too.
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1")
set(CMAKE_C_FLAGS_DEBUG "-O0 -g")
add_compile_options(-Wall -Wextra -Wshadow -Wstrict-prototypes -Werror
                    -ffp-contract=off)
add_compile_definitions(_DEFAULT_SOURCE _XOPEN_SOURCE=700)

if(TAKT_SANITIZE)
    add_compile_definitions(TAKT_SANITIZED)
    set(CMAKE_C_FLAGS_RELEASE "-O1 -g1")
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
    # Each check has a record with addresses. Where these are relocated, takt starts in
    # 55 ms, else in 30, and scripts start it thousands of times.
    set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
    add_compile_options(-fno-pie)
    set(CMAKE_EXE_LINKER_FLAGS "${CMAKE_EXE_LINKER_FLAGS} -no-pie")
    find_program(TAKT_LLD ld.lld) # 150 programs of 36 MB: in half of the time
    if(TAKT_LLD)
        add_link_options(-fuse-ld=lld)
    endif()
endif()
if(TAKT_COVERAGE)
    set(CMAKE_C_FLAGS_RELEASE "-O0 -g")
    add_compile_options(--coverage)
    add_link_options(--coverage)
endif()
