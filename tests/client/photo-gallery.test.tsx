import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import t from 'tap'
import { PhotoGallery } from '#client/features/posts/photo-gallery.tsx'
import { photoGroups } from '#client/features/posts/posts.rules.ts'
import { formatMoney } from '#client/ui/format.ts'
import type { Vehicle } from '#shared/schemas/posts.ts'

const nothing = {
  vin: null,
  trim: null,
  mileage: null,
  price: null,
  city: null,
  state: null,
  color: null,
  notes: null,
  location: null,
  atDealership: null,
  status: 'available',
} as const
const vehicle = (about: Pick<Vehicle, 'id' | 'year' | 'make' | 'model' | 'photos'>): Vehicle => ({
  ...nothing,
  ...about,
})

t.test('the gallery shows the post’s own photos first, then each vehicle’s below its name', async (t) => {
  const groups = photoGroups({
    photoUrls: ['/own', '/truck', '/dash', '/camry'],
    vehicles: [
      vehicle({ id: '1', year: 2021, make: 'Ford', model: 'F-150', photos: ['/truck', '/dash'] }),
      vehicle({ id: '2', year: 2020, make: 'Kia', model: 'Rio', photos: [] }),
      vehicle({ id: '3', year: 2009, make: 'Toyota', model: 'Camry', photos: ['/camry'] }),
    ],
  })
  show(t, <PhotoGallery groups={groups} subject="Two clean ones" />)
  const large = () => screen.getAllByRole('img').map((image) => image.getAttribute('alt'))[0]
  t.same(
    screen.getAllByRole('heading').map(({ textContent }) => textContent),
    ['2021 Ford F-150', '2009 Toyota Camry'],
  )
  t.equal(large(), 'Two clean ones, 1 of 4')
  const camry = within(screen.getByRole('list', { name: '2009 Toyota Camry' }))
  fireEvent.click(camry.getByRole('button', { name: 'Show photo 4' }))
  await becomes(t, large, '2009 Toyota Camry, 4 of 4')
  fireEvent.click(screen.getByRole('button', { name: 'Next photo' }))
  await becomes(t, large, 'Two clean ones, 1 of 4')
})

t.test('cents show where there are cents', async (t) => {
  t.same(
    [24_500, 24_500.5, 0.1 + 0.2, 99.999, 500.000_000_01].map((dollars) => formatMoney(dollars)),
    ['$24,500', '$24,500.50', '$0.30', '$100', '$500'],
  )
  t.equal(formatMoney(149, 'exact'), '$149.00')
})
