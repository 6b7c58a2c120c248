import { MessagingWorld } from '#tests/support/messaging-world.ts'
import t from 'tap'
import { chatsPageMax } from '#shared/limits.ts'

const chatId = 'ann-old'
const others = Array.from({ length: chatsPageMax }, (_, index) => `other-${index}`)

/** Opens a chat that is older than all chats that the server compares by itself. A message in it is hidden while the tab is offline. */
async function hideWhileOffline() {
  const chats = [[chatId, 'old'], ...others.map((name) => [`ann-${name}`, name])] as [string, string][]
  const world = new MessagingWorld(1, Object.fromEntries(chats.map(([id, name]) => [id, ['ann', name]])))
  const { clock, server } = world
  for (const [id, name] of chats) {
    server.store(name, { chatId: id, content: 'secret', clientId: id })
    await clock.pass(1_000)
  }
  world.cookie = 'ann'
  const tab = world.openTab('1')
  tab.meet()
  await clock.pass(2_000)
  tab.connect()
  await clock.pass(3_000)
  tab.client?.data.countLog(chatId, 1)
  const shown = () => tab.shown(chatId).sent.map(({ content }) => content)
  t.same(shown(), ['secret'])
  tab.disconnect()
  server.hide(chatId, 1)
  return { clock, shown, tab }
}

t.test('removes a hidden message from an old chat on screen after a reconnect', async (t) => {
  const { clock, shown, tab } = await hideWhileOffline()
  tab.socketOf = 'ann'
  tab.client?.sync.compare()
  await clock.pass(5_000)
  t.same(shown(), [''])
})

t.test('removes a hidden message from an old chat on screen while it polls', async (t) => {
  const { clock, shown } = await hideWhileOffline()
  await clock.pass(60_000)
  t.same(shown(), [''])
})
