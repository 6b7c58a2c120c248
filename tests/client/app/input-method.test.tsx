import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import t from 'tap'
import { Composer } from '#client/features/posting/composer.tsx'
import { fill, gone, press, refusalOf, says } from '#tests/support/controls.ts'
import { openFind } from '#tests/support/find-page.tsx'
import { me, postingNetwork, vin } from '#tests/support/posting.ts'

/** The Enter key during IME composition, as most browsers report it and as Safari reports it. */
const composing = [
  { key: 'Enter', isComposing: true },
  { key: 'Enter', keyCode: 229 },
]

t.test('does not add a vehicle on Enter during IME composition', async (t) => {
  postingNetwork(t)
  show(t, <Composer renderTitle={() => null} onPosted={() => undefined} />, me)
  await press('Add Vehicle')
  fill('VIN', vin)
  fill('Make', 'Ford')
  fill('Model', 'F-150')
  const model = screen.getByLabelText('Model')
  for (const enter of composing) {
    fireEvent.keyDown(model, enter)
    t.ok(screen.queryByText('Add vehicle details'))
  }
  fireEvent.keyDown(model, { key: 'Enter' })
  await gone(t, 'Add vehicle details')
})

t.test("does not submit Find's fields on Enter during IME composition", async (t) => {
  const { history } = openFind(t, '/find?photos=1')
  await says('83 vehicles')
  const words = screen.getByRole('combobox', { name: "Describe what you're looking for" })
  fireEvent.focus(words)
  fireEvent.change(words, { target: { value: 'f150' } })
  const most = screen.getByLabelText('Max price')
  fill('Max price', 'abc')
  for (const enter of composing) {
    fireEvent.keyDown(words, enter)
    fireEvent.keyDown(most, enter)
    t.same([history.at(-1), refusalOf('Max price')], ['/find?photos=1', undefined])
  }
  fireEvent.keyDown(most, { key: 'Enter' })
  t.match(refusalOf('Max price'), 'Enter dollars')
  fireEvent.keyDown(words, { key: 'Enter' })
  await becomes(t, () => history.at(-1), '/find?mmt=Ford~F-150')
})
