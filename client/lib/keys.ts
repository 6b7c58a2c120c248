/** One way to press a key. `command`: with Control, or with ⌘ on a Mac. */
export interface Stroke {
  key: string
  command?: true
  /** A letter by its key, with or without Shift: whether capitals are locked makes no difference. */
  shift?: boolean
}

const command = (key: string): Stroke => ({ key, command: true })
const letter = (key: string): Stroke => ({ key, shift: false })

/**
 * Every key that the product has of its own, each with the ways to press it: what listens asks {@link isPressed} about one of
 * these, and the list that `?` opens is made of them.
 */
export const keys = {
  search: [{ key: '/' }, command('k')],
  help: [{ key: '?' }],
  close: [{ key: 'Escape' }],
  nextFound: [{ key: 'ArrowDown' }],
  previousFound: [{ key: 'ArrowUp' }],
  openFound: [{ key: 'Enter' }],
  nextPost: [{ key: 'j' }, { key: 'ArrowDown' }, { key: 'PageDown' }],
  previousPost: [{ key: 'k' }, { key: 'ArrowUp' }, { key: 'PageUp' }],
  openPost: [{ key: 'Enter' }],
  afterFeed: [command('End')],
  beforeFeed: [command('Home')],
  findText: [{ key: '/' }],
  findFilters: [letter('f')],
  nextVehicle: [letter('j')],
  previousVehicle: [letter('k')],
  openVehicle: [{ key: 'Enter' }],
  watchVehicle: [letter('w')],
  nextPhoto: [{ key: 'ArrowRight' }],
  previousPhoto: [{ key: 'ArrowLeft' }],
  firstPhoto: [{ key: 'Home' }],
  lastPhoto: [{ key: 'End' }],
  growPhoto: [{ key: '+' }, { key: '=' }],
  shrinkPhoto: [{ key: '-' }],
  wholePhoto: [{ key: '0' }],
  send: [{ key: 'Enter' }, command('Enter')],
  lanePlace: ['1', '2', '3', '4', '5', '6'].map((key): Stroke => ({ key })),
  laneLeft: [{ key: 'ArrowLeft' }],
  laneRight: [{ key: 'ArrowRight' }],
  laneUp: [{ key: 'ArrowUp' }],
  laneDown: [{ key: 'ArrowDown' }],
  laneBid: [letter('b')],
  laneBidMore: [{ key: 'b', shift: true }],
  laneConfirm: [{ key: 'Enter' }],
  laneDisarm: [{ key: 'Escape' }],
  laneMaximum: [letter('m')],
  lanePin: [letter('p')],
  laneUrgent: [letter('u')],
  laneOpen: [letter('o')],
  laneSound: [letter('s')],
} satisfies Record<string, Stroke[]>

/** Enter in a field, as in every form: not among the product's own keys. */
export const enter: readonly Stroke[] = [{ key: 'Enter' }]

export type KeyName = keyof typeof keys

interface Composing {
  keyCode: number
  /** Of the browser's own event. */
  isComposing?: boolean
  /** Of React's event. */
  nativeEvent?: { isComposing?: boolean }
}

/** What Safari reports for the Enter that ends a composition, where `isComposing` is false already. */
const composingKeyCode = 229

/** Whether an input method uses this press for itself: its Enter chooses a word and submits nothing. */
const isComposing = ({ keyCode, isComposing: own, nativeEvent }: Composing): boolean =>
  own === true || nativeEvent?.isComposing === true || keyCode === composingKeyCode

type Press = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'> & Composing

/**
 * Whether this press is one of that key. Shift alone is part of what a key writes: `?` is pressed with it. Never true while an
 * input method composes: ask this of every Enter, Escape or arrow in a field.
 */
export const isPressed = (press: Press, strokes: readonly Stroke[]): boolean =>
  !press.altKey && !isComposing(press) && strokes.some((stroke) => isStroke(press, stroke))

function isStroke({ key, ctrlKey, metaKey, shiftKey }: Press, stroke: Stroke): boolean {
  if (stroke.command) return (ctrlKey || metaKey) && !shiftKey && key.toLowerCase() === stroke.key.toLowerCase()
  if (ctrlKey || metaKey) return false
  return stroke.shift === undefined ? key === stroke.key : key.toLowerCase() === stroke.key && shiftKey === stroke.shift
}

/** A key that is held presses once: a bid of money is made by a press, never by one that lasts. */
export function refuseRepeats(event: Pick<KeyboardEvent, 'key' | 'repeat' | 'preventDefault'>): void {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
}

const fields = 'input, textarea, select, [role="combobox"], [role="listbox"]'
const layers = '[role="menu"], [role="alertdialog"], [role="dialog"]:not([data-beside])'

/** Where a key belongs to what is open over the page: menus and dialogs, but not one that stands beside the page. */
const isInLayer = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest(layers) !== null

/** Where a key is only a letter, or belongs to what is open. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.closest(fields) !== null || isInLayer(target)
}

/** Whether this press is none of the page's: with Control or ⌘ it writes nothing in a field either. */
export const isTyped = (press: KeyboardEvent): boolean =>
  press.ctrlKey || press.metaKey ? isInLayer(press.target) : isTyping(press.target)
