import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'
import type { Chat } from '#shared/schemas/messaging.ts'
import { type DealerPage, openDealer } from './dealer-page.ts'

/** A page that has the dock but no feed, because opening the feed takes twice as long. */
export const light = '/watchlist'

export const conversation = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Conversations' }).getByText(name)
export const log = (page: Page, name: string) => page.getByRole('log', { name: `Messages with ${name}` })
export const box = (page: Page, name: string) => page.getByRole('textbox', { name: `Message to ${name}` })
export const say = async (page: Page, to: string, text: string) => {
  await box(page, to).fill(text)
  await box(page, to).press('Enter')
}
export const bubbles = (page: Page, name: string) => log(page, name).locator('[data-seq]')
export const badge = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Messages/ })

export async function openChat(page: Page, name: string): Promise<void> {
  await page.goto(light)
  await page.getByRole('button', { name: /^Messaging/ }).click()
  await conversation(page, name).click()
  await log(page, name).waitFor()
}

export const chatsOf = async (page: Page): Promise<Chat[]> =>
  (await (await page.request.get('/api/chats')).json()) as Chat[]

/** Opens a page for a dealer of the demo that all tests share. Set `keeps` if the page must not be reused, because it keeps scripts. */
export async function arrive(
  t: Test,
  browser: Browser,
  url: string,
  who: 'dana' | 'elena' | 'marcus',
  keeps = false,
): Promise<DealerPage> {
  const dealer = await openDealer(browser, url, who)
  t.teardown(() => (keeps ? dealer.context.close() : dealer.leave()))
  return dealer
}

export async function arriveMarcus(t: Test, browser: Browser, url: string): Promise<Page> {
  const { page } = await arrive(t, browser, url, 'marcus')
  await openChat(page, 'Dana Torres')
  return page
}
