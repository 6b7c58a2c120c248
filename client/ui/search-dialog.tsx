import * as Radix from '@radix-ui/react-dialog'
import { type ReactNode, useRef } from 'react'
import { useCloseOnBack } from './close-on-back.ts'
import { useModalFocus } from './modal-focus.ts'

interface SearchDialogProps {
  title: string
  onClose: () => void
  children: ReactNode
}

/** A modal with a search field and its results, below the top of the screen; full-screen on a phone. */
export function SearchDialog({ title, onClose, children }: SearchDialogProps) {
  const panel = useRef<HTMLDivElement>(null)
  const focus = useModalFocus()
  useCloseOnBack({ open: true, panel, onBack: onClose })
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <Radix.Content
          ref={panel}
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-x-0 top-0 z-60 mx-auto flex w-full animate-dialog flex-col overflow-clip bg-raised shadow-3 focus:outline-none max-md:h-dvh max-md:pb-[env(safe-area-inset-bottom)] md:top-[min(6rem,8dvh)] md:max-h-[min(40rem,84dvh)] md:max-w-[40rem] md:rounded-md"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
