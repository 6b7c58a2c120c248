import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { serverNow } from '#client/lib/live/connection.ts'
import { wakeSoundByPress } from '#client/lib/screen/sound.ts'
import { isCachedAuction } from '#client/lib/auction/cached-auctions.ts'
import { onTick } from '#client/lib/live/server-clock.ts'
import type { LaneRow } from '#shared/schemas/lane.ts'
import { createAnnouncer } from './lane-announcer.ts'
import { laneQuery } from '../lane.api.ts'
import { createSoundQueue, type SoundStates, soundStatesOf, holdSound, sound, soundsBetween } from './lane-sounds.ts'

export function useAnnouncer() {
  const [line, setLine] = useState('')
  const [announcer] = useState(() => createAnnouncer(setLine))
  useEffect(() => onTick(() => announcer.look(Date.now())), [announcer])
  return { line, tell: announcer.tell }
}

const lookMs = 500

/** Plays sounds even while the tab is hidden, because a dealer may work in another window and listen for the last ten seconds. */
export function useLaneSounds(isOn: boolean, rowsNow: () => Iterable<LaneRow>): void {
  const cache = useQueryClient()
  const states = useRef<SoundStates>(new Map())
  const look = useEffectEvent((nowMs: number) => {
    const after = soundStatesOf(rowsNow(), nowMs)
    const made = soundsBetween(states.current, after)
    states.current = after
    return made
  })
  useEffect(() => {
    if (!isOn) return
    states.current = new Map()
    let isHolding = false
    const queue = createSoundQueue(sound)
    const giveUp = holdSound(() => (isHolding = true))
    const stopWaking = wakeSoundByPress(() => true)
    const playSounds = () => {
      const made = look(serverNow())
      if (!isHolding) return
      queue.add(made)
      queue.look(Date.now())
    }
    playSounds()
    const timer = setInterval(playSounds, lookMs)
    const lane = hashKey(laneQuery().queryKey)
    const stopFollowing = cache.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && (query.queryHash === lane || isCachedAuction(query.queryKey))) playSounds()
    })
    return () => {
      clearInterval(timer)
      stopFollowing()
      stopWaking()
      giveUp()
    }
  }, [isOn, cache])
}
