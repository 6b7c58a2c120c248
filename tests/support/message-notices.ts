import type { BrowserContext } from 'playwright-core'

declare global {
  interface Window {
    noticed: (what: 'sound' | 'desktop' | 'asked') => void
  }
}

/** Counts sounds, desktop notifications and permission requests in all tabs. Call it before opening a page. */
export async function countNotices(context: BrowserContext) {
  const counts = { asked: 0, sound: 0, desktop: 0 }
  await context.exposeFunction('noticed', (what: keyof typeof counts) => void (counts[what] += 1))
  await context.addInitScript(() => {
    window.OscillatorNode = class extends OscillatorNode {
      constructor(audio: BaseAudioContext, options?: OscillatorOptions) {
        super(audio, options)
        // A sound has two notes. Count only the higher one.
        if (options?.frequency === 660) window.noticed('sound')
      }
    }
    const page: { Notification: unknown } = window
    // Assign the class to a property so that it stays anonymous: the compiler's name helper does not exist in the page.
    page.Notification = class extends EventTarget {
      static readonly permission = 'granted'
      static async requestPermission() {
        window.noticed('asked')
        return 'granted'
      }
      constructor() {
        super()
        window.noticed('desktop')
      }
      close() {}
    }
  })
  return counts
}
