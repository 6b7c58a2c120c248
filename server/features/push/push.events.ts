import type { NoticeSource, PushSource } from './push.policy.ts'

export interface PushJobs {
  /** `late`: the push has already waited once, because the dealer was active. */
  'push.notice': NoticeSource & { late: boolean }
  /** There is one job per chat and dealer. */
  'push.chat': { chatId: string; dealerId: string; late: boolean }
  /** `quiet`: without a sound. `untilMs`: when retries stop, as Unix milliseconds; absent on the first attempt. */
  'push.deliver': {
    deviceId: string
    host: string
    source: PushSource
    quiet: boolean
    attempt: number
    untilMs?: number
  }
}
