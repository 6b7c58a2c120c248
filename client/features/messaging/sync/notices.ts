import { useSyncExternalStore } from 'react'
import { askForNotices, showDesktopNotice } from '#client/lib/desktop-notices.ts'
import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import { type ChatHead, chatPath } from '../messaging.api.ts'
import { isRecord, readStored, writeStored } from '../stored.ts'
import type { ChatData } from './chat-data.ts'
import type { ClientParts } from './parts.ts'

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

const isPreference = (value: unknown): value is NoticePreference =>
  isRecord(value) && typeof value['sound'] === 'boolean' && typeof value['desktop'] === 'boolean'

const isIds = (value: unknown): value is string[] => Array.isArray(value) && value.every((id) => typeof id === 'string')

/** Both are off until somebody switches them on, for this browser. */
export const readPreference = (storage: ClientParts['storage']): NoticePreference =>
  readStored(storage, preferenceKey, isPreference) ?? { sound: false, desktop: false }

function subscribe(listener: () => void) {
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}

/** The text, which stays identical while it says the same. */
const snapshot = () => localStorage.getItem(preferenceKey)

export function useNoticePreference(): NoticePreference {
  useSyncExternalStore(subscribe, snapshot)
  return readPreference(localStorage)
}

/** Asks for permission, on the click that wants desktop notices. Answers what holds now. */
export async function setNoticePreference(wanted: NoticePreference): Promise<NoticePreference> {
  const allowed = wanted.desktop && (await askForNotices()) === 'granted'
  const next = { sound: wanted.sound, desktop: allowed }
  writeStored(localStorage, preferenceKey, next)
  // The browser tells the other tabs; this one is told here.
  window.dispatchEvent(new StorageEvent('storage', { key: preferenceKey }))
  return next
}

/** One sound and one desktop notice for all tabs, and none for what somebody is looking at. */
export function createNotices({ dealerId, storage, tabs, clock, isOver }: ClientParts, data: ChatData) {
  /** True for the first tab that asks for this message. */
  function claim(messageId: string): boolean {
    const noticed = readStored(storage, noticedKey, isIds) ?? []
    if (noticed.includes(messageId)) return false
    writeStored(storage, noticedKey, [...noticed, messageId].slice(-noticedMax))
    return true
  }

  return ({ chatId, message }: ChatMessageEvent): void => {
    if (message.hidden || message.senderId === dealerId) return
    const { sound, desktop } = readPreference(storage)
    if (!sound && !desktop) return
    clock.after(readGraceMs, () => {
      void tabs.withLock('notice', async () => {
        const chat = data.chat(chatId)
        if (isOver() || chat === undefined || chat.muted || chat.readSeq >= message.seq || !claim(message.id)) return
        if (sound) playSound()
        if (desktop) await showNotice(chat, message.content)
      })
    })
  }
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
