import { useSyncExternalStore } from 'react'
import { askForNotices, onPressedNotice, showDesktopNotice } from '#client/lib/desktop-notices.ts'
import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import { type ChatHead, messagingStore } from './messaging.store.ts'
import { chatPath, showChat } from './open-chat-with.ts'
import { alone } from './messaging.tabs.ts'

/** A tab that shows the message needs a moment to say that it was read. */
const readGraceMs = 400
const noticedKey = 'lanewire.noticed'
const noticedMax = 50
const preferenceKey = 'lanewire.notices'
const previewLength = 120

export interface NoticePreference {
  sound: boolean
  desktop: boolean
}

const off: NoticePreference = { sound: false, desktop: false }
const listeners = new Set<() => void>()
let raw: string | null | undefined
let current = off

/** Both are off until somebody switches them on, for this browser. */
function preference(): NoticePreference {
  const stored = localStorage.getItem(preferenceKey)
  if (stored !== raw) {
    raw = stored
    current = { ...off, ...(JSON.parse(stored ?? '{}') as Partial<NoticePreference>) }
  }
  return current
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

export const useNoticePreference = (): NoticePreference => useSyncExternalStore(subscribe, preference)

/** Asks for permission, on the click that wants desktop notices. Answers what holds now. */
export async function setNoticePreference(wanted: NoticePreference): Promise<NoticePreference> {
  const allowed = wanted.desktop && (await askForNotices()) === 'granted'
  const next = { sound: wanted.sound, desktop: allowed }
  localStorage.setItem(preferenceKey, JSON.stringify(next))
  for (const listener of listeners) listener()
  return next
}

/** One sound and one desktop notice for all tabs, and none for what somebody is looking at. */
export function notice({ chatId, message }: ChatMessageEvent): void {
  const { dealerId } = messagingStore.get()
  const { sound, desktop } = preference()
  if (message.hidden || message.senderId === dealerId || (!sound && !desktop)) return
  setTimeout(() => {
    void alone('notice', async () => {
      const chat = messagingStore.get().chats[chatId]
      if (chat === undefined || chat.muted || chat.readSeq >= message.seq || !claim(message.id)) return
      if (sound) playSound()
      if (desktop) await showNotice(chat, message.content)
    })
  }, readGraceMs)
}

/** The tag makes the browser replace rather than pile up; the sound, where one is wanted, is ours. */
const showNotice = ({ id, other }: ChatHead, content: string) =>
  showDesktopNotice({
    title: other.name,
    body: content.slice(0, previewLength),
    tag: id,
    path: chatPath(id),
    silent: true,
  })

/** A pressed notice of a chat opens its window where there is a dock. Answers how to stop. */
export const openPressedChats = (): (() => void) =>
  onPressedNotice((path) => {
    const chat = Object.values(messagingStore.get().chats).find(({ id }) => chatPath(id) === path)
    if (chat) showChat(chat.id)
    return chat !== undefined
  })

/** True for the first tab that asks for this message. */
function claim(messageId: string): boolean {
  const noticed = JSON.parse(localStorage.getItem(noticedKey) ?? '[]') as string[]
  if (noticed.includes(messageId)) return false
  localStorage.setItem(noticedKey, JSON.stringify([...noticed, messageId].slice(-noticedMax)))
  return true
}

/** Two short notes, made here: no file to load. */
function playSound(): void {
  const audio = new AudioContext()
  for (const [hertz, start] of [
    [660, 0],
    [880, 0.09],
  ] as const) {
    const tone = new OscillatorNode(audio, { frequency: hertz })
    const volume = new GainNode(audio, { gain: 0 })
    volume.gain.setValueAtTime(0.08, audio.currentTime + start)
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + start + 0.16)
    tone.connect(volume).connect(audio.destination)
    tone.start(audio.currentTime + start)
    tone.stop(audio.currentTime + start + 0.18)
    tone.addEventListener('ended', () => void (start > 0 && audio.close()))
  }
}
