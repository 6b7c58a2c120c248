import type { Schedule } from '#server/platform/jobs/jobs.ts'

const turnMs = 4_000

export const demoSchedules: Schedule[] = [
  {
    name: 'demo.direct',
    everyMs: turnMs,
    async run(ctx) {
      if (!ctx.config.demoDirector) return
      // Import it only in a demo, because it includes the dialogs and the vehicle data.
      const { playTurn } = await import('./demo-director.service.ts')
      await playTurn(ctx, turnMs)
    },
  },
]
