import { cutText } from '#shared/cut-text.ts'
import { useMemo, useSyncExternalStore } from 'react'
import { askForNotices, showDesktopNotice } from '#client/lib/screen/desktop-notices.ts'
import { isFlag, isListOf, isShape, isText } from '#client/lib/http/type-guards.ts'
import { hasPushDevice } from '#client/lib/push-device.ts'
import { type Note, playNotes, wakeSound, wakeSoundByPress } from '#client/lib/screen/sound.ts'
import { defineStored } from '#client/lib/storage/browser-storage.ts'
import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import type { Message } from '#shared/schemas/messaging.ts'
import { type ChatHead, chatPath } from '../messaging.api.ts'
import type { ChatData } from './chat-data.ts'
import type { ClientDependencies } from './dependencies.ts'

/** Milliseconds to wait before a notification, so that a tab that shows the message can report it as read. */
const readGraceMs = 400
const noticedMax = 50
const previewLength = 120

export interface NoticePreference {
  sound: boolean
  desktop: boolean
}

const preference = defineStored({
  key: 'lanewire.notices',
  version: 1,
  isValue: isShape<NoticePreference>({ sound: isFlag, desktop: isFlag }),
})

/** Ids of messages that a tab of this browser has already announced, newest last. */
const noticed = defineStored({ key: 'lanewire.noticed', version: 1, isValue: isListOf(isText) })

export const readPreference = (): NoticePreference => preference.read() ?? { sound: false, desktop: false }

/** Returns text, so that React sees an unchanged preference as the same value. */
const snapshot = () => JSON.stringify(readPreference())

export function useNoticePreference(): NoticePreference {
  const text = useSyncExternalStore(preference.onChange, snapshot)
  return useMemo(() => JSON.parse(text) as NoticePreference, [text])
}

/** Saves the preference and returns the result. Call it in a click handler, because it asks for browser permission. */
export async function setNoticePreference(wanted: NoticePreference): Promise<NoticePreference> {
  if (wanted.sound) wakeSound()
  const allowed = wanted.desktop && (await askForNotices()) === 'granted'
  const next = { sound: wanted.sound, desktop: allowed }
  preference.write(next)
  // Browsers send storage events only to other tabs, so notify this tab explicitly.
  window.dispatchEvent(new StorageEvent('storage', { key: preference.key }))
  return next
}

/** Returns true for the first tab of this browser that claims a notification. */
export function claimNotice(id: string): boolean {
  const ids = noticed.read() ?? []
  if (ids.includes(id)) return false
  noticed.write([...ids, id].slice(-noticedMax))
  return true
}

/**
 * Announces a message once across all tabs, with a sound and a desktop notification. Skips chats that are being read.
 * @param load loads a chat that is not loaded yet
 */
export function createNotices(
  { dealerId, tabs, clock, isOver }: ClientDependencies,
  data: ChatData,
  load: (chatId: string) => Promise<void>,
) {
  async function notifyOnce(
    { chatId, message }: ChatMessageEvent,
    { sound, desktop }: NoticePreference,
  ): Promise<void> {
    if (data.chat(chatId) === undefined) await load(chatId)
    await tabs.withLock('notice', async () => {
      const chat = data.chat(chatId)
      if (isOver() || chat === undefined || chat.muted || chat.readSeq >= message.seq) return
      // Browsers block sound in a tab until the user interacts with it. A blocked tab leaves the sound to another tab.
      const audio = sound ? wakeSound() : undefined
      if (audio?.state === 'running' && claimNotice(`sound ${message.id}`)) playNotes(audio, notes)
      // If this browser is registered for push, a push notification announces the message instead.
      if (desktop && claimNotice(message.id) && !hasPushDevice(dealerId)) await showNotice(chat, message)
    })
  }
  return (event: ChatMessageEvent): void => {
    const { message } = event
    if (message.hidden || message.senderId === dealerId) return
    const preference = readPreference()
    if (preference.sound || preference.desktop) clock.after(readGraceMs, () => void notifyOnce(event, preference))
  }
}

const showNotice = ({ id, other }: ChatHead, { content, attachmentName }: Message) =>
  showDesktopNotice({
    title: other.name,
    body: cutText(content || (attachmentName ?? 'Attachment'), previewLength),
    tag: id,
    path: chatPath(id),
    silent: true,
  })

/** Enables sound at the first click or key press after a reload, if the dealer has turned sound on. */
export const wakeNoticeSound = (): (() => void) => wakeSoundByPress(() => readPreference().sound)

const notes: readonly Note[] = [
  [660, 0],
  [880, 0.09],
]
