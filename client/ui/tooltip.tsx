import * as Radix from 'radix-ui/tooltip'
import { type ReactNode } from 'react'
import { tooltipDelayMs, tooltipSkipDelayMs } from '#shared/limits.ts'

/** Once, around the app: 700 ms to show, 300 ms in which the next one shows at once. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={tooltipDelayMs} skipDelayDuration={tooltipSkipDelayMs}>
      {children}
    </Radix.Provider>
  )
}

/** A short name for what is under the pointer. Never the only place where something is said. */
export function Tooltip({
  text,
  children,
  side = 'top',
}: {
  text: string
  children: ReactNode
  side?: 'top' | 'bottom'
}) {
  return (
    <Radix.Root>
      <Radix.Trigger
        asChild
        onFocus={(event) => {
          // A dialog that opens focuses a button too; the tooltip is for those who came by keyboard.
          if (!event.target.matches(':focus-visible')) event.preventDefault()
        }}
      >
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className="z-70 animate-fade rounded-sm bg-inverse px-2 py-1 text-xs font-medium text-on-inverse"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
