import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import type { Config } from '#server/config.ts'
import type { SummaryItem, SummaryVehicle } from './summary-text.ts'

const timeoutMs = 20_000
const itemsMax = 8
const textMax = 200

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
 * Asks the configured OpenAI-compatible endpoint to word the summary.
 * @throws when there is no usable answer: the endpoint is away, refuses, or answers something else than the list
 */
export async function summariseByModel(
  ai: NonNullable<Config['ai']>,
  vehicles: readonly SummaryVehicle[],
  facts: readonly SummaryItem[],
): Promise<SummaryItem[]> {
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
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw new Error(`the summary endpoint answered ${response.status}`)
  const completion: unknown = await response.json()
  if (!Value.Check(Completion, completion)) throw new Error('the summary endpoint did not answer a completion')
  return parseItems(completion)
}

function parseItems({ choices }: Static<typeof Completion>): SummaryItem[] {
  const content = choices[0]?.message.content ?? ''
  // Models like to wrap JSON in a code fence.
  const items: unknown = JSON.parse(content.replace(/^\s*```(?:json)?\s*|\s*```\s*$/g, ''))
  if (!Value.Check(Items, items)) throw new Error('the summary is not a list of texts')
  return items.map(({ text }) => ({ text: text.trim() }))
}
