import { type FormEvent, type ReactNode, useId } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface FormDialogProps {
  open?: boolean
  title: string
  description?: string
  /** A verb, not "OK". */
  confirmLabel: string
  destructive?: boolean
  busy: boolean
  disabled?: boolean
  /** See `Dialog`. */
  unsaved?: boolean
  compact?: boolean
  /** Buttons before Cancel. */
  footerStart?: ReactNode
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onClose: () => void
  children: ReactNode
}

/** Asks for some values and then acts. The caller closes it after success. */
export function FormDialog(props: FormDialogProps) {
  const {
    open = true,
    confirmLabel,
    destructive,
    busy,
    disabled,
    footerStart,
    onSubmit,
    onClose,
    children,
    ...rest
  } = props
  const form = useId()
  return (
    <Dialog
      {...rest}
      open={open}
      onOpenChange={(stays) => !stays && onClose()}
      footer={
        <>
          {footerStart}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant={destructive ? 'danger' : 'primary'}
            type="submit"
            form={form}
            busy={busy}
            disabled={disabled ?? false}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit(event)
        }}
      >
        {children}
      </form>
    </Dialog>
  )
}
