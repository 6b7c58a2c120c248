import type { Socket } from 'socket.io-client'
import type { ClientToServer, ServerToClient } from '#shared/events/index.ts'
import type { ViewKind } from '#shared/events/control.ts'
import type { ObjectStatus } from '#shared/schemas/uploads.ts'

export type LiveSocket = Socket<ServerToClient, ClientToServer>

export type UploadNews = Pick<ObjectStatus, 'state' | 'error'>

/**
 * What this tab holds that is neither drawn nor a dealer's: its socket, its sound, its clock, and who on screen waits for what. Each part belongs to
 * the one file that is about it; everything that is drawn is a slice of the store.
 */
function createTab() {
  return {
    /** Aborted when the dealer who is signed in is not any more; another one then stands here. */
    leaving: new AbortController(),
    /** Undefined while signed out. */
    socket: undefined as LiveSocket | undefined,
    /** What sounds are made with; undefined until one is wanted. */
    sound: undefined as AudioContext | undefined,
    /** Until a page has been shown. */
    isFirstPage: true,
    /** By address: files of code that are loaded, or on their way. */
    codeFiles: new Map<string, Promise<unknown>>(),
    /** Forget the parts of the screen whose code could not be loaded. */
    failedParts: new Set<() => void>(),
    /** The build that the first `hello` named: the one that this tab runs. */
    build: undefined as string | undefined,
    /** One timer for all that count on this screen: they are drawn together. It runs while somebody listens. */
    ticks: {
      listeners: new Set<() => void>(),
      timer: undefined as ReturnType<typeof setInterval> | undefined,
    },
    /** What is on screen, and in how many places, by view. */
    views: new Map<string, { kind: ViewKind; id: string; count: number }>(),
    /** Who follows what is on screen. */
    viewing: new Set<() => void>(),
    /** Who waits for this tab to be let into a room, by view. */
    joining: new Map<string, Set<() => void>>(),
    /** Who waits for which upload: the forms that send it, and the places on screen where it will be shown. */
    uploads: new Map<string, Set<(news: UploadNews) => void>>(),
    /** Who may open what a pressed notice is about in a better place than its page. */
    noticePlaces: new Set<(path: string) => boolean>(),
  }
}

export const tab = createTab()
