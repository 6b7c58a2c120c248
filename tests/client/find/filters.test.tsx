import { becomes } from '#tests/support/screen.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import t from 'tap'
import { FindAnswer } from '#shared/schemas/find.ts'
import { fill, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { anAnswer, box, openFind } from '#tests/support/find-page.tsx'
import { answer } from '#tests/support/network.ts'

t.test('offers "not stated" beside a range or alone, if there are such vehicles', async (t) => {
  const { facets } = anAnswer()
  const counted = (notStated: number) => facets && { facets: { ...facets, price: { ...facets.price, notStated } } }
  const { history } = openFind(t, '/find', (params) =>
    answer(FindAnswer, anAnswer(counted(params.get('mmt') === null ? 12 : 0))),
  )
  await says('83 vehicles')
  const unstated = (group: string) =>
    within(screen.getByRole('group', { name: group })).queryByRole('checkbox', { name: /^Not stated/ })
  t.match(unstated('Price')?.textContent, 'Not stated 12')
  t.same([unstated('Year'), unstated('Mileage')], [null, null], 'all vehicles have these')
  fireEvent.click(unstated('Price') ?? document.body)
  t.equal(history.at(-1), '/find?price=none')
  const bars = screen.getByRole('img', { name: /^Price: / }).children
  t.notOk(
    [...bars].some(({ className }) => className.includes('bg-accent')),
    'no price is chosen',
  )
  fill('Max price', '30k')
  await becomes(t, () => history.at(-1), '/find?price=-30000,none')
  t.ok(screen.getByRole('button', { name: 'Remove No price stated' }))
  fireEvent.click(box(/^Ford/))
  await becomes(t, () => unstated('Price')?.textContent, 'Not stated 0')
  t.equal(unstated('Price')?.getAttribute('aria-checked'), 'true')
  fireEvent.click(unstated('Price') ?? document.body)
  t.equal(history.at(-1), '/find?mmt=Ford&price=-30000')
  t.ok(unstated('Price'), 'unchecking a value keeps it in the list, and keeps the focus')
  fireEvent.click(unstated('Price') ?? document.body)
  await press('Remove Up to $30,000')
  t.equal(history.at(-1), '/find?mmt=Ford&price=none')
})

t.test('marks an invalid number, keeps it as typed, and does not change the search', async (t) => {
  const { history } = openFind(t, '/find?price=-30000')
  await says('83 vehicles')
  const most = screen.getByLabelText('Max price')
  const dollars = 'Enter dollars, such as 24,500 or 24k, or leave blank'
  for (const [text, leave] of [
    ['abc', () => fireEvent.keyDown(most, { key: 'Enter' })],
    ['-5', () => fireEvent.blur(most)],
    ['12,5', () => fireEvent.blur(most)],
  ] as const) {
    fill('Max price', text)
    t.equal(refusalOf('Max price'), undefined, 'not while it is typed')
    leave()
    t.same([refusalOf('Max price'), textIn('Max price'), refusalOf('Min price')], [dollars, text, undefined])
  }
  fireEvent.blur(screen.getByLabelText('Min price'))
  t.equal(textIn('Max price'), '12,5', 'leaving the other field keeps the input')
  fill('Min price', '9k')
  await becomes(t, () => history.at(-1), '/find?price=9000-30000')
  t.same([refusalOf('Max price'), textIn('Max price')], [dollars, '12,5'])
  fill('Max price', '25k')
  t.equal(refusalOf('Max price'), undefined)
  await becomes(t, () => history.at(-1), '/find?price=9000-25000')
  fill('Max price', 'x')
  fireEvent.blur(most)
  fill('Max price', '')
  await becomes(t, () => [refusalOf('Max price'), history.at(-1)], [undefined, '/find?price=9000-'])
  fill('From year', '20')
  fireEvent.blur(screen.getByLabelText('From year'))
  t.equal(refusalOf('From year'), 'Enter a four-digit year or leave blank')
  fill('Max mileage', '48k km')
  fireEvent.blur(screen.getByLabelText('Max mileage'))
  t.equal(refusalOf('Max mileage'), 'Enter miles, such as 48,000 or 48k, or leave blank')
  fill('Min price', 'y')
  fireEvent.blur(screen.getByLabelText('Min price'))
  await press('Remove From $9,000')
  await becomes(t, () => [refusalOf('Min price'), textIn('Min price')], [undefined, ''])
})

t.test('accepts a pasted price with cents and keeps the other end', async (t) => {
  const { history } = openFind(t, '/find?price=9000-')
  await says('83 vehicles')
  const most = screen.getByLabelText('Max price')
  fill('Max price', '$12,500.99')
  fireEvent.blur(most)
  t.equal(history.at(-1), '/find?price=9000-12501')
  t.equal(textIn('Max price'), '$12,501')
  fill('Max price', '$100,000,000')
  fireEvent.blur(most)
  t.equal(history.at(-1), '/find?price=9000-99999999', 'more than any vehicle costs')
})

t.test('marks the last bar for a range beyond it', async (t) => {
  const price = { step: 3_000, counts: [1, 0, 2], notStated: 0 }
  const { facets } = anAnswer()
  openFind(t, '/find?price=100000-', () => answer(FindAnswer, anAnswer(facets && { facets: { ...facets, price } })))
  await says('83 vehicles')
  const bars = [...screen.getByRole('img', { name: /^Price: / }).children]
  t.same(
    bars.map(({ className }) => className.includes('bg-accent')),
    [false, false, true],
  )
})

t.test(
  'keeps values in order whatever their counts, and offers a text field for long lists of models or trims',
  async (t) => {
    const models = Array.from({ length: 20 }, (_, index) => ({
      label: `Model ${index + 1}`,
      count: 20 - index,
      trims: index === 1 ? Array.from({ length: 20 }, (_trim, trim) => ({ label: `Trim ${trim + 1}`, count: 1 })) : [],
    }))
    const makes = (a: number, b: number) => [
      { label: 'Alpha', count: a, models },
      { label: 'Beta', count: b, models: [] },
    ]
    const mmt = (query: URLSearchParams) => {
      const price = query.get('price')
      if (price === null) return makes(9, 8)
      return price === '-5000' ? makes(1, 8).toReversed() : makes(1, 8).slice(0, 1)
    }
    const { facets } = anAnswer()
    openFind(t, '/find?mmt=Alpha', (query) =>
      answer(
        FindAnswer,
        anAnswer(facets && { facets: { ...facets, mmt: mmt(query), price: { ...facets.price, notStated: 1_200 } } }),
      ),
    )
    await says('1,200')
    const shown = () => screen.getAllByRole('checkbox', { name: /^(Alpha|Beta)/ }).map(({ textContent }) => textContent)
    t.same(shown(), ['Alpha 9', 'Beta 8'])
    fill('Find a model of Alpha', 'model 2')
    t.same(
      screen.getAllByRole('checkbox', { name: /^Model/ }).map(({ textContent }) => textContent),
      ['Model 2 19', 'Model 20 1'],
    )
    fill('Max price', '5000')
    await becomes(t, shown, ['Alpha 1', 'Beta 8'])
    fill('Max price', '4000')
    await becomes(t, shown, ['Alpha 1', 'Beta 0'])
    fireEvent.click(box(/^Model 2 /))
    fireEvent.change(await screen.findByLabelText('Search Alpha Model 2 trims'), { target: { value: 'trim 2' } })
    t.same(
      screen.getAllByRole('checkbox', { name: /^Trim/ }).map(({ textContent }) => textContent),
      ['Trim 2 1', 'Trim 20 1'],
      'also for trims',
    )
  },
)
