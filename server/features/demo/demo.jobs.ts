import type { Schedule } from '#server/platform/jobs.ts'

/** Demo dealers look around this often. */
const turnMs = 4_000

export const demoSchedules: Schedule[] = [
  {
    name: 'demo.direct',
    everyMs: turnMs,
    async run(ctx) {
      if (!ctx.config.demoDirector) return
      // Here and not above: what demo dealers say and drive is loaded only where there is a demo.
      const { playTurn } = await import('./demo-director.service.ts')
      await playTurn(ctx, turnMs)
    },
  },
]
