import type { Caller } from './app.ts'

interface WithComponents {
  components?: { schemas?: Record<string, object> }
}

export function writtenOut<Document extends object>(document: Document): Document {
  const { components } = document as WithComponents
  const write = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(write)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, allOf, nullable } = value as { $ref?: string; allOf?: unknown[]; nullable?: boolean }
    const named = $ref === undefined ? undefined : components?.schemas?.[$ref.split('/').at(-1) ?? '']
    if (named !== undefined) return write(named)
    // The API description wraps a nullable reference in allOf.
    if (nullable === true && allOf?.length === 1) return { ...(write(allOf[0]) as object), nullable }
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, write(part)]))
  }
  return write(document) as Document
}

const anyId = '01890a5d-ac96-774b-bcce-b302099a8057'

interface Documented {
  paths: Record<string, Record<string, unknown>>
}

export interface DocumentedCall {
  name: string
  method: string
  path: string
}

export async function listCalls(reader: Caller): Promise<DocumentedCall[]> {
  const { body } = await reader.get<Documented>('/api/docs/json')
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path: path.replaceAll(/\{[^}]+\}/g, anyId),
    })),
  )
}
