import '#tests/support/dom.ts'
import t from 'tap'
import { createAttachments } from '#client/features/messaging/thread/attachments.ts'
import { messagingStore } from '#client/features/messaging/messaging.store.ts'
import { ApiError } from '#client/lib/http/api.ts'
import { until } from '#tests/support/wait.ts'

t.test('offers another try of an upload that failed, but not of a file that is too large', async (t) => {
  const refusals = [new ApiError(413, '', 'This picture has 61 megapixels. The limit is 60'), new ApiError(503, '', '')]
  const attachments = createAttachments(
    {
      store: messagingStore,
      newId: () => `upload-${refusals.length}`,
      uploadFile: () => Promise.reject(refusals.shift() ?? new Error('no more')),
    },
    () => t.fail('nothing is sent'),
  )
  for (const name of ['wide.jpg', 'fine.jpg']) attachments.attach('chat', new File(['x'], name, { type: 'image/jpeg' }))
  const failed = () => messagingStore.get().uploads.filter(({ failure }) => failure !== undefined)
  await until('both failures', () => (failed().length === 2 ? true : undefined))
  t.match(failed(), [
    { name: 'wide.jpg', failure: /61 megapixels/, isFinal: true },
    { name: 'fine.jpg', failure: String, isFinal: false },
  ])
})
