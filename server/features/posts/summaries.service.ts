import Type from 'typebox'
import Value from 'typebox/value'
import type { Config } from '#server/config.ts'
import type { Context } from '#server/platform/context.ts'
import { toStorable } from '#server/platform/storable.ts'
import { listVehiclesWithMarket } from './summaries.repository.ts'
import { comparablesMin, summarise, type SummaryItem, type SummaryVehicle } from './summary-text.ts'

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
  'You summarise used vehicles for wholesale dealers. Answer with nothing but a JSON list of at most 6 objects ' +
  '{"text": "..."}, each one short sentence. Use only the facts given. Never invent history, condition or options.'

/**
 * Asks the configured OpenAI-compatible endpoint to word the summary. Answers what is stored: the JSON list, or the
 * model's plain text, which is shown raw.
 * @throws when there is no usable answer: the endpoint is away, slow, refuses, or answers JSON of another shape
 */
async function summariseByModel(
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
  // Models like to wrap JSON in a code fence.
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
