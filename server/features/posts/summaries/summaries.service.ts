import Type from 'typebox'
import Value from 'typebox/value'
import type { Config } from '#server/config/config.ts'
import { formatVehicle } from '#shared/format.ts'
import type { MarketPosition } from '#shared/schemas/posts.ts'
import type { Context } from '#server/platform/process/context.ts'
import { requireEntitlement } from '#server/features/entitlements/entitlements.service.ts'
import { countRead } from '#server/platform/http/guards.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { toStorable } from '#server/platform/storable-text.ts'
import { requirePost } from '../posts-changes.service.ts'
import { findSummarySource, listMarket } from './summaries.repository.ts'
import { summarize, type SummaryItem, type SummaryVehicle } from './summary-text.ts'

/** Returns the summary to store: a JSON list of `{text}`, or text from the model. If the model fails, applies fixed rules. */
export async function writeSummary(ctx: Context, postId: string): Promise<string> {
  const { post, vehicles } = (await findSummarySource(ctx.db, postId)) ?? {
    post: { title: '', description: '' },
    vehicles: [],
  }
  const facts = summarize(post, vehicles, ctx.now().getFullYear())
  if (ctx.config.ai === undefined || facts.length === 0) return JSON.stringify(facts)
  try {
    return await summarizeByModel(ctx.config.ai, vehicles, facts)
  } catch (error) {
    ctx.log.warn({ err: error, postId }, 'the summary model failed: using the rules instead')
    return JSON.stringify(facts)
  }
}

const inTenths = 10

/** Empty if too few vehicles are comparable. @throws 404 if the post is hidden; 402 without a plan that includes it; 429 */
export async function readMarket(ctx: Context, actor: Actor, postId: string): Promise<MarketPosition[]> {
  await countRead(ctx, actor, 'market')
  await requireEntitlement(ctx.db, actor.dealerId, 'marketPosition')
  await requirePost(ctx.db, postId)
  const rows = await listMarket(ctx.db, postId, actor.dealerId)
  return rows.map(({ vehicleId, year, make, model, trim, priceCents, averageCents, count, dealers }) => ({
    vehicleId,
    name: formatVehicle({ year, make, model, trim }),
    percent: Math.round((priceCents / averageCents - 1) * 100 * inTenths) / inTenths,
    count,
    dealers,
  }))
}

const itemsMax = 8
const textMax = 200
const rawMax = 1_000

const Items = Type.Array(Type.Object({ text: Type.String({ minLength: 1, maxLength: textMax }) }), {
  maxItems: itemsMax,
})
const Completion = Type.Object({
  choices: Type.Array(Type.Object({ message: Type.Object({ content: Type.String() }) }), { minItems: 1 }),
})

const instructions =
  'You summarize used vehicles for wholesale dealers. Answer with nothing but a JSON list of at most 6 objects ' +
  '{"text": "..."}, each one short sentence. Use only the facts given. Never invent history, condition or options. ' +
  'Leave out name, mileage, price and place: they are shown above the summary.'

/** Returns the JSON list or the model's plain text. @throws if the endpoint is down, slow, refuses, or returns other JSON */
async function summarizeByModel(
  ai: NonNullable<Config['ai']>,
  vehicles: readonly SummaryVehicle[],
  facts: readonly SummaryItem[],
): Promise<string> {
  const response = await fetch(`${ai.baseUrl.replace(/\/$/, '')}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(ai.apiKey !== undefined && { authorization: `Bearer ${ai.apiKey}` }),
    },
    body: JSON.stringify({
      model: ai.model,
      temperature: 0.2,
      messages: [
        { role: 'system', content: instructions },
        { role: 'user', content: JSON.stringify({ vehicles, facts: facts.map(({ text }) => text) }) },
      ],
    }),
    signal: AbortSignal.timeout(ai.timeoutMs),
  })
  if (!response.ok) throw new Error(`the summary endpoint answered ${response.status}`)
  const completion: unknown = await response.json()
  if (!Value.Check(Completion, completion)) throw new Error('the summary endpoint did not answer a completion')
  return readAnswer(toStorable(completion.choices[0]?.message.content ?? ''))
}

function readAnswer(answer: string): string {
  // Models often wrap JSON in a code fence.
  const content = answer.replace(/^\s*```(?:json)?\s*|\s*```\s*$/g, '').trim()
  if (content === '') throw new Error('the summary is empty')
  const items = parsed(content)
  if (items === undefined) return content.slice(0, rawMax)
  if (!Value.Check(Items, items)) throw new Error('the summary is not a list of texts')
  return JSON.stringify(items.map(({ text }) => ({ text: text.trim() })))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
