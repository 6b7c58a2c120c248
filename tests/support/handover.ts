import type { Test } from 'tap'
import { startApp } from './app.ts'
import { openChat, say } from './chat.ts'
import { connectLive } from './live-client.ts'
import { balance } from './proxy.ts'
import { until } from './wait.ts'

/** Stops a node while two dealers have tabs open, and checks that the tabs continue on the next node without losing messages. */
export async function checkHandover(t: Test, tabsEach: number): Promise<void> {
  const old = await startApp(t)
  const next = await startApp(t, {}, old.services)
  let node = old
  const url = await balance(t, () => node.url)
  const [dana, luis] = [await old.signIn('Torres'), await old.signIn('Herrera')]
  const chatId = await openChat(dana, luis)
  const readers = [luis, dana].flatMap(({ cookie }) => Array.from({ length: tabsEach }, () => cookie))
  const tabs = await Promise.all(readers.map((cookie) => connectLive(t, url, cookie)))
  t.equal(old.server.io.of('/').sockets.size, tabs.length)

  node = next
  const stopped = old.server.stop('a new release')
  const { status } = await say(next.on(next, dana), chatId, 'Said while it went')
  t.equal(status, 201)
  await Promise.all(tabs.map((tab) => tab.nextEvent('drain')))
  await stopped
  const isThere = () =>
    next.server.io.of('/').sockets.size === tabs.length && tabs.every(({ socket }) => socket.connected)
  t.ok(await until('every tab to be at the next node', isThere), 'no process stays away')
  const answers = await Promise.all(tabs.map((tab) => tab.sync({ dealer: 0, chats: { [chatId]: 0 } })))
  for (const answer of answers)
    t.match(answer, { ok: true, data: { chats: { [chatId]: 1 } } }, 'reports the missing messages')
  await say(next.on(next, dana), chatId, 'And after')
  for (const tab of tabs) await tab.nextEvent('chat.message', ({ message }) => message.content === 'And after')
}
