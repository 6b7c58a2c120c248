import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import Type from 'typebox'
import { ApiKeysCard } from '#client/features/account/api-keys-card.tsx'
import { OwnRemainingApiKeys, RemainingApiKeys } from '#client/features/account/remaining-api-keys.tsx'
import { RevokeKeys } from '#shared/schemas/account.ts'
import { ApiKey, CreatedApiKey, NewApiKey } from '#shared/schemas/account.ts'
import { dialogOpen, fill, gone, press, refusalOf, says, showsItsStates, textIn } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, HttpResponse, refusal, refuseFirst, sent } from '#tests/support/network.ts'

const Keys = Type.Array(ApiKey)

function aKey(name: string): ApiKey {
  return {
    id: randomUUID(),
    name,
    scope: 'read',
    prefix: 'lw_abc',
    createdAt: '2026-11-20T10:00:00.000Z',
    lastUsedAt: null,
  }
}

/** Shows the API keys. Set `server.broken` to make the list fail to load. */
function openKeys(t: Test, ...names: string[]) {
  const server = { keys: names.map(aKey), broken: false }
  const network = fakeNetwork(t)
  network.use(http.get('*/api/api-keys', () => (server.broken ? away() : answer(Keys, server.keys))))
  show(t, <ApiKeysCard apiAccess />)
  return { network, server }
}

t.test('shows loading, error, retry and empty states of API keys', async (t) => {
  const network = fakeNetwork(t)
  network.use(http.get('*/api/api-keys', () => answer(Keys, [])))
  const refuse = refuseFirst(network, '*/api/api-keys')
  show(t, <ApiKeysCard apiAccess />)
  const failure = 'Your keys could not be loaded'
  await showsItsStates(t, { loading: 'Loading API keys', failure, empty: 'No API keys', refuse })
})

t.test('removes a key revoked in another browser when the tab becomes visible', async (t) => {
  const { server } = openKeys(t, 'Website')
  await says('Website')
  server.keys = []
  window.dispatchEvent(new Event('visibilitychange'))
  await says('No API keys')
})

t.test('requires a name for a key, keeps it after a refusal, and shows the secret once', async (t) => {
  const { network, server } = openKeys(t)
  const heard: NewApiKey[] = []
  let make = () => {}
  const making = new Promise<void>((resolve) => (make = resolve))
  network.use(
    http.post('*/api/api-keys', async ({ request }) => {
      heard.push(await sent(NewApiKey, request))
      if (heard.length === 1) return refusal(409, 'Ten keys are the most')
      await making
      server.keys = [aKey('Website')]
      return answer(CreatedApiKey, { key: server.keys[0]!, secret: 'lw_abc_secret' })
    }),
  )
  await press('New key')
  fill(/^Name/, ' ')
  await press('Create key')
  await becomes(t, () => refusalOf(/^Name/), 'Enter a name, such as the program that uses the key')
  t.same(heard, [])
  fill(/^Name/, 'Website')
  t.equal(refusalOf(/^Name/), undefined)
  fireEvent.click(screen.getByRole('radio', { name: /^Full/ }))
  await press('Create key')
  t.match((await screen.findByRole('alert')).textContent, /The key was not created.*Ten keys are the most/)
  t.equal(textIn(/^Name/), 'Website')
  await press('Create key')
  fireEvent.click(await screen.findByRole('button', { name: 'Creating...' }))
  make()
  await says('lw_abc_secret')
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  t.ok(screen.queryByText('lw_abc_secret'), 'a key press does not close it')
  await press('Done')
  await gone(t, 'lw_abc_secret')
  await says('Website')
  const made = { name: 'Website', scope: 'full' }
  t.same(heard, [made, made], 'a second click while creating has no effect')
})

t.test('revokes one or all keys after a confirmation, which a refusal leaves open', async (t) => {
  const { network, server } = openKeys(t, 'Website', 'Import', 'Office')
  const heard: string[] = []
  const revoke = (what: string, left: ApiKey[]) => {
    heard.push(what)
    if (heard.length % 2 === 1) return away()
    server.keys = left
    return new HttpResponse(null, { status: 204 })
  }
  network.use(
    http.delete('*/api/api-keys', () => revoke('all', [])),
    http.delete('*/api/api-keys/:id', ({ params }) => {
      const left = server.keys.filter(({ id }) => id !== params['id'])
      return revoke(String(params['id']), left)
    }),
  )
  const [website] = server.keys
  await press('Revoke Website')
  await says('Revoke "Website"?')
  t.same(heard, [])
  await press('Revoke')
  await says('The database is away')
  await says('Revoke "Website"?')
  await press('Revoke')
  await gone(t, 'Website')
  await press('Revoke all')
  await says('Revoke all API keys?')
  await press('Revoke all')
  await says('Keys not revoked')
  await press('Revoke all')
  await says('No API keys')
  await becomes(t, dialogOpen, false)
  t.same(heard, [website?.id, website?.id, 'all', 'all'])
})

t.test('keeps keys that could not be refreshed and marks them as stale', async (t) => {
  const { network, server } = openKeys(t, 'Website')
  network.use(
    http.delete('*/api/api-keys/:id', () => {
      server.broken = true
      return new HttpResponse(null, { status: 204 })
    }),
  )
  await press('Revoke Website')
  await press('Revoke')
  t.match((await screen.findByRole('alert')).textContent, /could not be loaded.*The database is away/)
  await says('Website')
  server.broken = false
  server.keys = []
  await press('Retry')
  await says('No API keys')
  await gone(t, 'Website')
})

t.test('shows remaining keys after following a mailed link and revokes them', async (t) => {
  const heard: RevokeKeys[] = []
  fakeNetwork(t).use(
    http.post('*/api/auth/keys/revoke', async ({ request }) => {
      heard.push(await sent(RevokeKeys, request))
      return heard.length === 1 ? away() : new HttpResponse(null, { status: 204 })
    }),
  )
  const token = 'a'.repeat(43)
  show(t, <RemainingApiKeys apiKeys={[aKey('Website')]} token={token} />)
  await says('Website')
  await press('Revoke all')
  await says('Revoke all API keys?')
  t.same(heard, [])
  await press('Revoke all')
  await says('Keys not revoked')
  await says('The database is away')
  await gone(t, 'Revoke all API keys?')
  await press('Revoke all')
  await says('Revoke all API keys?')
  await press('Revoke all')
  await says(/^All API keys are revoked/)
  t.equal(screen.queryByText('Website'), null)
  t.same(heard, [{ token }, { token }])
})

t.test('offers to request API access instead of creating keys without it', async (t) => {
  const server = { keys: [aKey('Website')] }
  fakeNetwork(t).use(http.get('*/api/api-keys', () => answer(Keys, server.keys)))
  show(t, <ApiKeysCard apiAccess={false} />)
  await says('Website')
  await says(/^API keys come with the Enterprise Plan/)
  t.equal(screen.queryByRole('button', { name: 'New key' }), null)
  t.equal(screen.getByRole('link', { name: 'Request API Access' }).getAttribute('href'), '/contact?topic=api&public')
})

t.test('shows an error with Retry if the keys after a password change cannot be loaded', async (t) => {
  fakeNetwork(t).use(
    http.get('*/api/api-keys', away, { once: true }),
    http.get('*/api/api-keys', () => answer(Type.Array(ApiKey), [aKey('Website')])),
  )
  show(t, <OwnRemainingApiKeys />)
  await says('Your API keys could not be loaded')
  await press('Retry')
  await says('API keys that still work')
})
