import * as Radix from 'radix-ui/popover'
import { type ReactNode } from 'react'

interface PopoverProps {
  /** One element that can hold a ref, usually a button. */
  trigger: ReactNode
  /** The accessible name of the panel. */
  label: string
  align?: 'start' | 'center' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}

/** A small panel beside its trigger, for content. For a list of acts: Menu. */
export function Popover({ trigger, label, align = 'end', open, onOpenChange, children }: PopoverProps) {
  return (
    <Radix.Root {...(open !== undefined && { open })} {...(onOpenChange && { onOpenChange })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={8}
          collisionPadding={8}
          className="z-50 max-h-(--radix-popover-content-available-height) animate-rise overflow-y-auto rounded-md bg-raised shadow-2 focus:outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
