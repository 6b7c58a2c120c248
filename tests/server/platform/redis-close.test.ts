import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import t from 'tap'
import { openRedis } from '#server/platform/redis/redis.ts'

/** Starts a fake Redis that lets clients connect but can leave a subscription unanswered. */
async function aRedis() {
  const wires = new Set<Socket>()
  const asked: string[] = []
  const heard = createServer((wire) => {
    wires.add(wire)
    wire.on('error', () => undefined)
    wire.on('data', (text) => {
      for (const command of text
        .toString()
        .split(/^\*\d+\r\n/m)
        .slice(1)) {
        const [, name = '', , channel = ''] = command.split('\r\n')
        asked.push(name)
        heard.emit('asked', name)
        if (name !== 'subscribe') wire.write(name === 'info' ? '$9\r\nloading:0\r\n' : '+OK\r\n')
        else if (asked.filter((one) => one === name).length === 1)
          wire.write(`*3\r\n$9\r\nsubscribe\r\n$${channel.length}\r\n${channel}\r\n:1\r\n`)
      }
    })
  })
  heard.listen(0, '127.0.0.1')
  await once(heard, 'listening')
  const { port } = heard.address() as { port: number }
  const cut = () => wires.forEach((wire) => wire.destroy())
  return { url: `redis://127.0.0.1:${port}`, heard, asked, cut }
}

t.test('leaves no error behind if a process ends while resubscribing', async (t) => {
  const { url, heard, asked, cut } = await aRedis()
  t.teardown(() => heard.close())
  const redis = await openRedis({ redisUrl: url }, pino({ level: 'silent' }))
  const again = () => void redis.subscriber.subscribe('news').catch(() => undefined)
  await redis.subscriber.subscribe('news')
  redis.subscriber.on('ready', again)
  const subscribed = new Promise<void>((resolve) =>
    heard.on('asked', (name) => {
      if (name === 'subscribe') resolve()
    }),
  )
  cut()
  await subscribed
  await turn()
  const ended = once(redis.subscriber, 'end')
  redis.close()
  await ended
  await turn()
  t.equal(asked.filter((name) => name === 'subscribe').length, 2, 'once each time')
})
