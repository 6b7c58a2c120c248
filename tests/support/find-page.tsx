import { show } from './screen.tsx'
import { screen, within } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import Type from 'typebox'
import { type LiveSocket, setSocket } from '#client/lib/live/connection.ts'
import { FindPage } from '#client/pages/find.tsx'
import type { Sync, SyncAnswer, View } from '#shared/events/control.ts'
import { FindAnswer, FindSince, FindWords, findBars, type FindFacets } from '#shared/schemas/find.ts'
import { NewSavedSearch, SavedSearch, WatchedIds } from '#shared/schemas/saved.ts'
import { answer, fakeNetwork, http, sent } from './network.ts'
import { aCurrentUser, aFound } from './records.ts'

const at = '2026-11-20T10:00:00.000Z'
export const head = '2026-11-20T11:00:00.000Z'

const bars = (at: Record<number, number>) => Array.from({ length: findBars }, (_, bar) => at[bar] ?? 0)

const facets: FindFacets = {
  mmt: [
    {
      label: 'Ford',
      count: 486,
      models: [
        {
          label: 'F-150',
          count: 214,
          trims: [
            { label: 'XLT', count: 83 },
            { label: 'Lariat', count: 61 },
            { label: '', count: 12 },
          ],
        },
        { label: 'Explorer', count: 96, trims: [] },
      ],
    },
    ...Array.from({ length: 24 }, (_, index) => ({ label: `Make ${index + 1}`, count: 24 - index, models: [] })),
  ],
  year: { counts: [{ year: 2020, count: 83 }], notStated: 0 },
  price: { step: 3_000, counts: bars({ 8: 40, 9: 30, 15: 13 }), notStated: 0 },
  miles: { step: 10_000, counts: bars({ 3: 83 }), notStated: 0 },
  body: [{ value: 'pickup', count: 83 }],
  drive: [],
  fuel: [],
  sale: [
    { value: 'fixed', count: 61 },
    { value: 'live', count: 9 },
  ],
  seller: { connected: 37, rated: 52 },
  posted: [{ days: 7, count: 9 }],
  photos: 79,
}

export const anAnswer = (about: Partial<FindAnswer> = {}): FindAnswer => ({
  total: 83,
  items: [aFound()],
  facets,
  place: null,
  home: null,
  next: null,
  head,
  ...about,
})

type Answers = (params: URLSearchParams) => Response | Promise<Response>

/** Opens /find. `answers` computes each response, and `asked` collects the requests. */
export function openFind(
  t: Test,
  path = '/find',
  answers: Answers = () => answer(FindAnswer, anAnswer()),
  wide = true,
) {
  const asked: string[] = []
  const sinces: string[] = []
  const saved: SavedSearch[] = []
  const { matchMedia } = window
  Object.assign(window, {
    matchMedia: (query: string) => ({ ...matchMedia(query), matches: query.includes(wide ? '>=' : '<') }),
  })
  t.teardown(() => void Object.assign(window, { matchMedia }))
  const network = fakeNetwork(t)
  network.use(
    http.get('*/api/find', ({ request }) => {
      const { searchParams } = new URL(request.url)
      asked.push(decodeURIComponent(searchParams.toString()).replaceAll('+', ' '))
      return answers(searchParams)
    }),
    http.get('*/api/find/since', ({ request }) => {
      sinces.push(new URL(request.url).searchParams.get('after') ?? '')
      return answer(FindSince, { count: 2, head: at })
    }),
    http.get('*/api/find/words', () => answer(FindWords, { vehicles: [], places: [], home: null })),
    http.get('*/api/watchlist/ids', () => answer(WatchedIds, [])),
    http.get('*/api/saved-searches', () => answer(Type.Array(SavedSearch), saved)),
    http.post('*/api/saved-searches', async ({ request }) => {
      const { query = null } = await sent(NewSavedSearch, request)
      saved.push({ id: randomUUID(), kind: 'find', search: 'Ford', sort: 'recent', query, createdAt: at })
      return answer(SavedSearch, saved[0]!)
    }),
  )
  return { network, asked, sinces, saved, ...show(t, <FindPage />, aCurrentUser(), path) }
}

export const box = (name: string | RegExp) => screen.getByRole('checkbox', { name })
export const titles = () =>
  screen.queryAllByRole('article').map((article) => within(article).getByRole('heading').textContent)

/** Fakes a socket. `versions` has the current version of each post; other posts count as deleted. Returns a list of sent commands. */
export function connect(t: Test, versions: Readonly<Record<string, number>>): string[] {
  const told: string[] = []
  const emit = (event: string, payload: View | Sync, ack: (answer: { ok: true; data: SyncAnswer | null }) => void) => {
    told.push(event === 'view' ? Object.values(payload).join(' ') : event)
    const { posts = {} } = event === 'sync' ? (payload as Sync) : {}
    const stale = Object.entries(posts).filter(([postId, version]) => versions[postId] !== version)
    const data = { posts: Object.fromEntries(stale.map(([postId]) => [postId, versions[postId] ?? 0])) }
    queueMicrotask(() => ack({ ok: true, data: event === 'sync' ? data : null }))
  }
  setSocket({ connected: true, emit } as unknown as LiveSocket)
  t.teardown(() => setSocket(undefined))
  return told
}
