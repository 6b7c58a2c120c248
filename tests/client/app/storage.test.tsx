import { becomes, show } from '#tests/support/screen.tsx'
import { renderHook, act, screen } from '@testing-library/react'
import { type ReactNode } from 'react'
import t, { type Test } from 'tap'
import { setTheme, useTheme, watchTheme } from '#client/app/theme.ts'
import { readSelectedPlan, storeSelectedPlan } from '#client/features/billing/checkout/selected-plan.ts'
import { DealerNotes } from '#client/features/admin/dealer-file/admin-dealer-notes.tsx'
import { storedSteps } from '#client/features/demo/demo-strip-place.tsx'
import { LicenseForm } from '#client/features/dealers/license-form.tsx'
import { ProfileForm } from '#client/features/dealers/profile-form.tsx'
import { messagingStore, restoreLayout } from '#client/features/messaging/messaging.store.ts'
import { openOutboxStorage } from '#client/features/messaging/sync/browser-dependencies.ts'
import { claimNotice, readPreference } from '#client/features/messaging/sync/notices.ts'
import { emptyDraft, storedPostDraft } from '#client/features/posting/post-draft.ts'
import { openUnsentStorage } from '#client/features/posting/post-outbox.ts'
import { newVehicle } from '#client/features/posting/vehicle-draft.ts'
import { storedScans } from '#client/features/posting/vin/vin-field.tsx'
import { PromotionsBanner } from '#client/features/promotions/promotions-banner.tsx'
import { storedAsked } from '#client/features/push/push-ask.tsx'
import { ReviewForm } from '#client/features/reviews/review-form.tsx'
import { ContactForm } from '#client/features/site/contact-form.tsx'
import { readRecent } from '#client/features/search/recent-searches.ts'
import { forgetIdempotencyKey, idempotencyKeyOf } from '#client/lib/http/idempotency-key.ts'
import { hasPushDevice } from '#client/lib/push-device.ts'
import { draftsStore, saveDraft, startDrafts } from '#client/lib/storage/drafts.ts'
import { isShape, isText } from '#client/lib/http/type-guards.ts'
import { forgetForms, useKeptFormState } from '#client/lib/storage/kept-forms.ts'
import { defineStored, type StorageKey } from '#client/lib/storage/browser-storage.ts'
import { useSignedOutSession } from '#client/lib/session/signing-out.ts'
import { rememberWantedPath, takeWantedPath } from '#client/lib/session/path-after-sign-in.ts'
import { type CurrentUser, OwnProfile } from '#shared/schemas/dealers.ts'
import { Promotion } from '#shared/schemas/promotions.ts'
import Type from 'typebox'
import { choose, fill, press, says, textIn } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, HttpResponse } from '#tests/support/network.ts'
import { aCurrentUser, anOwnProfile } from '#tests/support/records.ts'

const name = defineStored({ key: 'lanewire.form', version: 2, isValue: isShape<{ name: string }>({ name: isText }) })

function hearReports(t: Test): string[] {
  const heard: string[] = []
  const hear = (event: ErrorEvent) => void heard.push(event.message)
  window.addEventListener('error', hear)
  t.teardown(() => {
    window.removeEventListener('error', hear)
    localStorage.clear()
    sessionStorage.clear()
  })
  return heard
}

/** Stored values that this version of the app never writes. */
const unusable = [
  '',
  'null',
  '{',
  '[]',
  '"text"',
  '{"name":"bare"}',
  '{"version":1,"value":{"name":"old"}}',
  '{"version":2}',
  '{"version":2,"value":null}',
  '{"version":2,"value":{"name":7}}',
  '{"version":2,"value":[{"name":"listed"}]}',
]

t.test('restores stored values, and drops and reports unusable ones once', (t) => {
  const reports = hearReports(t)
  name.write({ name: 'Webb' })
  t.same(name.read(), { name: 'Webb' })
  for (const text of unusable) {
    localStorage.setItem('lanewire.form', text)
    t.equal(name.read(), undefined, text)
    t.equal(localStorage.getItem('lanewire.form'), null)
    t.equal(name.read(), undefined)
  }
  t.equal(reports.length, unusable.length)
  t.match(reports[0], 'localStorage held nothing usable under lanewire.form')
  name.write({ name: 'Boyle' }, 'of.one')
  localStorage.setItem('lanewire.form.two', '{')
  localStorage.setItem('lanewire.forms', '{')
  t.same(name.entries(), [['of.one', { name: 'Boyle' }]], 'the others go on')
  t.equal(localStorage.getItem('lanewire.forms'), '{', 'the keys of others are left alone')
  name.write(undefined, 'of.one')
  t.equal(localStorage.getItem('lanewire.form.of.one'), null)
  t.end()
})

t.test('works with full or forbidden storage', (t) => {
  const reports = hearReports(t)
  const forbid = (method: 'getItem' | 'setItem' | 'removeItem') => {
    const usual: unknown = Reflect.get(Storage.prototype, method)
    const refuse = () => {
      throw new DOMException('no', method === 'setItem' ? 'QuotaExceededError' : 'SecurityError')
    }
    Reflect.set(Storage.prototype, method, refuse)
    t.teardown(() => void Reflect.set(Storage.prototype, method, usual))
  }
  name.write({ name: 'Webb' })
  for (const method of ['getItem', 'setItem', 'removeItem'] as const) forbid(method)
  t.equal(name.read(), undefined)
  name.write({ name: 'Boyle' })
  name.write(undefined)
  t.same(name.entries(), [])
  setTheme('dark')
  t.equal(document.documentElement.dataset['theme'], 'dark', 'the choice lasts until the page is closed')
  storeSelectedPlan('basic')
  rememberWantedPath('/deals')
  t.equal(takeWantedPath(), '/')
  t.equal(idempotencyKeyOf('post', { title: 'One' }), idempotencyKeyOf('post', { title: 'One' }))
  t.teardown(startDrafts('a dealer'))
  saveDraft('chat', 'Half a')
  t.equal(draftsStore.get().texts['chat'], 'Half a')
  t.same(reports, [])
  t.end()
})

t.test('works if the browser forbids its database by throwing', async (t) => {
  const refuse = () => {
    throw new DOMException('access to the Indexed Database API is denied in this context', 'SecurityError')
  }
  Object.defineProperty(globalThis, 'indexedDB', { configurable: true, value: { open: refuse } })
  t.teardown(() => Reflect.deleteProperty(globalThis, 'indexedDB'))
  const kept = openOutboxStorage('a dealer')
  const message = { clientId: '1', chatId: '2', content: 'Hello', createdAt: '', order: 1, state: 'sending' } as const
  t.equal(await kept.put(message), false)
  t.equal(await kept.list(), undefined)
  t.doesNotThrow(() => void kept.remove('1'))
  const posts = openUnsentStorage('a dealer')
  t.equal(await posts.put({ id: '1', draft: emptyDraft(), photos: [], order: 1, state: 'waiting' }), false)
  t.equal(await posts.list(), undefined)
  t.doesNotThrow(() => void posts.remove('1'))
})

const me = aCurrentUser()

const promotion: Promotion = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  title: 'Half price',
  message: 'Today',
  type: 'info',
  targetAudience: 'all',
  startDate: '2026-11-01',
  endDate: '2026-11-30',
  isActive: true,
  version: 1,
}

async function shows(t: Test, screen: ReactNode, text: string, dealer?: CurrentUser): Promise<void> {
  const { findByText, unmount } = show(t, screen, dealer)
  t.ok(await findByText(text))
  unmount()
}

function Form() {
  const { values } = useKeptFormState('form', { text: 'empty' })
  return <p>{`form: ${values.text}`}</p>
}

function Theme() {
  return <p>{`theme: ${useTheme()}`}</p>
}

/** Each check shows that its screen works even if the stored value is corrupt. */
const holders: Record<StorageKey, { area: Storage; of?: string; stands: (t: Test) => unknown }> = {
  'lanewire.theme': {
    area: localStorage,
    stands: async (t) => {
      watchTheme()
      act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'lanewire.theme' })))
      await shows(t, <Theme />, 'theme: system')
    },
  },
  selectedPlan: { area: localStorage, of: '.a dealer', stands: (t) => t.equal(readSelectedPlan('a dealer'), null) },
  'lanewire.dismissed-promotions': {
    area: localStorage,
    of: `.${me.id}`,
    stands: async (t) => {
      const network = fakeNetwork(t)
      network.use(http.get('*/api/promotions', () => answer(Type.Array(Promotion), [promotion])))
      await shows(t, <PromotionsBanner />, 'Half price', me)
    },
  },
  'lanewire.draft': {
    area: localStorage,
    of: '.a dealer.chat',
    stands: (t) => {
      t.teardown(startDrafts('a dealer'))
      t.same(draftsStore.get().texts, {})
    },
  },
  'lanewire.sent': {
    area: localStorage,
    of: '.spoilt',
    stands: (t) => {
      t.match(idempotencyKeyOf('spoilt', 1), /^[\da-f-]{36}$/)
      forgetIdempotencyKey('spoilt')
    },
  },
  'lanewire.posting': {
    area: localStorage,
    of: '.dialog.a dealer',
    stands: (t) => t.equal(storedPostDraft.read('dialog.a dealer'), undefined),
  },
  'lanewire.demo-steps': {
    area: localStorage,
    of: '.a dealer',
    stands: (t) => t.equal(storedSteps.read('a dealer'), undefined),
  },
  'lanewire.push': { area: localStorage, of: '.a dealer', stands: (t) => t.notOk(hasPushDevice('a dealer')) },
  'lanewire.push-asked': { area: localStorage, stands: (t) => t.equal(storedAsked.read(), undefined) },
  'lanewire.scans': { area: localStorage, stands: (t) => t.equal(storedScans.read(), undefined) },
  'lanewire.dock': {
    area: localStorage,
    of: '.a dealer',
    stands: (t) => {
      restoreLayout('a dealer')
      t.same(messagingStore.get().windows, [])
    },
  },
  'lanewire.recent-searches': {
    area: localStorage,
    of: '.a dealer',
    stands: (t) => t.same(readRecent('a dealer'), []),
  },
  'lanewire.notices': { area: localStorage, stands: (t) => t.same(readPreference(), { sound: false, desktop: false }) },
  'lanewire.noticed': {
    area: localStorage,
    stands: (t) => {
      t.ok(claimNotice('a message'))
      t.notOk(claimNotice('a message'), 'once for all tabs')
    },
  },
  'lanewire.signed-out': {
    area: localStorage,
    stands: (t) => t.equal(renderHook(useSignedOutSession).result.current, undefined),
  },
  'lanewire.wanted': { area: sessionStorage, stands: (t) => t.equal(takeWantedPath(), '/') },
  'lanewire.form': {
    area: sessionStorage,
    of: `.${me.id}.form`,
    stands: (t) => shows(t, <Form />, 'form: empty', me),
  },
}

for (const [key, { area, of = '', stands }] of Object.entries(holders))
  t.test(`drops and reports a corrupt ${key} and keeps its screen working`, async (t) => {
    const reports = hearReports(t)
    // Both values are invalid as a path, a plan, a theme, and a stored envelope.
    for (const text of ['{"version":1,"value":{"title":7,"vehicles":null}}', '{ "half']) {
      const fullKey = key + of
      area.setItem(fullKey, text)
      await stands(t)
      await becomes(t, () => area.getItem(fullKey) === text, false)
      t.match(reports.pop(), `held nothing usable under ${fullKey}`)
    }
  })

const profile: OwnProfile = anOwnProfile

const forms: Record<string, { form: ReactNode; field: string; empty: string }> = {
  profile: { form: <ProfileForm profile={profile} />, field: 'Description', empty: 'Trucks' },
  license: { form: <LicenseForm profile={profile} />, field: 'Dealer license number', empty: '' },
  review: { form: <ReviewForm dealId="1" about="Ann" />, field: 'Your review', empty: '' },
  note: { form: <DealerNotes id="1" notes={[]} closed={false} />, field: 'New note', empty: '' },
  contact: { form: <ContactForm toasts={false} />, field: 'Message', empty: '' },
}

for (const [name, { form, field, empty }] of Object.entries(forms))
  t.test(`restores the unfinished form of a ${name} after leaving the page`, (t) => {
    const label = new RegExp(`^${field}`)
    const visit = (dealer: CurrentUser, typed?: string) => {
      const { unmount } = show(t, form, dealer)
      const found = textIn(label)
      if (typed !== undefined) fill(label, typed)
      unmount()
      return found
    }
    t.equal(visit(me, 'Half a sentence'), empty)
    t.equal(visit(aCurrentUser()), empty, 'not for another dealer of this browser')
    t.equal(visit(me), 'Half a sentence')
    forgetForms()
    t.equal(visit(me), empty, 'not after logging out either')
    t.end()
  })

t.test('marks an unfinished profile and shows the saved one once saved or discarded', async (t) => {
  let save = () => {}
  const saving = new Promise<void>((resolve) => (save = resolve))
  fakeNetwork(t).use(
    http.patch('*/api/profile', async () => {
      await saving
      return answer(OwnProfile, { ...profile, city: 'Austin' })
    }),
  )
  const open = (saved: OwnProfile) => show(t, <ProfileForm profile={saved} />, me)
  const first = open(profile)
  fill(/^City/, 'Austin')
  await choose('State', 'ON')
  first.unmount()
  const second = open({ ...profile, description: 'Trucks and vans' })
  t.same([textIn(/^City/), textIn(/^Description/)], ['Austin', 'Trucks and vans'], 'over the values saved elsewhere')
  await press('Draft restored. Start over')
  t.equal(textIn(/^City/), 'Dallas')
  fill(/^City/, 'Austin')
  await press('Save Changes')
  second.unmount()
  const third = open(profile)
  save()
  await says('Saved')
  third.unmount()
  const { queryByText } = open({ ...profile, city: 'El Paso' })
  t.equal(textIn(/^City/), 'El Paso')
  t.equal(queryByText(/^Draft restored/), null)
})

t.test('restores profile input typed while saving', async (t) => {
  let save = () => {}
  const saving = new Promise<void>((resolve) => (save = resolve))
  const saved = { ...profile, city: 'Austin' }
  fakeNetwork(t).use(
    http.patch('*/api/profile', async () => {
      await saving
      return answer(OwnProfile, saved)
    }),
  )
  const first = show(t, <ProfileForm profile={profile} />, me)
  fill(/^City/, 'Austin')
  await press('Save Changes')
  fill(/^Description/, 'Trucks and vans')
  save()
  await says('Saved')
  first.unmount()
  show(t, <ProfileForm profile={saved} />, me)
  t.same([textIn(/^City/), textIn(/^Description/)], ['Austin', 'Trucks and vans'])
})

t.test('keeps a note started while another one is being added', async (t) => {
  let add = () => {}
  const adding = new Promise<void>((resolve) => (add = resolve))
  fakeNetwork(t).use(
    http.post('*/api/admin/*', async () => {
      await adding
      return new HttpResponse(null, { status: 204 })
    }),
  )
  show(t, <DealerNotes id="1" notes={[]} closed={false} />, me)
  fill('New note', 'Called twice')
  await press('Add note')
  fill('New note', 'Asked for papers')
  add()
  await says('Note saved')
  await becomes(t, () => screen.getByRole('button', { name: 'Add note' }).getAttribute('aria-busy'), null)
  t.equal(textIn('New note'), 'Asked for papers')
})

t.test('restores drafts of post dialog and composer', (t) => {
  const reports = hearReports(t)
  const dialog = { ...emptyDraft(newVehicle({ city: 'Dallas', state: 'TX' })), title: 'One' }
  const photo = { name: 'a.jpg', vehicle: undefined, url: '/api/objects/1', ready: true }
  const composed = newVehicle({ location: 'Dallas, TX', atDealership: true })
  const composer = { ...emptyDraft(composed, composed), type: 'multiple' as const, title: 'Two', photos: [photo] }
  storedPostDraft.write(dialog, 'dialog.me')
  storedPostDraft.write(composer, 'composer.me')
  t.same(storedPostDraft.read('dialog.me'), JSON.parse(JSON.stringify(dialog)))
  t.same(storedPostDraft.read('composer.me'), JSON.parse(JSON.stringify(composer)))
  t.same(reports, [])
  t.end()
})
