import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { Button } from './button.tsx'

interface InlineErrorProps {
  title: string
  message?: string | undefined
  onRetry?: (() => void) | undefined
  retrying?: boolean
}

export function InlineError({ title, message, onRetry, retrying = false }: InlineErrorProps) {
  return (
    <div role="alert" className="flex items-start gap-2 rounded-md bg-danger-soft px-3 py-2 text-danger-ink">
      <CircleAlert size={16} className="mt-0.5" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        {message ? <p className="text-ink-2">{message}</p> : null}
      </div>
      {onRetry ? (
        <Button size="sm" busy={retrying} icon={<RotateCw size={14} />} onClick={onRetry}>
          Retry
        </Button>
      ) : null}
    </div>
  )
}
