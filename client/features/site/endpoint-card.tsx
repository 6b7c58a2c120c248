import { type ApiEndpoint } from '#client/content/api-docs.ts'
import { Badge } from '#client/ui/badge.tsx'

export function EndpointCard({ endpoint }: { endpoint: ApiEndpoint }) {
  return (
    <article className="rounded-md border border-line bg-surface p-5 max-md:p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={endpoint.method === 'GET' ? 'success' : 'accent'}>{endpoint.method}</Badge>
        <code className="font-mono text-sm font-semibold">{endpoint.path}</code>
        <span className="text-ink-3">{endpoint.scope === 'read' ? 'read-only or full key' : 'full key'}</span>
      </div>
      <h3 className="mt-2 text-md font-semibold">{endpoint.title}</h3>
      <p className="text-base text-ink-2">{endpoint.text}</p>
      {endpoint.query ? (
        <dl className="mt-3 space-y-1">
          {endpoint.query.map(({ name, text }) => (
            <div key={name} className="gap-3 sm:grid sm:grid-cols-[8.75rem_1fr]">
              <dt className="font-mono text-xs leading-5">{name}</dt>
              <dd className="text-ink-2">{text}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <div className="mt-3 grid gap-3 lg:grid-cols-2">
        <Sample label="Request" text={requestText(endpoint)} />
        <Sample label="Response" text={endpoint.answer} />
      </div>
    </article>
  )
}

function requestText({ method, path, body }: ApiEndpoint): string {
  const lines = [`curl -X ${method} https://…${path} \\`, `  -H 'Authorization: Bearer lw_live_…'`]
  if (body === undefined) return lines.join('\n')
  return [
    ...lines.map((line, place) => (place === 1 ? `${line} \\` : line)),
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n')
}

function Sample({ label, text }: { label: string; text: string }) {
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 text-xs font-semibold text-ink-2">{label}</figcaption>
      <pre
        tabIndex={0}
        aria-label={label}
        className="overflow-x-auto rounded-md border border-line bg-sunken px-4 py-3 font-mono text-xs leading-5"
      >
        {text}
      </pre>
    </figure>
  )
}
