# cases.awk - the lines at the head of the models of this folder as C: a function
# of references and a row of `cases` for each. See README.md.
#
#   awk -f cases.awk *.mo >cases.h

function value(text) {
    sub(/^[^:]*: */, "", text)
    return text
}

function trim(text) {
    gsub(/^ +| +$/, "", text)
    return text
}

# the last model is complete
function put(    i, n, part, starts, rates) {
    if (name == "")
        return
    # reference_: sets z[] at time t; x is the solution of the ode at t
    printf "static void reference_%s(double t, const double *x, double *z)\n{\n", name
    print "    (void)t; (void)x;"
    if (root != "") {
        n = index(root, " ")
        printf "    double low_ = %s;\n", substr(root, 1, n - 1)
        root = substr(root, n + 1)
        n = index(root, " ")
        printf "    double high_ = %s, y = high_;\n", substr(root, 1, n - 1)
        root = substr(root, n + 1)
        printf "    const double end_ = %s;\n", root
        print "    for (int i = 0; i < 200; i++) {"
        print "        y = 0.5 * (low_ + high_);"
        printf "        if ((%s) * end_ > 0) high_ = y; else low_ = y;\n    }\n", root
    }
    for (i = 0; i < nwatch; i++)
        printf "    z[%d] = %s;\n", i, form[i]
    print "}\n"
    nstate = 0
    starts = "NULL"
    rates = "NULL"
    if (ode != "") {
        n = index(ode, ";")
        starts = "start_" name
        rates = "rate_" name
        nstate = split(substr(ode, 1, n - 1), part, ",")
        printf "static void start_%s(double *x)\n{\n", name
        for (i = 1; i <= nstate; i++)
            printf "    %s;\n", trim(part[i])
        printf "}\n\nstatic void rate_%s(double t, const double *x, double *d)\n{\n", name
        printf "    (void)t;\n    %s;\n}\n\n", substr(ode, n + 1)
    }
    row = row sprintf("    {\"%s\", %s, %s, %s, %s, %d, {", name, step, stop,
                      until, jump, nwatch)
    for (i = 0; i < nwatch; i++)
        row = row "\"" watch[i] "\", "
    row = row sprintf("}, reference_%s, %d, %d, %s, %s, \"%s\", \"%s\", %s},\n", name,
                      nstate, parts, starts, rates, says, setname, setvalue)
}

FNR == 1 {
    put()
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.mo$/, "", name)
    until = "INFINITY"
    jump = "-1"
    nwatch = 0
    root = ode = says = setname = ""
    setvalue = "0"
    parts = 1000
}
/^\/\/ watch:/ {
    text = value($0)
    watch[nwatch] = trim(substr(text, 1, index(text, "=") - 1))
    form[nwatch++] = trim(substr(text, index(text, "=") + 1))
}
/^\/\/ root:/ { root = value($0) }
/^\/\/ ode:/ { ode = value($0) }
/^\/\/ until:/ { until = value($0) }
/^\/\/ jump:/ { jump = value($0) }
/^\/\/ parts:/ { parts = value($0) }
/^\/\/ says:/ { says = value($0) }
/^\/\/ set:/ { setname = $3; setvalue = $4 == "nan" ? "NAN" : $4 }
/experiment\(/ {
    step = stop = $0
    sub(/.*Interval = /, "", step)
    sub(/\).*/, "", step)
    sub(/.*StopTime = /, "", stop)
    sub(/,.*/, "", stop)
}
END {
    put()
    print "static const Case cases[] = {\n" row "};"
}
