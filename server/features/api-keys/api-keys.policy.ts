import type { ApiKeyScope } from '#shared/schemas/api-keys.ts'

/** The five documented endpoints and the least scope that each needs (spec B §7). Keys open nothing else. */
const endpoints = new Map<string, ApiKeyScope>([
  ['GET /api/dealers', 'read'],
  ['POST /api/dealers/connect', 'full'],
  ['GET /api/messages', 'read'],
  ['POST /api/messages', 'full'],
  ['GET /api/deals', 'read'],
])

/** The scope that a route asks of a key; undefined where keys are not accepted. */
export function scopeOf(method: string, route: string | undefined): ApiKeyScope | undefined {
  return endpoints.get(`${method} ${route}`)
}

export function mayCall(scope: ApiKeyScope, needed: ApiKeyScope): boolean {
  return scope === 'full' || needed === 'read'
}
