import { navigate } from 'wouter/use-browser-location'
import { isNarrow } from '#client/ui/narrow.ts'
import { toastFailure } from '#client/ui/toast-store.ts'
import { openChat } from './messaging.api.ts'
import { receiveChats } from './messaging.store.ts'
import { focusWindow } from './window-focus.ts'

/** A chat's own page. */
export const chatPath = (chatId: string) => `/messages?chat=${encodeURIComponent(chatId)}`

/** Brings a known chat on screen: its dock window, or its page on a phone, where there is no dock. */
export function showChat(chatId: string): void {
  if (isNarrow() || window.location.pathname === '/messages') navigate(chatPath(chatId))
  else focusWindow(chatId)
}

/** The chat with a dealer, made when there is none; it is in the store when this answers. */
export async function startChat(dealerId: string, postId?: string): Promise<string> {
  const chat = await openChat(dealerId, postId)
  receiveChats([chat])
  return chat.id
}

/**
 * For every Message button: opens the chat with that dealer, about that post if one is given. `page` goes to /messages
 * instead of the dock. A refusal becomes a toast.
 */
export async function openChatWith(
  dealerId: string,
  { postId, page = false }: { postId?: string; page?: boolean } = {},
): Promise<void> {
  try {
    const chatId = await startChat(dealerId, postId)
    if (page) navigate(chatPath(chatId))
    else showChat(chatId)
  } catch (error) {
    toastFailure('The chat could not be opened', error)
  }
}
