import { becomes, show } from '#tests/support/screen.tsx'
import { screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import Type from 'typebox'
import { SaveSearchButton } from '#client/features/saved/save-search-buttons.tsx'
import { NewSavedSearch, SavedSearch } from '#shared/schemas/saved.ts'
import { press } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, sent } from '#tests/support/network.ts'

t.test('distinguishes a feed search from a Find search with the same text', async (t) => {
  const aSearch = (kind: SavedSearch['kind']): SavedSearch => ({
    id: randomUUID(),
    kind,
    search: 'Ford',
    sort: 'recent',
    query: kind === 'find' ? 'mmt=Ford' : null,
    createdAt: '2026-11-20T10:00:00.000Z',
  })
  const saved = [aSearch('find')]
  fakeNetwork(t).use(
    http.get('*/api/saved-searches', () => answer(Type.Array(SavedSearch), saved)),
    http.post('*/api/saved-searches', async ({ request }) => {
      t.same(await sent(NewSavedSearch, request), { search: 'Ford', sort: 'recent' })
      saved.push(aSearch('feed'))
      return answer(SavedSearch, saved[1]!)
    }),
  )
  const { cache } = show(t, <SaveSearchButton search="Ford" sort="recent" />)
  await becomes(t, () => cache.getQueryState(['/api/saved-searches'])?.status, 'success')
  await press('Save search')
  t.equal((await screen.findByRole('button', { name: 'Search saved' })).getAttribute('aria-pressed'), 'true')
})
