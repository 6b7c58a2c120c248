/** One way to press a key. `command`: with Control, or with ⌘ on a Mac. */
interface Stroke {
  key: string
  command?: true
}

interface KeyBinding {
  strokes: readonly Stroke[]
  /** What a press does, as the list of keys says it. */
  does: string
  /** Where it does so. */
  where: 'Everywhere' | 'In the search' | 'In the feed' | 'Among photos' | 'In a chat'
}

const binding = (where: KeyBinding['where'], does: string, ...strokes: Stroke[]): KeyBinding => ({
  where,
  does,
  strokes,
})
const command = (key: string): Stroke => ({ key, command: true })

/**
 * Every key that the product has of its own: what listens asks {@link isPressed} about one of these, and the list that `?`
 * opens is written from them.
 */
export const keys = {
  search: binding('Everywhere', 'Search everything', { key: '/' }, command('k')),
  help: binding('Everywhere', 'Show these keys', { key: '?' }),
  close: binding('Everywhere', 'Close what is open: a dialog, the auction, a chat', { key: 'Escape' }),
  nextFound: binding('In the search', 'Go to the next result', { key: 'ArrowDown' }),
  previousFound: binding('In the search', 'Go to the previous result', { key: 'ArrowUp' }),
  openFound: binding('In the search', 'Open the result', { key: 'Enter' }),
  nextPost: binding('In the feed', 'Go to the next post', { key: 'j' }, { key: 'ArrowDown' }, { key: 'PageDown' }),
  previousPost: binding('In the feed', 'Go to the previous post', { key: 'k' }, { key: 'ArrowUp' }, { key: 'PageUp' }),
  openPost: binding('In the feed', 'Open the post', { key: 'Enter' }),
  afterFeed: binding('In the feed', 'Go on after the feed', command('End')),
  beforeFeed: binding('In the feed', 'Go back before the feed', command('Home')),
  nextPhoto: binding('Among photos', 'Show the next photo', { key: 'ArrowRight' }),
  previousPhoto: binding('Among photos', 'Show the previous photo', { key: 'ArrowLeft' }),
  send: binding('In a chat', 'Send the message; with Shift a new line', { key: 'Enter' }, command('Enter')),
} as const satisfies Record<string, KeyBinding>

type Press = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** Whether this press is one of that key. Shift alone is part of what a key writes: `?` is pressed with it. */
export const isPressed = (press: Press, { strokes }: KeyBinding): boolean =>
  !press.altKey && strokes.some((stroke) => isStroke(press, stroke))

function isStroke({ key, ctrlKey, metaKey, shiftKey }: Press, stroke: Stroke): boolean {
  if (stroke.command) return (ctrlKey || metaKey) && !shiftKey && key.toLowerCase() === stroke.key.toLowerCase()
  return !ctrlKey && !metaKey && key === stroke.key
}

const ownKeys =
  'input, textarea, select, [role="combobox"], [role="listbox"], [role="menu"], [role="alertdialog"], [role="dialog"]:not([data-beside])'

/** Where a key is only a letter, or belongs to what is open: fields, menus and dialogs, but not one that stands beside the page. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.closest(ownKeys) !== null
}

const names: Record<string, string> = {
  Escape: 'Esc',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageDown: 'Page Down',
  PageUp: 'Page Up',
  j: 'J',
  k: 'K',
}

const isMac = () => /mac|iphone|ipad/i.test(navigator.userAgent)

/** The keys to hold and press, as they are written on them. */
export const namesOf = ({ key, command: held }: Stroke): string[] => [
  ...(held ? [isMac() ? '⌘' : 'Ctrl'] : []),
  names[key] ?? key,
]
