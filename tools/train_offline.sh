#!/usr/bin/env bash
# Trains on a GPU machine without network: it needs Python with NumPy and PyTorch, and this checkout.
#
#   tools/train_offline.sh pack [--python VERSION] [--machine NAME] [--archive FILE]
#       where there is a network: put the other packages that training needs into an archive
#   tools/train_offline.sh train [--archive FILE] OPTIONS
#       on the GPU machine: unpack the archive, then run `python -m coatl.learn OPTIONS`
#   tools/train_offline.sh searched [--archive FILE] OPTIONS
#       the same for `python -m coatl.learn.searched OPTIONS`
#
#   --python     of the GPU machine; 3.12 if left out
#   --machine    of the GPU machine, as `uname -m` names it; x86_64 if left out
#   --archive    .cache/offline-packages.tar.xz if left out
#
# $PYTHON names the program to run Python with; python3 if it is not set.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(numba msgspec platformdirs)
python=${PYTHON:-python3}
archive=.cache/offline-packages.tar.xz
site=.cache/offline-packages

usage() {
    sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"
    exit "${1:-2}"
}

value_of() { # OPTION VALUE: the value, if there is one
    [ -n "${2:-}" ] || { echo "train_offline.sh: $1 needs a value" >&2; exit 2; }
    echo "$2"
}

pack() {
    local version=3.12 machine=x86_64 platforms=() release
    while [ $# -gt 0 ]; do
        case $1 in
            --python) version=$(value_of "$1" "${2:-}") ;;
            --machine) machine=$(value_of "$1" "${2:-}") ;;
            --archive) archive=$(value_of "$1" "${2:-}") ;;
            *) usage ;;
        esac
        shift 2
    done
    for release in manylinux_2_28 manylinux_2_27 manylinux2014 manylinux_2_17; do
        platforms+=(--platform "${release}_$machine")
    done
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    "$python" -m pip install --quiet --target "$work" --only-binary=:all: \
        --python-version "$version" "${platforms[@]}" "${packages[@]}"
    # NumPy is the GPU machine's own, since PyTorch was built for it. Tests are never run there.
    rm -rf "$work"/numpy "$work"/numpy-* "$work"/numpy.libs "$work"/bin "$work"/*/tests
    # Without its symbols the compiler takes a fraction of the room.
    strip --strip-unneeded "$work"/llvmlite/binding/*.so || echo "left the symbols in llvmlite" >&2
    mkdir -p "$(dirname "$archive")"
    tar -C "$work" -cf - . | xz -6 -T0 > "$archive.part"
    mv "$archive.part" "$archive"
    echo "$archive: $(du -h "$archive" | cut -f1), Python $version on $machine"
}

train() { # MODULE OPTIONS
    local module=$1
    shift
    if [ "${1:-}" = --archive ]; then
        archive=$(value_of "$1" "${2:-}")
        shift 2
    fi
    [ $# -gt 0 ] || usage
    if [ -e "$archive" ] && [ ! "$site/unpacked" -nt "$archive" ]; then
        rm -rf "$site"
        mkdir -p "$site"
        "$python" -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2], filter="data")' \
            "$archive" "$site"
        touch "$site/unpacked"
    fi
    export PYTHONPATH="$PWD/src:$PWD/$site" COATL_CACHE_DIR="$PWD/.cache/kernel" PYTHONUNBUFFERED=1
    "$python" - <<'EOF'
from importlib import import_module

for name in ("numpy", "torch", "numba", "msgspec", "platformdirs"):
    try:
        module = import_module(name)
    except ImportError as error:
        raise SystemExit(f"train_offline.sh: {name} cannot be imported: {error}")
    print(name, getattr(module, "__version__", ""))
EOF
    exec "$python" -m "$module" "$@"
}

command=${1:-}
[ $# -gt 0 ] && shift
case $command in
    pack) pack "$@" ;;
    train) train coatl.learn "$@" ;;
    searched) train coatl.learn.searched "$@" ;;
    -h | --help) usage 0 ;;
    *) usage ;;
esac
