import Check from 'lucide-react/icons/check'
import {
  cloneElement,
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  use,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Link } from 'wouter'
import { cx } from './cx.ts'
import { markOpener } from './modal-focus.ts'
import { useLoaded } from './use-loaded-code.ts'

const item =
  'flex h-8 w-full items-center gap-2 rounded-sm px-2 text-left outline-none select-none data-disabled:text-ink-3 data-highlighted:bg-hover max-md:h-11 touch:h-11 [&>svg]:text-ink-2'

/** Loaded on demand, because in most visits no menu is opened. */
export const loadMenus = () => import('@radix-ui/react-dropdown-menu')
type Menus = Awaited<ReturnType<typeof loadMenus>>

const MenusContext = createContext<Menus | undefined>(undefined)

function useMenus(): Menus {
  const menus = use(MenusContext)
  if (menus === undefined) throw new Error('outside of a Menu')
  return menus
}

interface TriggerProps {
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
  onClick?: (event: MouseEvent) => void
  onKeyDown?: (event: KeyboardEvent) => void
  onPointerEnter?: () => void
}

export interface MenuProps {
  trigger: ReactElement<TriggerProps>
  align?: 'start' | 'end'
  children: ReactNode
}

const openingKeys: ReadonlySet<string> = new Set(['Enter', ' ', 'ArrowDown'])

/** A menu below a button. Its code is loaded once the pointer is over the button. */
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  const [open, setOpen] = useState(false)
  const [byKey, setByKey] = useState(false)
  const Radix = useLoaded(loadMenus, open, () => setOpen(false))
  if (!Radix)
    return cloneElement(trigger, {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onClick: () => setOpen(true),
      onKeyDown: (event) => {
        if (!openingKeys.has(event.key)) return
        event.preventDefault()
        setByKey(true)
        setOpen(true)
      },
      // Ignore a failed load here, because a press on the button reports it.
      onPointerEnter: () => void loadMenus().catch(() => undefined),
    })
  return (
    <Radix.Root
      modal={false}
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) markOpener()
        setOpen(isOpen)
      }}
    >
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={8}
          collisionPadding={8}
          onCloseAutoFocus={() => setByKey(false)}
          className="z-50 min-w-50 animate-rise rounded-md bg-raised p-1 shadow-2"
        >
          <MenusContext value={Radix}>{byKey ? <FirstItem>{children}</FirstItem> : children}</MenusContext>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Focuses the first item if a key opened the menu. The menu's own listeners were added too late for that key press. */
function FirstItem({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')?.focus(), [])
  return <div ref={box}>{children}</div>
}

interface MenuItemProps {
  icon?: ReactNode
  onSelect: () => void
  disabled?: boolean
  destructive?: boolean
  children: ReactNode
}

export function MenuItem({ icon, onSelect, disabled, destructive, children }: MenuItemProps) {
  const Radix = useMenus()
  return (
    <Radix.Item
      disabled={disabled ?? false}
      onSelect={onSelect}
      className={cx(item, destructive && 'text-danger-ink [&>svg]:text-danger-ink')}
    >
      {icon}
      {children}
    </Radix.Item>
  )
}

export function MenuLink({ icon, href, children }: { icon?: ReactNode; href: string; children: ReactNode }) {
  const Radix = useMenus()
  return (
    <Radix.Item asChild>
      <Link href={href} className={item}>
        {icon}
        {children}
      </Link>
    </Radix.Item>
  )
}

interface MenuChoiceProps<Value extends string> {
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: string }[]
}

export function MenuChoice<Value extends string>({ label, value, onChange, options }: MenuChoiceProps<Value>) {
  const Radix = useMenus()
  return (
    <Radix.RadioGroup value={value} aria-label={label}>
      <Radix.Label className="px-2 py-1 text-xs text-ink-3">{label}</Radix.Label>
      {options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          value={option.value}
          onSelect={(event) => {
            event.preventDefault()
            onChange(option.value)
          }}
          className={item}
        >
          {option.label}
          <Radix.ItemIndicator className="ml-auto">
            <Check size={16} className="text-accent-ink" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

export function MenuSeparator() {
  const Radix = useMenus()
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />
}
