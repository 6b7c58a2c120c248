import type { Server } from 'node:http'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#server/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What others wait for this very moment, messages and bids: refused after everything else. */
    isUrgent?: boolean
  }
}

/** So many at once are no sign of anything, however long they take: uploads over a slow line, exports, a process that starts. */
const usualMax = 32
/** With more than those under way, a process whose event loop is later than this reads nothing more: that is asked again at no loss. */
const lateMaxMs = 250
/** How long those under way will take, at the pace at which calls are answered, before something is refused. */
const waitMaxMs = { read: 400, write: 1_600, urgent: 6_400 }
/** Every process answers so many in a second, where as many are asked. */
const leastPerSecond = 200
const sampleMs = 500
const tellEveryMs = 1_000
/** So many turns of the event loop in a row that each let somebody in: more stand at the door. */
const crowdTurns = 8
/** Everybody is in when nobody came for so long; who is in waits at most so long for those at the door, and then so long for a turn. */
const doorMs = { quiet: 10, longest: 300, turn: 250 }

/** More is asked than can be answered: nothing was begun. */
export class Overloaded extends AppError {
  constructor() {
    super(
      503,
      'unavailable',
      'Lanewire has more to do than it can right now. Nothing was changed; try again in a moment.',
    )
  }
}

function kindOf({ method, routeOptions }: FastifyRequest): keyof typeof waitMaxMs {
  if (method === 'GET' || method === 'HEAD') return 'read'
  return routeOptions.config.isUrgent === true ? 'urgent' : 'write'
}

/**
 * The event loop lets one connection in a turn (libuv since 1.45): while each turn also answers a request, the last of a
 * crowd waits at the door for as long as all before it take, and nothing there can refuse it. So while many come in, what
 * those ask who are in waits until all are.
 */
function watchDoor(server: Server, onOpen: () => void): { isCrowded: () => boolean } {
  /** In a row, each of which let somebody in. */
  let turns = 0
  let isTurnCounted = false
  let isCrowded = false
  let quiet: NodeJS.Timeout | undefined
  let longest: NodeJS.Timeout | undefined
  const open = () => {
    clearTimeout(quiet)
    clearTimeout(longest)
    turns = 0
    isCrowded = false
    onOpen()
  }
  // Timers come first in a turn, and the turn before may itself have been that long: the door is looked at once more.
  const openIfFree = () => {
    const before = turns
    setImmediate(() => setImmediate(() => (turns === before ? open() : quiet?.refresh())))
  }
  const endTurn = () => {
    isTurnCounted = false
    setImmediate(() => {
      if (!isTurnCounted && !isCrowded) turns = 0
    })
  }
  server.on('connection', () => {
    if (!isTurnCounted) {
      isTurnCounted = true
      turns += 1
      setImmediate(endTurn)
    }
    if (isCrowded) quiet?.refresh()
    if (isCrowded || turns < crowdTurns) return
    isCrowded = true
    quiet = setTimeout(openIfFree, doorMs.quiet)
    longest = setTimeout(open, doorMs.longest)
  })
  return { isCrowded: () => isCrowded }
}

/**
 * Refuses at once what could not be answered in time, with 503 and a Retry-After: who is let in is answered soon, and
 * nothing piles up. For the routes of this scope that are registered after it.
 */
export async function refuseOverload(app: FastifyInstance): Promise<void> {
  let underWay = 0
  let answered = 0
  let perSecond = leastPerSecond
  let refused = 0
  await app.register(underPressure, { sampleInterval: sampleMs })
  /** What a crowd asks: it goes on as others are answered. Who has no turn after a while is too late for a read. */
  const waiting: ((hasTurn: boolean) => void)[] = []
  const letGo = (most: number, hasTurn: boolean) => {
    for (const go of waiting.splice(0, Math.max(0, most))) go(hasTurn)
  }
  const door = watchDoor(app.server, () => {
    letGo(usualMax - underWay, true)
    setTimeout(() => letGo(waiting.length, false), doorMs.turn)
  })

  app.addHook('onRequest', async (request, reply) => {
    const isHeld = door.isCrowded() || waiting.length > 0
    const hasTurn = !isHeld || (await new Promise<boolean>((resolve) => waiting.push(resolve)))
    const kind = kindOf(request)
    const isLate = kind === 'read' && (!hasTurn || app.memoryUsage().eventLoopDelay > lateMaxMs)
    if (underWay >= usualMax && (isLate || (underWay / perSecond) * 1_000 > waitMaxMs[kind])) {
      refused += 1
      throw new Overloaded()
    }
    underWay += 1
    reply.raw.once('close', () => {
      underWay -= 1
      answered += 1
      if (!door.isCrowded()) letGo(usualMax - underWay, true)
    })
  })

  const sampling = setInterval(() => {
    perSecond = Math.max(leastPerSecond, (perSecond + (answered * 1_000) / sampleMs) / 2)
    answered = 0
  }, sampleMs)
  const telling = setInterval(() => {
    if (refused > 0) app.log.warn({ refused, underWay }, 'more is asked than can be answered')
    refused = 0
  }, tellEveryMs)
  app.addHook('onClose', async () => {
    clearInterval(sampling)
    clearInterval(telling)
  })
}
