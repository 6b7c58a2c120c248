import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash'
import { type ReactNode, useState } from 'react'
import type { AccountSecurity } from '#shared/schemas/account.ts'
import { recoveryCodesMade } from '#shared/constants/auth.ts'
import type { OwnSecondFactor, Passkey } from '#shared/schemas/auth.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { formatDate, formatDateTime } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { ProofDialog } from './proof-dialog.tsx'
import { hasSecondFactor } from './proof-fields.tsx'
import {
  AuthenticatorDialog,
  PasskeyDialog,
  RecoveryCodesDialog,
  RenamePasskeyDialog,
} from './second-factor-dialogs.tsx'
import { useDeletePasskey, useTurnOffAuthenticator } from './second-factor.api.ts'

type Open = 'app' | 'app-off' | 'passkey' | 'codes' | { act: 'rename' | 'remove'; passkey: Passkey }

export function SecondFactorCard({ security }: { security: AccountSecurity }) {
  const [open, setOpen] = useState<Open>()
  const { secondFactor } = security
  const isOn = hasSecondFactor(security)
  return (
    <Card aria-label="Second factor">
      <CardHeader title="Second factor">{isOn ? <Badge tone="success">On</Badge> : <Badge>Off</Badge>}</CardHeader>
      <p className="px-4 text-ink-2">{stateOf(secondFactor, isOn)}</p>
      <div className="divide-y divide-line px-4 pb-2">
        <AppRow secondFactor={secondFactor} open={setOpen} />
        <PasskeysRow passkeys={secondFactor.passkeys} open={setOpen} />
        {isOn ? <CodesRow left={secondFactor.recoveryCodesLeft} open={setOpen} /> : null}
      </div>
      {open ? <OpenDialog open={open} onClose={() => setOpen(undefined)} /> : null}
    </Card>
  )
}

function stateOf({ required }: OwnSecondFactor, isOn: boolean): string {
  if (!isOn)
    return `You currently sign in with just a password. Add an app or passkey for a second step.${
      required ? ' This network requires one for staff.' : ''
    }`
  return 'After your password or Google, signing in requires an app code or a passkey.'
}

function Row({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0">
        <h3 className="font-medium">{title}</h3>
        <p className="text-xs text-ink-2">{hint}</p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  )
}

const appHints: Record<OwnSecondFactor['app'], string> = {
  off: 'Shows a new six-digit code every 30 seconds',
  on: 'On. You enter a code when you sign in',
  unreadable: "This server's keys changed, so its codes no longer work. Set it up again",
}

function AppRow({ secondFactor: { app }, open }: { secondFactor: OwnSecondFactor; open: (next: Open) => void }) {
  return (
    <Row title="Authenticator app" hint={appHints[app]}>
      <Button onClick={() => open('app')}>{app === 'off' ? 'Set up app' : 'Set up again'}</Button>
      {app === 'off' ? null : (
        <Button variant="danger-ghost" onClick={() => open('app-off')}>
          Turn off app
        </Button>
      )}
    </Row>
  )
}

function PasskeysRow({ passkeys, open }: { passkeys: readonly Passkey[]; open: (next: Open) => void }) {
  return (
    <div className="pb-1">
      <Row title="Passkeys" hint="Sign in with your fingerprint, face or device PIN, as a second step or on its own">
        <Button onClick={() => open('passkey')}>Add passkey</Button>
      </Row>
      <ul aria-label="Passkeys">
        {passkeys.map((passkey) => (
          <li key={passkey.id} className="flex items-center justify-between gap-3 pb-2">
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">{passkey.name}</p>
              <p className="num text-xs text-ink-2">
                {`Added ${formatDate(passkey.createdAt)}, `}
                {passkey.lastUsedAt === null ? 'not used yet' : `last used ${formatDateTime(passkey.lastUsedAt)}`}
              </p>
            </div>
            <div className="flex flex-none gap-1">
              <IconButton
                label={`Rename ${passkey.name}`}
                icon={<Pencil size={18} />}
                onClick={() => open({ act: 'rename', passkey })}
              />
              <IconButton
                label={`Remove ${passkey.name}`}
                icon={<Trash2 size={18} />}
                onClick={() => open({ act: 'remove', passkey })}
              />
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

function CodesRow({ left, open }: { left: number; open: (next: Open) => void }) {
  const hint =
    left === 0
      ? 'None left. Create new codes before you need one'
      : `${left} of ${recoveryCodesMade} left. Each works once`
  return (
    <Row title="Recovery codes" hint={hint}>
      <Button onClick={() => open('codes')}>Create new codes</Button>
    </Row>
  )
}

function OpenDialog({ open, onClose }: { open: Open; onClose: () => void }) {
  if (open === 'app') return <AuthenticatorDialog onClose={onClose} />
  if (open === 'passkey') return <PasskeyDialog onClose={onClose} />
  if (open === 'codes') return <RecoveryCodesDialog onClose={onClose} />
  if (open === 'app-off') return <TurnOffDialog onClose={onClose} />
  if (open.act === 'rename') return <RenamePasskeyDialog passkey={open.passkey} onClose={onClose} />
  return <RemovePasskeyDialog passkey={open.passkey} onClose={onClose} />
}

function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const turnOff = useTurnOffAuthenticator()
  const done = () => {
    toast({ title: 'Authenticator App Off', description: 'You no longer need its codes to sign in.' })
    onClose()
  }
  return (
    <ProofDialog
      title="Turn off the authenticator app?"
      description="Its codes will no longer work. Without a passkey, you sign in with just a password, and your recovery codes are deleted."
      confirmLabel="Turn off"
      destructive
      busy={turnOff.isPending}
      error={turnOff.error}
      onConfirm={(proof) => turnOff.mutate(proof, { onSuccess: done })}
      onClose={onClose}
    />
  )
}

function RemovePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const remove = useDeletePasskey()
  const done = () => {
    toast({ title: 'Passkey Removed', description: `${passkey.name} can no longer be used to sign in.` })
    onClose()
  }
  return (
    <ProofDialog
      title={`Remove ${passkey.name}?`}
      description="You can no longer sign in with it. Delete it on the device too, so the device stops suggesting it."
      confirmLabel="Remove"
      destructive
      busy={remove.isPending}
      error={remove.error}
      onConfirm={(proof) => remove.mutate({ id: passkey.id, proof }, { onSuccess: done })}
      onClose={onClose}
    />
  )
}
