import { Link } from 'wouter'
import { cx } from './cx.ts'

export function DealerLink({ dealer, className }: { dealer: { id: string; name: string }; className?: string }) {
  return (
    <Link href={`/dealers/${dealer.id}`} className={cx('rounded-sm underline-offset-3 hover:underline', className)}>
      {dealer.name}
    </Link>
  )
}
