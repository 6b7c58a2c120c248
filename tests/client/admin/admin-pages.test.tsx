import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import Type from 'typebox'
import { AdminAudit } from '#client/features/admin/audit/admin-audit.tsx'
import { AdminDeals } from '#client/features/admin/deals/admin-deals.tsx'
import { AdminHome } from '#client/features/admin/home/admin-home.tsx'
import { AdminMessages } from '#client/features/admin/messages/admin-messages.tsx'
import { AdminModeration } from '#client/features/admin/moderation/admin-moderation.tsx'
import { AdminPricing } from '#client/features/admin/network/admin-pricing.tsx'
import { AdminPromotions } from '#client/features/admin/published/admin-promotions.tsx'
import { AdminQuickActions } from '#client/features/admin/home/admin-quick-actions.tsx'
import { AdminUsers } from '#client/features/admin/users/admin-users.tsx'
import { AdminDealsPage, AdminOverview, AdminUsersPage, Backups } from '#shared/schemas/admin.ts'
import { AuditPage } from '#shared/schemas/audit.ts'
import { ContactPage } from '#shared/schemas/site.ts'
import { CasesPage } from '#shared/schemas/moderation.ts'
import { SystemHealth } from '#shared/schemas/ops.ts'
import { AddOnEdit, AdminPricing as Pricing, PlanEdit } from '#shared/schemas/billing.ts'
import { Promotion, PromotionChange, PromotionInput } from '#shared/schemas/promotions.ts'
import {
  choose,
  dialogOpen,
  fill,
  gone,
  press,
  refusalOf,
  says,
  showsItsStates,
  textIn,
} from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, HttpResponse, refuseFirst, sent } from '#tests/support/network.ts'

const at = '2026-11-20T10:00:00.000Z'

function aPromotion(about: Partial<Promotion> = {}): Promotion {
  return {
    id: randomUUID(),
    title: 'Winter fees',
    message: 'No buyer fees in December',
    type: 'promotion',
    targetAudience: 'all',
    startDate: '2026-12-01',
    endDate: '2026-12-31',
    isActive: true,
    version: 1,
    ...about,
  }
}

const noDeals = { total: 0, pending: 0, approved: 0, rejected: 0 }
const noBackups: Backups = { lastVerified: null, backups: [], nextAt: at, late: false, kept: 7 }
const ailing: SystemHealth = {
  ok: false,
  parts: [
    { name: 'Database', ok: true, detail: 'answers in 2 ms' },
    { name: 'Redis', ok: false, detail: 'is not responding' },
  ],
}
const overview: AdminOverview = {
  monthlyRevenue: 4_200,
  annualRevenue: 50_400,
  subscribers: 30,
  gifts: 0,
  addOns: 2,
  dealers: 41,
  pendingDeals: 3,
  refundedThisMonth: 0,
  activePromotions: 0,
  unverifiedLicenses: 0,
  waitingAccounts: 0,
  openReports: 0,
  waitingMessages: 0,
  distribution: [],
}

const lists = [
  {
    list: 'dealers',
    path: 'users',
    Screen: AdminUsers,
    empty: 'No dealers found',
    none: () => answer(AdminUsersPage, { users: [], total: 0, nextCursor: null }),
  },
  {
    list: 'deals',
    path: 'deals',
    Screen: AdminDeals,
    empty: 'No deals found',
    none: () => answer(AdminDealsPage, { deals: [], counts: noDeals, nextCursor: null }),
  },
  {
    list: 'the audit log',
    path: 'audit',
    Screen: AdminAudit,
    empty: 'Nothing recorded',
    none: () => answer(AuditPage, { entries: [], nextCursor: null }),
  },
  {
    list: 'reports',
    path: 'moderation',
    Screen: AdminModeration,
    empty: 'Nothing to review',
    none: () => answer(CasesPage, { cases: [], counts: { open: 0, decided: 0 }, nextCursor: null }),
  },
  {
    list: 'messages',
    path: 'contact-messages',
    Screen: AdminMessages,
    empty: 'Nothing waiting',
    none: () => answer(ContactPage, { messages: [], waiting: 0, nextCursor: null }),
  },
  {
    list: 'promotions',
    path: 'promotions',
    Screen: AdminPromotions,
    empty: 'No promotions yet',
    none: () => answer(Type.Array(Promotion), []),
  },
]

for (const { list, path, Screen, empty, none } of lists)
  t.test(`shows loading, error, retry and empty states of ${list}`, async (t) => {
    const network = fakeNetwork(t)
    network.use(http.get(`*/api/admin/${path}`, none))
    const refuse = refuseFirst(network, `*/api/admin/${path}`)
    show(t, <Screen />)
    await showsItsStates(t, { loading: `Loading ${list}`, failure: `Could not load ${list}`, empty, refuse })
  })

t.test('filters the audit log by every kind of action it contains', async (t) => {
  const asked: (string | null)[] = []
  fakeNetwork(t).use(
    http.get('*/api/admin/audit', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('action'))
      return answer(AuditPage, { entries: [], nextCursor: null })
    }),
  )
  show(t, <AdminAudit />)
  for (const kind of ['API access', 'Auctions', 'Buy orders', 'Newsletter', 'Status incidents'])
    await choose('Kind', kind)
  await becomes(t, () => asked, [null, 'access', 'auction', 'order', 'newsletter', 'incident'])
})

t.test('creates a promotion, checks blank fields and date order, and resets the form', async (t) => {
  const heard: PromotionInput[] = []
  fakeNetwork(t).use(
    http.get('*/api/admin/promotions', () => answer(Type.Array(Promotion), [])),
    http.post('*/api/admin/promotions', async ({ request }) => {
      heard.push(await sent(PromotionInput, request))
      return heard.length === 1 ? away() : answer(Promotion, aPromotion())
    }),
  )
  show(t, <AdminPromotions />)
  for (const hint of ['From 12:00 AM UTC', 'Through 11:59 PM UTC']) await says(hint)
  await press('Create Promotion')
  await becomes(t, () => [refusalOf('Title'), refusalOf('Message')], ['Title is required', 'Message is required'])
  fill('Title', 'Winter fees')
  fill('Message', 'No buyer fees in December')
  fill('Start date', '2026-12-31')
  fill('End date', '2026-12-01')
  await press('Create Promotion')
  await becomes(t, () => refusalOf('End date'), 'Must not be before the start date')
  fill('Start date', '')
  fill('End date', '2026-12-31')
  await press('Create Promotion')
  await becomes(t, () => refusalOf('Start date'), 'Choose a day')
  fill('Start date', '2026-12-01')
  await choose('Type', 'Promotion')
  await choose('Audience', 'Premium')
  await press('Create Promotion')
  await says('The database is away')
  t.equal(textIn('Message'), 'No buyer fees in December')
  await press('Create Promotion')
  await says('Promotion created')
  await becomes(t, () => textIn('Title'), '')
  t.match(heard[1], { type: 'promotion', targetAudience: 'premium', startDate: '2026-12-01', endDate: '2026-12-31' })
})

t.test('pauses, edits and deletes a promotion, and keeps the dialog open after a refusal', async (t) => {
  const promotion = aPromotion()
  const heard: PromotionChange[] = []
  let deletions = 0
  fakeNetwork(t).use(
    http.get('*/api/admin/promotions', () => answer(Type.Array(Promotion), [promotion])),
    http.patch(`*/api/admin/promotions/${promotion.id}`, async ({ request }) => {
      heard.push(await sent(PromotionChange, request))
      return heard.length === 2 ? away() : answer(Promotion, promotion)
    }),
    http.delete(`*/api/admin/promotions/${promotion.id}`, () => {
      deletions += 1
      return deletions === 1 ? away() : new HttpResponse(null, { status: 204 })
    }),
  )
  show(t, <AdminPromotions />)
  await says(/^Dec 1, 2026 to Dec 31, 2026, UTC/)
  await press('PAUSE')
  await says('Promotion paused')
  await press('EDIT')
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('Title'), { target: { value: 'Spring fees' } })
  await press('Save')
  await says('The database is away')
  t.equal(dialog.getByLabelText<HTMLInputElement>('Title').value, 'Spring fees')
  await press('Save')
  await says('Promotion saved')
  await becomes(t, dialogOpen, false)
  await press('DELETE')
  await press('Delete')
  await says('The database is away')
  await says('Delete “Winter fees”?')
  await press('Delete')
  await says('Promotion deleted')
  await gone(t, 'Delete “Winter fees”?')
  t.same(heard, [{ isActive: false }, { title: 'Spring fees' }, { title: 'Spring fees' }])
})

t.test('accepts prices in whole dollars and keeps drafts after a refusal or after another plan is saved', async (t) => {
  const sums = { isActive: true, userCount: 3, gifts: 2, revenue: 300, share: 50 }
  const pricing: Pricing = {
    plans: [
      { id: 'basic', name: 'Basic', price: 99, features: ['Post', 'Chat'], ...sums },
      { id: 'premium', name: 'Premium', price: 149, features: ['Bid'], ...sums },
    ],
    addOns: [{ id: 'seats', name: 'Seats', price: 20, description: 'One more person', ...sums }],
    monthlyRevenue: 600,
    annualRevenue: 7_200,
  }
  const heard: unknown[] = []
  fakeNetwork(t).use(
    http.get('*/api/admin/pricing', () => answer(Pricing, pricing)),
    http.patch('*/api/admin/plans/basic', async ({ request }) => {
      const change = await sent(PlanEdit, request)
      heard.push(change)
      if (heard.length === 1) return away()
      Object.assign(pricing.plans[0]!, change)
      return answer(Pricing, pricing)
    }),
    http.patch('*/api/admin/add-ons/seats', async ({ request }) => {
      heard.push(await sent(AddOnEdit, request))
      return answer(Pricing, pricing)
    }),
  )
  show(t, <AdminPricing />)
  const inputs = async (label: string) => await screen.findAllByLabelText<HTMLInputElement>(label)
  const type = async (label: string, place: number, value: string) =>
    fireEvent.change((await inputs(label))[place]!, { target: { value } })
  const saveButtons = () => screen.queryAllByRole('button', { name: 'Save' })
  const save = async () => {
    await becomes(t, () => saveButtons()[0]?.matches(':disabled, [aria-disabled="true"]'), false)
    fireEvent.click(saveButtons()[0]!)
  }
  await type('Price per month', 0, '')
  await save()
  await says('Enter whole dollars')
  await type('Price per month', 0, '149.99')
  await save()
  await says('Enter whole dollars')
  t.same(heard, [], 'and does not silently drop the cents')
  await type('Price per month', 0, '1000000')
  await save()
  await says('Enter $100,000 or less')
  t.same([(await inputs('Price per month'))[0]?.ariaInvalid, heard.length], ['true', 0])
  await type('Price per month', 0, '0')
  await save()
  await says('Make Basic free?')
  t.equal(heard.length, 0, 'asks before it makes a plan free')
  await press('Cancel')
  await gone(t, 'Make Basic free?')
  t.equal((await inputs('Price per month'))[0]?.type, 'text', 'the mouse wheel changes nothing')
  await type('Price per month', 0, '120')
  await type('Price per month', 1, '200')
  await save()
  await says('The database is away')
  t.equal((await inputs('Price per month'))[0]?.value, '120')
  await save()
  await says('Plan saved')
  t.ok(screen.getByRole('list', { name: 'Features of Basic' }).textContent?.includes('Chat'))
  t.equal((await inputs('Price per month'))[1]?.value, '200', 'not saved yet')
  await type('Price per month', 1, '149')
  await type('Description', 0, 'Two more people')
  await becomes(t, () => saveButtons().length, 1)
  await save()
  await says('Add-on saved')
  const plan = { price: 120 }
  t.same(heard, [plan, plan, { description: 'Two more people' }])
})

t.test('keeps a refused announcement in its dialog', async (t) => {
  const heard: PromotionInput[] = []
  fakeNetwork(t).use(
    http.get('*/api/admin/backups', () => answer(Backups, noBackups)),
    http.post('*/api/admin/announcements', async ({ request }) => {
      heard.push(await sent(PromotionInput, request))
      return heard.length === 1 ? away() : answer(Promotion, aPromotion())
    }),
  )
  show(t, <AdminQuickActions />)
  await press('Send Announcement')
  fill('Title', 'Maintenance')
  fill('Message', 'Tonight at ten')
  await press('Send')
  await says('The database is away')
  t.equal(textIn('Message'), 'Tonight at ten')
  await press('Send')
  await says('Announcement sent')
  await becomes(t, dialogOpen, false)
})

t.test('shows why the system state is unknown, then what needs attention', async (t) => {
  let refuse = true
  fakeNetwork(t).use(
    http.get('*/api/admin/backups', () => answer(Backups, noBackups)),
    http.get('*/api/ops/health', () => (refuse ? away() : answer(SystemHealth, ailing))),
  )
  show(t, <AdminQuickActions />)
  await press('System Health')
  t.match(
    (await screen.findByRole('alert')).textContent,
    /Could not load the state of the system.*The database is away/,
  )
  refuse = false
  await press('Retry')
  await says('is not responding')
  await says('Needs attention')
})

t.test('uses the singular for one waiting license', async (t) => {
  fakeNetwork(t).use(
    http.get('*/api/admin/backups', () => answer(Backups, noBackups)),
    http.get('*/api/admin/overview', () => answer(AdminOverview, { ...overview, unverifiedLicenses: 1 })),
  )
  show(t, <AdminHome aside={null} />)
  await says('1 license to verify')
})

t.test('keeps figures that could not be refreshed and marks them as stale', async (t) => {
  let broken = false
  const network = fakeNetwork(t)
  network.use(
    http.get('*/api/admin/backups', () => answer(Backups, noBackups)),
    http.get('*/api/admin/overview', () => (broken ? away() : answer(AdminOverview, overview))),
    http.get('*/api/admin/pricing', () =>
      broken ? away() : answer(Pricing, { plans: [], addOns: [], monthlyRevenue: 4_321, annualRevenue: 50_400 }),
    ),
  )
  const { cache } = show(
    t,
    <>
      <AdminHome aside={null} />
      <AdminPricing />
    </>,
  )
  await says('41')
  await says('$4,321')
  broken = true
  await cache.invalidateQueries()
  await becomes(t, () => screen.queryAllByRole('alert').length, 2)
  t.same(
    ['41', '$4,321'].map((figure) => screen.queryByText(figure) !== null),
    [true, true],
  )
})
