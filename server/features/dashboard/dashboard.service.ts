import { startConnections } from '#shared/constants/dashboard.ts'
import type { Dashboard, SalesAnalytics, SalesKind, StartSteps } from '#shared/schemas/dashboard.ts'
import { findTimeZone } from '#server/features/dealers/dealers.service.ts'
import { requireEntitlement } from '#server/features/entitlements/entitlements.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { countDashboard, listSales, readStart, sumSales } from './dashboard.repository.ts'

const activityDays = 30
const listedDeals = 20

export async function readDashboard(ctx: Context, actor: Actor): Promise<Dashboard> {
  return countDashboard(ctx.db, actor.dealerId, activityDays)
}

/** Returns null once the dealer has traded or completed all steps. */
export async function readStartSteps(ctx: Context, actor: Actor): Promise<StartSteps> {
  const { traded, ...steps } = await readStart(ctx.db, actor.dealerId)
  const isDone = steps.posted && steps.wanted && steps.connected >= startConnections
  return traded || isDone ? null : steps
}

/** @throws 402 if neither the dealer's plan nor an add-on includes analytics */
export async function readSales(ctx: Context, actor: Actor, kind: SalesKind): Promise<SalesAnalytics> {
  await requireEntitlement(ctx.db, actor.dealerId, 'analytics')
  const timeZone = await findTimeZone(ctx.db, actor.dealerId)
  const [figures, deals] = await Promise.all([
    sumSales(ctx.db, actor.dealerId, kind, timeZone),
    listSales(ctx.db, actor.dealerId, kind, listedDeals),
  ])
  return { ...figures, deals }
}
