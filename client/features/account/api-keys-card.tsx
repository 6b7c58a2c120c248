import { useQuery } from '@tanstack/react-query'
import KeyRound from 'lucide-react/icons/key-round'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { QueryState } from '#client/ui/query-state.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import { planWith } from '#shared/entitlements.ts'
import type { ApiKey } from '#shared/schemas/account.ts'
import { RevokeAllQuestion } from './revoke-all-question.tsx'
import { apiKeysQuery, useRevokeAllKeys, useRevokeApiKey } from './api-keys.api.ts'
import { ApiKeyDialog } from './api-key-dialog.tsx'
import { ApiKeyRow } from './api-key-row.tsx'

/** @param apiAccess true if the plan or an admin grants API access; undefined until known */
export function ApiKeysCard({ apiAccess }: { apiAccess: boolean | undefined }) {
  const [making, setMaking] = useState(false)
  const [asked, setAsked] = useState<ApiKey | 'all'>()
  const { data: keys } = useQuery(apiKeysQuery())
  return (
    <Card>
      <CardHeader title="API keys">
        <span className="flex gap-2">
          {keys && keys.length > 1 ? (
            <Button size="sm" variant="danger-ghost" onClick={() => setAsked('all')}>
              Revoke all
            </Button>
          ) : null}
          {apiAccess ? (
            <Button size="sm" icon={<Plus size={14} />} onClick={() => setMaking(true)}>
              New key
            </Button>
          ) : null}
        </span>
      </CardHeader>
      <CardBody>
        <p className="mb-3 text-ink-2">
          A key lets another program act on behalf of your account.{' '}
          <a href="/api-docs?public" className="text-accent-ink underline">
            API docs
          </a>
        </p>
        {apiAccess === false ? <RequestAccess /> : null}
        <ApiKeyList apiAccess={apiAccess ?? false} onRevoke={setAsked} />
      </CardBody>
      {making ? <ApiKeyDialog onClose={() => setMaking(false)} /> : null}
      {asked === 'all' ? <RevokeAllDialog onClose={() => setAsked(undefined)} /> : null}
      {asked && asked !== 'all' ? <RevokeDialog apiKey={asked} onClose={() => setAsked(undefined)} /> : null}
    </Card>
  )
}

function RequestAccess() {
  const how = useBilling()
    ? `API keys come with the ${planWith('apiAccess')}. Without it, your existing keys do not work.`
    : 'An admin grants API access. Without it, your existing keys do not work.'
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-3 rounded-md bg-sunken p-3">
      <p className="min-w-0 flex-1 basis-56">{how}</p>
      <a href="/contact?topic=api&public" className={buttonClass({})}>
        Request API Access
      </a>
    </div>
  )
}

function ApiKeyList({ apiAccess, onRevoke }: { apiAccess: boolean; onRevoke: (key: ApiKey) => void }) {
  const keys = useQuery(apiKeysQuery())
  return (
    <>
      <QueryState query={keys} failure="Your keys could not be loaded" label="Loading API keys">
        <SkeletonRows rows={2} />
      </QueryState>
      {keys.data?.length === 0 && apiAccess ? (
        <EmptyState
          compact
          icon={<KeyRound size={24} />}
          title="No API keys"
          hint="Create one to connect your own system."
        />
      ) : null}
      <ul className="divide-y divide-line">
        {keys.data?.map((key) => (
          <ApiKeyRow key={key.id} apiKey={key} onRevoke={() => onRevoke(key)} />
        ))}
      </ul>
    </>
  )
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useRevokeApiKey()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Revoke "${apiKey.name}"?`}
      description="Programs that use this key stop working. This cannot be undone."
      confirmLabel="Revoke"
      destructive
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate(apiKey.id, { onSuccess: onClose })}
    />
  )
}

function RevokeAllDialog({ onClose }: { onClose: () => void }) {
  const revoke = useRevokeAllKeys()
  return (
    <RevokeAllQuestion
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
