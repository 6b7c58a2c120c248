import { defineStored } from '#client/lib/storage/browser-storage.ts'

interface Kept {
  found: boolean
  closed: boolean
}

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && 'found' in value && 'closed' in value

export const storedSteps = defineStored<Kept>({ key: 'lanewire.demo-steps', version: 1, isValue: isKept })

/** Reserves space for the demo strip while it loads, so that the page below does not move. */
export function DemoStripPlace() {
  return (
    <div aria-hidden="true" className="border-b border-accent-line bg-accent-soft">
      <div className="min-h-11 md:min-h-9" />
    </div>
  )
}
