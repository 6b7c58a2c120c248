import { MessagingWorld } from '#tests/support/messaging-world.ts'
import t from 'tap'

const chatId = 'ann-cleo'
const seeds = Array.from({ length: 20 }, (_, index) => index + 1)

async function open(seed: number, isListed: boolean) {
  const world = new MessagingWorld(seed, { [chatId]: ['ann', 'cleo'] })
  const { clock, server } = world
  const { listed } = server
  if (!isListed) server.listed = () => []
  world.cookie = 'ann'
  const tab = world.openTab('1')
  tab.meet()
  await clock.pass(2_000)
  tab.connect()
  await clock.pass(3_000)
  server.listed = listed
  const write = (content: string, events: 'all' | 'none' = 'all') => {
    tab.events = events
    server.store('cleo', { chatId, content, clientId: content })
  }
  /** Returns the messages that the tab shows after 8 seconds, before it first compares its chats with the server. */
  const shown = async () => {
    await clock.pass(8_000)
    return tab.shown(chatId).sent.map(({ content }) => content)
  }
  return { server, write, shown }
}

t.test('fills a gap that appears while another one is being filled', async (t) => {
  for (const seed of seeds) {
    const { server, write, shown } = await open(seed, true)
    const { page } = server
    server.page = (...asked) => {
      server.page = page
      const read = structuredClone(server.page(...asked))
      write('3', 'none')
      write('4')
      return read
    }
    write('1', 'none')
    write('2')
    t.same(await shown(), ['1', '2', '3', '4'], `seed ${seed}`)
  }
})

t.test('shows two messages of a new contact that arrive at once', async (t) => {
  for (const seed of seeds) {
    const { server, write, shown } = await open(seed, false)
    const { shown: chatOf } = server
    server.shown = (...asked) => {
      server.shown = chatOf
      const read = structuredClone(server.shown(...asked))
      write('2')
      return read
    }
    write('1')
    t.same(await shown(), ['1', '2'], `seed ${seed}`)
  }
})
