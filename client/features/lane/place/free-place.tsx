import Pin from 'lucide-react/icons/pin'
import { Button } from '#client/ui/button.tsx'
import { Kbd } from '#client/ui/kbd.tsx'
import { useLaneParts } from '../lane-context.ts'
import { focusPlace } from './focus-place.ts'
import { inSlot, slotsOf } from './lane-pins.ts'

const numberWords = ['none', 'one', 'two', 'three', 'four', 'five', 'six']

/** An empty grid position. Only the first empty position has the button that fills the grid. */
export function FreePlace({ slot }: { slot: number }) {
  const { places, settings } = useLaneParts()
  const isFirst = slotsOf(places.count).find((one) => inSlot(places.pins, one) === undefined) === slot
  const count = isFirst ? places.fillable() : 0
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-1 p-4 text-center text-ink-2">
      <Pin size={20} aria-hidden="true" className="text-ink-3" />
      <p className="font-semibold text-ink">Pin an auction</p>
      <p className="text-xs">Choose one from the run list.</p>
      {count > 0 ? (
        <Button
          className="mt-2"
          onClick={() => {
            places.fill()
            // Move focus to the position, because the button that had focus disappears.
            focusPlace(slot)
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
