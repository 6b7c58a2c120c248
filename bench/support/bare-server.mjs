import { createServer } from 'node:http'
import { Server } from 'socket.io'

const tellEveryMs = 100
const server = createServer()
const io = new Server(server, { transports: ['websocket'], perMessageDeflate: false, serveClient: false })
io.on('connection', (socket) => {
  void socket.join('room')
  socket.emit('connected')
})
process.on('message', ({ say }) => io.to('room').emit('state', say))
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
setInterval(() => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: (user + system) / 1e6 })
}, tellEveryMs)
