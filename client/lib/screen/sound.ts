import { tab } from '../storage/tab-state.ts'

/** The tab's shared audio context; undefined if the browser has no audio. */
export function wakeSound(): AudioContext | undefined {
  if (typeof AudioContext === 'undefined') return undefined
  tab.sound ??= new AudioContext()
  // Browsers refuse this without a user gesture.
  if (tab.sound.state !== 'running') tab.sound.resume().catch(() => undefined)
  return tab.sound
}

/** Resumes audio on a press if `wanted`: browsers allow sound only after one. Returns a function that stops it. */
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

/** A tone's frequency, and its start in seconds from now. */
export type Note = readonly [hertz: number, startSeconds: number]

/** Plays short notes. They are synthesized, so there is no file to load. */
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
