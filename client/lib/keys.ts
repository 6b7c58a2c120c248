/** One way to press a key. `command`: with Control, or with ⌘ on a Mac. */
export interface Stroke {
  key: string
  command?: true
}

const command = (key: string): Stroke => ({ key, command: true })

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
  nextPhoto: [{ key: 'ArrowRight' }],
  previousPhoto: [{ key: 'ArrowLeft' }],
  firstPhoto: [{ key: 'Home' }],
  lastPhoto: [{ key: 'End' }],
  growPhoto: [{ key: '+' }, { key: '=' }],
  shrinkPhoto: [{ key: '-' }],
  wholePhoto: [{ key: '0' }],
  send: [{ key: 'Enter' }, command('Enter')],
} satisfies Record<string, Stroke[]>

export type KeyName = keyof typeof keys

type Press = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** Whether this press is one of that key. Shift alone is part of what a key writes: `?` is pressed with it. */
export const isPressed = (press: Press, strokes: readonly Stroke[]): boolean =>
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
