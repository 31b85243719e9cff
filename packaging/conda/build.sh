#!/usr/bin/env bash
# conda's compilers have long names; the build asks for the short ones.
set -euo pipefail
mkdir -p tools
for pair in cc:$CC ar:$AR nm:$NM objcopy:$OBJCOPY readelf:$READELF; do
    ln -sf "$(command -v "${pair#*:}")" "tools/${pair%%:*}"
done
export PATH="$PWD/tools:$PATH"
cargo xtask dist
mkdir -p "$PREFIX/opt" "$PREFIX/bin" "$PREFIX/share"
cp -a target/dist "$PREFIX/opt/omphalos"
ln -s ../opt/omphalos/bin/omphalos "$PREFIX/bin/omphalos"
cp -a target/dist/share/man target/dist/share/bash-completion target/dist/share/zsh \
    target/dist/share/fish "$PREFIX/share/"
