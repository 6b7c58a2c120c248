import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { buttonClass, type ButtonLook } from './button.tsx'

interface ButtonLinkProps extends ButtonLook {
  href: string
  icon?: ReactNode
  children: ReactNode
  onClick?: () => void
}

/** A link that looks like a button. It is not part of `Button`, because public pages have no router. */
export function ButtonLink({ href, icon, children, onClick, ...look }: ButtonLinkProps) {
  return (
    <Link href={href} className={buttonClass(look)} {...(onClick && { onClick })}>
      {icon}
      {children}
    </Link>
  )
}
