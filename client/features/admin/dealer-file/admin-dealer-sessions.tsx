import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone'
import { useState } from 'react'
import type { DealerFile } from '#shared/schemas/admin.ts'
import { Badge } from '#client/ui/badge.tsx'
import { browserName } from '#client/ui/browser-name.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatDateTime } from '#client/ui/format.ts'
import { useEndSessions, useResetSecondFactor } from './admin-dealer.api.ts'
import { ReasonDialog } from '../admin-reason-dialog.tsx'

export function DealerSessions({ id, sessions }: { id: string; sessions: DealerFile['sessions'] }) {
  const [ending, setEnding] = useState<string>()
  const end = useEndSessions()
  const close = () => setEnding(undefined)
  return (
    <Card aria-label="Sessions">
      <CardHeader title="Sessions">
        {sessions.length > 0 ? (
          <Button size="sm" variant="danger-ghost" onClick={() => setEnding('all')}>
            End all
          </Button>
        ) : null}
      </CardHeader>
      {sessions.length === 0 ? (
        <EmptyState level={3} compact icon={<MonitorSmartphone size={24} />} title="Not signed in anywhere" />
      ) : (
        <ul className="pb-1">
          {sessions.map((session) => (
            <li
              key={session.id}
              className="flex flex-wrap items-center justify-between gap-2 border-line px-4 py-2.5 not-last:border-b"
            >
              <div className="min-w-0">
                <p className="font-medium">{browserName(session.userAgent)}</p>
                <p className="num text-xs text-ink-2">
                  {[session.address, `last seen ${formatDateTime(session.lastSeenAt)}`].filter(Boolean).join(', ')}
                </p>
              </div>
              <Button
                size="sm"
                aria-label={`End ${browserName(session.userAgent)}, last seen ${formatDateTime(session.lastSeenAt)}`}
                onClick={() => setEnding(session.id)}
              >
                End
              </Button>
            </li>
          ))}
        </ul>
      )}
      {ending ? (
        <ReasonDialog
          open
          onOpenChange={close}
          title={ending === 'all' ? 'End all sessions?' : 'End this session?'}
          description="The browser is signed out right away. The dealer can sign in again."
          confirmLabel={ending === 'all' ? 'End all' : 'End session'}
          busy={end.isPending}
          onConfirm={(reason) =>
            end.mutate({ id, sessionId: ending === 'all' ? undefined : ending, reason }, { onSuccess: close })
          }
        />
      ) : null}
    </Card>
  )
}

/** Lets an admin remove the second factor of a dealer who has lost both the phone and the recovery codes. */
export function DealerSecondFactor({ id, on }: { id: string; on: boolean }) {
  const [asking, setAsking] = useState(false)
  const reset = useResetSecondFactor()
  return (
    <Card aria-label="Second factor">
      <CardHeader title="Second factor">{on ? <Badge tone="success">On</Badge> : <Badge>Off</Badge>}</CardHeader>
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 pb-3">
        <p className="text-ink-2">
          {on ? 'Signing in requires an app code or a passkey.' : 'Signing in requires only a password or Google.'}
        </p>
        {on ? (
          <Button size="sm" variant="danger-ghost" onClick={() => setAsking(true)}>
            Reset
          </Button>
        ) : null}
      </div>
      {asking ? (
        <ReasonDialog
          open
          onOpenChange={setAsking}
          title="Reset the second factor?"
          description="The app, passkeys and recovery codes are removed and all sessions end. Until the dealer sets them up again, they sign in with just a password. Confirm who is asking in some way other than email. The dealer is notified with your reason."
          confirmLabel="Reset"
          busy={reset.isPending}
          onConfirm={(reason) => reset.mutate({ id, reason }, { onSuccess: () => setAsking(false) })}
        />
      ) : null}
    </Card>
  )
}
