import { useMemo, useSyncExternalStore } from 'react'
import { askForNotices, showDesktopNotice } from '#client/lib/desktop-notices.ts'
import { isFlag, isListOf, isShape, isText } from '#client/lib/guards.ts'
import { type Note, playNotes, wakeSound, wakeSoundByPress } from '#client/lib/sound.ts'
import { defineStored } from '#client/lib/storage.ts'
import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import type { Message } from '#shared/schemas/messaging.ts'
import { type ChatHead, chatPath } from '../messaging.api.ts'
import type { ChatData } from './chat-data.ts'
import type { ClientParts } from './parts.ts'

/** A tab that shows the message needs a moment to say that it was read. */
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

/** The messages that some tab has shown, or sounded for, the last of them last. */
const noticed = defineStored({ key: 'lanewire.noticed', version: 1, isValue: isListOf(isText) })

/** Both are off until somebody switches them on, for this browser. */
export const readPreference = (): NoticePreference => preference.read() ?? { sound: false, desktop: false }

/** As text, which stays identical while it says the same. */
const snapshot = () => JSON.stringify(readPreference())

export function useNoticePreference(): NoticePreference {
  const text = useSyncExternalStore(preference.onChange, snapshot)
  return useMemo(() => JSON.parse(text) as NoticePreference, [text])
}

/** On the press that wants it: asks for permission, and lets the page sound. Answers what holds now. */
export async function setNoticePreference(wanted: NoticePreference): Promise<NoticePreference> {
  if (wanted.sound) wakeSound()
  const allowed = wanted.desktop && (await askForNotices()) === 'granted'
  const next = { sound: wanted.sound, desktop: allowed }
  preference.write(next)
  // The browser tells the other tabs; this one is told here.
  window.dispatchEvent(new StorageEvent('storage', { key: preference.key }))
  return next
}

/** True for the first tab of this browser that asks for this notice. */
export function claimNotice(id: string): boolean {
  const ids = noticed.read() ?? []
  if (ids.includes(id)) return false
  noticed.write([...ids, id].slice(-noticedMax))
  return true
}

/**
 * One sound and one desktop notice for all tabs, and none for what somebody is looking at.
 * @param load brings a chat that is not here yet: the first message of somebody new
 */
export function createNotices(
  { dealerId, tabs, clock, isOver }: ClientParts,
  data: ChatData,
  load: (chatId: string) => Promise<void>,
) {
  async function tell({ chatId, message }: ChatMessageEvent, { sound, desktop }: NoticePreference): Promise<void> {
    if (data.chat(chatId) === undefined) await load(chatId)
    await tabs.withLock('notice', async () => {
      const chat = data.chat(chatId)
      if (isOver() || chat === undefined || chat.muted || chat.readSeq >= message.seq) return
      // By a tab that may: one in which nobody has pressed anything yet leaves it to the others.
      const audio = sound ? wakeSound() : undefined
      if (audio?.state === 'running' && claimNotice(`sound ${message.id}`)) playNotes(audio, notes)
      if (desktop && claimNotice(message.id)) await showNotice(chat, message)
    })
  }
  return (event: ChatMessageEvent): void => {
    const { message } = event
    if (message.hidden || message.senderId === dealerId) return
    const preference = readPreference()
    if (preference.sound || preference.desktop) clock.after(readGraceMs, () => void tell(event, preference))
  }
}

/** The tag makes the browser replace rather than pile up; the sound, where one is wanted, is ours. */
const showNotice = ({ id, other }: ChatHead, { content, attachmentName }: Message) =>
  showDesktopNotice({
    title: other.name,
    body: (content || (attachmentName ?? 'Attachment')).slice(0, previewLength),
    tag: id,
    path: chatPath(id),
    silent: true,
  })

/** Where sound is wanted, the first press in the page lets it sound, however long after the switch. Answers how to stop. */
export const wakeNoticeSound = (): (() => void) => wakeSoundByPress(() => readPreference().sound)

/** Two short notes, rising. */
const notes: readonly Note[] = [
  [660, 0],
  [880, 0.09],
]
