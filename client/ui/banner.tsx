import X from 'lucide-react/icons/x'
import { type ReactNode } from 'react'
import { cx } from './cx.ts'
import { IconButton } from './icon-button.tsx'

const tones = {
  info: 'bg-accent-soft text-accent-ink border-accent-line',
  warning: 'bg-warning-soft text-warning-ink border-warning-line',
  success: 'bg-success-soft text-success-ink border-success-line',
  danger: 'bg-danger-soft text-danger-ink border-danger-line',
}

interface BannerProps {
  tone?: keyof typeof tones
  icon?: ReactNode
  onDismiss?: () => void
  children: ReactNode
}

export function Banner({ tone = 'info', icon, onDismiss, children }: BannerProps) {
  return (
    <div
      role="status"
      className={cx('flex min-h-8 items-center justify-center gap-2 border-b px-4 py-1 font-medium', tones[tone])}
    >
      {icon}
      <div className="min-w-0">{children}</div>
      {onDismiss ? <IconButton label="Dismiss" size="sm" icon={<X size={16} />} onClick={onDismiss} /> : null}
    </div>
  )
}
