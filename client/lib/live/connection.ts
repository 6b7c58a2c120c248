import { defineSlice } from '../storage/store-slice.ts'
import { type LiveSocket, tab } from '../storage/tab-state.ts'

export type { LiveSocket } from '../storage/tab-state.ts'

/** `connecting` lasts until the socket is set up or the second attempt fails. `offline` includes a server that may miss events. */
export type ConnectionState = 'connecting' | 'live' | 'offline'

const connection = defineSlice('connection', () => ({
  state: 'connecting' as ConnectionState,
  updateWaiting: false,
  clockOffsetMs: 0,
  isClockMeasured: false,
}))

export const setState = (next: ConnectionState): void => connection.set((held) => void (held.state = next))

/** Records the build id of a `hello`. If it differs from the first one, a new client has been deployed. */
export function setBuild(current: string): void {
  tab.build ??= current
  if (current !== tab.build) connection.set((held) => void (held.updateWaiting = true))
}

export const useConnection = (): ConnectionState => connection.use(({ state }) => state)

export const useUpdateWaiting = (): boolean => connection.use(({ updateWaiting }) => updateWaiting)

export const connectionState = (): ConnectionState => connection.get().state

function setClock(serverTime: string, isClockMeasured: boolean): void {
  connection.set(
    (held) => void Object.assign(held, { clockOffsetMs: Date.parse(serverTime) - Date.now(), isClockMeasured }),
  )
}

/** Sets the clock offset from a response, unless a `hello` has already set a more accurate one. */
export function suggestServerTime(serverTime: string): void {
  if (!connection.get().isClockMeasured) setClock(serverTime, false)
}

export const setServerTime = (serverTime: string): void => setClock(serverTime, true)

/** Returns the server's time in epoch milliseconds. */
export const serverNow = (): number => Date.now() + connection.get().clockOffsetMs

/** Returns undefined while nobody is signed in. */
export const currentSocket = (): LiveSocket | undefined => tab.socket

export function setSocket(next: LiveSocket | undefined): void {
  tab.socket = next
}
