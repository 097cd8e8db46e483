// Quiet sounds, made on the spot. They are off until somebody asks for them.
const PITCH = { carry: 620, walk: 420, slide: 170, leave: 240, tell: 520, turn: 780 };
let context = null;

export function isOn() {
  return localStorage.getItem("sound") === "on";
}

export function turn(on) {
  localStorage.setItem("sound", on ? "on" : "off");
  if (on) tick("turn");
}

export function tick(kind) {
  if (!isOn() || !PITCH[kind]) return;
  context ??= new AudioContext();
  const [now, tone, volume] = [context.currentTime, context.createOscillator(), context.createGain()];
  tone.type = kind === "slide" ? "triangle" : "sine";
  tone.frequency.setValueAtTime(PITCH[kind], now);
  if (kind === "leave") tone.frequency.exponentialRampToValueAtTime(PITCH.leave / 2, now + 0.18);
  const length = kind === "slide" ? 0.35 : 0.12;
  volume.gain.setValueAtTime(0.05, now);
  volume.gain.exponentialRampToValueAtTime(0.0001, now + length);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + length);
}
