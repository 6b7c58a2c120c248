import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { formatDate } from '#client/ui/format.ts'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import type { ApiKey } from '#shared/schemas/account.ts'

export function ApiKeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  return (
    <li className="flex items-center gap-3 py-2">
      <ApiKeyFacts apiKey={apiKey} />
      <Button size="sm" variant="danger-ghost" aria-label={`Revoke ${apiKey.name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  )
}

export function ApiKeyFacts({ apiKey }: { apiKey: ApiKey }) {
  return (
    <div className="min-w-0 flex-1">
      <p className="flex items-center gap-2">
        <span className="truncate font-semibold">{apiKey.name}</span>
        <Badge tone={apiKey.scope === 'full' ? 'warning' : 'neutral'}>
          {apiKey.scope === 'full' ? 'Full' : 'Read only'}
        </Badge>
      </p>
      <p className="text-xs text-ink-2">
        <code className="font-mono">{apiKey.prefix}…</code>
        <DotSeparator />
        created {formatDate(apiKey.createdAt)}
        <DotSeparator />
        {apiKey.lastUsedAt ? (
          <>
            last used <RelativeTime iso={apiKey.lastUsedAt} />
          </>
        ) : (
          'never used'
        )}
      </p>
    </div>
  )
}
