import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { tooltipDelayMs, tooltipSkipDelayMs } from '#shared/limits.ts'

/** Milliseconds that the pointer may take from the button to its tooltip before the tooltip disappears. */
const graceMs = 100
const gapPx = 4
const edgePx = 8

const markedAt = (target: EventTarget | null): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>('[data-tooltip]')) || undefined

const isTooltip = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="tooltip"]') !== null

/**
 * Shows `data-tooltip` after 700 ms of hovering; at once on keyboard focus, or within 300 ms of another tooltip. Mount it once.
 * A tooltip must not be the only place where information is shown.
 */
export function TooltipLayer() {
  const [anchor, setAnchor] = useState<HTMLElement>()
  useEffect(() => watchMarked(setAnchor), [])
  return anchor ? <TooltipBox anchor={anchor} /> : null
}

function watchMarked(onShow: (anchor: HTMLElement | undefined) => void): () => void {
  let shown: HTMLElement | undefined
  let waiting: HTMLElement | undefined
  let pressed: HTMLElement | undefined
  let hiddenAt = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined
  const set = (next: HTMLElement | undefined) => {
    clearTimeout(timer)
    if (shown !== undefined && next === undefined) hiddenAt = Date.now()
    waiting = undefined
    shown = next
    onShow(next)
  }
  const wait = (next: HTMLElement) => {
    clearTimeout(timer)
    waiting = next
    timer = setTimeout(() => set(next.isConnected ? next : undefined), tooltipDelayMs)
  }
  const leave = () => {
    clearTimeout(timer)
    waiting = undefined
    if (shown !== undefined) timer = setTimeout(() => set(undefined), graceMs)
  }
  const hide = () => set(undefined)
  const onOver = ({ target, pointerType }: PointerEvent) => {
    if (pointerType === 'touch') return
    const next = markedAt(target)
    if (next !== pressed) pressed = undefined
    if (isTooltip(target) || (next !== undefined && next === shown)) return clearTimeout(timer)
    if (next === undefined || next === pressed) return leave()
    if (shown !== undefined || Date.now() - hiddenAt < tooltipSkipDelayMs) return set(next)
    if (next !== waiting) wait(next)
  }
  const onPress = ({ target }: Event) => {
    pressed = markedAt(target)
    hide()
  }
  // Require keyboard focus, because dialogs also focus a button when they open.
  const onFocus = ({ target }: FocusEvent) => {
    const next = markedAt(target)
    if (next?.matches(':focus-visible')) set(next)
  }
  const onKey = ({ key }: KeyboardEvent) => void (key === 'Escape' && shown && hide())
  const listeners = {
    pointerover: onOver,
    pointerdown: onPress,
    click: onPress,
    focusin: onFocus,
    focusout: hide,
    scroll: hide,
    keydown: onKey,
  }
  const options = { capture: true, passive: true }
  const all = Object.entries(listeners) as [string, (event: Event) => void][]
  for (const [name, listener] of all) document.addEventListener(name, listener, options)
  document.documentElement.addEventListener('pointerleave', leave)
  return () => {
    clearTimeout(timer)
    for (const [name, listener] of all) document.removeEventListener(name, listener, options)
    document.documentElement.removeEventListener('pointerleave', leave)
  }
}

function TooltipBox({ anchor }: { anchor: HTMLElement }) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const text = anchor.dataset['tooltip'] ?? ''
  useLayoutEffect(() => {
    if (box.current) box.current.style.translate = placeOf(box.current, anchor)
  }, [anchor])
  useEffect(() => {
    // Do not add a description that the accessible name already contains, because screen readers would read it twice.
    if (anchor.getAttribute('aria-label')?.includes(text)) return undefined
    anchor.setAttribute('aria-describedby', id)
    return () => anchor.removeAttribute('aria-describedby')
  }, [anchor, text, id])
  return (
    <div
      ref={box}
      id={id}
      role="tooltip"
      // Stop the event, because otherwise a dialog would treat it as a press outside of the dialog.
      onPointerDown={(event) => event.stopPropagation()}
      className="pointer-events-auto fixed top-0 left-0 z-70 w-max max-w-[calc(100vw-1rem)] animate-fade rounded-sm bg-inverse px-2 py-1 text-xs font-medium text-on-inverse"
    >
      {text}
    </div>
  )
}

/** Centers the tooltip above the anchor or, if there is no room, below it. Keeps it inside the window. */
function placeOf(box: HTMLElement, anchor: HTMLElement): string {
  const { width, height } = box.getBoundingClientRect()
  const at = anchor.getBoundingClientRect()
  const above = at.top - gapPx - height
  const rightmost = document.documentElement.clientWidth - edgePx - width
  const left = Math.max(edgePx, Math.min(at.left + at.width / 2 - width / 2, rightmost))
  const top = above >= edgePx ? above : at.bottom + gapPx
  return `${Math.round(left)}px ${Math.round(top)}px`
}
