# examples.awk - the fields of a CSV line with quotes, and the columns by name.
#
# Programs read with it find the fields of a line in f[], those of the first line
# in column[].
function fields(s, f,    n, i, c, quoted, text) {
    n = 1; text = ""; quoted = 0
    for (i = 1; i <= length(s); i++) {
        c = substr(s, i, 1)
        if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) { f[n++] = text; text = "" }
        else text = text c
    }
    f[n] = text
    return n
}
{ sub(/\r$/, ""); n = fields($0, f) }
NR == 1 { for (i = 1; i <= n; i++) column[f[i]] = i; next }
