import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { putToSleep } from '#tests/support/asleep.ts'
import type { BenchEnv, BenchRow } from './bench.ts'
import { openBrowser } from './browser.ts'
import { call } from './calls.ts'
import { type BenchChat, openChats } from './chats.ts'
import { withDatabase } from './measure.ts'

const tabsEach = 3
const faultsPerDay = 10
const rounds = 6
const holdMs = 400
const sleepMs = 1_000
const shownWithinMs = 60_000
const pollMs = 100

interface Day {
  context: BrowserContext
  tabs: Page[]
  chat: BenchChat
  url: string
  holds: boolean
  own: string[]
  others: string[]
}

const log = (page: Page) => page.getByRole('log', { name: /^Messages with/ })
const shows = (page: Page, text: string) => log(page).getByText(text)

async function write({ own }: Day, tab: Page): Promise<void> {
  const text = `Tab ${own.length + 1}.`
  own.push(text)
  const box = tab.getByRole('textbox', { name: /^Message to/ })
  await box.fill(text)
  await box.press('Enter')
  await shows(tab, text).waitFor()
}

async function receiveOther({ chat, url, others }: Day): Promise<void> {
  const content = `Other ${others.length + 1}.`
  others.push(content)
  await call('POST', `${url}/api/messages`, {
    headers: { cookie: chat.to.cookie, 'idempotency-key': randomUUID() },
    body: { chatId: chat.chatId, content },
  })
}

const acts: ((day: Day, tab: Page, other: Page) => Promise<void>)[] = [
  async (day, tab) => {
    await day.context.setOffline(true)
    await write(day, tab)
    await receiveOther(day)
    await day.context.setOffline(false)
  },
  async (day, tab, other) => {
    await write(day, tab)
    const wake = await putToSleep(tab)
    await write(day, other)
    await receiveOther(day)
    await wait(sleepMs)
    await wake()
  },
  async (day, tab) => {
    day.holds = true
    await write(day, tab)
    await tab.reload()
    day.holds = false
    await log(tab).waitFor()
    await receiveOther(day)
  },
]

async function openDay(env: BenchEnv, browser: Awaited<ReturnType<typeof openBrowser>>, chat: BenchChat): Promise<Day> {
  const [url = ''] = env.nodes
  const context = await browser.newContext({ baseURL: url, serviceWorkers: 'block' })
  const [name = '', value = ''] = chat.from.cookie.split('=')
  await context.addCookies([{ name, value, url }])
  const tabs = await Promise.all(Array.from({ length: tabsEach }, () => context.newPage()))
  const day: Day = { context, tabs, chat, url, holds: false, own: [], others: [] }
  for (const tab of tabs) {
    // Install the route once and never remove it, because requests that are pending during `unroute` may hang.
    await tab.route('**/api/messages', async (route) => {
      if (day.holds) await wait(holdMs)
      // The page may be closed by now.
      await route.continue().catch(() => undefined)
    })
    await tab.goto(`/messages?chat=${chat.chatId}`)
    await log(tab).waitFor()
  }
  return day
}

/** Waits until every tab shows each message exactly once. Returns the number of mismatches that remain at the timeout. */
async function countMisshown({ tabs, own, others }: Day): Promise<number> {
  const end = performance.now() + shownWithinMs
  for (;;) {
    let wrong = 0
    for (const tab of tabs)
      for (const text of [...own, ...others]) if ((await shows(tab, text).count()) !== 1) wrong += 1
    if (wrong === 0 || performance.now() > end) return wrong
    await wait(pollMs)
  }
}

async function countMisstored({ databaseUrl }: BenchEnv, { chat, own, others }: Day): Promise<number> {
  const { rows } = await withDatabase(databaseUrl, (client) =>
    client.query<{ content: string; times: number }>(
      `select content, count(*)::int as times from messages where chat_id = $1 and content = any($2) group by content`,
      [chat.chatId, [...own, ...others]],
    ),
  )
  const times = new Map(rows.map(({ content, times: counted }) => [content, counted]))
  return [...own, ...others].filter((text) => times.get(text) !== 1).length
}

/** A dealer's three tabs sleep, go offline and reload while they send and receive messages. */
export async function readByTabs(env: BenchEnv, faults: number): Promise<BenchRow[]> {
  const days = Math.max(1, Math.round(faults / faultsPerDay))
  const chats = await openChats(env, days)
  const browser = await openBrowser(env)
  let [written, misstored, misshown] = [0, 0, 0]
  try {
    for (const chat of chats) {
      const day = await openDay(env, browser, chat)
      for (let round = 0; round < rounds; round += 1) {
        const [tab, other] = [day.tabs[round % tabsEach], day.tabs[(round + 1) % tabsEach]]
        if (tab !== undefined && other !== undefined) await acts[round % acts.length]?.(day, tab, other)
      }
      misshown += await countMisshown(day)
      misstored += await countMisstored(env, day)
      written += day.own.length + day.others.length
      await day.context.close()
    }
  } finally {
    await browser.close()
  }
  const what = `messages of ${days * tabsEach} tabs that sleep, go offline and are reloaded while they send`
  return [
    { what: `${what}; wrong: not stored exactly once`, counted: written, wrong: misstored },
    { what: `${what}; wrong: not shown exactly once in each tab`, counted: written * tabsEach, wrong: misshown },
  ]
}
