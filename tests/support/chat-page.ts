import type { Page } from 'playwright-core'
import type { Chat } from '#shared/schemas/messaging.ts'

/** A page with the dock and little else: a feed takes twice the time to open. */
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

/** Opens the chat with this dealer in the dock. */
export async function openChat(page: Page, name: string): Promise<void> {
  await page.goto(light)
  await page.getByRole('button', { name: /^Messaging/ }).click()
  await conversation(page, name).click()
  await log(page, name).waitFor()
}

export const chatsOf = async (page: Page): Promise<Chat[]> =>
  (await (await page.request.get('/api/chats')).json()) as Chat[]
