import type { Caller } from './app.ts'

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
