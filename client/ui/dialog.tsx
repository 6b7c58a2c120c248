import X from 'lucide-react/icons/x'
import * as Radix from '@radix-ui/react-dialog'
import { type ReactNode, useRef, useState } from 'react'
import { useCloseOnBack } from './close-on-back.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { cx } from './cx.ts'
import { IconButton } from './icon-button.tsx'
import { useModalFocus } from './modal-focus.ts'
import { useUnsavedText } from './unsaved-text.ts'

const widths = {
  sm: 'md:max-w-[27.5rem]',
  md: 'md:max-w-[40rem]',
  lg: 'md:max-w-[55rem]',
  xl: 'md:max-w-[74.5rem]',
}

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string
  hideDescription?: boolean
  width?: keyof typeof widths
  footer?: ReactNode
  headerStart?: ReactNode
  headerEnd?: ReactNode
  /** For little content: on a phone, the dialog stays a card instead of filling the screen. */
  compact?: boolean
  /** For content that cannot be shown again: only the dialog's own buttons close it, not Escape or a press outside. */
  keeps?: boolean
  /** True if closing must be confirmed, false if the input is saved anyway. By default, true if a field was edited. */
  unsaved?: boolean
  flush?: boolean
  children: ReactNode
}

const preventClose = (event: Event) => event.preventDefault()

/**
 * A modal dialog. If typed input would be lost, Escape, a press outside, the close button and Back ask for confirmation.
 * Cancel buttons do not. On a phone, Back closes the dialog.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  width = 'sm',
  footer,
  headerStart,
  headerEnd,
  compact,
  keeps,
  unsaved,
  flush,
  children,
  ...rest
}: DialogProps) {
  const panel = useRef<HTMLDivElement>(null)
  const focus = useModalFocus()
  const typed = useUnsavedText()
  const [asking, setAsking] = useState(false)
  const confirmDiscard = () => {
    if (!(unsaved ?? typed.areLeft())) return false
    setAsking(true)
    return true
  }
  const close = () => onOpenChange(false)
  useCloseOnBack({ open, panel, confirmDiscard, onBack: keeps ? undefined : close })
  return (
    <Radix.Root open={open} onOpenChange={(next) => (!next && confirmDiscard()) || onOpenChange(next)}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <Radix.Content
          ref={panel}
          {...typed.handlers}
          onOpenAutoFocus={(event) => {
            if (event.currentTarget instanceof HTMLElement) typed.begin(event.currentTarget)
            focus.onOpenAutoFocus(event)
          }}
          onCloseAutoFocus={focus.onCloseAutoFocus}
          {...(keeps && { onEscapeKeyDown: preventClose, onInteractOutside: preventClose })}
          {...(!rest.description && { 'aria-describedby': undefined })}
          className={cx(
            'fixed inset-0 z-60 m-auto flex h-fit max-h-dvh w-full animate-dialog flex-col overflow-clip bg-raised shadow-3 focus:outline-none',
            compact
              ? 'max-md:w-[calc(100vw-2rem)] max-md:rounded-md'
              : 'max-md:h-dvh max-md:pb-[env(safe-area-inset-bottom)]',
            'md:max-h-[calc(100dvh-3rem)] md:w-[calc(100vw-3rem-env(safe-area-inset-left)-env(safe-area-inset-right))] md:rounded-md',
            widths[width],
          )}
        >
          <DialogHeader title={title} start={headerStart} end={headerEnd} />
          {/* Use `flex-auto`, because Safari ignores a percentage of an automatic height. */}
          <div className={cx('relative min-h-0 flex-auto overflow-y-auto', !flush && 'px-6 py-4 max-md:px-4')}>
            {rest.description ? (
              <Radix.Description className={rest.hideDescription ? 'sr-only' : 'mb-4 text-ink-2'}>
                {rest.description}
              </Radix.Description>
            ) : null}
            {children}
          </div>
          {footer ? (
            <footer className="flex flex-none flex-wrap items-center justify-end gap-2 border-t border-line px-6 py-3 max-md:px-4">
              {footer}
            </footer>
          ) : null}
          <DiscardQuestion open={asking} onOpenChange={setAsking} onDiscard={close} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function DialogHeader({ title, start, end }: { title: string; start: ReactNode; end: ReactNode }) {
  return (
    <header className="flex h-14 flex-none items-center gap-3 border-b border-line pr-3 pl-6 max-md:pr-1 max-md:pl-4">
      {start}
      <Radix.Title className="min-w-0 flex-1 truncate text-md font-semibold">{title}</Radix.Title>
      {end}
      <Radix.Close asChild>
        <IconButton label="Close" icon={<X size={18} />} />
      </Radix.Close>
    </header>
  )
}

interface DiscardQuestionProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  onDiscard: () => void
}

function DiscardQuestion({ open, onOpenChange, onDiscard }: DiscardQuestionProps) {
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Discard what you typed?"
      description="It has not been saved or sent and cannot be recovered."
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      destructive
      onConfirm={() => {
        onOpenChange(false)
        onDiscard()
      }}
    />
  )
}
