#!/usr/bin/env bash
# One training run on a GPU machine that has PyTorch and no network: at most 10 minutes a call.
#
#   tools/train_on_device.sh MINUTES [CHECKPOINT FOLDER | -] [more options of python -m coatl.learn]
#
# Needs .device-wheels/site.tar.xz (tools/device_site.sh makes it). $OUT receives the checkpoint.
# A checkpoint that an earlier call left on the machine (.cache/train) is resumed without being
# sent; `-` says to begin anew. MINUTES count everything, the set-up included.
set -euo pipefail
began=$(date +%s)
cd "$(dirname "$0")/.."
minutes=${1:-9}
resume=${2:-}
shift $(($# < 2 ? $# : 2))
out=${OUT:-out}
kept=.cache/train
site=${DEVICE_SITE:-.cache/device-site}
python=${PYTHON:-python3}
mkdir -p "$out" .cache
site=$(realpath -m "$site")

if [ ! -e "$site/ready" ]; then
    rm -rf "$site"
    mkdir -p "$site"
    "$python" - "$site" <<'EOF'
import sys, tarfile
tarfile.open(".device-wheels/site.tar.xz").extractall(sys.argv[1], filter="data")
EOF
    touch "$site/ready"
fi
# What the archive holds comes first; NumPy and PyTorch are the machine's own.
export PYTHONPATH="$PWD/src:$site" COATL_CACHE_DIR="$PWD/.cache/kernel" PYTHONUNBUFFERED=1
"$python" -c 'import numba, numpy, torch; print("numba", numba.__version__, "numpy", numpy.__version__, "torch", torch.__version__, torch.cuda.is_available())'

if [ "$resume" = - ]; then
    rm -rf "$kept"
    resume=
elif [ -z "$resume" ] && [ -e "$kept/weights.pt" ]; then
    resume=$kept
fi
spent=$(($(date +%s) - began))
left=$("$python" -c "print($minutes - $spent / 60)")
echo "set up in $spent s; $left minutes for training; resume: ${resume:-no}"
status=0
"$python" -m coatl.learn --minutes "$left" --out "$out" ${resume:+--resume "$resume"} "$@" || status=$?
if [ -e "$out/weights.pt" ]; then
    rm -rf "$kept"
    cp -r "$out" "$kept"
fi
ls -l "$out"
exit $status
