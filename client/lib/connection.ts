import { defineSlice } from './slice.ts'
import { type LiveSocket, tab } from './tab.ts'

export type { LiveSocket } from './tab.ts'

/**
 * `connecting` until the first answer; `offline` whenever a connection that was there is gone, or the server behind it does not
 * hear of what happens at the others.
 */
export type ConnectionState = 'connecting' | 'live' | 'offline'

const connection = defineSlice('connection', () => ({
  state: 'connecting' as ConnectionState,
  updateWaiting: false,
  clockOffsetMs: 0,
  isClockMeasured: false,
}))

/** For the one who opens the socket. */
export const setState = (next: ConnectionState): void => connection.set((held) => void (held.state = next))

/** The build that a `hello` names: another one than the first means a deploy. */
export function setBuild(current: string): void {
  tab.build ??= current
  if (current !== tab.build) connection.set((held) => void (held.updateWaiting = true))
}

/** Whether all events arrive. While they do not, screens live on the documented poll. */
export const useConnection = (): ConnectionState => connection.use(({ state }) => state)

/** Whether the server has been given a newer client than the one that runs in this tab. */
export const useUpdateWaiting = (): boolean => connection.use(({ updateWaiting }) => updateWaiting)

/** The connection's state outside React. */
export const connectionState = (): ConnectionState => connection.get().state

function setClock(serverTime: string, isClockMeasured: boolean): void {
  connection.set(
    (held) => void Object.assign(held, { clockOffsetMs: Date.parse(serverTime) - Date.now(), isClockMeasured }),
  )
}

/** Takes the server's clock from an answer until a `hello` has measured it. */
export function suggestServerTime(serverTime: string): void {
  if (!connection.get().isClockMeasured) setClock(serverTime, false)
}

/** Measures the server's clock by a `hello`. */
export const setServerTime = (serverTime: string): void => setClock(serverTime, true)

/** The server's clock in milliseconds, as measured at the last `hello`. */
export const serverNow = (): number => Date.now() + connection.get().clockOffsetMs

/** The socket, for a feature's own commands; undefined while signed out. */
export const currentSocket = (): LiveSocket | undefined => tab.socket

export function setSocket(next: LiveSocket | undefined): void {
  tab.socket = next
}
