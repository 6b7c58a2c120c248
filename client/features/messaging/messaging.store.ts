import { isFlag, isListOf, isNumber, isShape, isText } from '#client/lib/guards.ts'
import { defineSlice } from '#client/lib/slice.ts'
import { defineStored } from '#client/lib/storage.ts'
import { openChatWindows } from '#shared/limits.ts'
import type { OutgoingMessage } from './messaging.api.ts'

/** A message on its way. It leaves this list when the server has it, or by Delete. */
export interface PendingMessage extends OutgoingMessage {
  createdAt: string
  /** Its place among those of this browser: they rise in the order of writing. */
  order: number
  /** `failed` only when the server refused it; anything else is tried again. */
  state: 'sending' | 'failed'
  reason?: string
}

/** A file that is not a message yet. Its bytes are with its upload. */
export interface PendingUpload {
  id: string
  chatId: string
  name: string
  /** 0 to 1. */
  share: number
  /** Why it stopped. */
  failure?: string
}

/** The post that the next message of a chat is about. */
export interface ComposedSubject {
  id: string
  title: string
}

export interface ChatWindow {
  chatId: string
  isMinimized: boolean
  /** Rises with every use: where there is no room for all, the least recently used fold first. */
  used: number
}

export interface MessagingState {
  dealerId: string
  isListOpen: boolean
  /** In the order they were opened; at most three. */
  windows: ChatWindow[]
  /** The chat whose window takes the focus as soon as it is drawn. */
  wantedFocus: string | undefined
  /** Whether the pressed button opened the list or closed it: the other one takes the focus. */
  pressedList: boolean | undefined
  /** Where the focus was when a window was opened, by chat. */
  openers: Record<string, () => Element>
  pending: PendingMessage[]
  uploads: PendingUpload[]
  /** Chats whose other side is typing. */
  typing: Record<string, boolean>
  online: Record<string, boolean>
  /** Logs on screen, by chat. */
  logs: Record<string, number>
  /** Chats in which somebody has scrolled up: their older rows stay. `far`: so far that the newest are not here. */
  scrolledUp: Record<string, 'near' | 'far'>
  /** By chat; taken away by its dealer, or with the message that is sent. */
  subjects: Record<string, ComposedSubject>
  /** A found message that its log should show, by chat. */
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

/** What of messaging the server does not own. Chats and messages are in the query cache. */
export const messagingStore = defineSlice<MessagingState>('messaging', emptyMessaging)

/** Opens a chat's window, or brings it back in its place; the oldest of three makes room. */
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

export function setListOpen(isListOpen: boolean): void {
  messagingStore.set((state) => void (state.isListOpen = isListOpen))
}

type Layout = Pick<MessagingState, 'isListOpen' | 'windows'>

/** What a reload must not lose, by dealer. Drafts are in lib/drafts, messages on their way in IndexedDB. */
const storedLayout = defineStored<Layout>({
  key: 'lanewire.dock',
  version: 1,
  isValue: isShape<Layout>({
    isListOpen: isFlag,
    windows: isListOf(isShape<ChatWindow>({ chatId: isText, isMinimized: isFlag, used: isNumber })),
  }),
})

/** Brings the windows back as they were. */
export function restoreLayout(dealerId: string): void {
  const kept = storedLayout.read(dealerId)
  if (kept !== undefined) messagingStore.set((state) => void Object.assign(state, kept))
}

export function saveLayout({ isListOpen, windows }: Layout): void {
  const { dealerId } = messagingStore.get()
  if (dealerId !== '') storedLayout.write({ isListOpen, windows }, dealerId)
}
