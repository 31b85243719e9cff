# What a stranger does with the released files, which are in /mnt. Each step says what it tries.
export LC_ALL=C.UTF-8
cd /root
try() { begun=$SECONDS; echo "- $* (at $SECONDS s)"; }
works() { echo "  from the file to reports of both compilers' programs: $((SECONDS - begun)) s"; }
stop() { echo "failed: $*" >&2; exit 1; }

cat > program.c <<'C'
#include <omp.h>
static volatile double sink;
static void work(double seconds) {
    for (double end = omp_get_wtime() + seconds; omp_get_wtime() < end;) sink += 1.0;
}
int main(void) {
    int threads = 0;
    #pragma omp parallel num_threads(2) reduction(+ : threads)
    {
        threads++;
        work(0.05);
        #pragma omp for schedule(dynamic)
        for (int i = 0; i < 8; i++) work(0.01);
    }
    return threads == 2 ? 5 : 1;
}
C
for compiler in gcc clang; do
    $compiler -O1 -g -fopenmp program.c -o "program-$compiler"
done
chmod a+rx /root /root/program-*
uname -r; gcc --version | head -1; clang --version | head -1; ldd --version | head -1

# Both commands of the README, on programs of both compilers; `$@` is how omphalos is called.
commands() {
    for compiler in gcc clang; do
        program=/root/program-$compiler
        status=0; "$@" run "$program" || status=$?
        [ $status = 5 ] || stop "$* run $program ended with $status"
        status=0; "$@" profile -o profile.omph "$program" 2> report || status=$?
        [ $status = 5 ] || { cat report; stop "$* profile $program ended with $status"; }
        grep -q "runtime    Omphalos" report || { cat report; stop "no report"; }
        grep -q "program.c:8 in main" report || { cat report; stop "the region has no line"; }
        "$@" report profile.omph --json | grep -q '"regions"' || stop "$* report"
        "$@" doctor "$program" | grep -q "Omphalos has all of them" || stop "$* doctor $program"
        rm profile.omph report
    done
}

# The forms that today's compilers write debug information in.
forms() {
    for compiler in gcc clang; do
        for form in -gdwarf-4 -gdwarf-5 -gz=zlib -gz=zstd -gsplit-dwarf "-gsplit-dwarf -gz=zstd" \
            -flto -gdwarf64; do
            # Not every compiler was built with zstd, or links what another wrote.
            # shellcheck disable=SC2086
            $compiler -O1 -g $form -fopenmp program.c -o formed 2> errors ||
                { rm errors; continue; }
            "$@" profile -o profile.omph ./formed 2> report || [ $? = 5 ] || stop "$form"
            for place in "program.c:8 in main" "program.c:4 in work"; do
                grep -q "$place" report || { cat report; stop "$compiler $form: no $place"; }
            done
            rm -f formed* program*.dwo profile.omph report errors
        done
    done
}

# What is asked of the C library by the files in a folder: no name that is younger than 2.28.
floor() {
    find "$1" -type f -exec sh -c 'objdump -T "$1" 2> /dev/null || :' sh {} ';' |
        grep -o 'GLIBC_2[.][0-9]*' | sort -u -t. -k2 -n | tail -1 > newest
    newest=$(cut -d. -f2 < newest); rm newest
    [ "$newest" -le 28 ] || stop "GLIBC_2.$newest is asked for"
}

# All files but those that the package tools and gdb keep for themselves.
files() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /mnt -o -path /tmp \
        -o -path /usr/share/gdb/python -o -path /var/lib/dpkg -o -path /var/lib/apt \
        -o -path /var/cache -o -path /var/log \) -prune -o -print | sort
}

try "the Debian packages"
files > /tmp/before
apt-get install -y -qq --no-install-recommends /mnt/omphalos_*.deb /mnt/omphalos-dbgsym_*.deb > /dev/null
commands omphalos
works
forms omphalos
[ -f /usr/share/man/man1/omphalos-profile.1.gz ] || stop "no man page"
gdb -batch -ex "run" -ex "omp" --args env LD_PRELOAD=/usr/lib/omphalos/lib/libomphalos.so \
    /root/program-gcc > gdb.out 2>&1 || true
grep -qi "auto-loading has been declined" gdb.out && stop "gdb declines omphalos's commands"
rm gdb.out
try "the machine's programs, by omphalos install --as"
omphalos install --yes --as libgomp,libomp > /dev/null
ldd program-gcc | grep -q "omphalos-ldconfig/libgomp.so.1" || stop "ldconfig does not serve gcc's"
OMPHALOS_DISPLAY_ENV=true ./program-gcc 2> shown || [ $? = 5 ] || stop "it does not run"
rm shown
apt-get purge -y -qq omphalos omphalos-dbgsym > /dev/null
files > /tmp/after
diff /tmp/before /tmp/after || stop "the packages leave files"

try "the wheel in a virtual environment"
python3 -m venv environment
environment/bin/pip --version
environment/bin/pip install --quiet --no-index /mnt/omphalos-*.whl
[ "$(stat -c %s /mnt/omphalos-*.whl)" -lt 15000000 ] || stop "the wheel has 15 MB"
floor environment/lib/python*/site-packages/omphalos
commands environment/bin/omphalos
works
commands environment/bin/python -m omphalos
environment/bin/omphalos install --yes --for-venv environment > /dev/null
environment/bin/python -c 'assert "libomphalos.so" in open("/proc/self/maps").read()'
environment/bin/omphalos uninstall --yes --for-venv environment > /dev/null
environment/bin/pip uninstall --quiet --yes omphalos
[ -z "$(find environment -iname '*omphalos*')" ] || stop "the wheel leaves files"
rm -r environment

try "the wheel, beside libraries that bring runtimes of their own"
# The cache is no file of ours.
python3 -m venv environment
if environment/bin/pip install --quiet --no-cache-dir scikit-learn lightgbm 2> errors; then
    environment/bin/pip install --quiet --no-index /mnt/omphalos-*.whl
    cat > train.py <<'P'
import lightgbm
import numpy
from sklearn.cluster import KMeans

random = numpy.random.default_rng(1)
x = random.random((20000, 20))
y = x @ random.random(20) + random.random(20000)
KMeans(8, n_init=2).fit(x)
lightgbm.train({"verbosity": -1, "num_leaves": 63}, lightgbm.Dataset(x, y), 50)
P
    environment/bin/omphalos profile -o train.omph environment/bin/python train.py 2> report ||
        { cat report; stop "train.py under omphalos profile"; }
    grep -q "runtime    Omphalos" report || { cat report; stop "no report of train.py"; }
    grep -q "sklearn.cluster._k_means_lloyd" report && grep -q "LightGBM::" report || { cat report; stop "not of both"; }
    rm train.omph train.py report
else
    echo "  left out: $(tail -1 errors)"
fi
rm -r environment errors

try "the archive"
tar -xf /mnt/omphalos-*-linux-x86_64.tar.zst
commands omphalos-*/bin/omphalos
works
rm -r omphalos-*

try "the archive, without root, in folders with spaces and of 200 characters, twice"
long=$(printf 'a%.0s' $(seq 180))
useradd -m stranger
cat > /tmp/as-stranger <<'S'
cd "$HOME"
find . | sort > /tmp/home-before
for folder in "a folder" "$1"; do
    mkdir "$folder"
    python3 -m venv "$folder/environment"
    "$folder/environment/bin/pip" install --quiet --no-cache-dir --no-index /mnt/omphalos-*.whl
    commands "$folder/environment/bin/omphalos"
    tar -C "$folder" -xf /mnt/omphalos-*-linux-x86_64.tar.zst
    commands "$folder"/omphalos-*/bin/omphalos
done
export SHELL=/bin/bash PATH=/usr/bin:/bin
touch before .bashrc
cp .bashrc before
for folder in "a folder" "$1"; do
    "$folder"/omphalos-*/bin/omphalos install --yes --for-user > /dev/null
done
bash -ic 'ldd /root/program-gcc' 2> /dev/null | grep -q "$1" || stop "no line for the shell"
"$1"/omphalos-*/bin/omphalos uninstall --yes --for-user > /dev/null
cmp .bashrc before
# Each of two has its own libraries.
for folder in "a folder" "$1"; do
    "$folder"/omphalos-*/bin/omphalos run cat /proc/self/maps > maps
    grep "/libomphalos.so" maps | grep -v "$folder/" && stop "another's library is loaded"
    grep -q "$folder/.*/libomphalos.so" maps || stop "its library is not loaded"
done
rm -r "a folder" "$1" before maps
find . | sort > /tmp/home-after
diff /tmp/home-before /tmp/home-after || stop "the archive leaves files"
S
{ declare -f stop commands; cat /tmp/as-stranger; } > /tmp/script
su stranger -s /bin/bash -c "bash -eu /tmp/script $long"

try "the archive on a read-only file system"
mkdir -p /srv/tree
mount -t tmpfs tmpfs /srv/tree
tar -C /srv/tree -xf /mnt/omphalos-*-linux-x86_64.tar.zst
mount -o remount,ro /srv/tree
commands /srv/tree/omphalos-*/bin/omphalos
umount /srv/tree

try "the wheel on a read-only file system"
mount -t tmpfs tmpfs /srv/tree
python3 -m venv /srv/tree/environment
/srv/tree/environment/bin/pip install --quiet --no-cache-dir --no-index /mnt/omphalos-*.whl
mount -o remount,ro /srv/tree
commands /srv/tree/environment/bin/omphalos
commands /srv/tree/environment/bin/python -m omphalos
umount /srv/tree
rmdir /srv/tree
