import { isFlag, isListOf, isNumber, isShape, isText } from '#client/lib/http/type-guards.ts'
import { defineSlice } from '#client/lib/storage/store-slice.ts'
import { defineStored } from '#client/lib/storage/browser-storage.ts'
import { openChatWindows } from '#shared/limits.ts'
import type { OutgoingMessage } from './messaging.api.ts'

/** An unsent message. It is removed once the server has received it, or when the dealer deletes it. */
export interface PendingMessage extends OutgoingMessage {
  createdAt: string
  /** The sort key. Messages written later in this browser have a higher key. */
  order: number
  /** `failed` means that the server rejected the message. After any other error, sending is retried. */
  state: 'sending' | 'failed'
  reason?: string
}

export interface PendingUpload {
  id: string
  chatId: string
  name: string
  share: number
  failure?: string
  /** True if a retry is pointless because the server would reject the same file again. */
  isFinal?: boolean
}

export interface ComposedSubject {
  id: string
  title: string
}

export interface ChatWindow {
  chatId: string
  isMinimized: boolean
  /** Increases each time the window is used. The least recently used windows are minimized first. */
  used: number
}

export interface MessagingState {
  dealerId: string
  isListOpen: boolean
  windows: ChatWindow[]
  wantedFocus: string | undefined
  /** True if the last press opened the list of chats, false if it closed the list. The button that replaces the pressed one gets focus. */
  pressedList: boolean | undefined
  openers: Record<string, () => Element>
  pending: PendingMessage[]
  uploads: PendingUpload[]
  typing: Record<string, boolean>
  online: Record<string, boolean>
  logs: Record<string, number>
  /** Chats whose log is scrolled up, so that older rows must be kept. `far` means that the newest messages are not loaded. */
  scrolledUp: Record<string, 'near' | 'far'>
  /** The subject of the next message in each chat. The dealer can remove the subject, and sending the message clears it. */
  subjects: Record<string, ComposedSubject>
  wantedSeq: Record<string, number>
}

export const emptyMessaging = (): MessagingState => ({
  dealerId: '',
  isListOpen: false,
  windows: [],
  wantedFocus: undefined,
  pressedList: undefined,
  openers: {},
  pending: [],
  uploads: [],
  typing: {},
  online: {},
  logs: {},
  scrolledUp: {},
  subjects: {},
  wantedSeq: {},
})

/** Messaging state that exists only on the client. Chats and messages are in the query cache. */
export const messagingStore = defineSlice<MessagingState>('messaging', emptyMessaging)

/** Opens or expands a chat window. If more than three windows are open, closes the one opened first. */
export function openWindow(chatId: string): void {
  messagingStore.set((state) => {
    const used = 1 + Math.max(0, ...state.windows.map((open) => open.used))
    const known = state.windows.find((open) => open.chatId === chatId)
    if (known === undefined) state.windows.push({ chatId, isMinimized: false, used })
    else Object.assign(known, { isMinimized: false, used })
    state.windows.splice(0, Math.max(0, state.windows.length - openChatWindows))
  })
}

export function closeWindow(chatId: string): void {
  messagingStore.set((state) => {
    state.windows = state.windows.filter((open) => open.chatId !== chatId)
  })
}

export function minimizeWindow(chatId: string): void {
  messagingStore.set((state) => {
    const found = state.windows.find((open) => open.chatId === chatId)
    if (found !== undefined) found.isMinimized = true
  })
}

export function minimizeOldest(kept: number): void {
  messagingStore.set((state) => {
    const expanded = state.windows.filter(({ isMinimized }) => !isMinimized)
    for (const open of expanded.toSorted((a, b) => b.used - a.used).slice(kept)) open.isMinimized = true
  })
}

export function setListOpen(isListOpen: boolean): void {
  messagingStore.set((state) => void (state.isListOpen = isListOpen))
}

type Layout = Pick<MessagingState, 'isListOpen' | 'windows'>

/** The layout of the dock, stored per dealer so that it survives a reload. */
const storedLayout = defineStored<Layout>({
  key: 'lanewire.dock',
  version: 1,
  isValue: isShape<Layout>({
    isListOpen: isFlag,
    windows: isListOf(isShape<ChatWindow>({ chatId: isText, isMinimized: isFlag, used: isNumber })),
  }),
})

export function restoreLayout(dealerId: string): void {
  const kept = storedLayout.read(dealerId)
  if (kept !== undefined) messagingStore.set((state) => void Object.assign(state, kept))
}

export function saveLayout({ isListOpen, windows }: Layout): void {
  const { dealerId } = messagingStore.get()
  if (dealerId !== '') storedLayout.write({ isListOpen, windows }, dealerId)
}
