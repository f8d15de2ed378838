# table.awk - the table of tests/compliance/run.sh.
#   first file   set<TAB>folder
#   second file  name, yes|no, folder, outcome, message
function add(key,    good) {
    good = $2 == "yes" ? ($4 == "ok" || $4 == "run") \
                       : ($4 == "error" || $4 == "assert")
    n[key, $2]++
    scored[key, $2] += good
    run[key] += $2 == "yes" && $4 == "run"
    unsupported[key, $2] += $4 == "unsupported"
    crash[key] += $4 == "crash"
    wrong[key] += $2 == "yes" && ($4 == "assert" || $4 == "error" || \
        $4 == "elsewhere") || $2 == "no" && ($4 == "ok" || $4 == "run" || \
        $4 == "elsewhere")
}
function percent(a, b) { return b ? sprintf("%5.1f%%", 100 * a / b) : "     -" }
function line(title, key) {
    printf "%-28s %5d %5d %6s %4d %4d | %5d %5d %6s %4d | %5d %5d\n", title, \
        n[key, "yes"], scored[key, "yes"], \
        percent(scored[key, "yes"], n[key, "yes"]), run[key], \
        unsupported[key, "yes"], n[key, "no"], scored[key, "no"], \
        percent(scored[key, "no"], n[key, "no"]), unsupported[key, "no"], \
        wrong[key], crash[key]
}
function sum(to, from,    e) {
    for (e = 1; e <= 2; e++) {
        x = e == 1 ? "yes" : "no"
        n[to, x] += n[from, x]; scored[to, x] += scored[from, x]
        unsupported[to, x] += unsupported[from, x]
    }
    run[to] += run[from]; crash[to] += crash[from]; wrong[to] += wrong[from]
}
NR == FNR { if (!/^#/) set[$2] = $1; next }
{
    if (!($3 in seen)) { folder[++nfolder] = $3; seen[$3] = 1 }
    add($3)
    add("set " ($3 in set ? set[$3] : "?"))
    add("all")
}
END {
    printf "%-28s %-28s | %-23s | %s\n", "", "should pass", "should fail", ""
    printf "%-28s %5s %5s %6s %4s %4s | %5s %5s %6s %4s | %5s %5s\n", "folder", \
        "tests", "taken", "", "run", "uns.", "tests", "refus", "", "uns.", \
        "wrong", "crash"
    for (i = 1; i <= nfolder; i++) {
        f = folder[i]
        line((f in set ? set[f] : "?") " " f, f)
    }
    print ""
    split("A B C D ?", name, " ")
    for (i = 1; i <= 5; i++)
        if (n["set " name[i], "yes"] + n["set " name[i], "no"])
            line("set " name[i], "set " name[i])
    sum("A and B", "set A"); sum("A and B", "set B")
    line("sets A and B", "A and B")
    line("all", "all")
    k = "A and B"
    if (n[k, "yes"] && n[k, "no"])
        printf "\nbalanced over A and B: %.1f%%\n", 50 * (scored[k, "yes"] / \
            n[k, "yes"] + scored[k, "no"] / n[k, "no"])
    print "taken: exit 0 and no assert fails; run: of these an assert is left " \
        "that only a run decides;"
    print "refus(ed): exit 1 with a message in the file of the test; uns.: " \
        "exit 3; wrong: the other answer."
    bad = crash["all"] > 0
    a = "set A"
    if (least_pass && 100 * scored[a, "yes"] < least_pass * n[a, "yes"]) {
        print "set A: fewer than " least_pass "% of should-pass are taken"
        bad = 1
    }
    if (least_reject && 100 * scored[a, "no"] < least_reject * n[a, "no"]) {
        print "set A: fewer than " least_reject "% of should-fail are refused"
        bad = 1
    }
    exit bad
}
