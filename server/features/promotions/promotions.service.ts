import type { Promotion, PromotionAudience, PromotionChange, PromotionInput } from '#shared/schemas/promotions.ts'
import { isBlank } from '#shared/visible-text.ts'
import { badRequest, notFound } from '#server/errors.ts'
import { type Act, difference, recordAct, type By } from '#server/features/audit/audit.service.ts'
import { mySubscription } from '#server/features/billing/billing.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { stated } from '#server/platform/http/request-fields.ts'
import type { Actor } from '#server/platform/session/session.ts'
import {
  insertPromotion,
  listRunning,
  lockPromotion,
  removePromotion,
  updatePromotion,
} from './promotions.repository.ts'

/** Enterprise includes Premium, so dealers with Enterprise see Premium's promotions. */
function audiencesOf(planId: string | undefined): PromotionAudience[] {
  if (planId === undefined) return ['all']
  return planId === 'basic' ? ['all', 'basic'] : ['all', 'premium']
}

export async function runningPromotions(ctx: Context, actor: Actor): Promise<Promotion[]> {
  // While billing is off, nobody has a plan, so promotions for a plan do not apply.
  if (!ctx.config.billing) return listRunning(ctx.db, ['all'])
  const { subscription } = await mySubscription(ctx, actor.dealerId)
  return listRunning(ctx.db, audiencesOf(subscription?.plan.id))
}

function assertAudience({ config }: Context, audience: PromotionAudience | undefined): void {
  if (config.billing || audience === undefined || audience === 'all') return
  throw badRequest('This network has no paid plans, so promotions are for everyone', { fields: ['targetAudience'] })
}

function assertOrder({ startDate, endDate }: Pick<PromotionInput, 'startDate' | 'endDate'>): void {
  if (endDate < startDate) throw badRequest('The end date is before the start date', { fields: ['endDate'] })
}

function assertWords({ title, message }: { title?: string; message?: string }): void {
  if (title !== undefined && isBlank(title)) throw badRequest('Title is required', { fields: ['title'] })
  if (message !== undefined && isBlank(message)) throw badRequest('Message is required', { fields: ['message'] })
}

const asSubject = ({ id, title }: Promotion): Act['subject'] => ({ kind: 'promotion', id, name: title })

/** Creates a promotion. An announcement is stored as a promotion, too; only its audit entry differs. */
export async function createPromotion(
  ctx: Context,
  by: By,
  input: PromotionInput,
  action: Act['action'] = 'promotion.create',
): Promise<Promotion> {
  assertOrder(input)
  assertWords(input)
  assertAudience(ctx, input.targetAudience)
  return ctx.transact(async (tx, emit) => {
    const promotion = await insertPromotion(tx, input)
    await recordAct(tx, by, { action, subject: asSubject(promotion), after: promotion })
    emit('promotions.changed', { promotionId: promotion.id })
    return promotion
  })
}

function actionOf(isActive: boolean | undefined): Act['action'] {
  if (isActive === undefined) return 'promotion.edit'
  return isActive ? 'promotion.activate' : 'promotion.pause'
}

export async function changePromotion(ctx: Context, by: By, id: string, input: PromotionChange): Promise<Promotion> {
  assertWords(input)
  assertAudience(ctx, input.targetAudience)
  const { title, message, type, targetAudience, startDate, endDate, isActive } = input
  const wanted = stated({ title, message, type, targetAudience, startDate, endDate, isActive })
  return ctx.transact(async (tx, emit) => {
    const promotion = await lockPromotion(tx, id)
    if (!promotion) throw notFound('This promotion')
    assertOrder({ ...promotion, ...wanted })
    const { before, after, changed } = difference(promotion, wanted)
    if (!changed) return promotion
    await recordAct(tx, by, { action: actionOf(isActive), subject: asSubject(promotion), before, after })
    emit('promotions.changed', { promotionId: id })
    return updatePromotion(tx, id, wanted)
  })
}

export async function deletePromotion(ctx: Context, by: By, id: string): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    const promotion = await lockPromotion(tx, id)
    if (!promotion) throw notFound('This promotion')
    await removePromotion(tx, id)
    await recordAct(tx, by, { action: 'promotion.delete', subject: asSubject(promotion), before: promotion })
    emit('promotions.changed', { promotionId: id })
  })
}
