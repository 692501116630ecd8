#!/usr/bin/env bash
# Packs what the GPU machine lacks (Numba, llvmlite, msgspec, platformdirs) into one small file:
# .device-wheels/site.tar.xz, for Python 3.12 on x86-64 Linux. A wheel of llvmlite alone is 57 MiB.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p .device-wheels "$work/wheels" "$work/site"
${PIP:-.venv/bin/pip} download --quiet --no-deps --dest "$work/wheels" --python-version 3.12 \
    --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 \
    --platform manylinux2014_x86_64 --platform manylinux_2_17_x86_64 --only-binary=:all: \
    numba==0.68.1 llvmlite==0.50.0 msgspec platformdirs
for wheel in "$work"/wheels/*.whl; do unzip -q -o "$wheel" -d "$work/site"; done
strip --strip-unneeded "$work/site/llvmlite/binding/libllvmlite.so"
rm -rf "$work/site/numba/tests" "$work/site/llvmlite/tests"
tar -C "$work/site" -cf - . | xz -6 -T0 > .device-wheels/site.tar.xz
ls -l .device-wheels/site.tar.xz
