import { show } from './screen.tsx'
import type { Test } from 'tap'
import { AdminDealerFile } from '#client/features/admin/dealer-file/admin-dealer-file.tsx'
import { AdminPricing, DealerBilling } from '#shared/schemas/billing.ts'
import { DealerFile } from '#shared/schemas/admin.ts'
import { answer, fakeNetwork, http } from './network.ts'
import { anAdminUser } from './records.ts'

export const at = '2026-11-20T10:00:00.000Z'
export const user = anAdminUser()
export const path = `*/api/admin/users/${user.id}`

type Subscription = NonNullable<DealerBilling['subscription']>

export function aFile(about: Partial<DealerFile> = {}): DealerFile {
  return {
    user,
    deletedAt: null,
    invited: false,
    posts: [],
    deals: [],
    reports: { by: [], about: [] },
    secondFactor: false,
    sessions: [],
    notes: [],
    ...about,
  }
}

export function aSubscription(about: Partial<Subscription> = {}): Subscription {
  return {
    status: 'active',
    currentPeriodEnd: '2026-12-20T10:00:00.000Z',
    cancelAtPeriodEnd: false,
    complimentary: false,
    givenUntil: null,
    price: 99,
    plan: { id: 'basic', name: 'Basic' },
    addOns: [],
    ...about,
  }
}

export function anInvoice(about: Partial<DealerBilling['invoices'][number]> = {}): DealerBilling['invoices'][number] {
  return {
    id: 'in_1',
    number: 'LW-1',
    date: at,
    description: 'Basic, November',
    amount: 99,
    status: 'paid',
    refunded: 0,
    refundable: 99,
    ...about,
  }
}

const sums = { features: [], isActive: true, userCount: 1, gifts: 0, revenue: 99, share: 50 }
export const pricing: AdminPricing = {
  plans: [
    { id: 'basic', name: 'Basic', price: 99, ...sums },
    { id: 'premium', name: 'Premium', price: 149, ...sums },
  ],
  addOns: [],
  monthlyRevenue: 198,
  annualRevenue: 2_376,
}

/** Opens a dealer's page in the admin area. Later responses include changes that the test makes to the returned data. */
export function openFile(t: Test, about: Partial<DealerFile> = {}, bill: Partial<DealerBilling> = {}) {
  const held: { file: DealerFile; billing: DealerBilling } = {
    file: aFile(about),
    billing: { subscription: null, invoices: [], refunds: [], ...bill },
  }
  const network = fakeNetwork(t)
  network.use(
    http.get(`${path}/file`, () => answer(DealerFile, held.file)),
    http.get(`${path}/billing`, () => answer(DealerBilling, held.billing)),
    http.get('*/api/admin/pricing', () => answer(AdminPricing, pricing)),
  )
  const { cache } = show(t, <AdminDealerFile id={user.id} />)
  return { held, network, cache }
}
