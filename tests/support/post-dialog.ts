import type { Locator, Page } from 'playwright-core'
import { aPhoto } from './uploads.ts'
import { until } from './wait.ts'

/** A VIN that encodes the year, make and model. */
export const vin = '1FTFW1E59NKD69096'

export const photo = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await aPhoto(640, 400) })

export async function openPostDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Post Inventory' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').waitFor()
  return dialog
}

export const filled = (form: Locator, label: string, value: string) =>
  until(`${label} ${value}`, async () => (await form.getByLabel(label).inputValue()) === value)

/** Waits for the script that stores unsent posts. The app loads it when idle. */
export const outboxLoaded = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('unsent-posts')))
