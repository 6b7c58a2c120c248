import { type ReactNode } from 'react'
import { Button } from './button.tsx'
import { useOpener } from './modal-focus.ts'
import { useLoaded } from './use-loaded-code.ts'

/** Loaded on demand, because most visits need no confirmation. */
export const loadQuestions = () => import('@radix-ui/react-alert-dialog')

interface ConfirmDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: ReactNode
  /** Pass a verb, not "OK". */
  confirmLabel: string
  cancelLabel?: string
  destructive?: boolean
  /** True while the action is in flight. The dialog shows a spinner and stays open until the caller closes it. */
  busy?: boolean
  onConfirm: () => void
}

/** Asks the user to confirm an action that cannot be undone. Cancel has the initial focus, and a press outside does nothing. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    open,
    onOpenChange,
    title,
    description,
    confirmLabel,
    cancelLabel = 'Cancel',
    destructive,
    busy,
    onConfirm,
  } = props
  const { remember, returnOnClose } = useOpener()
  const Radix = useLoaded(loadQuestions, open, () => onOpenChange(false))
  if (!Radix) return null
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        {/* The overlay is on the same layer as dialogs, so that it dims a dialog below this one. */}
        <Radix.Overlay className="fixed inset-0 z-60 animate-fade bg-scrim" />
        <Radix.Content
          onOpenAutoFocus={remember}
          onCloseAutoFocus={returnOnClose}
          className="fixed inset-0 z-60 m-auto h-fit max-h-dvh w-[calc(100vw-2rem)] max-w-[27.5rem] animate-dialog overflow-y-auto rounded-md bg-raised p-6 shadow-3 focus:outline-none"
        >
          <Radix.Title className="text-md font-semibold">{title}</Radix.Title>
          <Radix.Description asChild>
            <div className="mt-2 text-ink-2">{description}</div>
          </Radix.Description>
          <div className="mt-6 flex flex-wrap justify-end gap-2">
            <Radix.Cancel asChild>
              <Button>{cancelLabel}</Button>
            </Radix.Cancel>
            <Button variant={destructive ? 'danger' : 'primary'} busy={busy ?? false} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
