export interface Stroke {
  key: string
  command?: true
  /** If false, the shortcut requires that Shift is not pressed, and Caps Lock makes no difference. */
  shift?: boolean
}

const command = (key: string): Stroke => ({ key, command: true })
const letter = (key: string): Stroke => ({ key, shift: false })

/** All keyboard shortcuts. Handlers check them with {@link isPressed}, and the help dialog (`?`) lists them. */
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
  lanePosition: ['1', '2', '3', '4', '5', '6'].map((key): Stroke => ({ key })),
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
  lanePhotos: [letter('v')],
  laneFill: [letter('f')],
  laneSound: [letter('s')],
} satisfies Record<string, Stroke[]>

export const enter: readonly Stroke[] = [{ key: 'Enter' }]

export type KeyName = keyof typeof keys

interface Composing {
  keyCode: number
  isComposing?: boolean
  nativeEvent?: { isComposing?: boolean }
}

/** Safari reports this key code for the Enter that ends a composition. `isComposing` is already false then. */
const composingKeyCode = 229

/** True while an input method (IME) handles the key press. Enter then picks a word and must not submit the form. */
const isComposing = ({ keyCode, isComposing: own, nativeEvent }: Composing): boolean =>
  own === true || nativeEvent?.isComposing === true || keyCode === composingKeyCode

type Press = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'> & Composing

/** True if the key press matches one of these shortcuts. Ignores Shift for symbols, because `?` cannot be typed without it. */
export const isPressed = (press: Press, strokes: readonly Stroke[]): boolean =>
  !press.altKey && !isComposing(press) && strokes.some((stroke) => isStroke(press, stroke))

function isStroke({ key, ctrlKey, metaKey, shiftKey }: Press, stroke: Stroke): boolean {
  if (stroke.command) return (ctrlKey || metaKey) && !shiftKey && key.toLowerCase() === stroke.key.toLowerCase()
  if (ctrlKey || metaKey) return false
  return stroke.shift === undefined ? key === stroke.key : key.toLowerCase() === stroke.key && shiftKey === stroke.shift
}

/** Ignores the key repeats of Enter and Space while they are held down, because only a new press may place a bid. */
export function refuseRepeats(event: Pick<KeyboardEvent, 'key' | 'repeat' | 'preventDefault'>): void {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
}

const fields = 'input, textarea, select, [role="combobox"], [role="listbox"]'
const layers = '[role="menu"], [role="alertdialog"], [role="dialog"]:not([data-beside])'

/** True inside an open menu or dialog, but not in the non-modal dialog beside the page. */
const isInLayer = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest(layers) !== null

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.closest(fields) !== null || isInLayer(target)
}

/** True if the page's shortcuts must ignore this key press. With Control or ⌘, that is so only in menus and dialogs. */
export const isTyped = (press: KeyboardEvent): boolean =>
  press.ctrlKey || press.metaKey ? isInLayer(press.target) : isTyping(press.target)
