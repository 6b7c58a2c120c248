import { playNotes, type Note, wakeSound } from '#client/lib/screen/sound.ts'
import type { LaneRow } from '#shared/schemas/lane.ts'
import { type Standing, standingOf } from '../lists/row-standing.ts'

/** Sounds, highest priority first. */
const sounds = ['outbid', 'taken', 'tick', 'won', 'reserve'] as const
export type Sound = (typeof sounds)[number]

const everyMs = 400
const lastSeconds = 10

interface SoundState {
  isMine: boolean
  standing: Standing
  reserve: string
  seconds: number
}

/** The last known state of each auction. Includes auctions without a bid, so that the first bid triggers a sound. */
export type SoundStates = ReadonlyMap<string, SoundState>

export function soundStatesOf(rows: Iterable<LaneRow>, nowMs: number): SoundStates {
  const states = new Map<string, SoundState>()
  for (const row of rows) {
    const { endsAt, reserve } = row.auction
    const seconds = Math.ceil((Date.parse(endsAt) - nowMs) / 1_000)
    states.set(row.postId, { isMine: row.you.number !== null, standing: standingOf(row, nowMs), reserve, seconds })
  }
  return states
}

const isRunning = ({ standing }: SoundState) => standing === 'winning' || standing === 'outbid'
const becomes = (was: SoundState, now: SoundState, standing: Standing) =>
  was.standing !== standing && now.standing === standing

/** Each function returns true if the change from `was` to `now` triggers the sound. */
const triggers: Record<Sound, (was: SoundState, now: SoundState) => boolean> = {
  outbid: (was, now) => becomes(was, now, 'outbid'),
  taken: (was, now) => becomes(was, now, 'winning'),
  tick: (was, now) => isRunning(now) && now.seconds < was.seconds && now.seconds <= lastSeconds && now.seconds > 0,
  won: (was, now) => becomes(was, now, 'won'),
  reserve: (was, now) => now.isMine && was.reserve === 'not_met' && now.reserve === 'met',
}

/** Returns the sounds that the changes between two states trigger. An auction that has just appeared triggers none. */
export const soundsBetween = (before: SoundStates, after: SoundStates): Sound[] =>
  sounds.filter((sound) =>
    [...after].some(([postId, now]) => {
      const was = before.get(postId)
      return was !== undefined && triggers[sound](was, now)
    }),
  )

/** Plays at most one sound at a time, by priority, with a pause between sounds. Drops a `tick` that would have to wait. */
export function createSoundQueue(play: (sound: Sound) => void) {
  const waiting = new Set<Sound>()
  let lastMs = Number.NEGATIVE_INFINITY
  return {
    add: (triggered: readonly Sound[]) => {
      for (const sound of triggered) waiting.add(sound)
    },
    /** Plays the next sound if it is due. Call this regularly. */
    tick: (nowMs: number) => {
      const next = sounds.find((sound) => waiting.has(sound))
      if (next === undefined || nowMs - lastMs < everyMs) return
      waiting.delete(next)
      waiting.delete('tick')
      lastMs = nowMs
      play(next)
    },
  }
}

const notes: Record<Sound, readonly Note[]> = {
  outbid: [
    [660, 0],
    [440, 0.12],
  ],
  taken: [[880, 0]],
  tick: [[1_200, 0]],
  won: [
    [523, 0],
    [659, 0.1],
    [784, 0.2],
  ],
  reserve: [
    [587, 0],
    [587, 0.14],
  ],
}

/** Vibration patterns, in milliseconds on and off. */
const vibrations: Record<Sound, number[]> = {
  outbid: [80, 60, 160],
  taken: [40],
  tick: [15],
  won: [60, 40, 60, 40, 160],
  reserve: [60],
}

export function sound(name: Sound): void {
  const audio = wakeSound()
  if (audio?.state === 'running') playNotes(audio, notes[name])
  // Vibration is only an addition, so it does not matter that some browsers lack it.
  // oxlint-disable-next-line baseline-js/use-baseline
  if ('vibrate' in navigator) navigator.vibrate(vibrations[name])
}

const lockName = 'lanewire-lane-sound'

/** Ensures that only one tab of this browser plays sounds. Returns a function that passes this role to the next tab. */
export function acquireSoundLock(onHeld: () => void): () => void {
  // Without lock support, every tab plays sounds.
  if (!('locks' in navigator)) {
    onHeld()
    return () => undefined
  }
  const over = new AbortController()
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  navigator.locks
    .request(lockName, { signal: over.signal }, () => {
      onHeld()
      return released
    })
    .catch(() => undefined)
  return () => {
    over.abort()
    release()
  }
}
