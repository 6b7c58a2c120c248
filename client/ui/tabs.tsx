import * as Radix from '@radix-ui/react-tabs'
import { type ReactNode } from 'react'
import { Count } from './count.tsx'
import { cx } from './cx.ts'

interface TabsProps<Value extends string> {
  label: string
  value: Value
  onChange: (value: Value) => void
  tabs: readonly {
    value: Value
    label: string
    count?: number | undefined
    urgent?: boolean
    content: ReactNode
  }[]
  /** Uses the label style of the post dialog, which does not capitalize. Pass labels in capital letters. */
  caps?: boolean
  listClassName?: string
}

/** Tabs with their panels. Only the active panel is mounted. */
export function Tabs<Value extends string>({ label, value, onChange, tabs, caps, listClassName }: TabsProps<Value>) {
  return (
    <Radix.Root
      value={value}
      onValueChange={(next) => {
        const tab = tabs.find((candidate) => candidate.value === next)
        if (tab) onChange(tab.value)
      }}
    >
      <Radix.List
        aria-label={label}
        className={cx('scrollbar-none flex gap-5 overflow-x-auto border-b border-line max-md:gap-4', listClassName)}
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className={cx(
              'inline-flex h-10 flex-none items-center gap-2 max-md:gap-1 border-b-2 border-transparent font-medium whitespace-nowrap text-ink-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink max-md:h-11',
              'focus-visible:-outline-offset-2',
              caps && 'caps',
            )}
          >
            {tab.label}{' '}
            {tab.count === undefined ? null : (
              <Count value={tab.count} tone={tab.urgent && tab.count > 0 ? 'accent' : 'quiet'} />
            )}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="focus-visible:outline-offset-0">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
