/** Short, dry sounds, made in code: nothing is loaded, and nothing is heard unless it was switched on. */

import type { GameEvent } from "./protocol";
import { settings } from "./settings.svelte";

export const SOUNDS = ["piece", "card", "turn", "complete", "refused", "end"] as const;
export type Sound = (typeof SOUNDS)[number];

/** A part of a sound: a tone, or noise through a narrow filter, that slides and dies away. */
interface Stroke {
  readonly noise?: boolean;
  readonly at: number; // ms
  readonly length: number; // ms
  readonly from: number; // Hz
  readonly to: number;
  readonly volume: number; // 0 to 1
}

const click = (at: number, from = 1900, volume = 0.5): Stroke => ({ noise: true, at, length: 35, from, to: from * 0.6, volume });
const drum = (at: number, from: number): Stroke => ({ at, length: 200, from, to: from / 2, volume: 0.7 });

export const STROKES: Record<Sound, readonly Stroke[]> = {
  piece: [click(0), { at: 0, length: 60, from: 420, to: 250, volume: 0.25 }], // stone on stone
  card: [{ noise: true, at: 0, length: 140, from: 3200, to: 1300, volume: 0.3 }], // paper that slides
  turn: [{ at: 0, length: 110, from: 392, to: 388, volume: 0.35 }, { at: 120, length: 160, from: 523, to: 518, volume: 0.35 }],
  complete: [0, 45, 100, 150, 210, 250].map((at, i) => click(at, 1300 + 330 * (i % 3), 0.6)), // clay that rattles
  refused: [{ at: 0, length: 160, from: 190, to: 120, volume: 0.5 }],
  end: [drum(0, 120), drum(95, 90)],
};

/** What is heard of some events: the weightiest of them; null: nothing. */
export function soundOf(events: readonly GameEvent[]): Sound | null {
  const has = (...kinds: GameEvent["kind"][]) => events.some(({ kind }) => kinds.includes(kind));
  if (has("over")) return "end";
  if (has("coatl")) return "complete";
  if (has("prophecy", "temple")) return "card";
  return has("piece") ? "piece" : null;
}

class Speaker {
  private context: AudioContext | null = null;
  private voice: GainNode | null = null; // one at a time

  play(sound: Sound): void {
    const context = this.wake();
    if (!context) return;
    this.voice?.disconnect();
    this.voice = new GainNode(context, { gain: 0.5 });
    this.voice.connect(context.destination);
    for (const stroke of STROKES[sound]) beat(context, stroke, this.voice);
  }

  /** A browser lets a page be heard only after a person has done something there. */
  private wake(): AudioContext | null {
    const mayBeHeard = settings.now.sounds && typeof AudioContext !== "undefined" && navigator.userActivation?.hasBeenActive !== false;
    if (!mayBeHeard) return null;
    this.context ??= new AudioContext();
    if (this.context.state === "suspended") void this.context.resume();
    return this.context;
  }
}

function beat(context: AudioContext, { noise, at, length, from, to, volume }: Stroke, voice: AudioNode): void {
  const start = context.currentTime + at / 1000;
  const end = start + length / 1000;
  const fading = new GainNode(context, { gain: 0 });
  fading.gain.setValueAtTime(volume, start);
  fading.gain.exponentialRampToValueAtTime(0.001, end);
  const source = noise ? rustle(context, length) : new OscillatorNode(context, { type: "triangle" });
  const sliding = source instanceof OscillatorNode ? source : new BiquadFilterNode(context, { type: "bandpass", Q: 1.5 });
  sliding.frequency.setValueAtTime(from, start);
  sliding.frequency.exponentialRampToValueAtTime(to, end);
  if (sliding !== source) source.connect(sliding);
  sliding.connect(fading).connect(voice);
  source.start(start);
  source.stop(end);
}

function rustle(context: AudioContext, length: number): AudioBufferSourceNode {
  const frames = Math.ceil((context.sampleRate * length) / 1000);
  const buffer = context.createBuffer(1, frames, context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < frames; i += 1) data[i] = Math.random() * 2 - 1;
  return new AudioBufferSourceNode(context, { buffer });
}

export const speaker = new Speaker();
