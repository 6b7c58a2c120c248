import type { ErrorBody } from '#shared/errors.ts'
import type { Routes } from '#shared/routes.ts'

/**
 * An HTTP error response. `message` has the documented format: status code, colon, space, body.
 * `reason` is the sentence to show to the user. `ownWords` is true if our server wrote it.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string | undefined
  readonly reason: string
  readonly ownWords: boolean
  readonly details: unknown
  readonly retryAfterMs: number | undefined
  /** Earliest time for a retry of a rate-limited request, in epoch milliseconds. */
  readonly retryAt: number | undefined

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`)
    const error = parseError(body)
    this.status = status
    this.code = error?.code
    const words = wordsOf(status, body, error)
    this.ownWords = words !== ''
    this.reason = words || fallbackMessage(status, statusText)
    this.details = error?.details
    const { retryAfter } = (error?.details ?? {}) as { retryAfter?: number }
    this.retryAfterMs = retryAfter === undefined ? undefined : retryAfter * 1_000
    this.retryAt = status === 429 && this.retryAfterMs !== undefined ? Date.now() + this.retryAfterMs : undefined
  }
}

/** Returns the server's message. Returns '' for a load balancer's error, whose text or HTML page must not be shown. */
function wordsOf(status: number, body: string, error: ErrorBody['error'] | undefined): string {
  if (error !== undefined) return error.message
  return status >= 500 || body.trimStart().startsWith('<') ? '' : body
}

const fallbackMessage = (status: number, statusText: string): string =>
  status >= 500 ? 'Lanewire is not responding right now. Try again in a moment.' : statusText

/** Thrown if there was no response, because the network or the server is down. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly reason = 'Lanewire could not be reached. Check your connection and try again.'

  constructor(cause: unknown) {
    super('Lanewire could not be reached. Check your connection and try again.', { cause })
  }
}

/** Returns the sentence to show to the user for a thrown value. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof NetworkError) return error.reason
  return error instanceof Error ? error.message : 'Something went wrong'
}

/** True if the resource in the page's URL does not exist, is hidden from the dealer, or has an invalid id. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400)

export function reasonOr(otherwise: string, error: unknown): string {
  return error instanceof ApiError && !error.ownWords ? otherwise : reasonOf(error) || otherwise
}

/** Returns the error message under the name of the form field that it is about, or `{}` if it is about none of `fields`. */
export function refusedField<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): Partial<Record<Field, string>> {
  const details = error instanceof ApiError ? (error.details as { fields?: string[] } | undefined) : undefined
  const key = (name: string) => name.replaceAll(' ', '').toLowerCase()
  const named = details?.fields?.map(key) ?? []
  const field = fields.find((one) => named.includes(key(one)))
  return field === undefined ? {} : ({ [field]: reasonOf(error) } as Partial<Record<Field, string>>)
}

/** Like `reasonOf`, but shorter for a network error, below a title that already says that Lanewire could not be reached. */
export function shortReasonOf(error: unknown): string {
  return error instanceof NetworkError ? 'Check your connection and try again.' : reasonOf(error)
}

function parseError(body: string): ErrorBody['error'] | undefined {
  try {
    const { error } = JSON.parse(body) as Partial<ErrorBody>
    if (typeof error?.message === 'string') return error
    // A server of another version may send an error code without a message.
    return typeof error?.code === 'string' ? { ...error, message: '' } : undefined
  } catch {
    return undefined
  }
}

type Segments<Path> = Path extends `${infer First}/${infer Rest}` ? [First, ...Segments<Rest>] : [Path]

/** True if a path segment matches. If `Strict`, a `:parameter` matches only an interpolated value, not a literal. */
type Meets<Segment, Named, Strict> = Named extends `:${string}`
  ? Strict extends true
    ? string extends Segment
      ? true
      : false
    : true
  : Segment extends Named
    ? true
    : false

type LeadsTo<Path extends unknown[], Route extends unknown[], Strict> = Path extends [infer Segment, ...infer PathRest]
  ? Route extends [infer Named, ...infer RouteRest]
    ? Meets<Segment, Named, Strict> extends true
      ? LeadsTo<PathRest, RouteRest, Strict>
      : false
    : false
  : Route extends []
    ? true
    : false

type RoutesTo<Method extends string, Path extends string, Strict> = {
  [Route in keyof Routes]: Route extends `${Method} ${infer To}`
    ? LeadsTo<Segments<Path>, Segments<To>, Strict> extends true
      ? Route
      : never
    : never
}[keyof Routes]

/** The server's route for a path, or `never`. Routes with literal segments take precedence over routes with parameters. */
type RouteOf<Method extends string, Path extends string> = Path extends unknown
  ? [RoutesTo<Method, Path, true>] extends [never]
    ? RoutesTo<Method, Path, false>
    : RoutesTo<Method, Path, true>
  : never

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Known<Method extends Verb, Path extends string> = [RouteOf<Method, Path>] extends [never] ? never : Path
type BodyOf<Route extends keyof Routes> = Routes[Route] extends { body: infer Body } ? Body : Record<string, never>
type AnswerOf<Route extends keyof Routes> = Routes[Route]['answer']
type RowOf<Answer> = Answer extends (infer Row)[] ? Row : never

/** The URL of a list's next page. Treat it as opaque, because only the server builds it. */
export type Continuation<Row> = string & { readonly continues?: Row }

interface RequestOptions<Method extends Verb = Verb, Body = unknown> {
  method?: Method
  body?: Body
  form?: FormData
  signal?: AbortSignal
  /** If a write is repeated with the same key, the server repeats its first response. */
  idempotencyKey?: string
  /** Lets the request finish after the page was closed. Browsers limit the body of such a request to some kilobytes. */
  keepalive?: boolean
}

function headersOf(body: unknown, idempotencyKey: string | undefined): Headers {
  const headers = new Headers({ accept: 'application/json' })
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (idempotencyKey) headers.set('idempotency-key', idempotencyKey)
  return headers
}

/**
 * Sends a request with cookies and a JSON body. Returns the raw response, for callers that need its headers.
 * @throws ApiError if the response is an error, NetworkError if there is no response
 */
export async function request(
  path: string,
  { method = 'GET', body, form, signal, idempotencyKey, keepalive }: RequestOptions = {},
) {
  let response: Response
  try {
    response = await fetch(path, {
      method,
      headers: headersOf(body, idempotencyKey),
      credentials: 'include',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(form && { body: form }),
      ...(signal && { signal }),
      ...(keepalive && { keepalive }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new NetworkError(error)
  }
  if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text())
  return response
}

export interface Page<Row> {
  rows: Row[]
  total: number
  next: Continuation<Row> | undefined
}

/** Fetches a page of a list. The headers X-Total-Count and Link (RFC 8288) contain the total and the next page's URL. */
export async function callPage<const Path extends string>(
  path: Path & Known<'GET', Path>,
  signal?: AbortSignal,
): Promise<Page<RowOf<AnswerOf<RouteOf<'GET', Path>>>>> {
  return callNext(path, signal)
}

export async function callNext<Row>(path: Continuation<Row>, signal?: AbortSignal): Promise<Page<Row>> {
  const response = await request(path, signal && { signal })
  const rows = (await response.json()) as Row[]
  return {
    rows,
    total: Number(response.headers.get('x-total-count') ?? rows.length),
    next: /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1],
  }
}

/** Sends a request. Returns the parsed JSON, or undefined if the response has no body. The types come from shared/routes.ts. */
export async function call<const Path extends string, Method extends Verb = 'GET'>(
  path: Path & Known<Method, Path>,
  options?: RequestOptions<Method, BodyOf<RouteOf<Method, Path>>>,
): Promise<AnswerOf<RouteOf<Method, Path>>> {
  const text = await (await request(path, options)).text()
  return (text === '' ? undefined : JSON.parse(text)) as AnswerOf<RouteOf<Method, Path>>
}

/** Adds query parameters to a path, except undefined and empty ones. */
export function withQuery<const Path extends string>(
  path: Path,
  query: Record<string, string | number | undefined>,
): Path {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') params.set(name, String(value))
  }
  return (params.size > 0 ? `${path}?${params}` : path) as Path
}
