import type { DemoSteps } from '#shared/schemas/demo.ts'
import { opsEmail } from '#server/features/auth/demo-accounts.ts'
import { notFound } from '#server/errors.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { findSteps } from './demo-steps.repository.ts'

/** Returns the steps that the visitor has tried since signing in. Null for an account without steps. @throws 404 if `DEMO` is off */
export async function demoSteps(ctx: Context, actor: Actor): Promise<DemoSteps | null> {
  if (!ctx.config.demo) throw notFound()
  const found = await findSteps(ctx.db, actor.dealerId, Buffer.from(actor.sessionId, 'hex'))
  if (found === undefined) return null
  const { secondId, secondName, secondEmail, ...done } = found
  return { ...done, second: { id: secondId, name: secondName, email: secondEmail }, ops: opsEmail }
}
