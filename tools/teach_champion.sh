#!/usr/bin/env bash
# Teaches the shipped network on, on a GPU machine as train_on_device.sh describes it.
#
#   PLAN=17 tools/teach_champion.sh first 9.6    # a racer to spar with, then the champion
#   PLAN=17 tools/teach_champion.sh again 9.6    # goes on from there, as often as there is time
#
# With --set searches=16384 --set games=16384 --set search_rounds=160 --set imitated=16384 it follows
# thousands of little searches beside PPO (docs/learning.md: no trial of it made the network better).
# PLAN: minutes of training of all calls together. More options of python -m coatl.learn may follow;
# the racer does without them.
# $OUT receives what is worth fetching: weights, policy and the curves; the rest stays in .cache.
set -euo pipefail
cd "$(dirname "$0")/.."
call=$1
minutes=$2
shift 2
out=${OUT:-out}
racer=.cache/racer
champion=src/coatl/players/weights/champion.npz
at_once=(--set ramp_from=0 --set ramp_to=0.01 --set gate=0 --set ladder_games=0)
racing=(--plan 5 --players 2,2,3,4 --set complete=0.6 --set learning_rate=2e-4 --set target_kl=0.04
    --set entropy=0.01 --set snapshot_seconds=10 --set reserve=0.12)
teaching=(--plan "${PLAN:?how many minutes all calls train together}" --players 2,2,2,3,4,1,1,1,1,1
    --set games=32768 --set minibatch=65536 --set learning_rate=6e-5 --set target_kl=0.05
    --set entropy=0.004 --set entropy_last=0.001 --set solo_complete=0.3 --set warm_up=10
    --set "spar=$racer" --set pool_share=0.25 --set snapshot_seconds=30 --set reserve=0.45)
racer_minutes=2.7

if [ "$call" = first ]; then
    OUT=$racer tools/train_on_device.sh "$racer_minutes" - --start "$champion" \
        "${at_once[@]}" "${racing[@]}"
    minutes=$("${PYTHON:-python3}" -c "print($minutes - $racer_minutes)")
    OUT=$out tools/train_on_device.sh "$minutes" - --start "$champion" \
        "${at_once[@]}" "${teaching[@]}" "$@"
else
    OUT=$out tools/train_on_device.sh "$minutes" .cache/train "${at_once[@]}" "${teaching[@]}" "$@"
fi
rm -f "$out"/pool*.pt "$out/optimiser.pt"
if [ -e "$racer/curve.json" ]; then cp "$racer/curve.json" "$out/racer_curve.json"; fi
