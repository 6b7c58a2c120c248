import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'

const most = 5
const step = 1.5
const near = 2.5
const perWheelPixel = 0.002
/** While the photo is not zoomed, a horizontal drag of at least this many pixels changes the photo. */
const swipePx = 48

interface Zoom {
  scale: number
  x: number
  y: number
}

const whole: Zoom = { scale: 1, x: 0, y: 0 }

interface Point {
  x: number
  y: number
}

const between = (least: number, value: number, greatest: number) => Math.min(greatest, Math.max(least, value))

function bounded({ scale, x, y }: Zoom, { width, height }: { width: number; height: number }): Zoom {
  const [right, down] = [((scale - 1) * width) / 2, ((scale - 1) * height) / 2]
  return { scale, x: between(-right, x, right), y: between(-down, y, down) }
}

/**
 * Zooms and pans a photo. The point under the pointer stays in place.
 * @param shown id of the photo; a different id resets the zoom
 * @param onSwipe called after a swipe to the left (1) or right (-1) while the photo is not zoomed
 */
export function useZoom(stage: RefObject<HTMLElement | null>, shown: string, onSwipe: (by: 1 | -1) => void) {
  const [zoom, setZoom] = useState<Zoom & { of: string }>({ ...whole, of: shown })
  const now = zoom.of === shown ? zoom : { ...whole, of: shown }
  const pointers = useRef(new Map<number, Point>())
  const start = useRef<Point>({ x: 0, y: 0 })

  const change = (make: (before: Zoom) => Zoom) =>
    setZoom((before) => {
      const box = stage.current?.getBoundingClientRect() ?? { width: 0, height: 0 }
      return { ...bounded(make(before.of === shown ? before : whole), box), of: shown }
    })
  /** `at` is a point in window pixels. Without it, the zoom is centered. */
  const zoomBy = (factor: number, at?: Point) =>
    change(({ scale, x, y }) => {
      const next = between(1, scale * factor, most)
      const box = stage.current?.getBoundingClientRect()
      const middle = box && { x: box.left + box.width / 2, y: box.top + box.height / 2 }
      const from = at && middle ? { x: at.x - middle.x, y: at.y - middle.y } : { x: 0, y: 0 }
      const ratio = next / scale
      return { scale: next, x: from.x - (from.x - x) * ratio, y: from.y - (from.y - y) * ratio }
    })
  useWheel(stage, (event) => zoomBy(Math.exp(-event.deltaY * perWheelPixel * (event.ctrlKey ? 4 : 1)), at(event)))

  const move = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId)
    if (!before) return
    const [other] = [...pointers.current].flatMap(([id, point]) => (id === event.pointerId ? [] : point))
    const here = at(event)
    pointers.current.set(event.pointerId, here)
    if (other)
      return zoomBy(distanceBetween(other, here) / Math.max(1, distanceBetween(other, before)), midpoint(other, here))
    change(({ scale, x, y }) => ({ scale, x: x + here.x - before.x, y: y + here.y - before.y }))
  }
  const press = (event: PointerEvent) => {
    pointers.current.set(event.pointerId, at(event))
    start.current = at(event)
    if (event.currentTarget instanceof Element) event.currentTarget.setPointerCapture?.(event.pointerId)
  }
  const release = (event: PointerEvent) => {
    const wasLast = pointers.current.delete(event.pointerId) && pointers.current.size === 0
    const [right, down] = [event.clientX - start.current.x, event.clientY - start.current.y]
    if (!wasLast || now.scale > 1 || Math.abs(right) < Math.max(swipePx, Math.abs(down))) return
    onSwipe(right < 0 ? 1 : -1)
  }
  return {
    scale: now.scale,
    style: { transform: `translate(${now.x}px, ${now.y}px) scale(${now.scale})` },
    canGrow: now.scale < most,
    grow: () => zoomBy(step),
    shrink: () => zoomBy(1 / step),
    reset: () => setZoom({ ...whole, of: shown }),
    handlers: {
      onPointerDown: press,
      onPointerMove: move,
      onPointerUp: release,
      onPointerCancel: (event: PointerEvent) => void pointers.current.delete(event.pointerId),
      onDoubleClick: (event: { clientX: number; clientY: number }) =>
        now.scale > 1 ? setZoom({ ...whole, of: shown }) : zoomBy(near, at(event)),
    },
  }
}

const at = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => ({ x: clientX, y: clientY })
const distanceBetween = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y)
const midpoint = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 })

/** Uses a native listener, because React's wheel listener is passive and could not stop the page from scrolling. */
function useWheel(stage: RefObject<HTMLElement | null>, onWheel: (event: WheelEvent) => void): void {
  useEffect(() => {
    const element = stage.current
    const listen = (event: WheelEvent) => {
      event.preventDefault()
      onWheel(event)
    }
    element?.addEventListener('wheel', listen, { passive: false })
    return () => element?.removeEventListener('wheel', listen)
  })
}
