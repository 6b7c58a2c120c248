import { isPressed, isTyping, type KeyName, keys } from '#client/lib/keys/shortcuts.ts'

export type LaneAct =
  | { do: 'focus'; slot: number }
  | { do: 'move'; dx: number; dy: number }
  | { do: 'bid'; step: 0 | 1 }
  | { do: 'confirm' | 'disarm' | 'maximum' | 'pin' | 'urgent' | 'open' | 'photos' | 'fill' | 'sound' }

const acts: Partial<Record<KeyName, LaneAct>> = {
  laneLeft: { do: 'move', dx: -1, dy: 0 },
  laneRight: { do: 'move', dx: 1, dy: 0 },
  laneUp: { do: 'move', dx: 0, dy: -1 },
  laneDown: { do: 'move', dx: 0, dy: 1 },
  laneBid: { do: 'bid', step: 0 },
  laneBidMore: { do: 'bid', step: 1 },
  laneConfirm: { do: 'confirm' },
  laneDisarm: { do: 'disarm' },
  laneMaximum: { do: 'maximum' },
  lanePin: { do: 'pin' },
  laneUrgent: { do: 'urgent' },
  laneOpen: { do: 'open' },
  lanePhotos: { do: 'photos' },
  laneFill: { do: 'fill' },
  laneSound: { do: 'sound' },
}

/** Returns the action for a key press. Ignores repeated keys, modifier keys, and keys pressed while typing or in a dialog. */
export function laneActOf(event: KeyboardEvent): LaneAct | undefined {
  if (event.defaultPrevented || event.repeat || isTyping(event.target)) return undefined
  if (event.altKey || event.ctrlKey || event.metaKey) return undefined
  if (isPressed(event, keys.lanePosition)) return { do: 'focus', slot: Number(event.key) }
  const name = (Object.keys(acts) as KeyName[]).find((one) => isPressed(event, keys[one]))
  return name && acts[name]
}

/** Returns the grid position next to `slot`, `slot` itself at an edge, or the first position if `slot` is undefined. */
export function slotAfter(
  slot: number | undefined,
  { dx, dy }: { dx: number; dy: number },
  positionCount: number,
  columns: number,
) {
  if (slot === undefined) return 1
  const column = ((slot - 1) % columns) + dx
  const row = Math.floor((slot - 1) / columns) + dy
  const next = row * columns + column + 1
  return column < 0 || column >= columns || next < 1 || next > positionCount ? slot : next
}
