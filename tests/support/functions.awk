# functions.awk - the lengths of all functions of C files in our layout, from
# the line that names it to the brace in column one: "LINES FILE:LINE NAME".
#   awk -f functions.awk src/*/*.c
FNR == 1 { start = 0 }
/^[A-Za-z_].*\(/ && !/;[ \t]*$/ && !/^(typedef|struct|enum|union)[^(]*\{/ {
    start = FNR
    name = $0
    sub(/\(.*/, "", name)
    sub(/.*[ *]/, "", name)
}
/^[A-Za-z_}].*[;=]$/ || /^[A-Za-z_].*= *\{/ { if (FNR != start) start = 0 }
/^\{/ { body = start }
/^\}/ {
    if (body && start)
        print FNR - start + 1, FILENAME ":" start, name
    start = body = 0
}
