import { useSyncExternalStore } from 'react'
import type { Socket } from 'socket.io-client'
import type { ClientToServer, ServerToClient } from '#shared/events/index.ts'

export type LiveSocket = Socket<ServerToClient, ClientToServer>

/** `connecting` until the first answer; `offline` whenever a connection that was there is gone. */
export type ConnectionState = 'connecting' | 'live' | 'offline'

let socket: LiveSocket | undefined
let state: ConnectionState = 'connecting'
let clockOffsetMs = 0
let isClockMeasured = false
/** The build that greeted this tab first, and whether another one has since. */
let build: string | undefined
let updateWaiting = false
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

/** For the one who opens the socket. */
export function setState(next: ConnectionState): void {
  if (state === next) return
  state = next
  tell()
}

/** The build that greets: another one than the first means a deploy. */
export function setBuild(greeting: string): void {
  build ??= greeting
  if (updateWaiting || greeting === build) return
  updateWaiting = true
  tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether events arrive. While they do not, screens live on the documented poll. */
export function useConnection(): ConnectionState {
  return useSyncExternalStore(subscribe, () => state)
}

/** Whether the server has been given a newer client than the one that runs in this tab. */
export function useUpdateWaiting(): boolean {
  return useSyncExternalStore(subscribe, () => updateWaiting)
}

/** The connection's state outside React. */
export const connectionState = (): ConnectionState => state

/** Takes the server's clock from an answer until a greeting has measured it. */
export function suggestServerTime(serverTime: string): void {
  if (!isClockMeasured) clockOffsetMs = Date.parse(serverTime) - Date.now()
}

/** Measures the server's clock by a greeting. */
export function setServerTime(serverTime: string): void {
  clockOffsetMs = Date.parse(serverTime) - Date.now()
  isClockMeasured = true
}

/** The server's clock in milliseconds, as measured at the last greeting. */
export const serverNow = (): number => Date.now() + clockOffsetMs

/** The socket, for a feature's own commands; undefined while signed out. */
export const currentSocket = (): LiveSocket | undefined => socket

export function setSocket(next: LiveSocket | undefined): void {
  socket = next
}
