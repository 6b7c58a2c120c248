import { createContext, type ReactNode, use, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'

export type SlotName = 'top-bar-title'

interface Slots {
  elements: Partial<Record<SlotName, HTMLElement | null>>
  register: (name: SlotName, element: HTMLElement | null) => void
}

const Context = createContext<Slots>({ elements: {}, register: () => undefined })

export function SlotProvider({ children }: { children: ReactNode }) {
  const [elements, setElements] = useState<Slots['elements']>({})
  const [register] = useState(
    () => (name: SlotName, element: HTMLElement | null) =>
      setElements((current) => (current[name] === element ? current : { ...current, [name]: element })),
  )
  const slots = useMemo(() => ({ elements, register }), [elements, register])
  return <Context value={slots}>{children}</Context>
}

export function SlotTarget({ name, className }: { name: SlotName; className?: string }) {
  const { register } = use(Context)
  const [ref] = useState(() => (element: HTMLElement | null) => register(name, element))
  return <div ref={ref} className={className} />
}

export function Slot({ name, children }: { name: SlotName; children: ReactNode }) {
  const element = use(Context).elements[name]
  return element ? createPortal(children, element) : null
}
