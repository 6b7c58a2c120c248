import { type ReactNode } from 'react'
import { Button } from './button.tsx'
import { useOpener } from './modal-focus.ts'
import { useLoaded } from './use-loaded.ts'

/** What holds the focus in a question: most visits are asked none. */
export const loadQuestions = () => import('@radix-ui/react-alert-dialog')

interface ConfirmDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The question, as a question. */
  title: string
  /** What will happen, and whether it can be undone. */
  description: ReactNode
  /** The verb of the act, not "OK". */
  confirmLabel: string
  cancelLabel?: string
  destructive?: boolean
  /** The act is under way: the dialog stays and the button spins. Close it when it is done. */
  busy?: boolean
  onConfirm: () => void
}

/** Before something that cannot be undone. Cancel has the focus; a press outside does nothing. */
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
  const { remember, giveBack } = useOpener()
  const Radix = useLoaded(loadQuestions, open, () => onOpenChange(false))
  if (!Radix) return null
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        {/* As high as a dialog: it may be asked from one, which must not stay bright. */}
        <Radix.Overlay className="fixed inset-0 z-60 animate-fade bg-scrim" />
        <Radix.Content
          onOpenAutoFocus={remember}
          onCloseAutoFocus={giveBack}
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
