import Pin from 'lucide-react/icons/pin'
import { Button } from '#client/ui/button.tsx'
import { Kbd } from '#client/ui/kbd.tsx'
import { useLaneParts } from '../lane-context.ts'
import { focusPosition } from './focus-position.ts'
import { inSlot, slotsOf } from './lane-pins.ts'

const numberWords = ['none', 'one', 'two', 'three', 'four', 'five', 'six']

/** An empty grid position. Only the first empty position has the button that fills the grid. */
export function EmptyPosition({ slot }: { slot: number }) {
  const { positions, settings } = useLaneParts()
  const isFirst = slotsOf(positions.count).find((one) => inSlot(positions.pins, one) === undefined) === slot
  const count = isFirst ? positions.fillable() : 0
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-1 p-4 text-center text-ink-2">
      <Pin size={20} aria-hidden="true" className="text-ink-3" />
      <p className="font-semibold text-ink">Pin an auction</p>
      <p className="text-xs">Choose one from the run list.</p>
      {count > 0 ? (
        <Button
          className="mt-2"
          onClick={() => {
            positions.fill()
            // Move focus to the position, because the button that had focus disappears.
            focusPosition(slot)
          }}
        >
          Fill with the {numberWords[count]} ending soonest
          {settings.keys ? (
            <span aria-hidden="true" className="touch:hidden">
              <Kbd>F</Kbd>
            </span>
          ) : null}
        </Button>
      ) : null}
    </div>
  )
}
