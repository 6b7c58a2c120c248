import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import Type from 'typebox'
import { AdminIncidents } from '#client/features/admin/published/admin-incidents.tsx'
import { AdminNewsletter } from '#client/features/admin/published/admin-newsletter.tsx'
import { AdminPromotions } from '#client/features/admin/published/admin-promotions.tsx'
import { Promotion } from '#shared/schemas/promotions.ts'
import { Incident, IncidentChange, IncidentInput } from '#shared/schemas/ops.ts'
import {
  IssueChange,
  IssueInput,
  IssuePreview,
  NewsletterIssue,
  ReadIssue,
  SubscribersPage,
} from '#shared/schemas/site.ts'
import { dialogOpen, fill, gone, press, refusalOf, says, showsItsStates, textIn } from '#tests/support/controls.ts'
import { aCurrentUser } from '#tests/support/records.ts'
import { answer, away, fakeNetwork, http, HttpResponse, refusal, refuseFirst, sent } from '#tests/support/network.ts'

const at = '2026-11-20T10:00:00.000Z'
const later = '2026-11-20T12:00:00.000Z'

function anIncident(about: Partial<Incident> = {}): Incident {
  return {
    id: randomUUID(),
    title: 'Photos are slow',
    text: 'They take longer than usual.',
    planned: false,
    startedAt: at,
    endedAt: null,
    updatedAt: at,
    ...about,
  }
}

function anIssue(about: Partial<NewsletterIssue> = {}): NewsletterIssue {
  return {
    id: randomUUID(),
    subject: 'November',
    text: 'What is new',
    updatedAt: at,
    sentAt: null,
    recipients: 0,
    delivered: 0,
    ...about,
  }
}

const noIssues = http.get('*/api/admin/newsletter/issues', () => answer(Type.Array(NewsletterIssue), []))
const subscribersAre = (page: SubscribersPage) =>
  http.get('*/api/admin/newsletter/subscribers', () => answer(SubscribersPage, page))
const noSubscribers = subscribersAre({ subscribers: [], confirmed: 0, nextCursor: null })

/** Fills a field in the dialog, because the card behind the dialog has a field with the same label. */
const fillInDialog = async (label: string, value: string) =>
  fireEvent.change(within(await screen.findByRole('dialog')).getByLabelText(label), { target: { value } })

const lists = [
  {
    what: 'incidents',
    path: 'incidents',
    Screen: AdminIncidents,
    empty: 'No incidents yet',
    beside: [http.get('*/api/admin/incidents', () => answer(Type.Array(Incident), []))],
  },
  {
    what: 'issues',
    path: 'newsletter/issues',
    Screen: AdminNewsletter,
    empty: 'No issues yet',
    beside: [noIssues, noSubscribers],
  },
  {
    what: 'subscribers',
    path: 'newsletter/subscribers',
    Screen: AdminNewsletter,
    empty: 'No subscribers yet',
    beside: [noIssues, noSubscribers],
  },
]

for (const { what, path, Screen, empty, beside } of lists)
  t.test(`shows loading, error, retry and empty states of ${what}`, async (t) => {
    const network = fakeNetwork(t)
    network.use(...beside)
    const refuse = refuseFirst(network, `*/api/admin/${path}`)
    show(t, <Screen />)
    await showsItsStates(t, { loading: `Loading ${what}`, failure: `Could not load ${what}`, empty, refuse })
  })

t.test('publishes an incident, checks blank fields and times, and resets the form', async (t) => {
  const heard: IncidentInput[] = []
  let held: Incident[] = []
  fakeNetwork(t).use(
    http.get('*/api/admin/incidents', () => answer(Type.Array(Incident), held)),
    http.post('*/api/admin/incidents', async ({ request }) => {
      const input = await sent(IncidentInput, request)
      heard.push(input)
      if (heard.length === 1) return away()
      held = [anIncident(input)]
      return answer(Incident, held[0]!)
    }),
  )
  show(t, <AdminIncidents />)
  await says('No incidents yet')
  fill('Started', '')
  await press('Publish on the status page')
  await becomes(t, () => ['Title', 'Description', 'Started'].map(refusalOf), [
    'Title is required',
    'Description is required',
    'Choose a time',
  ])
  fill('Title', 'Search is away')
  t.equal(refusalOf('Title'), undefined, 'a corrected field is no longer marked')
  fill('Description', 'We look into it.')
  fill('Started', '20266-11-20T10:00')
  await press('Publish on the status page')
  await becomes(t, () => refusalOf('Started'), 'Choose a time')
  fill('Started', '2026-11-20T10:00')
  fill(/^Ended/, '2026-11-20T09:00')
  await press('Publish on the status page')
  await becomes(t, () => refusalOf(/^Ended/), 'Must not be before the start')
  fill(/^Ended/, '2026-11-20T11:00')
  fireEvent.click(screen.getByLabelText('Planned maintenance'))
  await press('Publish on the status page')
  await says('The database is away')
  t.same([textIn('Title'), textIn(/^Ended/)], ['Search is away', '2026-11-20T11:00'])
  fill(/^Ended/, '')
  await press('Publish on the status page')
  await says('Incident published')
  await says('Search is away')
  await becomes(t, () => ['Title', 'Description'].map(textIn), ['', ''])
  const input = { title: 'Search is away', text: 'We look into it.', planned: true }
  const startedAt = new Date('2026-11-20T10:00').toISOString()
  t.same(heard, [
    { ...input, startedAt, endedAt: new Date('2026-11-20T11:00').toISOString() },
    { ...input, startedAt, endedAt: null },
  ])
})

const forms = [
  { what: 'incident', Screen: AdminIncidents, words: { Title: 'Search is away', Description: 'We look into it.' } },
  { what: 'issue', Screen: AdminNewsletter, words: { Subject: 'November', Text: 'What is new' } },
  { what: 'promotion', Screen: AdminPromotions, words: { Title: 'Winter fees', 'End date': '2027-01-31' } },
]

for (const { what, Screen, words } of forms)
  t.test(`keeps an unfinished ${what} after leaving the page until it is sent or emptied`, async (t) => {
    fakeNetwork(t).use(
      http.get('*/api/admin/incidents', () => answer(Type.Array(Incident), [])),
      http.get('*/api/admin/promotions', () => answer(Type.Array(Promotion), [])),
      noIssues,
      noSubscribers,
    )
    const labels = Object.keys(words)
    const me = aCurrentUser()
    const first = show(t, <Screen />, me)
    const before = labels.map(textIn)
    for (const [label, text] of Object.entries(words)) fill(label, text)
    first.unmount()
    const second = show(t, <Screen />, me)
    t.same(labels.map(textIn), Object.values(words))
    for (const [at, label] of labels.entries()) fill(label, before[at] ?? '')
    second.unmount()
    show(t, <Screen />, me)
    t.same(labels.map(textIn), before)
    t.same(Object.keys(sessionStorage), [])
  })

t.test('does not restore an incident that was published after its author left the page', async (t) => {
  const me = aCurrentUser()
  const asked: (() => void)[] = []
  fakeNetwork(t).use(
    http.get('*/api/admin/incidents', () => answer(Type.Array(Incident), [])),
    http.post('*/api/admin/incidents', async () => {
      await new Promise<void>((go) => asked.push(go))
      return answer(Incident, anIncident())
    }),
  )
  const began = show(t, <AdminIncidents />, me)
  fill('Title', 'Search is away')
  fill('Description', 'We look into it.')
  fill('Started', '2026-11-20T10:00')
  began.unmount()
  const first = show(t, <AdminIncidents />, me)
  t.equal(textIn('Started'), '2026-11-20T10:00')
  t.not(sessionStorage.length, 0)
  await press('Publish on the status page')
  await becomes(t, () => asked.length, 1)
  first.unmount()
  asked[0]?.()
  await becomes(t, () => sessionStorage.length, 0)
  show(t, <AdminIncidents />, me)
  t.same(['Title', 'Description'].map(textIn), ['', ''])
})

t.test('edits and resolves an incident, and changes nothing after a refusal', async (t) => {
  let held = anIncident()
  const heard: IncidentChange[] = []
  let resolutions = 0
  fakeNetwork(t).use(
    http.get('*/api/admin/incidents', () => answer(Type.Array(Incident), [held])),
    http.patch(`*/api/admin/incidents/${held.id}`, async ({ request }) => {
      const change = await sent(IncidentChange, request)
      heard.push(change)
      if (heard.length === 1) return away()
      held = { ...held, ...change }
      return answer(Incident, held)
    }),
    http.post(`*/api/admin/incidents/${held.id}/resolve`, () => {
      resolutions += 1
      if (resolutions === 1) return away()
      held = { ...held, endedAt: later }
      return answer(Incident, held)
    }),
  )
  show(t, <AdminIncidents />)
  await press('Edit Photos are slow')
  await fillInDialog('Title', ' ')
  await press('Save')
  await says('Title is required')
  await fillInDialog('Title', 'Photos are missing')
  await press('Save')
  await says('The database is away')
  t.ok(dialogOpen())
  await press('Save')
  await says('Incident saved')
  await becomes(t, dialogOpen, false)
  const change = { title: 'Photos are missing' }
  t.same(heard, [change, change], 'an incident that another admin has resolved is not reopened')
  await press('Resolve Photos are missing')
  await says('The database is away')
  await press('Resolve Photos are missing')
  await says('Incident resolved')
  await becomes(t, () => screen.queryByRole('button', { name: 'Resolve Photos are missing' }), null)
})

t.test('creates a newsletter issue, keeps input after a refusal, and resets the form', async (t) => {
  const heard: IssueInput[] = []
  fakeNetwork(t).use(
    noIssues,
    noSubscribers,
    http.post('*/api/admin/newsletter/issues', async ({ request }) => {
      heard.push(await sent(IssueInput, request))
      return heard.length === 1 ? away() : answer(NewsletterIssue, anIssue())
    }),
  )
  show(t, <AdminNewsletter />)
  await press('Save draft')
  await becomes(t, () => ['Subject', 'Text'].map(refusalOf), ['Subject is required', 'Text is required'])
  fill('Subject', 'November')
  fill('Text', 'What is new')
  await press('Save draft')
  await says('The database is away')
  t.same(['Subject', 'Text'].map(textIn), ['November', 'What is new'])
  await press('Save draft')
  await says('Draft saved')
  await becomes(t, () => ['Subject', 'Text'].map(textIn), ['', ''])
  t.same(heard[1], { subject: 'November', text: 'What is new' })
})

t.test('edits and deletes a draft, and keeps the dialog open after a refusal', async (t) => {
  let held = [anIssue()]
  const { id } = held[0]!
  const heard: IssueChange[] = []
  let deletions = 0
  fakeNetwork(t).use(
    noSubscribers,
    http.get('*/api/admin/newsletter/issues', () => answer(Type.Array(NewsletterIssue), held)),
    http.put(`*/api/admin/newsletter/issues/${id}`, async ({ request }) => {
      const input = await sent(IssueChange, request)
      heard.push(input)
      if (heard.length === 1) return away()
      held = [anIssue({ id, ...input })]
      return answer(NewsletterIssue, held[0]!)
    }),
    http.delete(`*/api/admin/newsletter/issues/${id}`, () => {
      deletions += 1
      if (deletions === 1) return away()
      held = []
      return new HttpResponse(null, { status: 204 })
    }),
  )
  show(t, <AdminNewsletter />)
  await press('Edit November')
  await fillInDialog('Subject', 'December')
  await press('Save')
  await says('The database is away')
  t.ok(dialogOpen())
  await press('Save')
  await says('Draft saved')
  await becomes(t, dialogOpen, false)
  await press('Delete December')
  await press('Delete')
  await says('The database is away')
  await says('Delete “December”?')
  await press('Delete')
  await says('Draft deleted')
  await gone(t, 'Delete “December”?')
  await says('No issues yet')
  t.same(heard[1], { subject: 'December' }, 'not the text, which another admin may have changed')
})

t.test('previews an issue before sending it, shows errors, and counts the emails sent', async (t) => {
  let held = anIssue()
  let refuse = true
  let written = { text: 'What is new. Unsubscribe: …', updatedAt: at }
  let sawLoading = () => {}
  const seen = new Promise<void>((resolve) => (sawLoading = resolve))
  fakeNetwork(t).use(
    noSubscribers,
    http.get('*/api/admin/newsletter/issues', () => answer(Type.Array(NewsletterIssue), [held])),
    http.get(`*/api/admin/newsletter/issues/${held.id}/preview`, async () => {
      await seen
      return refuse ? away() : answer(IssuePreview, { subject: 'November', recipients: 2, ...written })
    }),
    http.post(`*/api/admin/newsletter/issues/${held.id}/send`, async ({ request }) => {
      if (refuse) return away()
      const { updatedAt } = await sent(ReadIssue, request)
      if (updatedAt !== written.updatedAt) return refusal(409, 'This issue was changed after you previewed it')
      held = { ...held, sentAt: later, recipients: 2, delivered: 2 }
      return answer(NewsletterIssue, held)
    }),
  )
  show(t, <AdminNewsletter />)
  await says('Draft')
  await press('Preview and send November')
  await says('Loading the preview')
  sawLoading()
  t.match((await screen.findByRole('alert')).textContent, /The preview could not be loaded.*The database is away/)
  t.equal(screen.queryByRole('button', { name: /^Send to/ }), null, 'an issue cannot be sent before its preview')
  refuse = false
  await press('Retry')
  await says('What is new. Unsubscribe: …')
  refuse = true
  await press('Send to 2 subscribers')
  await says('The database is away')
  t.ok(dialogOpen())
  refuse = false
  written = { text: 'What another admin wrote. Unsubscribe: …', updatedAt: later }
  await press('Send to 2 subscribers')
  await says('This issue was changed after you previewed it')
  await says('What another admin wrote. Unsubscribe: …')
  await press('Send to 2 subscribers')
  await says('Newsletter is being sent')
  await becomes(t, dialogOpen, false)
  await says('Sent to 2')
  t.equal(screen.queryByRole('button', { name: 'Edit November' }), null, 'a sent issue cannot be edited')
})

t.test('refuses to send an issue without recipients and says why', async (t) => {
  const held = anIssue()
  fakeNetwork(t).use(
    noSubscribers,
    http.get('*/api/admin/newsletter/issues', () => answer(Type.Array(NewsletterIssue), [held])),
    http.get(`*/api/admin/newsletter/issues/${held.id}/preview`, () =>
      answer(IssuePreview, { subject: 'November', recipients: 0, text: 'What is new', updatedAt: at }),
    ),
  )
  show(t, <AdminNewsletter />)
  await press('Preview and send November')
  await says('No subscribers yet, so there is no one to send it to.')
  t.equal(screen.queryByRole('button', { name: /^Send to/ }), null)
})

t.test('loads subscribers page by page and shows their total', async (t) => {
  const one = (email: string, confirmedAt: string | null) => ({ id: randomUUID(), email, createdAt: at, confirmedAt })
  fakeNetwork(t).use(
    noIssues,
    http.get('*/api/admin/newsletter/subscribers', ({ request }) =>
      answer(
        SubscribersPage,
        new URL(request.url).searchParams.get('cursor') === 'next'
          ? { subscribers: [one('b@dealer.example', null)], confirmed: 1, nextCursor: null }
          : { subscribers: [one('a@dealer.example', at)], confirmed: 1, nextCursor: 'next' },
      ),
    ),
  )
  show(t, <AdminNewsletter />)
  await says('1 subscriber')
  await says('a@dealer.example')
  t.equal(screen.queryByText('b@dealer.example'), null)
  await press('Load More')
  await says('b@dealer.example')
  t.same(
    ['Subscribed', 'Not confirmed'].map((state) => screen.getAllByText(state).length),
    [1, 1],
  )
  t.equal(screen.queryByRole('button', { name: 'Load More' }), null)
})
