import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-dialog.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Input } from '#client/ui/input.tsx'
import { RadioGroup } from '#client/ui/radio-group.tsx'
import { useCreateApiKey } from './api-keys.api.ts'

const formId = 'new-api-key'
const scopes = [
  { value: 'read', label: 'Read only' },
  { value: 'full', label: 'Full: can also send messages and connect' },
]

/** Creates an API key and shows its secret, which cannot be shown again later. */
export function ApiKeyDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateApiKey()
  const secret = create.data?.secret
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      keeps={secret !== undefined}
      title={secret ? 'Copy your key' : 'New API key'}
      footer={
        secret ? (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <FormActions
            form={formId}
            confirmLabel={create.isPending ? 'Creating...' : 'Create key'}
            busy={create.isPending}
            onClose={onClose}
          />
        )
      }
    >
      {secret ? <SecretView secret={secret} /> : <ApiKeyForm create={create} />}
    </Dialog>
  )
}

function ApiKeyForm({ create }: { create: ReturnType<typeof useCreateApiKey> }) {
  const form = useFormState({
    initial: { name: '', scope: 'read' },
    validate: ({ name }) => (name.trim() === '' ? { name: 'Enter a name, such as the program that uses the key' } : {}),
    onSubmit: ({ name, scope }) => create.mutate({ name, scope: scope === 'full' ? 'full' : 'read' }),
  })
  return (
    <form id={formId} noValidate onSubmit={form.submit} className="space-y-4">
      {create.error ? <InlineError title="The key was not created" message={reasonOf(create.error)} /> : null}
      <Field label="Name" required error={form.errors.name} hint="For example Website, or Office import">
        <Input maxLength={60} value={form.values.name} onChange={(event) => form.set('name', event.target.value)} />
      </Field>
      <div>
        <p className="mb-2 font-medium">Permissions</p>
        <RadioGroup
          label="Key permissions"
          value={form.values.scope}
          options={scopes}
          onChange={(scope) => form.set('scope', scope)}
        />
      </div>
    </form>
  )
}

function SecretView({ secret }: { secret: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <div className="space-y-3">
      <p>Copy it now. For security, we won't show it again.</p>
      <p className="rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs break-all select-all">
        {secret}
      </p>
      <Button
        icon={copied ? <Check size={16} /> : <Copy size={16} />}
        onClick={() =>
          // If the browser denies access to the clipboard, the user can still select and copy the text.
          navigator.clipboard.writeText(secret).then(
            () => setCopied(true),
            () => undefined,
          )
        }
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}
