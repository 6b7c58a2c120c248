import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { cx } from '#client/ui/cx.ts'

export function AdminDealerLink({ id, children, className }: { id: string; children: ReactNode; className?: string }) {
  return (
    <Link
      href={`/admin/users/${id}`}
      className={cx(
        'rounded-sm underline decoration-line-strong underline-offset-3 hover:decoration-current',
        'max-md:relative max-md:after:absolute max-md:after:inset-x-0 max-md:after:-inset-y-3',
        className,
      )}
    >
      {children}
    </Link>
  )
}
