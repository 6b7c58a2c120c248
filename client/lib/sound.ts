import { tab } from './tab.ts'

/** One for the tab, as each part of the product has sounds of its own; undefined where this browser makes none. */
export function wakeSound(): AudioContext | undefined {
  if (typeof AudioContext === 'undefined') return undefined
  tab.sound ??= new AudioContext()
  // Refused without a press.
  if (tab.sound.state !== 'running') tab.sound.resume().catch(() => undefined)
  return tab.sound
}

/** A browser lets a page sound only from a press in it on: each one wakes what still sleeps, where that is `wanted`. Answers how to stop. */
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

/** A tone of so many hertz, beginning so many seconds from now. */
export type Note = readonly [hertz: number, startSeconds: number]

/** Short notes, made here: no file to load. */
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
