import type { ErrorBody } from '#shared/errors.ts'
import type { Routes } from '#shared/routes.ts'

/**
 * A refused request. `message` is the documented one: status code, colon, space, body text.
 * `reason` is the sentence in it that a person understands; `ownWords` says whether the server wrote it.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string | undefined
  readonly reason: string
  readonly ownWords: boolean
  readonly details: unknown
  /** How long the server asks to wait before another try. */
  readonly retryAfterMs: number | undefined
  /** From when on a call that was refused for being one of too many would be heard again. */
  readonly retryAt: number | undefined

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`)
    const error = parseError(body)
    this.status = status
    this.code = error?.code
    const words = wordsOf(status, body, error)
    this.ownWords = words !== ''
    this.reason = words || withoutWords(status, statusText)
    this.details = error?.details
    const { retryAfter } = (error?.details ?? {}) as { retryAfter?: number }
    this.retryAfterMs = retryAfter === undefined ? undefined : retryAfter * 1_000
    this.retryAt = status === 429 && this.retryAfterMs !== undefined ? Date.now() + this.retryAfterMs : undefined
  }
}

/** The server's own sentence. What a balancer answers in its place is none: neither its page nor a word of its own. */
function wordsOf(status: number, body: string, error: ErrorBody['error'] | undefined): string {
  if (error !== undefined) return error.message
  return status >= 500 || body.trimStart().startsWith('<') ? '' : body
}

const withoutWords = (status: number, statusText: string): string =>
  status >= 500 ? 'Lanewire cannot answer right now. Try again in a moment.' : statusText

/** The request never got an answer: no connection, or the server is away. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly reason = 'Lanewire could not be reached. Check your connection and try again.'

  constructor(cause: unknown) {
    super('Lanewire could not be reached. Check your connection and try again.', { cause })
  }
}

/** What to show a person for anything that was thrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof NetworkError) return error.reason
  return error instanceof Error ? error.message : 'Something went wrong'
}

/** What a page's address names is not there: gone, another's, or no id of one. */
export const isNotThere = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400)

/** The same where a sentence is documented for what failed: the server's words go before it, a guess of ours does not. */
export function reasonOr(otherwise: string, error: unknown): string {
  return error instanceof ApiError && !error.ownWords ? otherwise : reasonOf(error) || otherwise
}

/** What belongs beside a form's field: the refusal, where it names one of them. */
export function refusedField<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): Partial<Record<Field, string>> {
  const details = error instanceof ApiError ? (error.details as { fields?: string[] } | undefined) : undefined
  // A schema's refusal names them in words: `Zip code` is `zipCode`.
  const key = (name: string) => name.replaceAll(' ', '').toLowerCase()
  const named = details?.fields?.map(key) ?? []
  const field = fields.find((one) => named.includes(key(one)))
  return field === undefined ? {} : ({ [field]: reasonOf(error) } as Partial<Record<Field, string>>)
}

/** The same below a title that says already that Lanewire could not be reached. */
export function remedyOf(error: unknown): string {
  return error instanceof NetworkError ? 'Check your connection and try again.' : reasonOf(error)
}

function parseError(body: string): ErrorBody['error'] | undefined {
  try {
    const { error } = JSON.parse(body) as Partial<ErrorBody>
    if (typeof error?.message === 'string') return error
    // Another version of the server may have no words for what it refuses.
    return typeof error?.code === 'string' ? { ...error, message: '' } : undefined
  } catch {
    return undefined
  }
}

type Segments<Path> = Path extends `${infer First}/${infer Rest}` ? [First, ...Segments<Rest>] : [Path]

/** A word of the route, or any value for its parameter; where `Strict`, a parameter does not take a word of the path. */
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

/** The server's route that a call reaches: first one with the path's words, then one with parameters. `never`: there is none. */
type RouteOf<Method extends string, Path extends string> = Path extends unknown
  ? [RoutesTo<Method, Path, true>] extends [never]
    ? RoutesTo<Method, Path, false>
    : RoutesTo<Method, Path, true>
  : never

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** The path itself, if the server has such a route. */
type Known<Method extends Verb, Path extends string> = [RouteOf<Method, Path>] extends [never] ? never : Path
type BodyOf<Route extends keyof Routes> = Routes[Route] extends { body: infer Body } ? Body : Record<string, never>
type AnswerOf<Route extends keyof Routes> = Routes[Route]['answer']
type RowOf<Answer> = Answer extends (infer Row)[] ? Row : never

/** The address under which a list goes on. It is the server's to make up. */
export type Continuation<Row> = string & { readonly continues?: Row }

interface RequestOptions<Method extends Verb = Verb, Body = unknown> {
  method?: Method
  /** Sent as JSON. */
  body?: Body
  /** Sent as multipart, instead of a body. */
  form?: FormData
  signal?: AbortSignal
  /** The same key makes a repeated write answer as the first did. */
  idempotencyKey?: string
  /** Goes out although the page is being left: for a body of a few kilobytes. */
  keepalive?: boolean
}

function headersOf(body: unknown, idempotencyKey: string | undefined): Headers {
  const headers = new Headers({ accept: 'application/json' })
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (idempotencyKey) headers.set('idempotency-key', idempotencyKey)
  return headers
}

/**
 * Sends cookies and JSON and gives the answer as it came, for its headers.
 * @throws ApiError for any answer that is not ok, NetworkError where there is none.
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

/** One stretch of a list. `next` is the address of what follows. */
export interface Page<Row> {
  rows: Row[]
  total: number
  next: Continuation<Row> | undefined
}

/** A list whose count and continuation are in the headers X-Total-Count and Link (RFC 8288). */
export async function callPage<const Path extends string>(
  path: Path & Known<'GET', Path>,
  signal?: AbortSignal,
): Promise<Page<RowOf<AnswerOf<RouteOf<'GET', Path>>>>> {
  return callNext(path, signal)
}

/** The next stretch of a list, whose address the last one told. */
export async function callNext<Row>(path: Continuation<Row>, signal?: AbortSignal): Promise<Page<Row>> {
  const response = await request(path, signal && { signal })
  const rows = (await response.json()) as Row[]
  return {
    rows,
    total: Number(response.headers.get('x-total-count') ?? rows.length),
    next: /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1],
  }
}

/**
 * The JSON of the answer; `undefined` for an empty one. What is sent and what comes back is what the server's own schemas say
 * of that route: see shared/routes.ts.
 */
export async function call<const Path extends string, Method extends Verb = 'GET'>(
  path: Path & Known<Method, Path>,
  options?: RequestOptions<Method, BodyOf<RouteOf<Method, Path>>>,
): Promise<AnswerOf<RouteOf<Method, Path>>> {
  const text = await (await request(path, options)).text()
  return (text === '' ? undefined : JSON.parse(text)) as AnswerOf<RouteOf<Method, Path>>
}

/** A path with its query; what is undefined or empty is left out. */
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
