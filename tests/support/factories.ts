import type { NewPost } from '#shared/schemas/posts.ts'
import type { Caller } from './app.ts'

export const aVehicle = {
  vin: '1FTFW1E53MFA48213',
  year: 2021,
  make: 'Ford',
  model: 'F-150',
  mileage: 48_210,
  price: 31_900,
  city: 'Tulsa',
  state: 'OK',
}

export const aPost = (about: Partial<NewPost> = {}): NewPost => ({
  title: '2021 Ford F-150 XLT',
  type: 'single',
  vehicles: [aVehicle],
  ...about,
})

export async function publish(seller: Caller, about: Partial<NewPost> = {}): Promise<string> {
  const { status, body } = await seller.post<{ id: string }>('/api/inventory', aPost(about))
  if (status !== 201) throw new Error(`the post was refused: ${status} ${JSON.stringify(body)}`)
  return body.id
}
