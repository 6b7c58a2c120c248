import { reasonOf } from '#client/lib/http/api.ts'
import { hasUnknownType, isFinalRefusal } from '#client/lib/files/upload-file.ts'
import { toast } from '#client/ui/toast-store.ts'
import { attachmentMaxBytes, attachmentNameMax } from '#shared/limits.ts'
import type { PendingUpload } from '../messaging.store.ts'
import type { ClientDependencies } from '../sync/dependencies.ts'

export const attachmentTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'application/pdf']

function nameOf({ name, type }: File): string {
  const whole = type === 'application/pdf' && !/\.pdf$/i.test(name) ? `${name}.pdf` : name
  return whole.slice(-attachmentNameMax)
}

type Parts = Pick<ClientDependencies, 'store' | 'newId' | 'uploadFile'>
type Send = (chatId: string, content: string, attachment: { url: string; name: string }) => void

export function createAttachments({ store, newId, uploadFile }: Parts, send: Send) {
  const files = new Map<string, { file: File; controller: AbortController }>()

  function change(id: string, recipe: (pending: PendingUpload) => void): void {
    store.set((state) => {
      const found = state.uploads.find((one) => one.id === id)
      if (found !== undefined) recipe(found)
    })
  }

  function drop(id: string): void {
    files.get(id)?.controller.abort()
    files.delete(id)
    store.set((state) => {
      state.uploads = state.uploads.filter((pending) => pending.id !== id)
    })
  }

  async function upload(id: string): Promise<void> {
    const held = files.get(id)
    const pending = store.get().uploads.find((one) => one.id === id)
    if (held === undefined || pending === undefined) return
    const onProgress = (share: number) => change(id, (one) => void (one.share = share))
    try {
      const url = await uploadFile(held.file, { kind: 'attachment', onProgress, signal: held.controller.signal })
      drop(id)
      send(pending.chatId, '', { url, name: pending.name })
    } catch (error) {
      // If the upload was canceled, this does nothing, because the upload is no longer listed.
      change(id, (one) => {
        one.failure = reasonOf(error)
        one.isFinal = isFinalRefusal(error)
      })
    }
  }

  return {
    /** Sends the file as a separate message. The upload continues if the window is closed. */
    attach(chatId: string, file: File): void {
      if (!attachmentTypes.includes(file.type) && !hasUnknownType(file))
        return toast({ title: 'Invalid file', description: 'Please select an image or a PDF', variant: 'destructive' })
      if (file.size > attachmentMaxBytes)
        return toast({ title: 'File too large', description: 'Attachments can be up to 10 MB', variant: 'destructive' })
      const id = newId()
      files.set(id, { file, controller: new AbortController() })
      store.set((state) => void state.uploads.push({ id, chatId, name: nameOf(file), share: 0 }))
      void upload(id)
    },
    retryUpload(id: string): void {
      change(id, (pending) => {
        delete pending.failure
        pending.share = 0
      })
      void upload(id)
    },
    dropUpload: drop,
    stop(): void {
      for (const { controller } of files.values()) controller.abort()
      files.clear()
    },
  }
}

export type Attachments = ReturnType<typeof createAttachments>
