# Embed.cmake - text files as entries of a C table: EMBEDDED(name, bytes).
#   cmake -DFILES=a.h;b.h -DOUT=files.inc -P Embed.cmake
set(text "")
foreach(file ${FILES})
    get_filename_component(name ${file} NAME)
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(APPEND text "EMBEDDED(\"${name}\", ${bytes} 0)\n")
endforeach()
file(WRITE ${OUT} "${text}")
