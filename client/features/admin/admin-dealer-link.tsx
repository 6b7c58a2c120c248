import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { cx } from '#client/ui/cx.ts'

/** A dealer's name, which leads to what admins know of them. */
export function AdminDealerLink({ id, children, className }: { id: string; children: ReactNode; className?: string }) {
  return (
    <Link
      href={`/admin/users/${id}`}
      className={cx(
        'rounded-sm underline decoration-line-strong underline-offset-3 hover:decoration-current',
        className,
      )}
    >
      {children}
    </Link>
  )
}
