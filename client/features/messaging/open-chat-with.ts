import { navigate } from 'wouter/use-browser-location'
import { onPressedNotice } from '#client/lib/desktop-notices.ts'
import { isNarrow } from '#client/ui/narrow.ts'
import { toastFailure } from '#client/ui/toast-store.ts'
import { focusWindow } from './dock/window-focus.ts'
import { type ComposedSubject, messagingStore } from './messaging.store.ts'
import { chatPath } from './messaging.api.ts'
import { findMessageClient, messageClient } from './sync/current-client.ts'

/** Brings a known chat on screen: its dock window, or its page on a phone, where there is no dock. */
export function showChat(chatId: string): void {
  if (isNarrow() || window.location.pathname === '/messages') navigate(chatPath(chatId))
  else focusWindow(chatId)
}

/** Brings one of the dealer's chats on screen, whether or not it is here yet; not where they have logged out by then. */
export async function showOwnChat(chatId: string): Promise<void> {
  const client = messageClient()
  if (client.data.chat(chatId) === undefined) await client.sync.loadChat(chatId)
  if (findMessageClient() === client) showChat(chatId)
}

/** The chat with a dealer, made when there is none; it is here when this answers. Undefined for who has logged out by then. */
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

/**
 * For every Message button: opens the chat with that dealer. Of a post that is given, what is sent next is about it: until
 * then nothing changes for the other. `page` goes to /messages instead of the dock. A refusal becomes a toast. Who has logged out before
 * the answer, or gone to another page, is led nowhere.
 */
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

/** A pressed notice of a chat opens its window where there is a dock. Answers how to stop. */
export const openPressedChats = (): (() => void) =>
  onPressedNotice((path) => {
    const known = Object.keys(findMessageClient()?.data.list().chats ?? {})
    const chatId = known.find((id) => chatPath(id) === path)
    if (chatId !== undefined) showChat(chatId)
    return chatId !== undefined
  })
