import { show } from '#tests/support/screen.tsx'
import { QueryClient } from '@tanstack/react-query'
import { waitFor } from '@testing-library/react'
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { App } from '#client/app/app.tsx'
import { openPostInventory } from '#client/app/post-inventory.ts'
import { openSearch } from '#client/app/shortcuts.tsx'
import { SignedOutApp } from '#client/app/signed-out-app.tsx'
import { setTheme } from '#client/app/theme.ts'
import { openAuction } from '#client/features/auctions/auctions.store.ts'
import { notePlaced } from '#client/features/lane/lane.store.ts'
import { isAuctionOpen, noteOutbid, useOpenAuction } from '#client/lib/open-auctions.ts'
import { messagingStore } from '#client/features/messaging/messaging.store.ts'
import { startMessaging } from '#client/features/messaging/sync/current-client.ts'
import { startPostOutbox, unsentSlice } from '#client/features/posting/post-outbox.ts'
import { receiveChange } from '#client/features/posts/posts-states.ts'
import { useReveal } from '#client/features/posts/feed-reveal.ts'
import { usePostCatchUp } from '#client/features/posts/posts-catch-up.ts'
import { ApiError } from '#client/lib/api.ts'
import { keyOfAttempt } from '#client/lib/attempts.ts'
import { setServerTime, setState } from '#client/lib/connection.ts'
import { draftsStore } from '#client/lib/drafts.ts'
import { usePublishNavCount } from '#client/lib/nav-counts.ts'
import { notePlanRefusal } from '#client/lib/plan-refusal.ts'
import { postKey } from '#client/lib/query-keys.ts'
import { askToReport } from '#client/lib/reporting.ts'
import { useOpened } from '#client/lib/seen.ts'
import { resetStore, wholeStore } from '#client/lib/slice.ts'
import { tab } from '#client/lib/tab.ts'
import { away, fakeNetwork, http } from '#tests/support/network.ts'
import { aPostDetail } from '#tests/support/records.ts'

const sources = readdirSync('client', { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(lib|app|features|pages|ui)\/.*\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(`client/${file}`, 'utf8') }))

/** What a dealer leaves behind who has used everything. */
function Traces() {
  usePublishNavCount('messages', 3)
  useOpenAuction('a post')
  useOpened('a post')
  usePostCatchUp('a post', 7)
  useReveal({
    resetKey: 'a feed',
    pageSize: 5,
    loaded: 0,
    hasMore: false,
    loadMore: () => undefined,
    list: { current: null },
  })
  return null
}

t.test('nothing of one dealer is left in the store for the next one in the same tab', async (t) => {
  fakeNetwork(t).use(http.get('*', away))
  t.teardown(() => localStorage.clear())
  t.ok(App, 'what the app starts with is loaded')
  const initial = wholeStore()
  const named = sources.flatMap(({ text }) =>
    [...text.matchAll(/\bdefineSlice(?:<[^(]*>)?\('([\w-]+)'/g)].map(([, name]) => name),
  )
  t.same(Object.keys(initial).toSorted(), named.toSorted(), 'every slice is here, each by a name of its own')

  const traces = show(t, <Traces />)
  for (const listener of tab.joining.get('post:a post') ?? []) listener()
  t.ok(isAuctionOpen('a post'))
  const used = wholeStore()
  const left = { 'nav-counts': used['nav-counts'], 'open-auctions': used['open-auctions'] }
  setTheme('dark')
  localStorage.clear()
  setState('live')
  setServerTime('2030-01-01T00:00:00.000Z')
  keyOfAttempt('post', { title: 'One' })
  draftsStore.set((state) => void (state.texts['chat'] = 'Half a'))
  messagingStore.set((state) => void (state.dealerId = 'a dealer'))
  t.teardown(startMessaging('a dealer', new QueryClient()))
  const nothing = { put: async () => true, remove: async () => undefined, list: async () => [] }
  t.teardown(startPostOutbox({ dealerId: 'a dealer', cache: new QueryClient(), storage: nothing }))
  unsentSlice.set((state) => void (state.edited = 'a post'))
  openPostInventory()
  const post = aPostDetail({ version: 1 })
  const holder = new QueryClient()
  holder.setQueryData(postKey(post.id), post)
  receiveChange(holder, { ...post, postId: post.id, version: 3 })
  askToReport({ kind: 'post', id: 'a post', name: 'A post' })
  const need = { message: 'Not in your plan', code: 'plan', requestId: '', details: { plan: 'premium' } }
  notePlanRefusal(new ApiError(402, '', JSON.stringify({ error: need })))
  notePlaced('a post')
  noteOutbid({ postId: 'another post', title: 'A truck', amount: 10_500 })
  openAuction(post)
  openSearch()
  history.pushState(null, '', '/deals')
  window.dispatchEvent(new Event('popstate'))
  const full = { ...wholeStore(), ...left }
  for (const [name, state] of Object.entries(full)) t.strictNotSame(state, initial[name], `${name} was used`)
  traces.unmount()

  show(t, <SignedOutApp />, undefined, '/login')
  await waitFor(() => {
    if (draftsStore.get().texts['chat'] !== undefined) throw new Error('not yet')
  })
  for (const [name, state] of Object.entries(wholeStore())) t.strictSame(state, initial[name], name)
})

t.test('a reset leaves no slice out, and the slices stay usable', (t) => {
  resetStore()
  const initial = wholeStore()
  askToReport({ kind: 'post', id: 'a post', name: 'A post' })
  resetStore()
  t.strictSame(wholeStore(), initial)
  askToReport({ kind: 'post', id: 'a post', name: 'A post' })
  t.match(wholeStore()['reporting'], { subject: { id: 'a post' } })
  resetStore()
  t.end()
})

t.test('one rule holds all that moves for who asked for less motion, and no script moves anything past it', (t) => {
  const styles = ['app', 'site', 'tokens', 'contrast'].map((name) => readFileSync(`client/styles/${name}.css`, 'utf8'))
  const rule = /@media \(prefers-reduced-motion: reduce\) \{\s+\*,\s+\*::before,\s+\*::after \{([^}]*)\}/
  const held = ['animation: none !important', 'transition: none !important']
  t.same(rule.exec(styles.join(''))?.[1]?.match(/[a-z][^;]*/g), held)
  const important = /\b(?:animation|transition)[\w-]*:[^;]*!important/g
  t.same(styles.join('').match(important), [...held, 'animation-play-state: paused !important'], 'nothing outweighs it')
  const byScript = /behavior: ['"]smooth|scroll-behavior|scroll-smooth|\.animate\(|startViewTransition|<animate\b/
  const all = [...sources, ...styles.map((text, index) => ({ file: `style sheet ${index}`, text }))]
  t.same(
    all.filter(({ text }) => byScript.test(text)).map(({ file }) => file),
    [],
  )
  t.end()
})

t.test('nothing that changes stands at the top of a module', (t) => {
  const changing = /^(?:export )?(?:let |const \w+(?:: (?!Readonly)[^=]*)? = new (?:Weak)?(?:Map|Set)\b)/gm
  for (const { file, text } of sources) {
    t.same([...text.matchAll(changing)].map(String), [], file)
  }
  t.end()
})
