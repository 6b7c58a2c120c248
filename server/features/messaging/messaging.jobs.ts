import { AppError } from '#server/errors.ts'
import type { JobHandlers } from '#server/platform/jobs/jobs.ts'
import type { ChatJobs } from './messaging.events.ts'
import { advanceRead } from './chat-members.repository.ts'
import { demoAnswer, replyDue } from './replies-demo.service.ts'
import { listBeforeSeq } from './messages.repository.ts'
import { storeMessage } from './messages.service.ts'

const newest = Number.MAX_SAFE_INTEGER

export const chatsJobs: JobHandlers<ChatJobs> = {
  'chat.demoTyping': {
    queue: 'default',
    async handle(ctx, { chatId, dealerId }, run) {
      // Publish the typing event first. It is volatile, so it would be dropped while another event, such as `chat.read`, is being sent.
      ctx.bus.publish('chat.typing', { chatId, dealerId })
      const read = await advanceRead(ctx.db, dealerId, chatId, newest)
      if (read !== undefined)
        ctx.bus.publish('chat.read', {
          chatId,
          dealerId,
          seq: read.seq,
          otherId: read.receipts ? read.otherId : undefined,
        })
      await run.complete(async (_tx, emit) => {
        await emit.job('chat.demoReply', { chatId, dealerId }, { uniqueKey: chatId, ...replyDue() })
      })
    },
  },
  'chat.demoReply': {
    queue: 'default',
    async handle(ctx, { chatId, dealerId }, run) {
      const [last] = await listBeforeSeq(ctx.db, chatId, newest, 1)
      if (last === undefined || last.senderId === dealerId) return
      // The job's id is the idempotency key, so a retry does not send a second answer.
      const answer = {
        chatId,
        senderId: dealerId,
        clientId: run.id,
        content: demoAnswer(last.content, last.seq),
        attachmentUrl: null,
        attachmentName: null,
        postId: null,
      }
      await storeMessage(ctx, answer).catch((error: unknown) => {
        // The chat was blocked or a dealer was deleted, so no answer can be sent.
        if (!(error instanceof AppError)) throw error
      })
    },
  },
}
