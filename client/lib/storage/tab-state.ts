import type { Socket } from 'socket.io-client'
import type { ClientToServer, ServerToClient } from '#shared/events/index.ts'
import type { ViewKind } from '#shared/events/control.ts'
import type { ObjectStatus } from '#shared/schemas/uploads.ts'

export type LiveSocket = Socket<ServerToClient, ClientToServer>

export interface SharedClock {
  listeners: Set<(tick: number) => void>
  stop: () => void
}

export type UploadStatus = Pick<ObjectStatus, 'state' | 'error'>

/** State of this tab that is not rendered. Rendered state belongs in a slice of the store. */
function createTab() {
  return {
    /** Aborted and replaced when the dealer signs out. */
    signOut: new AbortController(),
    socket: undefined as LiveSocket | undefined,
    sound: undefined as AudioContext | undefined,
    isFirstPage: true,
    codeFiles: new Map<string, Promise<unknown>>(),
    failedParts: new Set<() => void>(),
    /** The build that this tab runs, taken from its first `hello`. */
    build: undefined as string | undefined,
    /** Clocks by interval in milliseconds. All clocks with the same interval share one timer, so that they update together. */
    clocks: new Map<number, SharedClock>(),
    views: new Map<string, { kind: ViewKind; id: string; count: number }>(),
    /** Keys of `views` whose rooms the server refused, because this tab is in too many. */
    refusedViews: new Set<string>(),
    viewing: new Set<() => void>(),
    joining: new Map<string, Set<() => void>>(),
    uploads: new Map<string, Set<(news: UploadStatus) => void>>(),
    noticePlaces: new Set<(path: string) => boolean>(),
  }
}

export const tab = createTab()
