# Two versions, one after the other and side by side; this goes on where the stranger's script ends.
# The second version is the released one with another number in all that it has: what it does is
# the same, and what it says of itself is not.
old=$(dpkg-deb --field /mnt/omphalos_*.deb Version)
new=9${old#?}
mkdir /tmp/later
chmod a+rx /tmp/later

# Writes the other number into the files of a folder and into their names.
renumber() {
    find "$1" -type f -exec env LC_ALL=C sed -i "s/${old//./[.]}/$new/g" {} +
    find "$1" -depth -name "*$old*" | while read -r path; do
        name=${path##*/}
        mv "$path" "${path%/*}/${name//$old/$new}"
    done
}

# Ends unless a command says that it is of this version; `$1` the version, then how it is called.
is_of() {
    version=$1; shift
    [ "$("$@" --version)" = "omphalos $version" ] || stop "$* is not of $version"
}

try "a later version of the Debian package after an earlier one, and back"
dpkg-deb -R /mnt/omphalos_*.deb /tmp/package
renumber /tmp/package
dpkg-deb --root-owner-group -Zgzip --build /tmp/package "/tmp/later/omphalos_${new}_amd64.deb" > /dev/null
rm -r /tmp/package
files > /tmp/before
apt-get install -y -qq /mnt/omphalos_*.deb > /dev/null
omphalos install --yes --as libgomp > /dev/null
is_of "$old" omphalos
apt-get install -y -qq "/tmp/later/omphalos_${new}_amd64.deb" > /dev/null
is_of "$new" omphalos
commands omphalos
ldd program-gcc | grep -q "omphalos-ldconfig/libgomp.so.1" || stop "the later one serves nobody"
apt-get install -y -qq --allow-downgrades /mnt/omphalos_*.deb > /dev/null
is_of "$old" omphalos
commands omphalos
apt-get purge -y -qq omphalos > /dev/null
files > /tmp/after
diff /tmp/before /tmp/after || stop "two versions of the package leave files"

try "a later version of the wheel after an earlier one, and back"
cat > later.py <<'P'
import sys
import zipfile

old, new, source, target = sys.argv[1:]
with zipfile.ZipFile(source) as earlier, zipfile.ZipFile(target, "w") as later:
    for entry in earlier.infolist():
        data = earlier.read(entry).replace(old.encode(), new.encode())
        entry.filename = entry.filename.replace(old, new)
        later.writestr(entry, data)
P
released=$(echo /mnt/omphalos-*.whl)
later=/tmp/later/$(basename "${released/$old/$new}")
python3 later.py "$old" "$new" "$released" "$later"
rm later.py
python3 -m venv environment
for version in "$old" "$new" "$old"; do
    wheel=$released
    [ "$version" = "$old" ] || wheel=$later
    environment/bin/pip install --quiet --no-index "$wheel"
    is_of "$version" environment/bin/omphalos
    commands environment/bin/omphalos
done
environment/bin/pip uninstall --quiet --yes omphalos
[ -z "$(find environment -iname '*omphalos*')" ] || stop "two versions of the wheel leave files"
rm -r environment

try "two versions of the archive side by side, without root"
tar -C /tmp/later -xf /mnt/omphalos-*-linux-x86_64.tar.zst
renumber /tmp/later/omphalos-"$old"
tar -C /tmp/later -cf /tmp/later/tree.tar omphalos-"$new"
cat > /tmp/as-stranger <<'S'
cd "$HOME"
find . | sort > /tmp/home-before
tar -xf /mnt/omphalos-*-linux-x86_64.tar.zst
tar -xf /tmp/later/tree.tar
for version in "$old" "$new"; do
    tree=omphalos-$version
    is_of "$version" "$tree/bin/omphalos"
    commands "$tree/bin/omphalos"
    "$tree/bin/omphalos" run cat /proc/self/maps > maps
    grep "/libomphalos.so" maps | grep -v "/$tree/" && stop "another's library is loaded"
    grep -q "/$tree/.*/libomphalos.so" maps || stop "$version's library is not loaded"
    "$tree/bin/omphalos" profile -o "of-$version.omph" /root/program-gcc 2> report ||
        [ $? = 5 ] || { cat report; stop "profile of $version"; }
done
for version in "$old" "$new"; do
    for profile in of-*.omph; do
        "omphalos-$version/bin/omphalos" report "$profile" > report
        grep -q "program.c:8 in main" report || { cat report; stop "$version reads no $profile"; }
    done
done
# The later one takes the earlier one's place in new shells, and gives all back.
export SHELL=/bin/bash PATH=/usr/bin:/bin
touch .bashrc
cp .bashrc before
for version in "$old" "$new"; do
    "omphalos-$version/bin/omphalos" install --yes --for-user > /dev/null
    bash -ic 'ldd /root/program-gcc' 2> /dev/null | grep -q "/omphalos-$version/" ||
        stop "new shells do not use $version"
done
"omphalos-$new/bin/omphalos" uninstall --yes --for-user > /dev/null
cmp .bashrc before
rm -r omphalos-* of-* before maps report
find . | sort > /tmp/home-after
diff /tmp/home-before /tmp/home-after || stop "two versions of the archive leave files"
S
{ declare -f stop commands is_of; declare -p old new; cat /tmp/as-stranger; } > /tmp/script
su stranger -s /bin/bash -c "bash -eu /tmp/script"
rm -r /tmp/later
