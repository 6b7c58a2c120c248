import type { Locator } from 'playwright-core'
import { bidUntil, type DealerPage } from './dealer-page.ts'
import { publishPost } from './feed-page.ts'

export async function publishLane({ context }: DealerPage, url: string, places: number): Promise<string[]> {
  const ids: string[] = []
  for (let slot = 1; slot <= places; slot += 1) {
    const auction = { startAmount: 10_000 * slot, reserveAmount: null }
    ids.push((await publishPost(context, url, { title: `Truck ${slot}, live auction`, auction })).id)
  }
  return ids
}

export const place = ({ page }: DealerPage, slot: number): Locator =>
  page.getByRole('region', { name: `Position ${slot}: ` })

export async function openLane(dealer: DealerPage, url: string, ids: readonly string[]): Promise<void> {
  const headers = { origin: url }
  const pins = ids.map((postId, index) => ({ postId, slot: index + 1 }))
  const answer = await dealer.context.request.put('/api/lane/pins', { data: { pins }, headers })
  await dealer.context.request.patch('/api/settings', { data: { lane: { autoPin: false, panes: 6 } }, headers })
  if (!answer.ok()) throw new Error(`not pinned: ${answer.status()} ${await answer.text()}`)
  await dealer.page.goto('/lane')
  await place(dealer, 1)
    .getByRole('button', { name: /^Bid \$/ })
    .waitFor()
}

const leads = (dealer: DealerPage, slot: number): Locator => place(dealer, slot).getByText('You are winning')

export async function bidByKeys(dealer: DealerPage, slot: number): Promise<void> {
  const { keyboard } = dealer.page
  await keyboard.press(String(slot))
  await bidUntil(leads(dealer, slot), place(dealer, slot).getByRole('button', { name: /^Confirm/ }), {
    bid: () => keyboard.press('b'),
    confirm: () => keyboard.press('Enter'),
  })
}
