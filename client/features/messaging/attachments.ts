import { reasonOf } from '#client/lib/api.ts'
import { newId } from '#client/lib/new-id.ts'
import { uploadFile } from '#client/lib/upload.ts'
import { toast } from '#client/ui/toast-store.ts'
import { attachmentMaxBytes, attachmentNameMax } from '#shared/limits.ts'
import { send } from './messaging.outbox.ts'
import { messagingStore, type PendingUpload } from './messaging.store.ts'

export const attachmentTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'application/pdf']

/** A document is known by the end of its name, wherever it is shown. */
function nameOf({ name, type }: File): string {
  const whole = type === 'application/pdf' && !/\.pdf$/i.test(name) ? `${name}.pdf` : name
  return whole.slice(-attachmentNameMax)
}

/** What the store cannot hold: the file itself, and how to stop its upload. */
const files = new Map<string, { file: File; controller: AbortController }>()

/** Uploads a file and sends it as a message of its own. It goes on while the window is closed. */
export function attach(chatId: string, file: File): void {
  if (!attachmentTypes.includes(file.type))
    return toast({ title: 'Invalid file', description: 'Please select an image or a PDF', variant: 'destructive' })
  if (file.size > attachmentMaxBytes)
    return toast({ title: 'File too large', description: 'Attachments are 10 MB at most', variant: 'destructive' })
  const id = newId()
  files.set(id, { file, controller: new AbortController() })
  messagingStore.set((state) => void state.uploads.push({ id, chatId, name: nameOf(file), share: 0 }))
  void upload(id)
}

export function retryUpload(id: string): void {
  change(id, (pending) => {
    delete pending.failure
    pending.share = 0
  })
  void upload(id)
}

/** Stops it, or takes away what failed. */
export function dropUpload(id: string): void {
  files.get(id)?.controller.abort()
  files.delete(id)
  messagingStore.set((state) => {
    state.uploads = state.uploads.filter((pending) => pending.id !== id)
  })
}

async function upload(id: string): Promise<void> {
  const held = files.get(id)
  const pending = messagingStore.get().uploads.find((one) => one.id === id)
  if (held === undefined || pending === undefined) return
  const onProgress = (share: number) => change(id, (one) => void (one.share = share))
  try {
    const url = await uploadFile(held.file, { kind: 'attachment', onProgress, signal: held.controller.signal })
    dropUpload(id)
    send(pending.chatId, '', { url, name: pending.name })
  } catch (error) {
    // Of one that was stopped nothing is left to change.
    change(id, (one) => void (one.failure = reasonOf(error)))
  }
}

function change(id: string, recipe: (pending: PendingUpload) => void): void {
  messagingStore.set((state) => {
    const found = state.uploads.find((one) => one.id === id)
    if (found !== undefined) recipe(found)
  })
}
