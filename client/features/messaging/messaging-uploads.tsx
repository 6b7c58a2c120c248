import { CircleAlert, Paperclip, X } from 'lucide-react'
import { useMemo } from 'react'
import { IconButton } from '#client/ui/icon-button.tsx'
import { dropUpload, retryUpload } from './attachments.ts'
import { messagingStore, type PendingUpload } from './messaging.store.ts'

const percent = 100

/** Files of this chat that are on their way up, and those that did not make it. */
export function MessagingUploads({ chatId }: { chatId: string }) {
  const all = messagingStore.use((state) => state.uploads)
  const uploads = useMemo(() => all.filter((one) => one.chatId === chatId), [all, chatId])
  if (uploads.length === 0) return null
  return (
    <ul aria-label="Uploads" className="max-h-24 flex-none overflow-y-auto border-t border-line px-3 py-1 text-xs">
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} />
      ))}
    </ul>
  )
}

function UploadRow({ upload: { id, name, share, failure } }: { upload: PendingUpload }) {
  const failed = failure !== undefined
  const Icon = failed ? CircleAlert : Paperclip
  return (
    <li className={failed ? 'text-danger-ink' : 'text-ink-2'}>
      <p className="flex items-center gap-2">
        <Icon size={14} aria-hidden="true" className="flex-none" />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {failed ? (
          <button
            type="button"
            onClick={() => retryUpload(id)}
            className="rounded-sm font-semibold underline underline-offset-2 max-md:min-h-11 touch:min-h-11"
          >
            Retry
          </button>
        ) : (
          <span className="num">{Math.round(share * percent)} %</span>
        )}
        <IconButton size="sm" label={`Remove ${name}`} icon={<X size={14} />} onClick={() => dropUpload(id)} />
      </p>
      {failed ? <p role="alert">Not uploaded. {failure}</p> : null}
    </li>
  )
}
