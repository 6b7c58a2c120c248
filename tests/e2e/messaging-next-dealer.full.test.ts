import t from 'tap'
import { putToSleep } from '#tests/support/asleep.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { arrive, arriveMarcus, bubbles, light, log, openChat, say } from '#tests/support/chat-page.ts'
import { changeDealer } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

t.test('sends nothing of the previous dealer from a tab that wakes after another dealer signed in', async (t) => {
  const [{ page: sleeper, context }, marcus] = await Promise.all([
    arrive(t, browser, url, 'dana'),
    arriveMarcus(t, browser, url),
  ])
  await openChat(sleeper, 'Marcus Webb')
  await context.route('**/api/messages', (route) => route.abort())
  await say(sleeper, 'Marcus Webb', 'In the name of Dana')
  await log(sleeper, 'Marcus Webb').getByText('Sending').last().waitFor()
  const wake = await putToSleep(sleeper)

  const awake = await context.newPage()
  await awake.goto(light)
  await awake.getByRole('button', { name: 'Account: Dana Torres' }).click()
  await awake.getByRole('menuitem', { name: 'Log Out' }).click()
  await awake.waitForURL(`${url}/login`)
  await awake.getByLabel('Email').fill('elena@parkway.example')
  await awake.getByLabel('Password').fill('lanewire-demo-2026')
  await awake.getByRole('button', { name: 'Login', exact: true }).click()
  await awake.getByRole('button', { name: 'Account: Elena Park' }).waitFor()

  const sent: string[] = []
  context.on('request', (request) => {
    if (request.method() === 'POST' && request.url() === `${url}/api/messages`)
      sent.push((request.postDataJSON() as { content: string }).content)
  })
  await context.unroute('**/api/messages')
  await wake()
  await sleeper.getByRole('button', { name: 'Account: Elena Park' }).waitFor()
  await openChat(sleeper, 'Dana Torres')
  await say(sleeper, 'Dana Torres', 'In the name of Elena')
  await bubbles(sleeper, 'Dana Torres')
    .filter({ hasText: 'In the name of Elena' })
    .getByText(/^(Sent|Seen)/)
    .waitFor()
  t.same(sent, ['In the name of Elena'])
  await awake.close()

  await changeDealer(browser, url, context, 'dana')
  await sleeper.getByRole('button', { name: 'Account: Dana Torres' }).waitFor()
  await bubbles(marcus, 'Dana Torres').filter({ hasText: 'In the name of Dana' }).waitFor()
  t.same(sent, ['In the name of Elena', 'In the name of Dana'], 'the message was kept for its author')
})
