import { useEffect, useEffectEvent, useState } from 'react'
import { laneActOf, type LaneAct, slotAfter } from './lane-shortcuts.ts'
import type { PositionHandle } from './lane-context.ts'
import { focusPosition } from './position/focus-position.ts'
import { laneStore, noteKey } from './lane.store.ts'

/** Maps the number of each grid position to its handle, so that keyboard shortcuts can act on the auction there. */
export function usePositionHandles() {
  const [handles] = useState(() => new Map<number, PositionHandle>())
  const [register] = useState(() => (slot: number, handle: PositionHandle) => {
    handles.set(slot, handle)
    return () => {
      if (handles.get(slot) === handle) handles.delete(slot)
    }
  })
  return { handles, register }
}

interface LaneKeysOptions {
  isOn: boolean
  positionCount: number
  handles: ReadonlyMap<number, PositionHandle>
  onUrgent: () => void
  onOpen: (slot: number) => void
  /** Returns false if the position has no photos. */
  onPhotos: (slot: number) => boolean
  onFill: () => void
  onSound: () => void
  onPinRow: (postId: string) => void
}

const gridColumns = (): number => {
  const grid = document.querySelector('[data-positions]')
  return grid ? getComputedStyle(grid).gridTemplateColumns.split(' ').length : 1
}

const isInPosition = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof Element && target.closest('[data-position]') !== null)

/** True if Enter confirms a bid. On a control other than a bid button, Enter activates the control instead. */
const isForConfirm = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof Element && target.matches('[data-position], [data-bid], main'))

export function useLaneKeys(options: LaneKeysOptions): void {
  const run = useEffectEvent((act: LaneAct, event: KeyboardEvent): boolean => perform(act, event, options))
  useEffect(() => {
    if (!options.isOn) return
    const listen = (event: KeyboardEvent) => {
      const act = laneActOf(event)
      if (act === undefined) return
      noteKey()
      if (run(act, event)) event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [options.isOn])
}

function perform(act: LaneAct, event: KeyboardEvent, options: LaneKeysOptions): boolean {
  const { focused } = laneStore.get()
  const handle = focused === undefined ? undefined : options.handles.get(focused)
  switch (act.do) {
    case 'focus':
      focusPosition(act.slot)
      return act.slot <= options.positionCount
    case 'move':
      return moveFocus(act, event, focused, options.positionCount)
    case 'confirm':
      return isForConfirm(event.target) && handle !== undefined && handle.confirm()
    case 'pin':
      return pinByKey(event.target, options)
    default:
      return commands[act.do]?.(options, focused) ?? actInPosition(act, handle)
  }
}

function moveFocus(
  by: { dx: number; dy: number },
  { target }: KeyboardEvent,
  from: number | undefined,
  positionCount: number,
) {
  const isHandled = isInPosition(target)
  if (isHandled) focusPosition(slotAfter(from, by, positionCount, gridColumns()))
  return isHandled
}

type Command = (options: LaneKeysOptions, focused: number | undefined) => boolean

const commands: Partial<Record<LaneAct['do'], Command>> = {
  open: ({ onOpen }, focused) => {
    if (focused !== undefined) onOpen(focused)
    return focused !== undefined
  },
  photos: ({ onPhotos }, focused) => focused !== undefined && onPhotos(focused),
  urgent: ({ onUrgent }) => {
    onUrgent()
    return true
  },
  fill: ({ onFill }) => {
    onFill()
    return true
  },
  sound: ({ onSound }) => {
    onSound()
    return true
  },
}

function actInPosition(act: LaneAct, handle: PositionHandle | undefined): boolean {
  if (handle === undefined) return false
  if (act.do === 'bid') handle.bid(act.step, Date.now() - laneStore.get().focusedAtMs)
  else if (act.do === 'maximum') handle.maximum()
  else if (act.do === 'disarm') handle.drop()
  return true
}

function pinByKey(target: EventTarget | null, { onPinRow }: LaneKeysOptions): boolean {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-run-row]') : null
  const postId = row?.dataset['runRow']
  if (postId === undefined) document.querySelector<HTMLElement>('[data-run-row]')?.focus()
  else onPinRow(postId)
  return true
}
