import { navigate } from 'wouter/use-browser-location'
import { onPressedNotice } from '#client/lib/screen/desktop-notices.ts'
import { isNarrow } from '#client/ui/screen-width.ts'
import { toastFailure } from '#client/ui/toast-store.ts'
import { focusWindow } from './dock/window-focus.ts'
import { type ComposedSubject, messagingStore } from './messaging.store.ts'
import { chatPath } from './messaging.api.ts'
import { findMessageClient, messageClient } from './sync/current-client.ts'

/** Shows a loaded chat: on the messages page if that page is open or on a phone, otherwise in a dock window. */
export function showChat(chatId: string): void {
  if (isNarrow() || window.location.pathname === '/messages') navigate(chatPath(chatId))
  else focusWindow(chatId)
}

/** Loads and shows one of the dealer's chats. Does nothing if the dealer signs out in the meantime. */
export async function showOwnChat(chatId: string): Promise<void> {
  const client = messageClient()
  if (client.data.chat(chatId) === undefined) await client.sync.loadChat(chatId)
  if (findMessageClient() === client) showChat(chatId)
}

/** Returns the id of the chat with a dealer. Returns undefined if the user signs out in the meantime. */
export async function startChat(dealerId: string): Promise<string | undefined> {
  const client = messageClient()
  try {
    const chatId = await client.chats.open(dealerId)
    return findMessageClient() === client ? chatId : undefined
  } catch (error) {
    if (findMessageClient() !== client) return undefined
    throw error
  }
}

/** Opens the chat with a dealer. `post` becomes the subject of the next message; `page` opens /messages instead of the dock. */
export async function openChatWith(
  dealerId: string,
  { post, page = false }: { post?: ComposedSubject; page?: boolean } = {},
): Promise<void> {
  const from = window.location.pathname
  try {
    const chatId = await startChat(dealerId)
    if (chatId === undefined) return
    if (post) messagingStore.set(({ subjects }) => void (subjects[chatId] = { id: post.id, title: post.title }))
    if ((page || isNarrow()) && window.location.pathname !== from) return
    if (page) navigate(chatPath(chatId))
    else showChat(chatId)
  } catch (error) {
    toastFailure('The chat could not be opened', error)
  }
}

export const openPressedChats = (): (() => void) =>
  onPressedNotice((path) => {
    const known = Object.keys(findMessageClient()?.data.list().chats ?? {})
    const chatId = known.find((id) => chatPath(id) === path)
    if (chatId !== undefined) showChat(chatId)
    return chatId !== undefined
  })
