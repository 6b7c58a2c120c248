/** What one tab tells the others of the same dealer. Drafts need no words: localStorage tells them by itself. */
export type TabNews = { dealerId: string } & ({ about: 'read'; chatId: string; seq: number } | { about: 'outbox' })

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('lanewire-messaging') : undefined

export function tellTabs(news: TabNews): void {
  channel?.postMessage(news)
}

/** Answers how to stop listening. */
export function hearTabs(listener: (news: TabNews) => void): () => void {
  const hear = (event: MessageEvent<TabNews>) => listener(event.data)
  channel?.addEventListener('message', hear)
  return () => channel?.removeEventListener('message', hear)
}

/**
 * Runs in one tab at a time; where another tab holds the lock, waits or (`ifFree`) does nothing.
 * Without locks (an insecure page) each tab runs: what it does is safe to do twice.
 */
export async function alone(name: string, work: () => Promise<void>, ifFree = false): Promise<void> {
  if (!('locks' in navigator)) return work()
  await navigator.locks.request(`lanewire-${name}`, { ifAvailable: ifFree }, (lock) => (lock ? work() : undefined))
}
