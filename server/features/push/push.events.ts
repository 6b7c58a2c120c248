import type { NoticeSource, PushSource } from './push.policy.ts'

export interface PushJobs {
  /** Sends a notice to the dealer's devices. `late`: the push has already waited once because the dealer was active. */
  'push.notice': NoticeSource & { late: boolean }
  /** Sends the unread messages of a chat to the dealer's devices. There is one job per chat and dealer. */
  'push.chat': { chatId: string; dealerId: string; late: boolean }
  /**
   * Sends a push to one device. `host`: the device's push service. `quiet`: without a sound. `untilMs`: Unix time in milliseconds when
   * retries stop; absent on the first attempt.
   */
  'push.deliver': {
    deviceId: string
    host: string
    source: PushSource
    quiet: boolean
    attempt: number
    untilMs?: number
  }
}
