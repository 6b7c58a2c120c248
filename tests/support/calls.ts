import type { Caller } from './app.ts'

interface WithComponents {
  components?: { schemas?: Record<string, object> }
}

/** The document with every reference to a schema replaced by what it refers to. */
export function writtenOut<Document extends object>(document: Document): Document {
  const { components } = document as WithComponents
  const write = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(write)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, allOf, nullable } = value as { $ref?: string; allOf?: unknown[]; nullable?: boolean }
    const named = $ref === undefined ? undefined : components?.schemas?.[$ref.split('/').at(-1) ?? '']
    if (named !== undefined) return write(named)
    // A schema with a name that may be null is wrapped.
    if (nullable === true && allOf?.length === 1) return { ...(write(allOf[0]) as object), nullable }
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, write(part)]))
  }
  return write(document) as Document
}

/** What stands where a path has a parameter. */
const anyId = '01890a5d-ac96-774b-bcce-b302099a8057'

interface Documented {
  paths: Record<string, Record<string, unknown>>
}

export interface DocumentedCall {
  /** `POST /api/dealers/{id}/connect` */
  name: string
  method: string
  /** With its parameters filled in. */
  path: string
}

/** Every call that the server documents, and so every one that it has. */
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
