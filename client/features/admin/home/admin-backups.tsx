import { useQuery } from '@tanstack/react-query'
import type { Backup, Backups } from '#shared/schemas/admin.ts'
import { Badge, type BadgeTone } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { formatBytes, formatDateTime, plural } from '#client/ui/format.ts'
import { backupsQuery, useStartBackup } from '../admin.api.ts'
import { Load } from './admin-load.tsx'

const tones = { running: 'warning', verified: 'success', failed: 'danger' } as const satisfies Record<string, BadgeTone>
const labels = { running: 'Running', verified: 'Verified', failed: 'Failed' }

export function LastBackup() {
  const { data } = useQuery(backupsQuery())
  if (data === undefined) return null
  const last = data.lastVerified
  const newest = data.backups[0]
  return (
    <p className="border-t border-line px-4 py-3 text-ink-2" aria-live="polite">
      {last ? (
        <>
          Last verified backup: <span className="num">{formatDateTime(last.startedAt)}</span>
          {last.sizeBytes === null ? null : <span className="num">, {formatBytes(last.sizeBytes)}</span>}
        </>
      ) : (
        'There is no verified backup yet.'
      )}
      <NextBackup {...data} />
      {newest?.state === 'running' ? <span className="block">A backup is running.</span> : null}
      {newest?.state === 'failed' ? (
        <span className="block text-danger-ink">The latest backup failed: {newest.error}</span>
      ) : null}
    </p>
  )
}

/** Shows when the next daily backup is due. A late backup starts within a minute once a worker is running again. */
function NextBackup({ nextAt, late }: Pick<Backups, 'nextAt' | 'late'>) {
  if (nextAt === null) return <span className="block">Daily backups are switched off.</span>
  return (
    <span className="block">
      {late ? 'The daily backup was due ' : 'Next at '}
      <span className="num">{formatDateTime(nextAt)}</span>
      {late ? ' and starts within a minute.' : null}
    </span>
  )
}

export function BackupDialog({ onClose }: { onClose: () => void }) {
  const backups = useQuery(backupsQuery())
  const start = useStartBackup()
  const running = backups.data?.backups[0]?.state === 'running'
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Backup Data"
      description="Dumps the whole database with pg_dump and test-restores the dump. Photos and other files are included only if BACKUP_UPLOADS is on."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" busy={start.isPending || running} onClick={() => start.mutate(undefined)}>
            {running ? 'Backing up...' : 'Back up now'}
          </Button>
        </>
      }
    >
      <Load query={backups} what="backups">
        {({ backups: rows, kept, ...schedule }) => (
          <>
            <p className="mb-3 border-b border-line pb-3 text-ink-2">
              <NextBackup {...schedule} />
              The newest {kept} are kept.
            </p>
            {rows.length === 0 ? (
              <p className="text-ink-2">No backups yet.</p>
            ) : (
              <ul className="space-y-3">
                {rows.map((backup) => (
                  <BackupRow key={backup.id} backup={backup} />
                ))}
              </ul>
            )}
          </>
        )}
      </Load>
    </Dialog>
  )
}

function BackupRow({ backup }: { backup: Backup }) {
  const { state, startedAt, requestedBy, daily, rows, sizeBytes, folder, error } = backup
  return (
    <li>
      <p className="flex flex-wrap items-center gap-2">
        <span className="num font-medium">{formatDateTime(startedAt)}</span>
        <Badge tone={tones[state]}>{labels[state]}</Badge>
        <span className="text-xs text-ink-3">{daily ? 'Daily' : requestedBy}</span>
      </p>
      {rows !== null && sizeBytes !== null ? (
        <p className="num text-xs text-ink-2">
          {plural(rows, 'row')}, {formatBytes(sizeBytes)}
        </p>
      ) : null}
      {folder ? <p className="font-mono text-xs wrap-anywhere text-ink-3">{folder}</p> : null}
      {error ? <p className="text-xs wrap-anywhere text-danger-ink">{error}</p> : null}
    </li>
  )
}
