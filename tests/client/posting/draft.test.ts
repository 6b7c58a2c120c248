import assert from 'node:assert/strict'
import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import Value from 'typebox/value'
import type { KeptPhoto } from '#client/features/posting/photos/photo-queue.ts'
import { auctionFaults, emptyAuctionDraft } from '#client/features/posting/auction-draft.ts'
import { draftOfPost, type PostDraft, toNewPost, toPatch } from '#client/features/posting/post-draft.ts'
import {
  newVehicle,
  type VehicleDraft,
  type VehicleField,
  vehicleOfRow,
} from '#client/features/posting/vehicle-draft.ts'
import { isTypedZero, typedAmount, typedFigure, typedMiles } from '#client/lib/form/typed-amount.ts'
import { setServerTime } from '#client/lib/live/connection.ts'
import { resetStore } from '#client/lib/storage/store-slice.ts'
import { validatePost } from '#server/features/posts/posts.policy.ts'
import { auctionFacilitators } from '#shared/facilitators.ts'
import { yearMax, yearMin } from '#shared/limits.ts'
import { postTypes, vehicleStatuses } from '#shared/constants/posts.ts'
import { NewPost, type NewVehicle, type PostDetail, Vehicle } from '#shared/schemas/posts.ts'
import { holds, sameJson } from '#tests/support/properties.ts'
import { aPostDetail } from '#tests/support/records.ts'

const spaces = fc.constantFrom('', ' ', '\n')
const word = fc.stringMatching(/^[A-Za-z0-9é"{,-]{1,12}$/)
/** Leaves a field empty in one of ten cases, so that most vehicles are complete enough to be sent. */
const mostly = (filled: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 9, arbitrary: filled }, { weight: 1, arbitrary: fc.constant('') })
const typed = mostly(fc.tuple(spaces, word, spaces).map((parts) => parts.join('')))
const amount = (max: number, decimals: number) =>
  mostly(fc.integer({ min: 0, max: max * 10 ** decimals }).map((whole) => String(whole / 10 ** decimals)))

const vehicleDraft: fc.Arbitrary<VehicleDraft> = fc
  .record<Record<VehicleField, string> & Pick<VehicleDraft, 'atDealership' | 'lenient'>>({
    vin: mostly(fc.stringMatching(/^[A-HJ-NPR-Z0-9]{17}$/)),
    year: mostly(fc.integer({ min: yearMin, max: yearMax }).map(String)),
    make: typed,
    model: typed,
    trim: typed,
    mileage: amount(999_999, 0),
    price: amount(99_999, 2),
    color: typed,
    city: typed,
    state: mostly(fc.constantFrom('TX', 'OK', 'ON')),
    location: fc.oneof(typed, fc.constant('Dallas, TX')),
    notes: typed,
    atDealership: fc.constantFrom(true, false, undefined),
    lenient: fc.boolean(),
  })
  .map(({ atDealership, lenient, ...known }) => ({
    ...newVehicle({ ...known, ...(atDealership !== undefined && { atDealership }) }),
    lenient,
  }))

const draft: fc.Arbitrary<PostDraft> = fc
  .record({
    type: fc.constantFrom(...postTypes),
    title: word,
    description: typed,
    auctionFacilitator: fc.constantFrom('', 'manheim', ...auctionFacilitators),
    vehicles: fc.array(vehicleDraft, { minLength: 1, maxLength: 4 }),
    // For each photo: the index of its vehicle, or undefined for the post.
    photos: fc.array(fc.option(fc.nat({ max: 3 }), { nil: undefined }), { maxLength: 5 }),
  })
  .map(({ photos, ...rest }) => ({
    ...rest,
    auction: emptyAuctionDraft,
    spreadsheetUrl: rest.type === 'spreadsheet' ? ' https://sheets.example/stock.csv ' : '',
    photos: photos.map((index, n): KeptPhoto => {
      const vehicle = index === undefined ? undefined : rest.vehicles[index]?.key
      return { name: `${n}.jpg`, vehicle, url: `/api/objects/${n}`, ready: true }
    }),
  }))

const vehicleFields = Object.keys(Vehicle.properties) as (keyof Vehicle)[]

function asRead(vehicle: NewVehicle, status: Vehicle['status']): Vehicle {
  const columns: Record<string, unknown> = {
    photos: [],
    ...vehicle,
    vin: vehicle.vin?.toUpperCase(),
    id: randomUUID(),
    status,
  }
  return Object.fromEntries(vehicleFields.map((field) => [field, columns[field] ?? null])) as unknown as Vehicle
}

/** Returns the post as the server would store it, or undefined if the server would reject it. */
function posted(sent: NewPost): PostDetail | undefined {
  try {
    const { title, vehicles, photos } = validatePost(sent)
    return aPostDetail({
      title,
      type: sent.type,
      description: sent.description ?? '',
      auctionFacilitator: sent.auctionFacilitator || null,
      spreadsheetUrl: sent.spreadsheetUrl ?? null,
      photoUrls: photos.map(({ url }) => url),
      vehicles: vehicles.map((vehicle, n) => asRead(vehicle, vehicleStatuses[n % vehicleStatuses.length] ?? 'sold')),
    })
  } catch {
    return undefined
  }
}

const post = draft.map((written) => posted(toNewPost(written, randomUUID()))).filter((one) => one !== undefined)

/** Returns the vehicle without photos, and without the city and state, which the server may derive. */
function typedOf(vehicle: NewVehicle): NewVehicle {
  const { photos: _, city: __, state: ___, ...rest } = vehicle
  return rest
}
const photosOf = ({ photos }: NewVehicle) => photos
const urlsOf = ({ photoUrls = [], vehicles = [] }: NewPost) =>
  [...new Set([...photoUrls, ...vehicles.flatMap(({ photos = [] }) => photos)])].toSorted()

t.test('sends a draft that fits the schema and sends the stored post back unchanged', async (t) => {
  await holds(
    t,
    fc.property(draft, (written) => {
      const sent = toNewPost(written, randomUUID())
      assert.ok(Value.Check(NewPost, sent))
      for (const [field, text] of Object.entries(written))
        if (typeof text === 'string' && text !== '') assert.equal(Reflect.get(sent, field), text.trim(), field)
      const read = posted(sent)
      if (read === undefined) return
      const again = toNewPost(draftOfPost(read), sent.dealerId ?? '')
      const { photoUrls: _, vehicles, ...words } = sent
      const { photoUrls: __, vehicles: vehiclesAgain, ...wordsAgain } = again
      sameJson(wordsAgain, words)
      sameJson(urlsOf(again), urlsOf(sent))
      sameJson(vehiclesAgain?.map(typedOf), vehicles?.map(typedOf))
      sameJson(vehiclesAgain?.map(photosOf), vehicles?.map(photosOf), 'each with its own photos')
    }),
  )
})

t.test('makes an empty patch for an unchanged post', async (t) => {
  await holds(
    t,
    fc.property(post, fc.boolean(), (read, bound) => sameJson(toPatch(draftOfPost(read), read, { bound }), {})),
  )
})

t.test('sends only changed fields of vehicles, and added and removed vehicles', async (t) => {
  const onOffer = post.filter(({ type, vehicles }) => type !== 'spreadsheet' && vehicles.length > 0)
  const kia = newVehicle({ make: 'Kia' })
  const added = [{ make: 'Kia', status: 'available' }]
  await holds(
    t,
    fc.property(onOffer, (read) => {
      const opened = draftOfPost(read)
      const [first, ...others] = opened.vehicles
      const [was] = read.vehicles
      const changed = { ...first!, price: '7.5', mileage: '', notes: 'Two keys' }
      const sent = Object.entries({ mileage: null, price: 7.5, notes: 'Two keys' }).filter(
        ([field, value]) => was![field as 'price' | 'mileage' | 'notes'] !== value,
      )
      const patchOf = (vehicles: VehicleDraft[], bound = false) => toPatch({ ...opened, vehicles }, read, { bound })
      sameJson(patchOf([changed, kia]), {
        vehicleChanges: {
          changed: [{ ...Object.fromEntries(sent), id: was!.id }],
          added,
          ...(others.length > 0 && { removed: others.map(({ id }) => id) }),
        },
      })
      sameJson(patchOf([changed, ...others], true), {}, 'once a bid stands the lot stays')
      sameJson(patchOf([changed, ...others, kia], true), { vehicleChanges: { added } }, 'and what is added is refused')
    }),
  )
})

t.test('sends only texts and photos if only those changed', async (t) => {
  const changes: [change: Partial<PostDraft>, patch: object][] = [
    [{ title: ' Another ' }, { title: 'Another' }],
    [{ description: ' Two keys ' }, { description: 'Two keys' }],
    [{ auctionFacilitator: 'other' }, { auctionFacilitator: 'other' }],
  ]
  const added = { name: 'new.jpg', vehicle: undefined, url: '/api/objects/new', ready: false }
  await holds(
    t,
    fc.property(post, (read) => {
      for (const [change, patch] of changes)
        sameJson(toPatch({ ...draftOfPost(read), ...change }, read, { bound: false }), patch)
      const opened = draftOfPost(read)
      const own = opened.photos.flatMap(({ vehicle, url }) => (vehicle === undefined ? url : []))
      const more = { ...opened, photos: [...opened.photos, added] }
      sameJson(toPatch(more, read, { bound: false }), { photoUrls: [...own, added.url], photoUrlsRead: own })
    }),
  )
})

t.test("gives a spreadsheet row one location, by default the dealer's", async (t) => {
  const at = (row: NewVehicle) => vehicleOfRow(row, { city: 'Dallas', state: 'TX' })
  t.match(at({ city: 'Tulsa', state: 'OK', color: 'Antimatter Blue', price: 900.5 }), {
    location: '',
    city: 'Tulsa',
    state: 'OK',
    color: 'Antimatter Blue',
    price: '900.5',
  })
  t.match(at({ city: 'Tulsa', location: 'Lot 7' }), { city: 'Tulsa', location: 'Lot 7', atDealership: true })
  t.match(at({ vin: 'X' }), { city: 'Dallas', state: 'TX', vin: 'X', year: '', key: /^[\da-f-]{36}$/ })
})

t.test("compares an end with the start by the server's clock", (t) => {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const faults = () => auctionFaults({ ...emptyAuctionDraft, endsAt: inHours(-1) })
  t.same(faults(), { endsAt: 'The end must come after the start' })
  setServerTime(inHours(-3))
  t.teardown(resetStore)
  t.same(faults(), {})
  t.end()
})

t.test('marks an impossible year at its field', (t) => {
  const never = '20261-12-01T10:00'
  t.same(auctionFaults({ ...emptyAuctionDraft, startsAt: never }), { startsAt: 'Choose a time or leave blank' })
  t.same(auctionFaults({ ...emptyAuctionDraft, endsAt: never }), { endsAt: 'Choose a time or leave blank' })
  t.end()
})

t.test('parses amounts with or without thousands separators and cents, and nothing else', (t) => {
  const amounts = ['24500', '$24,500', ' 24 500 ', '1,024,500.50', '99.', '.5', '007']
  t.same(amounts.map(typedAmount), [24_500, 24_500, 24_500, 1_024_500.5, 99, 0.5, 7])
  for (const text of ['', ' ', '0', '-5', '24,5', '1,00', '1e5', '0x10', '12k', '$', '.', 'Infinity'])
    t.equal(typedAmount(text), undefined, text)
  t.same(['0', '$0.00', '', '00', 'x'].map(isTypedZero), [true, true, false, true, false])
  t.end()
})

t.test('parses miles and prices with separators and units, or refuses them', (t) => {
  const miles = ['48210', '48,210 mi', '48,210.5 miles', ' 48 210', '45k', '12.5K', '0']
  t.same(miles.map(typedMiles), [48_210, 48_210, 48_210, 48_210, 45_000, 12_500, 0])
  for (const text of ['', '-10', '48,2', 'many', 'k', 'mi']) t.equal(typedMiles(text), undefined, text)
  t.same(['12.5k', '$12,500', '18500.50', '0'].map(typedFigure), [12_500, 12_500, 18_500.5, 0])
  for (const text of ['12.5kk', '12,5', '-5', 'k', '1e5']) t.equal(typedFigure(text), undefined, text)
  t.end()
})
