import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import CircleCheck from 'lucide-react/icons/circle-check'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { QueryError } from '#client/ui/query-state.tsx'
import type { ApiKey } from '#shared/schemas/account.ts'
import { apiKeysQuery, useRevokeAllKeys } from './api-keys.api.ts'
import { ApiKeyFacts } from './api-key-row.tsx'
import { RevokeAllQuestion } from './revoke-all-question.tsx'

interface LiveKeysProps {
  apiKeys: readonly ApiKey[]
  /** A token from an emailed link, which authorizes revoking the keys without a session. */
  token?: string | undefined
}

/** Offers to revoke the API keys after a password or email change, which ends sessions but leaves the keys active. */
export function RemainingApiKeys({ apiKeys, token }: LiveKeysProps) {
  const revoke = useRevokeAllKeys(token)
  const [isAsking, setAsking] = useState(false)
  const stopAsking = () => setAsking(false)
  if (revoke.isSuccess)
    return (
      <p role="status" className="flex items-start gap-2 rounded-md bg-success-soft px-3 py-2 text-success-ink">
        <CircleCheck size={16} className="mt-0.5 flex-none" aria-hidden="true" />
        All API keys are revoked. Programs that used them no longer have access.
      </p>
    )
  if (apiKeys.length === 0) return null
  return (
    <Card aria-label="API keys that still work">
      <CardHeader title="API keys that still work" />
      <CardBody>
        <p className="mb-2 text-ink-2">
          Programs with these keys can still act on behalf of your account. If you don't recognize one, revoke them all.
        </p>
        <ul className="divide-y divide-line">
          {apiKeys.map((key) => (
            <li key={key.id} className="py-2">
              <ApiKeyFacts apiKey={key} />
            </li>
          ))}
        </ul>
        <Button className="mt-3" variant="danger" onClick={() => setAsking(true)}>
          Revoke all
        </Button>
        {isAsking ? (
          <RevokeAllQuestion
            busy={revoke.isPending}
            onConfirm={() => revoke.mutate(undefined, { onSettled: stopAsking })}
            onClose={stopAsking}
          />
        ) : null}
      </CardBody>
    </Card>
  )
}

export function OwnRemainingApiKeys() {
  const keys = useQuery(apiKeysQuery())
  return (
    <>
      <QueryError query={keys} failure="Your API keys could not be loaded" />
      <RemainingApiKeys apiKeys={keys.data ?? []} />
    </>
  )
}
