import t from 'tap'
import { isReplaceable, positionStateOf } from '#client/features/lane/position/lane-position-state.ts'
import { anAuction } from '#tests/support/records.ts'

t.test('keeps an auction in its position while its seller has to decide', (t) => {
  const stateFor = (isSeller: boolean) => {
    const auction = anAuction({ status: 'deciding', you: { ...anAuction().you, isSeller } })
    return positionStateOf(auction, 'deciding', true)
  }
  t.notOk(isReplaceable(stateFor(true)))
  t.ok(isReplaceable(stateFor(false)), 'other dealers have nothing left to do')
  t.end()
})
