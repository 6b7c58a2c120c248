import { createServer } from 'node:http'
import { createAdapter } from '@socket.io/redis-adapter'
import { Redis } from 'ioredis'
import { Server } from 'socket.io'

const sendEveryMs = 100
const server = createServer()
const options = { transports: ['websocket'], perMessageDeflate: false, serveClient: false }
const [redisUrl] = process.argv.slice(2)
// If a Redis URL is given, publish through Redis, as a system with several nodes does.
const adapter = redisUrl && createAdapter(new Redis(redisUrl), new Redis(redisUrl))
const io = new Server(server, { ...options, ...(adapter && { adapter }) })
io.on('connection', (socket) => {
  void socket.join('room')
  socket.emit('connected')
})
process.on('message', ({ say, as = 'state' }) => io.to('room').emit(as, say))
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
setInterval(() => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: (user + system) / 1e6 })
}, sendEveryMs)
