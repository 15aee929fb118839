/** The sound of a phone that rings: two short tones, made here, heard only if the sound is switched on. */

import { preferences } from "./preferences.js";

let context = null;

export function playRing() {
  if (!preferences.get("sound")) return;
  context ??= new AudioContext();
  const start = context.currentTime;
  for (const [frequency, delay] of [
    [880, 0],
    [1320, 0.11],
  ]) {
    const tone = new OscillatorNode(context, { type: "sine", frequency });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, start + delay);
    volume.gain.linearRampToValueAtTime(0.12, start + delay + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.001, start + delay + 0.22);
    tone.connect(volume).connect(context.destination);
    tone.start(start + delay);
    tone.stop(start + delay + 0.25);
  }
}
