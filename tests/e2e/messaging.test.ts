import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'
import t from 'tap'
import { openBrowser } from '#tests/support/browser.ts'
import { startProduct } from '#tests/support/product.ts'
import { until } from '#tests/support/wait.ts'
import { demoPassword } from '#server/db/seed/accounts.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function signIn(context: BrowserContext, url: string, email: string): Promise<Page> {
  const answer = await context.request.post(`${url}/api/auth/login`, {
    data: { email, password: demoPassword },
    headers: { origin: url },
  })
  if (!answer.ok()) throw new Error(`${email} could not sign in: ${answer.status()}`)
  return context.newPage()
}

const openDock = async (page: Page, url: string) => {
  await page.goto(url)
  // Typing is volatile: said before the socket is up it is nobody's.
  await page.getByText('Live updates').waitFor()
  await page.getByRole('button', { name: /^Messaging/ }).click()
}
const conversation = (page: Page, name: string) => page.getByRole('list', { name: 'Conversations' }).getByText(name)
const log = (page: Page, name: string) => page.getByRole('log', { name: `Messages with ${name}` })
const box = (page: Page, name: string) => page.getByRole('textbox', { name: `Message to ${name}` })
const badge = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Messages/ })

t.test('messaging, as two dealers live with it', async (t) => {
  const url = await startProduct(t)
  const browser = await openBrowser(t)
  const viewport = { width: 1440, height: 900 }
  const danas = await browser.newContext({ viewport })
  const [dana, marcus] = [
    await signIn(danas, url, 'dana@torresauto.example'),
    await signIn(await browser.newContext({ viewport }), url, 'marcus@webbbros.example'),
  ]

  await t.test('what one types and sends, the other sees typed, sent, and answers', async (t) => {
    await openDock(dana, url)
    await openDock(marcus, url)
    await conversation(dana, 'Marcus Webb').click()
    await conversation(marcus, 'Dana Torres').click()
    await log(marcus, 'Dana Torres').waitFor()
    await box(dana, 'Marcus Webb').pressSequentially('Is the reserve')
    // Typing is volatile: on a busy machine one may be lost, and whoever types on is heard.
    await until('the typing to be seen', async () => {
      await box(dana, 'Marcus Webb').press('x')
      await box(dana, 'Marcus Webb').press('Backspace')
      return (await log(marcus, 'Dana Torres').getByText('Dana Torres is typing').count()) > 0
    })
    await box(dana, 'Marcus Webb').press('Shift+Enter')
    await box(dana, 'Marcus Webb').pressSequentially('met?')
    await box(dana, 'Marcus Webb').press('Enter')
    await log(marcus, 'Dana Torres').getByText('Is the reserve met?').waitFor()
    t.equal(await box(dana, 'Marcus Webb').inputValue(), '', 'the draft is cleared')
    await log(dana, 'Marcus Webb').getByText(/^Seen/).last().waitFor()
  })

  await t.test('blank is never sent, nor what an input method is still composing', async (t) => {
    const draft = box(dana, 'Marcus Webb')
    await draft.fill('   ')
    await draft.press('Enter')
    await draft.fill('にほ')
    await draft.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
    t.equal(await draft.inputValue(), 'にほ')
    await draft.fill('')
  })

  await t.test('the fourth window drops the oldest; on this width older ones fold to headers', async (t) => {
    for (const name of ['Karen Boyle', 'Elena Park', 'Priya Nair']) await conversation(dana, name).click()
    await log(dana, 'Priya Nair').waitFor()
    t.equal(await dana.getByRole('log').count(), 1)
    t.equal(await dana.getByRole('button', { name: /expand chat/ }).count(), 2)
    t.equal(await dana.getByRole('button', { name: /Marcus Webb.*expand chat/ }).count(), 0)
    await box(dana, 'Priya Nair').press('Escape')
    t.equal(await log(dana, 'Priya Nair').count(), 0)
    t.match(await dana.evaluate(() => document.activeElement?.textContent), /Priya Nair/, 'the focus is back')
  })

  await t.test('three tabs have one badge, and reading in one clears it in all', async (t) => {
    const tabs = [dana, await danas.newPage(), await danas.newPage()] as const
    for (const tab of tabs.slice(1)) await tab.goto(url)
    await conversation(dana, 'Karen Boyle').click()
    const changed = (tab: Page, label: string | null) =>
      tab.waitForFunction(
        ([before]) =>
          document.querySelector('nav[aria-label=Main] a[href="/messages"]')?.getAttribute('aria-label') !== before,
        [label],
      )
    const quiet = await badge(tabs[1]).getAttribute('aria-label')
    await box(marcus, 'Dana Torres').fill('Are you there?')
    await box(marcus, 'Dana Torres').press('Enter')
    for (const tab of tabs) await changed(tab, quiet)
    const unread = await badge(tabs[1]).getAttribute('aria-label')
    await dana.bringToFront()
    await conversation(dana, 'Marcus Webb').click()
    for (const tab of tabs) await changed(tab, unread)
    const labels = await Promise.all(tabs.map((tab) => badge(tab).getAttribute('aria-label')))
    t.equal(new Set(labels).size, 1)
    for (const tab of tabs.slice(1)) await tab.close()
  })

  await t.test('what is written offline survives a reload, is sent once, and in order', async (t) => {
    await danas.setOffline(true)
    for (const text of ['Written offline 1', 'Written offline 2']) {
      await box(dana, 'Marcus Webb').fill(text)
      await box(dana, 'Marcus Webb').press('Enter')
    }
    await box(dana, 'Marcus Webb').fill('A draft')
    await log(dana, 'Marcus Webb').getByText('Sending').last().waitFor()
    await danas.setOffline(false)
    await dana.reload()
    await log(marcus, 'Dana Torres').getByText('Written offline 2').waitFor()
    await log(dana, 'Marcus Webb').getByText('Sending').waitFor({ state: 'detached' })
    for (const page of [log(dana, 'Marcus Webb'), log(marcus, 'Dana Torres')])
      t.match(
        await page.textContent(),
        /^(?!.*Written offline 1.*Written offline 1).*Written offline 1.*Written offline 2/s,
      )
    t.equal(await box(dana, 'Marcus Webb').inputValue(), 'A draft', 'the draft is still there')
  })

  await t.test('a refused message says why, and can be deleted', async (t) => {
    await marcus.getByRole('button', { name: /^Dana Torres.*chat options/ }).click()
    await marcus.getByRole('menuitem', { name: 'Block' }).click()
    await marcus.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
    await marcus.getByText('You have blocked Dana Torres.').waitFor()
    await box(dana, 'Marcus Webb').fill('Can you hear me?')
    await box(dana, 'Marcus Webb').press('Enter')
    await log(dana, 'Marcus Webb').getByText('This dealer is not taking messages from you').waitFor()
    await log(dana, 'Marcus Webb').getByRole('button', { name: 'Delete' }).click()
    t.equal(await log(dana, 'Marcus Webb').getByText('Can you hear me?').count(), 0)
    await marcus.getByRole('button', { name: 'Unblock' }).click()
    await box(marcus, 'Dana Torres').waitFor()
  })

  await t.test('the messages page lists, searches and shows the conversation of its address', async (t) => {
    await dana.goto(`${url}/messages`)
    await dana.getByText('6 active conversations').waitFor()
    await dana.getByText('Select a conversation to start messaging').waitFor()
    await dana.getByRole('searchbox', { name: 'Search conversations' }).fill('nobody at all')
    await dana.getByText('No conversations found').waitFor()
    await dana.getByRole('searchbox', { name: 'Search conversations' }).fill('gulf coast')
    await conversation(dana, 'Ray Okafor').click()
    await log(dana, 'Ray Okafor').getByText('New messages').waitFor()
    t.match(dana.url(), /\/messages\?chat=/)
    await dana.getByRole('searchbox', { name: 'Search conversations' }).fill('bill of sale')
    await dana.getByRole('region', { name: 'Found messages' }).getByRole('button').first().click()
    await dana.getByRole('button', { name: 'Open Full Chat' }).click()
    await dana.getByRole('region', { name: 'Messaging dock' }).getByRole('log').waitFor()
    t.equal(new URL(dana.url()).pathname, '/')
  })

  await t.test('a post’s Message button opens the chat about that post', async (t) => {
    await dana.goto(url)
    await dana.getByRole('feed').getByRole('button', { name: 'Message', exact: true }).first().click()
    const subject = dana.getByRole('region', { name: 'Messaging dock' }).locator('a[href^="/post/"]')
    await subject.first().waitFor()
    t.ok(await subject.count())
  })

  await t.test('nothing in it fails an accessibility rule, wide and on a phone', async (t) => {
    for (const [size, path] of [
      [viewport, '/'],
      [viewport, '/messages'],
      [{ width: 390, height: 844 }, '/messages'],
    ] as const) {
      await dana.setViewportSize(size)
      await dana.goto(url + path)
      await dana.waitForLoadState('networkidle')
      if (path === '/messages') await conversation(dana, 'Luis Herrera').click()
      await dana.getByRole('log').first().waitFor()
      await dana.evaluate(axe)
      const faults = await dana.evaluate(async () => {
        const found = await (
          window as unknown as {
            axe: { run: (where: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
          }
        ).axe.run({
          include: [['[role=region][aria-label="Messaging dock"], main']],
        })
        return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
      })
      t.same(faults, [], `${path} at ${size.width}`)
    }
  })
})
