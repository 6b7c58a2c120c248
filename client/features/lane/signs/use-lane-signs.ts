import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { serverNow } from '#client/lib/live/connection.ts'
import { wakeSoundByPress } from '#client/lib/screen/sound.ts'
import { isCachedAuction } from '#client/lib/auction/cached-auctions.ts'
import { onTick } from '#client/lib/live/shared-clocks.ts'
import type { LaneRow } from '#shared/schemas/lane.ts'
import { createAnnouncer } from './lane-announcer.ts'
import { laneQuery } from '../lane.api.ts'
import {
  createSoundQueue,
  type SoundStates,
  soundStatesOf,
  acquireSoundLock,
  sound,
  soundsBetween,
} from './lane-sounds.ts'

export function useAnnouncer() {
  const [announcement, setAnnouncement] = useState('')
  const [announcer] = useState(() => createAnnouncer(setAnnouncement))
  useEffect(() => onTick(() => announcer.tick(Date.now())), [announcer])
  return { announcement, announce: announcer.announce }
}

const checkMs = 500

/** Plays sounds even while the tab is hidden, because a dealer may work in another window and listen for the last ten seconds. */
export function useLaneSounds(isOn: boolean, rowsNow: () => Iterable<LaneRow>): void {
  const cache = useQueryClient()
  const states = useRef<SoundStates>(new Map())
  const triggeredSounds = useEffectEvent((nowMs: number) => {
    const after = soundStatesOf(rowsNow(), nowMs)
    const triggered = soundsBetween(states.current, after)
    states.current = after
    return triggered
  })
  useEffect(() => {
    if (!isOn) return
    states.current = new Map()
    let hasLock = false
    const queue = createSoundQueue(sound)
    const releaseSoundLock = acquireSoundLock(() => (hasLock = true))
    const stopWaking = wakeSoundByPress(() => true)
    const playSounds = () => {
      const triggered = triggeredSounds(serverNow())
      if (!hasLock) return
      queue.add(triggered)
      queue.tick(Date.now())
    }
    playSounds()
    const timer = setInterval(playSounds, checkMs)
    const lane = hashKey(laneQuery().queryKey)
    const unsubscribe = cache.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && (query.queryHash === lane || isCachedAuction(query.queryKey))) playSounds()
    })
    return () => {
      clearInterval(timer)
      unsubscribe()
      stopWaking()
      releaseSoundLock()
    }
  }, [isOn, cache])
}
