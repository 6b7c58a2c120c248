import type { Context } from '#server/platform/context.ts'
import { listVehiclesWithMarket } from './summaries.repository.ts'
import { summariseByModel } from './summary-model.ts'
import { comparablesMin, summarise } from './summary-text.ts'

/**
 * The AI summary of a post as it is stored: a JSON list of `{text}`, empty without vehicles. A configured
 * model words it, in plain text if it must; when the model is away, slow or answers JSON of another shape, the rules do.
 */
export async function writeSummary(ctx: Context, postId: string): Promise<string> {
  const vehicles = await listVehiclesWithMarket(ctx.db, postId, comparablesMin)
  const facts = summarise(vehicles, ctx.now().getFullYear())
  if (ctx.config.ai === undefined || facts.length === 0) return JSON.stringify(facts)
  try {
    return await summariseByModel(ctx.config.ai, vehicles, facts)
  } catch (error) {
    ctx.log.warn({ err: error, postId }, 'the summary model gave no usable answer: the rules wrote it')
    return JSON.stringify(facts)
  }
}
