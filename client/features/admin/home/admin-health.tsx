import { useQuery } from '@tanstack/react-query'
import { Dot } from '#client/ui/badge.tsx'
import { healthQuery } from './admin-health.api.ts'

export function AdminHealth() {
  const { data, isError } = useQuery(healthQuery())
  if (data === undefined) return isError ? <Unknown /> : null
  const failing = data.parts.filter(({ ok }) => !ok).map(({ name }) => name)
  return (
    <p role="status" className="inline-flex items-center gap-2 text-ink-2">
      <Dot tone={data.ok ? 'ok' : 'danger'} />
      {data.ok ? 'All services operational' : `Needs attention: ${failing.join(', ')}`}
    </p>
  )
}

const Unknown = () => (
  <p role="status" className="inline-flex items-center gap-2 text-ink-2">
    <Dot tone="warning" />
    Network health could not be loaded
  </p>
)
