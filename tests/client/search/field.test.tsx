import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import t, { type Test } from 'tap'
import { SearchField } from '#client/app/search-field.tsx'
import { Found } from '#shared/schemas/search.ts'
import { answer, fakeNetwork, http } from '#tests/support/network.ts'
import { aCurrentUser } from '#tests/support/records.ts'

const nothing: Found = { dealers: [], posts: [], postTotal: 0, deals: [], chats: [] }
const phrase = '2019-2021 f150 under 40k'
const inFind = '/find?mmt=Ford~F-150&year=2019-2021&miles=-40000'

const field = () => screen.getByRole<HTMLInputElement>('combobox')
const chosen = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent
const press = (key: string) => fireEvent.keyDown(field(), { key })

function openField(t: Test, path: string) {
  fakeNetwork(t).use(http.get('*/api/search', () => answer(Found, nothing)))
  const shown = show(t, <SearchField />, aCurrentUser(), path)
  const type = (value: string) => {
    fireEvent.focus(field())
    fireEvent.change(field(), { target: { value } })
  }
  return { ...shown, type }
}

t.test('is a combobox whose suggestions open below it', async (t) => {
  const { type } = openField(t, '/deals')
  t.equal(field().getAttribute('aria-expanded'), 'false')
  type('ford')
  await screen.findByRole('listbox', { name: 'Results' })
  await becomes(t, () => field().getAttribute('aria-expanded'), 'true')
  t.equal(document.getElementById(field().getAttribute('aria-controls') ?? ''), screen.getByRole('listbox'))
  press('Escape')
  t.equal(screen.queryByRole('listbox'), null)
  t.equal(field().value, 'ford', 'Escape keeps the text')
  t.equal(screen.queryByRole('dialog'), null)
})

t.test('searches the feed with Enter on the home screen, with its sort order', async (t) => {
  const { history, type } = openField(t, '/?sort=hottest')
  type(phrase)
  await becomes(t, chosen, `Search the feed for “${phrase}”`)
  press('Enter')
  t.equal(history.at(-1), '/?sort=hottest&search=2019-2021+f150+under+40k')
  t.equal(field().value, phrase, 'the field shows what the feed is searched for')
  t.equal(screen.queryByRole('listbox'), null)
})

t.test('opens a suggestion on the home screen once the dealer has moved to it', async (t) => {
  const { history, type } = openField(t, '/')
  type(phrase)
  await becomes(t, chosen, `Search the feed for “${phrase}”`)
  press('ArrowUp')
  t.equal(chosen(), 'Find: Ford F-150, 2019 to 2021, under 40,000 mi')
  press('Enter')
  t.equal(history.at(-1), inFind)
})

t.test('reads the phrases of Find elsewhere, and opens them with Enter', async (t) => {
  const { history, type } = openField(t, '/deals')
  type(phrase)
  await becomes(t, chosen, 'Find: Ford F-150, 2019 to 2021, under 40,000 mi')
  press('Enter')
  t.equal(history.at(-1), inFind)
  await becomes(t, () => field().value, '')
})

t.test('clears the search of the feed with an empty field and Enter', async (t) => {
  const { history, type } = openField(t, '/?search=van')
  t.equal(field().value, 'van')
  type('')
  press('Enter')
  t.equal(history.at(-1), '/')
})
