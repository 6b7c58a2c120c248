import pg from 'pg'
import type { Browser } from 'playwright-core'
import type { Post } from '#shared/schemas/posts.ts'
import { bidUntil, type DealerPage, pressMs, signIn } from './dealer-page.ts'
import { publishPost } from './feed-page.ts'

export async function publishAuction(browser: Browser, url: string, title: string): Promise<Post> {
  const context = await signIn(browser, url, 'marcus')
  const auction = { startAmount: 10_000, reserveAmount: null }
  const post = await publishPost(context, url, { title: `${title}, live auction`, auction })
  await context.close()
  return post
}

export async function openAuction({ page }: DealerPage, { id }: Pick<Post, 'id'>): Promise<void> {
  await page.goto(`/post/${id}`)
  await page.getByRole('button', { name: 'Open live auction' }).click()
  await page.getByRole('heading', { name: 'Bid ladder' }).waitFor()
}

export const auctionDialog = ({ page }: DealerPage) => page.getByRole('dialog')

export const leads = (dealer: DealerPage) => auctionDialog(dealer).getByText('You are winning')

/** Bids with a button of the bid ladder (`rung` is its amount) and waits until the page shows `seen`. */
export async function bid(dealer: DealerPage, rung: string, seen = leads(dealer)): Promise<void> {
  const named = (name: string | RegExp) => auctionDialog(dealer).getByRole('button', { name }).filter({ visible: true })
  const confirm = named(/^Confirm/)
  await bidUntil(seen, confirm, {
    bid: () => named(`Bid ${rung}, `).click(pressMs),
    confirm: () => confirm.click(pressMs),
  })
}

export async function endAuction(databaseUrl: string, postId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const times = `ends_at = now(), hard_ends_at = now() + interval '1 ms', starts_at = now() - interval '1 hour'`
  await client.query(`update auctions set ${times} where post_id = $1`, [postId])
  await client.end()
}
