import type { SessionInfo } from '#shared/schemas/account.ts'
import { Badge } from '#client/ui/badge.tsx'
import { browserName } from '#client/ui/browser-name.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { formatDateTime } from '#client/ui/format.ts'
import { useListFocus } from '#client/ui/list-focus.ts'
import { toast } from '#client/ui/toast-store.ts'
import { useRevokeSession } from '../auth.api.ts'

export function SessionList({ sessions }: { sessions: readonly SessionInfo[] }) {
  const revoke = useRevokeSession()
  const end = (id: string) =>
    revoke.mutate(id, {
      onSuccess: () =>
        toast(
          id === 'others'
            ? { title: 'Sessions Ended', description: 'All other browsers have been signed out.' }
            : { title: 'Session Ended', description: 'That browser has been signed out.' },
        ),
    })
  return (
    <Card aria-label="Sessions">
      <CardHeader title="Sessions">
        {sessions.length > 1 ? (
          <Button
            size="sm"
            variant="danger-ghost"
            busy={revoke.isPending && revoke.variables === 'others'}
            onClick={() => end('others')}
          >
            Sign out all others
          </Button>
        ) : null}
      </CardHeader>
      <ul {...useListFocus()} className="pb-1">
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center justify-between gap-3 border-line px-4 py-3 not-last:border-b"
          >
            <div className="min-w-0">
              <p className="font-medium">{browserName(session.userAgent)}</p>
              <p className="num text-xs text-ink-2">
                {[session.address, `last seen ${formatDateTime(session.lastSeenAt)}`].filter(Boolean).join(', ')}
              </p>
            </div>
            {session.current ? (
              <Badge tone="success">This browser</Badge>
            ) : (
              <Button
                size="sm"
                busy={revoke.isPending && revoke.variables === session.id}
                aria-label={`Sign out ${browserName(session.userAgent)}, last seen ${formatDateTime(session.lastSeenAt)}`}
                onClick={() => end(session.id)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
