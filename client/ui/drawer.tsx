import X from 'lucide-react/icons/x'
import * as Radix from '@radix-ui/react-dialog'
import { type ReactNode, useRef } from 'react'
import { useCloseOnBack } from './close-on-back.ts'
import { cx } from './cx.ts'
import { IconButton } from './icon-button.tsx'
import { useModalFocus } from './modal-focus.ts'

const sides = {
  left: 'inset-y-0 left-0 w-[calc(19rem+env(safe-area-inset-left))] max-w-[calc(100vw-3rem)] animate-from-left pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)]',
  right:
    'inset-y-0 right-0 w-[calc(25rem+env(safe-area-inset-right))] max-w-[calc(100vw-3rem)] animate-from-right pr-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)]',
  bottom: 'inset-x-0 bottom-0 max-h-[85dvh] animate-dialog rounded-t-md pb-[env(safe-area-inset-bottom)]',
}

interface DrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  heading?: ReactNode
  closeLabel?: string
  side?: keyof typeof sides
  children: ReactNode
}

/** A modal sheet at an edge of the screen: the menu on the left, details on the right, or a phone's choices at the bottom. */
export function Drawer({
  open,
  onOpenChange,
  title,
  heading,
  closeLabel = 'Close',
  side = 'left',
  children,
}: DrawerProps) {
  const panel = useRef<HTMLDivElement>(null)
  const focus = useModalFocus()
  useCloseOnBack({ open, panel, onBack: () => onOpenChange(false) })
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-60 animate-fade bg-scrim" />
        <Radix.Content
          ref={panel}
          {...focus}
          aria-describedby={undefined}
          className={cx('fixed z-60 flex flex-col bg-canvas shadow-3 focus:outline-none', sides[side])}
        >
          <header className="flex h-14 flex-none items-center justify-between gap-2 pr-3 pl-3">
            {heading}
            <Radix.Title className={heading ? 'sr-only' : 'text-md font-semibold'}>{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={closeLabel} icon={<X size={18} />} />
            </Radix.Close>
          </header>
          <div className="flex min-h-0 flex-auto flex-col gap-3 overflow-y-auto p-3 pt-1">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
