import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { until } from './wait.ts'

export interface ReceivedMail {
  to: string
  messageId: string
  head: string
  text: string
  accept(): void
  /** Closes the connection without a reply, so that the sender cannot know the outcome. */
  hangUp(): void
}

export interface MailServer {
  url: string
  mails: ReceivedMail[]
  /** True to accept every email immediately. Otherwise the test sends each reply. */
  accepts: boolean
  /** Waits for the n-th email, counted from 1. */
  mail(number: number): Promise<ReceivedMail>
}

const fromQuotedPrintable = (text: string): string =>
  text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))

function readMail(data: string, to: string, socket: Socket): ReceivedMail {
  const end = data.indexOf('\r\n\r\n')
  const [head, body] = [data.slice(0, end), data.slice(end)]
  return {
    to,
    head: head.replaceAll(/\r\n[ \t]+/g, ' '),
    messageId: /^Message-ID: (.*)$/im.exec(head)?.[1]?.trim() ?? '',
    text: /^Content-Transfer-Encoding: quoted/im.test(head) ? fromQuotedPrintable(body) : body,
    accept: () => void socket.write('250 Taken\r\n'),
    hangUp: () => void socket.destroy(),
  }
}

function answerTo(line: string): string {
  if (/^DATA/i.test(line)) return '354 Go on\r\n'
  return /^QUIT/i.test(line) ? '221 Bye\r\n' : '250 Fine\r\n'
}

function converse(socket: Socket, received: (mail: ReceivedMail) => void): void {
  let to = ''
  let data: string[] | undefined
  socket.write('220 mail.test\r\n')
  createInterface({ input: socket }).on('line', (line) => {
    if (data === undefined) {
      to = /^RCPT TO:<(.*)>/i.exec(line)?.[1] ?? to
      if (/^DATA/i.test(line)) data = []
      socket.write(answerTo(line))
    } else if (line === '.') {
      received(readMail(data.join('\r\n'), to, socket))
      data = undefined
    } else data.push(line)
  })
}

export async function startMailServer(t: Test): Promise<MailServer> {
  const open = new Set<Socket>()
  const mails: ReceivedMail[] = []
  const server = createServer()
  const started: MailServer = {
    url: '',
    mails,
    accepts: false,
    mail: (number) => until(`mail ${number}`, () => mails[number - 1]),
  }
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
    converse(socket, (mail) => {
      mails.push(mail)
      if (started.accepts) mail.accept()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  started.url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  return started
}
