import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CircleCheck from 'lucide-react/icons/circle-check'
import { createContext, type ReactNode, use, useId, useMemo } from 'react'
import { cx } from './cx.ts'

interface FieldContext {
  id: string
  describedBy: string | undefined
  invalid: boolean
  auto: boolean
  required: boolean
}

const Context = createContext<FieldContext | undefined>(undefined)

interface FieldProps {
  label: string
  hideLabel?: boolean
  optional?: boolean
  required?: boolean
  hint?: ReactNode
  error?: string | undefined
  auto?: string | undefined
  className?: string
  children: ReactNode
}

/** A label, a control and messages. The control inside gets its id and state from context. */
export function Field({
  label,
  hideLabel,
  optional,
  required = false,
  hint,
  error,
  auto,
  className,
  children,
}: FieldProps) {
  const id = useId()
  const messageId = `${id}-message`
  const describedBy = error || auto || hint ? messageId : undefined
  const invalid = Boolean(error)
  const isAuto = Boolean(auto) && !invalid
  const context = useMemo(
    () => ({ id, describedBy, invalid, auto: isAuto, required }),
    [id, describedBy, invalid, isAuto, required],
  )
  return (
    <Context value={context}>
      <div className={cx('min-w-0', className)}>
        <label htmlFor={id} className={cx(hideLabel ? 'sr-only' : 'mb-1 block font-medium')}>
          {label}
          {optional ? <span className="font-normal text-ink-3"> (optional)</span> : null}
        </label>
        {children}
        <FieldMessage id={messageId} error={error} auto={auto} hint={hint} />
      </div>
    </Context>
  )
}

/** The error or hint below a control. Use it directly only if it describes several controls. */
export function FieldMessage({ id, error, auto, hint }: Pick<FieldProps, 'error' | 'auto' | 'hint'> & { id: string }) {
  if (error) {
    return (
      <p id={id} className="mt-1 flex items-start gap-1 text-xs text-danger-ink">
        <CircleAlert size={14} className="mt-px" aria-hidden="true" />
        {error}
      </p>
    )
  }
  if (auto) {
    return (
      <p id={id} className="mt-1 flex items-start gap-1 text-xs text-success-ink">
        <CircleCheck size={14} className="mt-px" aria-hidden="true" />
        {auto}
      </p>
    )
  }
  if (!hint) return null
  return (
    <p id={id} className="mt-1 text-xs text-ink-3">
      {hint}
    </p>
  )
}

/** Returns the state and attributes that connect a control to the Field around it. Outside of a Field, there are none. */
export function useFieldControl() {
  const field = use(Context)
  return {
    auto: field?.auto ?? false,
    invalid: field?.invalid ?? false,
    attributes: field
      ? {
          id: field.id,
          'aria-describedby': field.describedBy,
          'aria-invalid': field.invalid || undefined,
          'aria-required': field.required || undefined,
        }
      : {},
  }
}
