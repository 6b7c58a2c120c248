import { updateAttachments } from './features/comments/comments.service.ts'
import { applyAvatar } from './features/dealers/avatar.service.ts'
import { dropPhoto } from './features/posts/posts-changes.service.ts'
import type { OnFinished } from './features/uploads/uploads.jobs.ts'

export const onFinishedUpload: OnFinished[] = [
  async (tx, emit, { kind, objectId, dealerId, error }) => {
    if (kind === 'avatar') await applyAvatar(tx, emit, { objectId, dealerId, error })
  },
  async (tx, emit, { url, error }) => {
    if (error !== null) await dropPhoto(tx, emit, url, error)
  },
  (tx, emit, { objectId }) => updateAttachments(tx, emit, objectId),
]
