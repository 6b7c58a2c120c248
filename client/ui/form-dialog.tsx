import { type FormEvent, type ReactNode, useId } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface FormDialogProps {
  open?: boolean
  title: string
  description?: string
  confirmLabel: string
  destructive?: boolean
  busy: boolean
  disabled?: boolean
  unsaved?: boolean
  compact?: boolean
  footerStart?: ReactNode
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onClose: () => void
  children: ReactNode
}

/** A dialog with a form. The caller closes it once the form was sent successfully. */
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
          <FormActions form={form} {...{ confirmLabel, destructive, busy, disabled, onClose }} />
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

interface FormActionsProps extends Pick<FormDialogProps, 'confirmLabel' | 'busy' | 'onClose'> {
  form: string
  destructive?: boolean | undefined
  disabled?: boolean | undefined
}

export function FormActions({ form, confirmLabel, destructive, busy, disabled = false, onClose }: FormActionsProps) {
  return (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button variant={destructive ? 'danger' : 'primary'} type="submit" form={form} busy={busy} disabled={disabled}>
        {confirmLabel}
      </Button>
    </>
  )
}
