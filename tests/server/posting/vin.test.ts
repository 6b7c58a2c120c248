import t from 'tap'
import type { VinReport } from '#shared/schemas/posting.ts'
import { startApp } from '#tests/support/app.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'

const { signIn, visitor } = await startApp(t)

const good = '1FTFW1E59NKD69096'

t.test('reports a VIN with its vehicle and without a warning', async (t) => {
  const { status, body } = await (await signIn()).get<VinReport>(`/api/vin/${good.toLowerCase()}`)
  t.equal(status, 200)
  t.match(body, { vin: good, year: 2022, make: 'Ford', model: 'F-150', checkDigitHolds: true, activePosts: [] })
})

t.test('warns of a wrong check digit and a VIN active elsewhere, but still posts', async (t) => {
  const [webb, boyle] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const vin = '1FTFW1E50NKD69096'
  const id = await publish(webb, { title: 'First', vehicles: [{ ...aVehicle, vin }] })
  const { body } = await boyle.get<VinReport>(`/api/vin/${vin}`)
  t.match(body, { checkDigitHolds: false, expectedCheckDigit: '9' })
  t.same(body.activePosts, [{ id, title: 'First', dealershipName: 'Webb Bros', own: false }])
  await publish(boyle, { vehicles: [{ ...aVehicle, vin }] })
  await webb.patch(`/api/inventory/${id}`, { status: 'sold' })
  t.same(
    (await boyle.get<VinReport>(`/api/vin/${vin}`)).body.activePosts.map(({ own }) => own),
    [true],
  )
})

t.test('refuses anything but 17 letters and digits in the documented words', async (t) => {
  const dealer = await signIn()
  for (const vin of ['1FTFW1E59', `${good}9`, '1FTFW1E5-NKD69096']) {
    const { status, body } = await dealer.get(`/api/vin/${vin}`)
    t.equal(status, 400, vin)
    t.match(body, { error: { message: 'VIN must be exactly 17 characters' } })
  }
  t.equal((await visitor.get(`/api/vin/${good}`)).status, 401)
})

t.test('ignores a label or an import mark before a VIN, and refuses two VINs', async (t) => {
  const dealer = await signIn()
  for (const text of [`VIN: ${good}`, `I${good}`]) {
    const { status, body } = await dealer.get<VinReport>(`/api/vin/${encodeURIComponent(text)}`)
    t.equal(status, 200, text)
    t.equal(body.vin, good, text)
  }
  const { status, body } = await dealer.get(`/api/vin/${good}%202HKRW2H20NH207506`)
  t.equal(status, 400)
  t.match(body, { error: { message: 'There is more than one VIN here. Enter one at a time' } })
})
