import { useState } from 'react'
import type { AuthenticatorSecret, Passkey } from '#shared/schemas/auth.ts'
import { reasonOf, refusedField } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormDialog } from '#client/ui/form-dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Input } from '#client/ui/input.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { ProofDialog } from './proof-dialog.tsx'
import { RecoveryCodesView } from './recovery-codes.tsx'
import {
  useAddPasskey,
  useConfirmAuthenticator,
  useRenamePasskey,
  useRenewRecoveryCodes,
  useStartAuthenticator,
} from './second-factor.api.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { qrCodeQuery } from '../auth.api.ts'

interface SetupProps {
  onClose: () => void
  /** Called once the second factor is set up and any recovery codes have been shown. */
  onDone?: () => void
}

/** Shows the recovery codes. Stays open until the user confirms that the codes are saved. */
function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      keeps
      onOpenChange={(open) => !open && onClose()}
      title="Save your recovery codes"
      footer={
        <Button variant="primary" onClick={onClose}>
          I've saved them
        </Button>
      }
    >
      <RecoveryCodesView codes={codes} />
    </Dialog>
  )
}

/** Shows the recovery codes of the first second factor. The toast appears after the dialog closes, because it would cover the codes. */
function FirstCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const close = () => {
    toast({ title: 'Second Factor On', description: 'You need it each time you sign in.' })
    onDone()
  }
  return <CodesDialog codes={codes} onClose={close} />
}

/** Sets up an authenticator app in four steps: proof of identity, QR code, confirmation code, recovery codes. */
export function AuthenticatorDialog({ onClose, onDone = onClose }: SetupProps) {
  const start = useStartAuthenticator()
  const confirm = useConfirmAuthenticator()
  const codes = confirm.data?.recoveryCodes
  if (codes) return <FirstCodes codes={codes} onDone={onDone} />
  if (!start.data)
    return (
      <ProofDialog
        title="Set up an authenticator app"
        description="An app on your phone, such as Google Authenticator, 1Password or Aegis, shows a new code every 30 seconds."
        confirmLabel="Continue"
        busy={start.isPending}
        error={start.error}
        onConfirm={(proof) => start.mutate(proof)}
        onClose={onClose}
      />
    )
  const finish = () => {
    toast({ title: 'Authenticator App On', description: 'Codes are now required.' })
    onDone()
  }
  return <ScanDialog secret={start.data} confirm={confirm} onClose={onClose} onDone={finish} />
}

function ScanDialog({
  secret,
  confirm,
  onClose,
  onDone,
}: Required<SetupProps> & { secret: AuthenticatorSecret; confirm: ReturnType<typeof useConfirmAuthenticator> }) {
  const form = useFormState({
    initial: { code: '' },
    validate: ({ code }) => (code.trim() === '' ? { code: 'Enter the six digits your app shows' } : {}),
    onSubmit: ({ code }) =>
      confirm.mutate(code.trim(), {
        onSuccess: ({ recoveryCodes }) => {
          if (recoveryCodes === null) onDone()
        },
        onError: (error) => form.setErrors(refusedField(error, ['code'])),
      }),
  })
  const refused = confirm.error && refusedField(confirm.error, ['code']).code === undefined ? confirm.error : undefined
  return (
    <FormDialog
      title="Scan this with your app"
      confirmLabel="Turn on"
      busy={confirm.isPending}
      onSubmit={form.submit}
      onClose={onClose}
    >
      {refused ? <InlineError title="The app could not be set up" message={reasonOf(refused)} /> : null}
      <QrCode text={secret.uri} label="QR code with the secret below" />
      <div>
        <p className="text-xs text-ink-2">Or type this secret into the app:</p>
        <p className="mt-1 rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs break-all select-all">
          {secret.secret}
        </p>
      </div>
      <Field label="Code from your app" error={form.errors.code} required>
        <Input
          className="num"
          maxLength={20}
          autoComplete="one-time-code"
          inputMode="numeric"
          value={form.values.code}
          onChange={(event) => form.set('code', event.target.value)}
        />
      </Field>
    </FormDialog>
  )
}

const nameMissing = 'Enter a name, such as the device the passkey is on'

function NameField({
  value,
  error,
  onChange,
}: {
  value: string
  error: string | undefined
  onChange: (name: string) => void
}) {
  return (
    <Field label="Name" error={error} hint="For example Office laptop, or Phone" required>
      <Input maxLength={60} autoComplete="off" value={value} onChange={(event) => onChange(event.target.value)} />
    </Field>
  )
}

/** Adds a passkey: name and proof of identity, the browser's dialog, and recovery codes if this is the first second factor. */
export function PasskeyDialog({ onClose, onDone = onClose }: SetupProps) {
  const add = useAddPasskey()
  const [name, setName] = useState('')
  const [missing, setMissing] = useState<string>()
  const codes = add.data?.recoveryCodes
  if (codes) return <FirstCodes codes={codes} onDone={onDone} />
  return (
    <ProofDialog
      title="Add a passkey"
      description="Your device or security key confirms it's you with a fingerprint, face or PIN. A passkey also works on its own, without a password."
      confirmLabel="Add passkey"
      busy={add.isPending}
      error={add.error}
      onClose={onClose}
      onConfirm={(proof) => {
        if (name.trim() === '') return setMissing(nameMissing)
        add.mutate(
          { name: name.trim(), proof },
          {
            onSuccess: ({ recoveryCodes }) => {
              if (recoveryCodes !== null) return
              toast({ title: 'Passkey Added', description: 'You can now sign in with it.' })
              onDone()
            },
          },
        )
      }}
    >
      <NameField
        value={name}
        error={missing}
        onChange={(next) => {
          setMissing(undefined)
          setName(next)
        }}
      />
    </ProofDialog>
  )
}

export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useRenamePasskey()
  const form = useFormState({
    initial: { name: passkey.name },
    validate: ({ name }) => (name.trim() === '' ? { name: nameMissing } : {}),
    onSubmit: ({ name }) => rename.mutate({ id: passkey.id, name: name.trim() }, { onSuccess: onClose }),
  })
  return (
    <FormDialog
      compact
      title="Rename passkey"
      confirmLabel="Save name"
      busy={rename.isPending}
      onSubmit={form.submit}
      onClose={onClose}
    >
      {rename.error ? <InlineError title="The name was not saved" message={reasonOf(rename.error)} /> : null}
      <NameField value={form.values.name} error={form.errors.name} onChange={(name) => form.set('name', name)} />
    </FormDialog>
  )
}

export function RecoveryCodesDialog({ onClose }: { onClose: () => void }) {
  const renew = useRenewRecoveryCodes()
  const codes = renew.data?.recoveryCodes
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />
  return (
    <ProofDialog
      title="Create new recovery codes"
      description="Your current codes stop working as soon as the new ones are created."
      confirmLabel="Create new codes"
      busy={renew.isPending}
      error={renew.error}
      onConfirm={(proof) => renew.mutate(proof)}
      onClose={onClose}
    />
  )
}

/** Width of the quiet zone in modules (ISO/IEC 18004). */
const quiet = 4

/** Draws a QR code in the browser, so that no other server sees its content. Dark on white, so that scanners can read it in both themes. */
function QrCode({ text, label }: { text: string; label: string }) {
  const library = useQuery(qrCodeQuery())
  if (!library.data) return <Skeleton className="mx-auto size-48" />
  const { data, size } = library.data.encode(text, { border: quiet, ecc: 'M' })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto block size-48 rounded-md"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
