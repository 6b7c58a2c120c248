import { becomes } from '#tests/support/screen.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import t from 'tap'
import { setServerTime } from '#client/lib/live/connection.ts'
import { BuyOrder, BuyOrderPatch, DemandList } from '#shared/schemas/wanted.ts'
import {
  choose,
  chooseAct,
  dialogOpen,
  fill,
  gone,
  press,
  refusalOf,
  says,
  showsItsStates,
  textIn,
} from '#tests/support/controls.ts'
import { answer, http, refusal, refuseFirst, sent } from '#tests/support/network.ts'
import { anOrder, openWanted as open, wantedNetwork } from '#tests/support/wanted-page.tsx'

t.test('shows terms and status of orders, and pauses, renews and ends them', async (t) => {
  const active = anOrder()
  const orders = [
    active,
    anOrder({ model: 'Ranger', state: 'filled', bought: 3, newMatches: 0 }),
    anOrder({ model: 'Bronco', state: 'paused', pauseReason: 'unanswered' }),
    anOrder({ model: 'Edge', state: 'paused', pauseReason: 'self', isLow: true }),
    anOrder({ model: 'Flex', state: 'ended' }),
  ]
  const { heard } = wantedNetwork(t, { orders })
  open(t)
  await says('2019–2021 Ford F-150 XLT')
  const row = (model: string) => within(screen.getByText(`2019–2021 Ford ${model} XLT`).closest('li') ?? document.body)
  t.match(row('F-150').getByText('$30,000').textContent, '$30,000')
  t.ok(row('F-150').getByText('4 new'))
  t.match(row('F-150').getByRole('link', { name: '83 for sale now' }).getAttribute('href'), '/find?mmt=Ford~F-150~XLT')
  t.ok(row('F-150').getByText('until Dec 21'))
  t.ok(row('Ranger').getByText('resumes Dec 1'))
  t.ok(row('Edge').getByText(/Less than 40%/))
  t.ok(screen.getByRole('radio', { name: 'My buy orders 4' }), 'ended ones do not count')
  fireEvent.click(row('F-150').getByRole('switch'))
  fireEvent.click(row('Bronco').getByRole('button', { name: /^Resume/ }))
  fireEvent.click(row('Flex').getByRole('button', { name: /^Renew/ }))
  await becomes(t, () => heard.length, 3)
  for (const [order, act] of [
    [active, 'pause'],
    [orders[2], 'resume'],
    [orders[4], 'renew'],
  ] as const)
    t.has(
      heard.find((one) => (one as BuyOrder).id === order?.id),
      { act },
    )
  await chooseAct('More for 2019–2021 Ford F-150 XLT', 'End')
  await press('End order')
  await becomes(t, () => heard.length, 4)
  t.match(heard[3], { act: 'end' })
})

t.test('ends an order from its menu, which regains the focus', async (t) => {
  const held = { orders: [anOrder()] }
  const { network } = wantedNetwork(t, held)
  network.use(
    http.patch('*/api/buy-orders/:id', async ({ request }) => {
      const { act = 'renew' } = await sent(BuyOrderPatch, request)
      const state = ({ pause: 'paused', end: 'ended' } as const)[act as string] ?? 'active'
      held.orders = held.orders.map((order) => ({ ...order, state }))
      return answer(BuyOrder, held.orders[0] ?? anOrder())
    }),
  )
  open(t)
  await says(/^until/)
  for (const state of ['Paused', 'Active']) {
    const on = await screen.findByRole('switch', { busy: false })
    on.focus()
    on.click()
    await says(state)
  }
  const menu = 'More for 2019–2021 Ford F-150 XLT'
  await chooseAct(menu, 'End')
  await press('End order')
  await says('Ended')
  await becomes(t, () => document.activeElement?.getAttribute('aria-label'), menu)
  const renew = screen.getByRole('button', { name: /^Renew/ })
  renew.focus()
  renew.click()
  await says('Active')
  await becomes(t, () => document.activeElement?.role, 'switch')
})

t.test('links an order paused for lack of a plan to the plans', async (t) => {
  const order = anOrder({ state: 'paused', pauseReason: 'plan' })
  const { heard } = wantedNetwork(t, { orders: [order] })
  open(t)
  await says('needs a paid plan')
  t.equal(screen.getByRole('link', { name: 'Choose a plan' }).getAttribute('href'), '/subscribe')
  t.equal(screen.queryByRole('switch'), null)
  const menu = 'More for 2019–2021 Ford F-150 XLT'
  fireEvent.keyDown(screen.getByRole('button', { name: menu }), { key: 'Enter' })
  t.notOk((await screen.findAllByRole('menuitem')).some(({ textContent }) => textContent === 'Resume'))
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  await becomes(t, () => screen.queryByRole('menu') === null, true)
  await chooseAct(menu, 'Pause')
  await becomes(t, () => heard, [{ id: order.id, act: 'pause' }])
})

t.test('shows empty and error states of orders', async (t) => {
  const { network } = wantedNetwork(t)
  const refuse = refuseFirst(network, '*/api/buy-orders')
  open(t)
  await showsItsStates(t, {
    loading: 'Loading buy orders',
    failure: 'Your buy orders could not be loaded',
    empty: 'No buy orders yet',
    refuse,
  })
})

t.test("starts an order with Find's search, names missing fields, and shows the market", async (t) => {
  const { heard } = wantedNetwork(t)
  const { history } = open(
    t,
    '/wanted?order=new&mmt=Ford~F-150~XLT,Ford~F-150~Lariat&year=2019-2021&price=-30000,none&miles=none&near=74112&within=300',
  )
  await says('83 vehicles')
  await says('half are between $26,400 and $30,900')
  t.same([textIn('Make'), textIn(/^Trims/), textIn('Near')], ['Ford', 'XLT, Lariat', '74112'])
  await press('Start buy order')
  t.equal(refusalOf('Mileage up to'), 'Enter the maximum mileage')
  fill('Mileage up to', '40k mi')
  t.ok(screen.getByLabelText<HTMLInputElement>('Mileage up to').maxLength >= '100,000 miles'.length)
  fill('Price per vehicle', '$11,000')
  await says(/less than 40% of the median asking price/)
  fill('Vehicles per month', '2')
  await choose('Duration', '90 days')
  await press('Start buy order')
  await becomes(t, () => heard.length, 1)
  t.match(heard[0], {
    make: 'Ford',
    model: 'F-150',
    trims: ['XLT', 'Lariat'],
    yearFrom: 2019,
    yearTo: 2021,
    milesMax: 40_000,
    price: 11_000,
    perMonth: 2,
    days: 90,
    near: '74112',
    within: 300,
    drive: null,
    showName: false,
  })
  await says('Buy order started')
  await gone(t, 'Start buy order')
  t.equal(history.at(-1), '/wanted')
})

t.test('focuses the page when the first order replaces the introduction', async (t) => {
  const held = { orders: [] as BuyOrder[] }
  wantedNetwork(t, held)
  open(t)
  await says('No buy orders yet')
  const act = screen.getAllByRole('button', { name: 'New buy order' }).at(-1)
  act?.focus()
  act?.click()
  await says(/^Enter a make and model to see/)
  for (const [label, value] of [
    ['Make', 'Ford'],
    ['Model', 'F-150'],
    ['Mileage up to', '40000'],
    ['Price per vehicle', '30000'],
  ] as const)
    fill(label, value)
  held.orders.push(anOrder())
  await press('Start buy order')
  await gone(t, 'Start buy order')
  t.equal(act?.isConnected, false)
  await becomes(t, () => document.activeElement?.id, 'main')
})

t.test('shows missing fields and refusals where they belong', async (t) => {
  const { heard, network } = wantedNetwork(t)
  open(t, '/wanted?order=new')
  await says(/^Enter a make and model to see/)
  await press('Start buy order')
  fill('Year from', '1800')
  fill('Vehicles per month', '51')
  fill('Mileage up to', '40,5')
  fill(/^Trims/, Array.from({ length: 11 }, (_, index) => `T${index}`).join(','))
  await press('Start buy order')
  t.same(
    ['Make', 'Model', /^Trims/, 'Year from', 'Year to', 'Mileage up to', 'Price per vehicle', 'Vehicles per month'].map(
      refusalOf,
    ),
    [
      'Enter a make',
      'Enter a model',
      'Enter up to 10 trims',
      'Enter a year from 1900 to 2030, or leave blank',
      undefined,
      'Enter the maximum mileage',
      'Enter a price in dollars',
      'Enter a number from 1 to 50',
    ],
  )
  t.equal(document.activeElement, screen.getByLabelText('Make'), 'the first of them has the focus')
  fill('Make', 'Ford')
  t.equal(refusalOf('Make'), undefined, 'a corrected field is no longer marked')
  for (const [label, value] of [
    ['Model', 'F-150'],
    [/^Trims/, ''],
    ['Year from', ''],
    ['Vehicles per month', '1'],
    ['Mileage up to', '40000'],
    ['Price per vehicle', '30000'],
    ['Near', '00000'],
  ] as const)
    fill(label, value)
  const unknown = "We don't recognize this ZIP or postal code"
  network.use(
    http.post('*/api/buy-orders', () => refusal(400, unknown, ['near']), { once: true }),
    http.post('*/api/buy-orders/preview', () => refusal(503, 'The database is away')),
  )
  await press('Start buy order')
  await becomes(t, () => refusalOf('Near'), unknown)
  fill('Near', '')
  t.equal(refusalOf('Near'), undefined)
  await says('Figures could not be loaded')
  await press('Start buy order')
  await becomes(t, () => heard.length, 1)
  await gone(t, 'Start buy order')
})

t.test('shows a refused field once, with the focus, and keeps all other input', async (t) => {
  const { network } = wantedNetwork(t)
  open(t, '/wanted?order=new&mmt=Ford~F-150&miles=-40000&price=-30000')
  await says('83 vehicles')
  for (const [field, label] of [
    ['near', 'Near'],
    ['yearFrom', 'Year from'],
    ['price', 'Price per vehicle'],
    ['perMonth', 'Vehicles per month'],
    ['milesMax', 'Mileage up to'],
    ['model', 'Model'],
  ] as const) {
    network.use(http.post('*/api/buy-orders', () => refusal(400, `Wrong ${field}`, [field]), { once: true }))
    await press('Start buy order')
    await becomes(t, () => refusalOf(label), `Wrong ${field}`)
    t.equal(screen.queryByRole('alert'), null, 'not a second time above the form')
    await becomes(t, () => document.activeElement === screen.getByLabelText(label), true)
    t.same([textIn('Make'), textIn('Model'), textIn('Price per vehicle')], ['Ford', 'F-150', '$30,000'])
  }
  network.use(http.post('*/api/buy-orders', () => refusal(409, 'You can have up to 50 buy orders'), { once: true }))
  await press('Start buy order')
  t.match((await screen.findByRole('alert')).textContent, 'You can have up to 50 buy orders')
  fill('Mileage up to', '0')
  fill('Price per vehicle', '100000000')
  await press('Start buy order')
  t.equal(refusalOf('Price per vehicle'), 'Enter $99,999,999 or less')
})

t.test("starts a new order while the dealer's orders cannot be loaded", async (t) => {
  const { network } = wantedNetwork(t)
  network.use(http.get('*/api/buy-orders', () => refusal(503, 'The database is away')))
  open(t, '/wanted')
  await says('Your buy orders could not be loaded')
  await press('New buy order')
  await screen.findByRole('dialog', { name: 'New buy order' })
})

t.test('shows loading, error and empty states of demand and matches', async (t) => {
  const { network } = wantedNetwork(t)
  const nothing = { items: [], dealers: 0, perMonth: 0, makes: [], placeKnown: false, next: null }
  network.use(http.get('*/api/demand/list', () => answer(DemandList, nothing)))
  const refuse = refuseFirst(network, '*/api/demand/list')
  const { unmount } = open(t, '/wanted?view=demand')
  await showsItsStates(t, {
    loading: 'Loading demand',
    failure: 'Demand could not be loaded',
    empty: 'No demand yet',
    refuse,
  })
  await says(/distances are not shown/)
  await says('Models appear here once at least three dealers want them.')
  fireEvent.click(screen.getByRole('checkbox', { name: 'I have one' }))
  await says('No matching demand')
  await says(/^Remove a filter/)
  unmount()
  const refuseMatches = refuseFirst(network, '*/api/buy-orders/matches')
  open(t)
  await showsItsStates(t, {
    loading: 'Loading matches',
    failure: 'Your matches could not be loaded',
    empty: /^No matches to review/,
    refuse: refuseMatches,
  })
})

t.test('edits and renews an ended order, and offers to renew only near the end', async (t) => {
  const dayMs = 24 * 3_600_000
  // The local clock is far behind the server's clock, which the page must use.
  const serverMs = Date.now() + 15 * dayMs
  const inDays = (days: number) => new Date(serverMs + days * dayMs).toISOString()
  setServerTime(inDays(0))
  const orders = [
    anOrder({ expiresAt: inDays(20) }),
    anOrder({ model: 'Ranger', expiresAt: inDays(6) }),
    anOrder({ model: 'Flex', state: 'ended', expiresAt: inDays(-1) }),
    anOrder({ model: 'Edge', state: 'filled', nextMonthAt: '2026-12-01T05:00:00.000Z', timeZone: 'America/New_York' }),
  ]
  const { heard } = wantedNetwork(t, { orders })
  open(t)
  await says('resumes Dec 1')
  const menuOf = async (model: string) => {
    fireEvent.keyDown(await screen.findByRole('button', { name: `More for 2019–2021 Ford ${model} XLT` }), {
      key: 'Enter',
    })
    const acts = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
    await becomes(t, () => screen.queryByRole('menu') === null, true)
    return acts
  }
  t.notOk((await menuOf('F-150')).includes('Renew for 30 days'))
  t.ok((await menuOf('Ranger')).includes('Renew for 30 days'))
  t.ok((await menuOf('Flex')).includes('Renew for 30 days'))
  await chooseAct('More for 2019–2021 Ford Flex XLT', 'Edit')
  await screen.findByRole('dialog', { name: 'Edit buy order' })
  fill('Near', '')
  await press('Save and renew')
  t.equal(refusalOf('Near'), 'Enter a ZIP or postal code, or set the distance to "Any distance"')
  await choose('Within', 'Any distance')
  await press('Save and renew')
  await becomes(t, () => heard.length, 1)
  t.match(heard[0], { id: orders[2]?.id, near: '', within: null, days: 30 })
  await says('Buy order renewed')
})

t.test('keeps an unfinished order after a stray Escape until it is cancelled', async (t) => {
  const { heard } = wantedNetwork(t, { orders: [anOrder()] })
  open(t)
  const opener = await screen.findByRole('button', { name: 'New buy order' })
  const escape = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  const start = async () => {
    opener.focus()
    await press('New buy order')
    await screen.findByRole('dialog')
  }
  await start()
  escape()
  await becomes(t, dialogOpen, false)
  await start()
  fill('Make', 'Ford')
  screen.getByLabelText('Make').focus()
  escape()
  await says('Discard what you typed?')
  await press('Keep editing')
  await gone(t, 'Discard what you typed?')
  t.equal(textIn('Make'), 'Ford')
  await becomes(t, () => document.activeElement === screen.getByLabelText('Make'), true)
  await press('Close')
  await press('Discard')
  await becomes(t, dialogOpen, false)
  await becomes(t, () => document.activeElement === opener, true)
  await start()
  t.equal(textIn('Make'), '')
  fill('Make', 'Ford')
  fill('Make', '')
  escape()
  await becomes(t, dialogOpen, false)
  await start()
  fill('Make', 'Ford')
  await press('Cancel')
  await becomes(t, dialogOpen, false)
  t.same(heard, [])
})
