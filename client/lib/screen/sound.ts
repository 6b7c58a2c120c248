import { tab } from '../storage/tab-state.ts'

/** Resumes and returns the tab's audio context. Returns undefined if the browser has no Web Audio. */
export function wakeSound(): AudioContext | undefined {
  if (typeof AudioContext === 'undefined') return undefined
  tab.sound ??= new AudioContext()
  // `resume` may reject before the first user gesture.
  if (tab.sound.state !== 'running') tab.sound.resume().catch(() => undefined)
  return tab.sound
}

/** If `wanted()` is true, resumes audio on a click or key press, because browsers allow sound only after a user gesture. */
export function wakeSoundByPress(wanted: () => boolean): () => void {
  const wake = () => {
    if (wanted()) wakeSound()
  }
  const presses = ['click', 'keydown'] as const
  for (const name of presses) addEventListener(name, wake)
  return () => {
    for (const name of presses) removeEventListener(name, wake)
  }
}

export type Note = readonly [hertz: number, startSeconds: number]

/** Plays synthesized notes, which need no sound file. */
export function playNotes(audio: AudioContext, notes: readonly Note[]): void {
  for (const [hertz, start] of notes) {
    const tone = new OscillatorNode(audio, { frequency: hertz })
    const volume = new GainNode(audio, { gain: 0 })
    volume.gain.setValueAtTime(0.08, audio.currentTime + start)
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + start + 0.16)
    tone.connect(volume).connect(audio.destination)
    tone.start(audio.currentTime + start)
    tone.stop(audio.currentTime + start + 0.18)
  }
}
