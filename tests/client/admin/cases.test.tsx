import { becomes, show } from '#tests/support/screen.tsx'
import { screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { AdminDeals } from '#client/features/admin/deals/admin-deals.tsx'
import { AdminUsers } from '#client/features/admin/users/admin-users.tsx'
import {
  AdminDeal,
  AdminDealsPage,
  AdminUser,
  AdminUserChange,
  AdminUsersPage,
  LicenseVerdict,
  NewAdminUser,
  Suspension,
  WithOptionalReason,
  WithReason,
} from '#shared/schemas/admin.ts'
import { choose, chooseAct, dialogOpen, fill, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { anAdminUser } from '#tests/support/records.ts'
import { answer, away, fakeNetwork, http, HttpResponse, refusal, sent } from '#tests/support/network.ts'

const at = '2026-11-20T10:00:00.000Z'

function anAdminDeal(about: Partial<AdminDeal> = {}): AdminDeal {
  return {
    id: randomUUID(),
    buyerId: '00000000-0000-7000-8000-0000000000a1',
    buyerName: 'Dana Torres',
    sellerId: '00000000-0000-7000-8000-0000000000a2',
    sellerName: 'Marcus Webb',
    vehicleInfo: '2021 Ford F-150',
    vin: null,
    price: 31_900,
    submittedDate: at,
    status: 'pending',
    dealStatus: 'pending',
    notes: '',
    reviewReason: '',
    reviewedAt: null,
    ...about,
  }
}

const noDeals = { total: 0, pending: 0, approved: 0, rejected: 0 }

function openUsers(t: Test, users: AdminUser[]) {
  const network = fakeNetwork(t)
  const asked: string[] = []
  network.use(
    http.get('*/api/admin/users', ({ request }) => {
      const { searchParams, search } = new URL(request.url)
      asked.push(search)
      const found = users.filter(({ name }) => name.includes(searchParams.get('q') ?? ''))
      const from = Number(searchParams.get('cursor') ?? 0)
      const nextCursor = from + 2 < found.length ? String(from + 2) : null
      return answer(AdminUsersPage, { users: found.slice(from, from + 2), total: found.length, nextCursor })
    }),
  )
  show(t, <AdminUsers />)
  return { network, asked }
}

t.test('loads dealers page by page, with search and filters', async (t) => {
  const names = ['Ann Lee', 'Bo Diaz', 'Cy Ames']
  const { asked } = openUsers(
    t,
    names.map((name) => anAdminUser({ name })),
  )
  const shown = () => names.filter((name) => screen.queryByText(name) !== null)
  await becomes(t, shown, ['Ann Lee', 'Bo Diaz'])
  await says('3 accounts')
  await press('Load More')
  await becomes(t, shown, names)
  fill('Search by name, dealership or email', 'Bo')
  await becomes(t, shown, ['Bo Diaz'])
  await choose('Show', 'Suspended')
  await becomes(t, () => asked.at(-1), '?q=Bo&state=suspended')
})

t.test('lets a stopped bidder bid again with one click', async (t) => {
  const stopped = anAdminUser({ name: 'Ann Lee', biddingStoppedAt: at })
  const users = [stopped]
  const { network } = openUsers(t, users)
  network.use(
    http.post('*/api/admin/users/:id/bidding', async ({ request, params }) => {
      t.same([await sent(WithOptionalReason, request), params['id']], [{}, stopped.id])
      users[0] = { ...stopped, biddingStoppedAt: null }
      return answer(AdminUser, users[0])
    }),
  )
  await says('Bidding blocked')
  await chooseAct('Actions for Ann Lee', 'Restore bidding')
  await says('Dealer can bid again')
  await becomes(t, () => screen.queryByText('Bidding blocked'), null)
})

t.test('invites a dealer, marks blank fields, and keeps input after a refusal', async (t) => {
  const { network, asked } = openUsers(t, [])
  let taken = true
  network.use(
    http.post('*/api/admin/users', async ({ request }) => {
      const { name, email } = await sent(NewAdminUser, request)
      return taken
        ? refusal(409, 'An account with this email already exists')
        : answer(AdminUser, anAdminUser({ name, email }))
    }),
  )
  await press('Add User')
  await press('Send invitation')
  await becomes(t, () => [refusalOf('Name'), refusalOf('Email')], ['Name is required', 'Enter an email address'])
  fill('Name', 'Ann Lee')
  t.equal(refusalOf('Name'), undefined, 'a corrected field is no longer marked')
  fill('Email', 'ann@lee.example')
  fill('Dealership', 'Lee Autos')
  await choose('Role', 'Ops')
  await press('Send invitation')
  await says('An account with this email already exists')
  t.same(['Name', 'Email', 'Dealership'].map(textIn), ['Ann Lee', 'ann@lee.example', 'Lee Autos'])
  taken = false
  const before = asked.length
  await press('Send invitation')
  await says('Invitation sent to ann@lee.example')
  await becomes(t, dialogOpen, false)
  await becomes(t, () => asked.length, before + 1)
})

t.test('edits a dealer, keeps input after a refusal, and clears an emptied phone', async (t) => {
  const user = anAdminUser()
  const { network } = openUsers(t, [user])
  const heard: AdminUserChange[] = []
  network.use(
    http.patch(`*/api/admin/users/${user.id}`, async ({ request }) => {
      heard.push(await sent(AdminUserChange, request))
      return heard.length === 1 ? away() : answer(AdminUser, user)
    }),
  )
  await chooseAct('Actions for Luis Herrera', 'Edit')
  t.same(
    [/^Phone/, 'City', 'State'].map((label) => screen.getByLabelText<HTMLInputElement>(label).maxLength),
    [40, 80, 40],
    'as much as the server accepts',
  )
  fill(/^Phone/, '')
  fill('City', 'Plano')
  await press('Save')
  await says('The database is away')
  t.same([textIn(/^Phone/), textIn('City')], ['', 'Plano'])
  await press('Save')
  await says('Dealer saved')
  await becomes(t, dialogOpen, false)
  t.same(heard[1], { phone: null, city: 'Plano' }, 'and no field that somebody else may have changed meanwhile')
})

t.test('asks for a reason to suspend and keeps reason and end date after a refusal', async (t) => {
  const user = anAdminUser()
  const { network } = openUsers(t, [user])
  const heard: Suspension[] = []
  network.use(
    http.post(`*/api/admin/users/${user.id}/suspend`, async ({ request }) => {
      heard.push(await sent(Suspension, request))
      return heard.length === 1 ? refusal(403, 'The last admin stays') : answer(AdminUser, user)
    }),
  )
  await chooseAct('Actions for Luis Herrera', 'Suspend')
  fill('Reason', ' x ')
  await press('Suspend')
  await becomes(t, () => refusalOf('Reason'), 'Enter a reason for the audit log')
  fill('Reason', ' Sold a stolen car ')
  for (const day of ['20300-01-31', '2020-01-31']) {
    fill(/^Until/, day)
    await press('Suspend')
    await becomes(t, () => refusalOf(/^Until/), 'Choose today or a later date, or leave blank')
  }
  fill(/^Until/, '2030-01-31')
  await press('Suspend')
  await says('The last admin stays')
  t.same([textIn('Reason'), textIn(/^Until/)], [' Sold a stolen car ', '2030-01-31'])
  fill(/^Until/, '')
  await press('Suspend')
  await says('Dealer suspended')
  await becomes(t, dialogOpen, false)
  t.same(heard, [
    { reason: 'Sold a stolen car', until: new Date('2030-01-31T23:59:59').toISOString() },
    { reason: 'Sold a stolen car', until: null },
  ])
})

t.test('reviews licenses, and deletes and reinstates dealers', async (t) => {
  const sentIn: AdminUser['license'] = {
    number: 'P-77',
    state: 'TX',
    expiresOn: '2044-12-31',
    scan: '/api/objects/1',
    status: 'waiting',
    reason: '',
    submittedAt: at,
  }
  const [waiting, suspended] = [
    anAdminUser({ name: 'Ann Lee', license: sentIn }),
    anAdminUser({ name: 'Bo Diaz', suspendedAt: at, suspendedUntil: '2030-01-31T12:00:00.000Z' }),
  ]
  const { network } = openUsers(t, [waiting, suspended])
  const heard: unknown[] = []
  network.use(
    http.post(`*/api/admin/users/${waiting.id}/license`, async ({ request }) => {
      heard.push(await sent(LicenseVerdict, request))
      return answer(AdminUser, waiting)
    }),
    http.post(`*/api/admin/users/${suspended.id}/reinstate`, () => answer(AdminUser, suspended)),
    http.delete(`*/api/admin/users/${suspended.id}`, async ({ request }) => {
      heard.push(await sent(WithReason, request))
      return heard.length === 3
        ? refusal(409, 'A deal of this dealer is open')
        : new HttpResponse(null, { status: 204 })
    }),
  )
  await says('Suspended until Jan 31, 2030')
  await chooseAct('Actions for Ann Lee', 'Review license P-77')
  await says('2044-12-31')
  t.equal(screen.getByRole('link', { name: 'View scan' }).getAttribute('href'), '/api/objects/1')
  await press('Verify')
  await says('License verified')
  await chooseAct('Actions for Ann Lee', 'Review license P-77')
  await press('Reject')
  await becomes(t, () => refusalOf('Reason'), 'Enter a reason for the rejection')
  fill('Reason', 'Not legible')
  await press('Reject')
  await says('License rejected')
  await chooseAct('Actions for Bo Diaz', 'Reinstate')
  await says('Dealer reinstated')
  await chooseAct('Actions for Bo Diaz', 'Delete')
  fill('Reason', 'Asked for it')
  await press('Delete')
  await says('A deal of this dealer is open')
  t.equal(textIn('Reason'), 'Asked for it')
  await press('Delete')
  await says('Dealer deleted')
  await becomes(t, dialogOpen, false)
  const reason = 'Asked for it'
  const [verified, rejected] = [{ verdict: 'verified' }, { verdict: 'rejected', reason: 'Not legible' }]
  t.same(heard, [{ ...verified, submittedAt: at }, { ...rejected, submittedAt: at }, { reason }, { reason }])
})

t.test('rejects a deal only with a reason and keeps the reason after a refusal', async (t) => {
  const deal = anAdminDeal({ notes: 'Two keys' })
  const heard: unknown[] = []
  fakeNetwork(t).use(
    http.get('*/api/admin/deals', () =>
      answer(AdminDealsPage, { deals: [deal], counts: { ...noDeals, total: 1 }, nextCursor: null }),
    ),
    http.post(`*/api/admin/deals/${deal.id}/:verdict`, async ({ request, params }) => {
      heard.push([params['verdict'], (await sent(WithOptionalReason, request)).reason])
      return heard.length === 1 ? refusal(409, 'This deal was completed meanwhile') : answer(AdminDeal, deal)
    }),
  )
  show(t, <AdminDeals />)
  await press('View 2021 Ford F-150')
  await says('Two keys')
  await press('REJECT')
  await becomes(t, () => refusalOf('Reason'), 'Enter a reason for the rejection')
  fill('Reason', 'The VIN is of another car')
  await press('REJECT')
  await says('This deal was completed meanwhile')
  t.equal(textIn('Reason'), 'The VIN is of another car')
  await press('APPROVE')
  await says('Deal approved')
  await becomes(t, dialogOpen, false)
  const reason = 'The VIN is of another car'
  t.same(heard, [
    ['reject', reason],
    ['approve', reason],
  ])
})

t.test('explains that a finished deal can no longer be decided', async (t) => {
  const deal = anAdminDeal({
    status: 'approved',
    dealStatus: 'completed',
    reviewReason: 'Checked by phone',
    reviewedAt: at,
  })
  const page = { deals: [deal], counts: { ...noDeals, total: 1 }, nextCursor: null }
  fakeNetwork(t).use(http.get('*/api/admin/deals', () => answer(AdminDealsPage, page)))
  show(t, <AdminDeals />)
  await press('View 2021 Ford F-150')
  await says('This deal is over, so it can no longer be approved or rejected.')
  await says('Checked by phone')
  for (const name of ['REJECT', 'APPROVE']) t.ok(screen.getByRole('button', { name }).hasAttribute('disabled'), name)
})
