import { statusServices } from '#client/content/status.ts'
import { Badge, type BadgeTone } from '#client/ui/badge.tsx'
import { formatTime, nounOf } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import type { ServiceState, ServiceStatus, StatusDay } from '#shared/schemas/ops.ts'
import { loadStatus } from './site.api.ts'
import { useLoad } from './use-load.ts'

const refreshMs = 30_000

const states: Record<ServiceState, { label: string; tone: BadgeTone }> = {
  operational: { label: 'Operational', tone: 'success' },
  degraded: { label: 'Degraded', tone: 'warning' },
  down: { label: 'Down', tone: 'danger' },
  unknown: { label: 'Unknown', tone: 'neutral' },
}

export function StatusBoard({ demo }: { demo: boolean }) {
  const report = useLoad(loadStatus, refreshMs)
  const services = report.data?.services
  return (
    <div className="space-y-4">
      <StatusHeadline services={services} checkedAt={report.data?.checkedAt} failed={report.error !== undefined} />
      {report.error ? (
        <InlineError title="The current status could not be loaded" message={report.error} onRetry={report.retry} />
      ) : null}
      <ul className="divide-y divide-line rounded-md border border-line bg-surface shadow-1">
        {statusServices.map((service) => {
          const measured = services?.find(({ key }) => key === service.key)
          return (
            <li key={service.key} className="grid gap-x-6 gap-y-2 px-5 py-4 max-md:px-4 md:grid-cols-[1fr_auto]">
              <div>
                <h3 className="text-base font-semibold">{service.name}</h3>
                <p className="text-ink-2">{service.about}</p>
              </div>
              <ServiceFigures measured={measured} sampleUptime={demo ? service.documentedUptime : null} />
              {measured ? <DayBars days={measured.days} name={service.name} /> : <div className="h-6 md:col-span-2" />}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface HeadlineProps {
  services: readonly ServiceStatus[] | undefined
  checkedAt: string | undefined
  failed: boolean
}

function overall(services: readonly ServiceStatus[]): string {
  const troubled = services.filter(({ state }) => state === 'degraded' || state === 'down').length
  if (troubled > 0) return `${troubled} of ${services.length} services ${nounOf(troubled, 'has', 'have')} a problem`
  const silent = services.some(({ state }) => state === 'unknown')
  return silent ? 'Waiting for the first checks' : 'All systems operational'
}

function StatusHeadline({ services, checkedAt, failed }: HeadlineProps) {
  const unknown = failed ? 'Status unknown' : 'Checking…'
  return (
    <div role="status" className="flex min-h-7 flex-wrap items-baseline justify-between gap-2">
      <h2 className="text-lg font-semibold tracking-lg">{services ? overall(services) : unknown}</h2>
      {checkedAt ? <p className="num text-ink-2">Checked at {formatTime(checkedAt)}</p> : null}
    </div>
  )
}

function ServiceFigures({
  measured,
  sampleUptime,
}: {
  measured: ServiceStatus | undefined
  sampleUptime: number | null
}) {
  const state = states[measured?.state ?? 'unknown']
  const uptime = measured?.uptime ?? sampleUptime
  return (
    <p className="flex min-h-5 items-center gap-4">
      <span className="num text-ink-2">{uptime === null ? 'No checks yet' : `${uptime.toFixed(2)}% uptime`}</span>
      <Badge tone={state.tone}>{state.label}</Badge>
    </p>
  )
}

function dayTone(uptime: number | null): string {
  if (uptime === null) return 'bg-pressed'
  if (uptime >= 99.5) return 'bg-success dark:bg-success-ink'
  return uptime >= 95 ? 'bg-warning dark:bg-warning-ink' : 'bg-danger dark:bg-danger-ink'
}

function DayBars({ days, name }: { days: readonly StatusDay[]; name: string }) {
  const recorded = days.filter(({ uptime }) => uptime !== null)
  const worst = Math.min(...recorded.map(({ uptime }) => uptime ?? 100))
  const summary =
    recorded.length === 0
      ? `${name}: nothing recorded yet`
      : `${name}: ${recorded.length} of the last ${days.length} days recorded, lowest uptime ${worst.toFixed(2)}%`
  return (
    <div role="img" aria-label={summary} className="flex h-6 gap-0.5 md:col-span-2">
      {days.map(({ day, uptime }) => (
        <span
          key={day}
          title={uptime === null ? `${day}: no checks` : `${day}: ${uptime.toFixed(2)}%`}
          className={`min-w-0 flex-1 rounded-sm ${dayTone(uptime)}`}
        />
      ))}
    </div>
  )
}
