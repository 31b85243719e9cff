#!/bin/sh
# Measures Omphalos beside the other OpenMP runtimes of this folder; it needs a Linux on x86-64, sh,
# awk and env, and nothing else of the machine: programs, runtimes and C library are in the folder.
#
#   ./run.sh                        every row, every team
#   ./run.sh wake process_start     rows whose names contain a word
#   TEAMS="2 64" RUNS=5 ./run.sh    other teams (default 2 4 8 16), more runs (default 3)
#   COMPILERS=gcc LIMIT=60 ./run.sh one compiler's programs; seconds that a row may take (20)
#   WAIT=active ./run.sh            OMP_WAIT_POLICY of every process (default: not set)
#
# Each row is a process of its own on each runtime in turn, RUNS times; the table has the medians,
# and as `ratio` ours by the best peer's. A dash: the runtime does not end within LIMIT, or it fails.
# Figures are in `figures.txt` of the current folder: compiler, team, runtime, row, unit, value.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
figures=$PWD/figures.txt
loader=$here/system/ld-linux-x86-64.so.2
: "${TEAMS:=2 4 8 16}" "${RUNS:=3}" "${LIMIT:=20}" "${WAIT:=}"
: > "$figures" || exit 1

# run COMPILER RUNTIME TEAM PROGRAM ARGUMENTS…
run() {
    folders=$here/runtimes/$1/$2:$here/system program=$here/programs/$4-$1 team=$3
    shift 4
    env -i OMP_NUM_THREADS="$team" OMP_MAX_TASK_PRIORITY=8 UNEVEN_SEEDS=2 \
        ${WAIT:+OMP_WAIT_POLICY="$WAIT"} \
        "$here/programs/within" "$LIMIT" "$loader" --library-path "$folders" "$program" "$@"
}

# is_wanted ROW WORDS…
is_wanted() {
    row=$1
    shift
    [ $# = 0 ] && return 0
    for word; do
        case $row in *"$word"*) return 0 ;; esac
    done
    return 1
}

# measure COMPILER TEAM PROGRAM ROW: a line of figures for each process.
measure() {
    given_up=
    round=0
    while [ $round -lt "$RUNS" ]; do
        round=$((round + 1))
        for runtime in $(cat "$here/runtimes/$1/names"); do
            case $given_up in *" $runtime "*) continue ;; esac
            said=$(run "$1" "$runtime" "$2" "$3" "$4")
            status=$?
            if [ $status = 0 ]; then
                echo "$said" | awk -v of="$1 $2 $runtime" -v row="$4" '$1 == row { print of, $0 }'
            else
                given_up="$given_up $runtime "
                echo "$4: $runtime, $2 threads: exit status $status" >&2
            fi
        done
    done
}

# table COMPILER TEAM
table() {
    awk -v compiler="$1" -v team="$2" -v names="$(cat "$here/runtimes/$1/names")" '
        function median(text, part, n, i, j, value) {
            n = split(text, part, " ")
            for (i = 2; i <= n; i++) {
                value = part[i]
                for (j = i - 1; j > 0 && part[j] + 0 > value + 0; j--) part[j + 1] = part[j]
                part[j + 1] = value
            }
            return n % 2 ? part[(n + 1) / 2] + 0 : (part[n / 2] + part[n / 2 + 1]) / 2
        }
        $1 == compiler && $2 == team {
            if (!($4 in unit)) { unit[$4] = $5; order[++rows] = $4 }
            figures[$4, $3] = figures[$4, $3] " " $6
        }
        END {
            count = split(names, name, " ")
            printf "%s, %s threads\n%-28s unit", compiler, team, "row"
            for (i = 1; i <= count; i++) printf " %12s", name[i]
            print "   ratio"
            for (r = 1; r <= rows; r++) {
                row = order[r]; best = ours = 0
                printf "%-28s %4s", row, unit[row]
                for (i = 1; i <= count; i++) {
                    if (!((row, name[i]) in figures)) { printf " %12s", "-"; continue }
                    value = median(figures[row, name[i]])
                    printf " %12.2f", value
                    if (i == 1) ours = value
                    else if (!best || value < best) best = value
                }
                if (!ours || !best) { print "       -"; continue }
                printf " %7.2f\n", ours / best
                ratios++
                if (ours > best) slower++
            }
            printf "ours is slower than the best peer in %d of %d rows\n", slower, ratios
        }' "$figures"
}

awk -F': *' '/^model name/ { name = $2; n++ } END { print name ", " n " processors" }' /proc/cpuinfo
uname -sr
for compiler in ${COMPILERS:-$(cat "$here/programs/compilers")}; do
    for team in $TEAMS; do
        for program in micro uneven; do
            for row in $(cat "$here/programs/$program.rows"); do
                is_wanted "$row" "$@" && measure "$compiler" "$team" $program "$row" >> "$figures"
            done
        done
        table "$compiler" "$team"
        echo
    done
done
