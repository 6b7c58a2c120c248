import { useState } from 'react'
import type { ModerationAct } from '#shared/moderation.ts'
import type { ModerationCase } from '#shared/schemas/moderation.ts'
import { Button } from '#client/ui/button.tsx'
import { useDecide } from '../admin.api.ts'
import { ReasonDialog, suspensionMeans } from '../admin-reason-dialog.tsx'

type Asked = Extract<ModerationAct, 'hide' | 'warn' | 'suspend'>

const asked = (one: ModerationCase): Record<Asked, { title: string; description: string; label: string }> => ({
  hide: {
    title: `Hide this ${one.kind}?`,
    description:
      'It disappears from every open screen right away. The author still sees it, marked as hidden, with the reason.',
    label: 'Hide',
  },
  warn: {
    title: `Warn ${one.author.name}?`,
    description: `The ${one.kind === 'dealer' ? 'dealer' : 'author'} is notified with the reason. Nothing is hidden.`,
    label: 'Send warning',
  },
  suspend: {
    title: `Suspend ${one.author.name}?`,
    description: suspensionMeans,
    label: 'Suspend',
  },
})

/** Buttons for the moderation actions. Every action except restoring the content closes the open reports about it. */
export const nameOfCase = ({ kind, author }: ModerationCase): string =>
  `the ${kind}${kind === 'dealer' ? '' : ' by'} ${author.name}`

/** Every action except restoring the content closes the open reports. */
export function CaseActs({ one }: { one: ModerationCase }) {
  const [open, setOpen] = useState<Asked>()
  const decide = useDecide(one)
  const name = nameOfCase(one)
  const close = () => setOpen(undefined)
  const isPending = (act: ModerationAct) => decide.isPending && decide.variables.act === act
  const dialog = open && asked(one)[open]
  const canHide = one.kind !== 'dealer' && !one.deleted
  return (
    <div className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">
      {one.state === 'open' ? (
        <Button
          variant="ghost"
          aria-label={`Dismiss reports about ${name}`}
          busy={isPending('dismiss')}
          onClick={() => decide.mutate({ act: 'dismiss' })}
        >
          Dismiss
        </Button>
      ) : null}
      <Button aria-label={`Warn about ${name}`} onClick={() => setOpen('warn')}>
        Warn
      </Button>
      {one.author.suspended ? null : (
        <Button
          aria-label={`Suspend ${one.kind === 'dealer' ? name : `the author of ${name}`}`}
          onClick={() => setOpen('suspend')}
        >
          Suspend
        </Button>
      )}
      {canHide && one.hidden ? (
        <Button
          aria-label={`Restore ${name}`}
          busy={isPending('restore')}
          onClick={() => decide.mutate({ act: 'restore' })}
        >
          Restore
        </Button>
      ) : null}
      {canHide && !one.hidden ? (
        <Button variant="danger" aria-label={`Hide ${name}`} onClick={() => setOpen('hide')}>
          Hide
        </Button>
      ) : null}
      {open && dialog ? (
        <ReasonDialog
          open
          onOpenChange={close}
          title={dialog.title}
          description={dialog.description}
          confirmLabel={dialog.label}
          withUntil={open === 'suspend'}
          busy={decide.isPending}
          onConfirm={(reason, until) =>
            decide.mutate({ act: open, reason, ...(open === 'suspend' && { until }) }, { onSuccess: close })
          }
        />
      ) : null}
    </div>
  )
}
