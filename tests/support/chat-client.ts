import { randomUUID } from 'node:crypto'
import { io, type Socket } from 'socket.io-client'
import type { Test } from 'tap'
import {
  catchUp,
  type ChatStream,
  messagesOf,
  openStream,
  receive,
} from '#client/features/messaging/sync/chat-stream.ts'
import type { ClientToServer, ServerToClient } from '#shared/events/index.ts'
import type { Message, MessagesPage } from '#shared/schemas/messaging.ts'
import { patienceMs } from './patience.ts'
import { until } from './wait.ts'

/** A dealer's tab without a UI: the real message stream over real sockets, with a sender that retries forever. */
export interface ChatClient {
  contents(): string[]
  stream(): ChatStream
  /** Sends a message. Retries with the same idempotency key until it is acknowledged. Returns the number of attempts. */
  send(content: string, onFailure?: () => void): Promise<number>
  audit(): Promise<void>
  /** Closes the connection. The client stays offline until `back` is called. */
  drop(): Promise<void>
  back(): Promise<void>
}

interface Where {
  chatId: string
  cookie: string
  /** The URL changes when a node restarts. */
  url: () => string
}

const tryEveryMs = 100

export async function openChatClient(t: Pick<Test, 'teardown'>, { chatId, cookie, url }: Where): Promise<ChatClient> {
  let stream = openStream([], 0)
  let socket: Socket<ServerToClient, ClientToServer>
  let isClosed = false
  const audit = async () => {
    const response = await fetch(`${url()}/api/chats/${chatId}/messages?afterRev=${stream.cursor}&limit=200`, {
      headers: { cookie },
      signal: AbortSignal.timeout(patienceMs),
    }).catch(() => undefined)
    if (response?.ok === true) stream = catchUp(stream, (await response.json()) as MessagesPage)
  }
  const connect = () => {
    const options = { transports: ['websocket'], extraHeaders: { cookie }, timeout: patienceMs }
    socket = io(url(), { ...options, reconnection: false, forceNew: true })
    socket.on('chat.message', (event) => void (stream = receive(stream, event)))
    socket.on('hello', () => void audit())
    socket.on('resync', () => void audit())
    const again = () => {
      if (!isClosed) setTimeout(connect, tryEveryMs)
    }
    socket.on('disconnect', again)
    socket.on('connect_error', again)
  }
  connect()
  t.teardown(() => {
    isClosed = true
    socket.disconnect()
  })
  const isBack = () => until('the socket to be back', () => socket.connected).then(() => undefined)
  await isBack()
  return {
    contents: () => messagesOf(stream).map(({ content }) => content),
    stream: () => stream,
    audit,
    async send(content, onFailure) {
      const key = randomUUID()
      let tries = 0
      await until(`"${content}" to be acknowledged`, async () => {
        tries += 1
        const message = await post(url(), cookie, key, { chatId, content })
        if (message === undefined) onFailure?.()
        return message
      })
      return tries
    },
    async drop() {
      isClosed = true
      socket.io.engine.close()
      await until('the socket to be gone', () => !socket.connected)
    },
    async back() {
      isClosed = false
      connect()
      await isBack()
    },
  }
}

async function post(url: string, cookie: string, key: string, body: object): Promise<Message | undefined> {
  const response = await fetch(`${url}/api/messages`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(patienceMs),
  }).catch(() => undefined)
  if (response === undefined || response.status >= 500) return undefined
  if (response.status !== 201) throw new Error(`the message was refused: ${response.status}`)
  return (await response.json()) as Message
}
