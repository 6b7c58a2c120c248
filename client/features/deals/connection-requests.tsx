import { useQuery } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { Link } from 'wouter'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { CardBody, CardHeader } from '#client/ui/card.tsx'
import { Count } from '#client/ui/count.tsx'
import { plural } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { useListFocus } from '#client/ui/list-focus.ts'
import { QueryState } from '#client/ui/query-state.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import { dealPanelRequests } from '#shared/limits.ts'
import type { ConnectionRequest } from '#shared/schemas/dealers.ts'
import { requestsQuery, useAnswerRequest } from './deals.api.ts'

export function ConnectionRequests({ all = false }: { all?: boolean }) {
  const me = useCurrentDealer()
  const requests = useQuery(requestsQuery(me.id))
  const count = requests.data?.length ?? 0
  const shown = all ? count : dealPanelRequests
  return (
    <section aria-labelledby="panel-requests">
      <CardHeader id="panel-requests" title="Connection Requests">
        {count > 0 ? <Count value={count} tone="quiet" /> : null}
      </CardHeader>
      {requests.data && !requests.isError ? null : (
        <CardBody>
          <QueryState query={requests} failure="Requests could not be loaded" label="Loading connection requests">
            <SkeletonRows rows={dealPanelRequests} />
          </QueryState>
        </CardBody>
      )}
      {requests.data?.length === 0 ? <p className="px-4 pb-3 text-ink-2">No connection requests</p> : null}
      <ul {...useListFocus()} className="pb-2">
        {requests.data?.slice(0, shown).map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
      </ul>
      {count > shown ? (
        <CardBody>
          <ButtonLink href="/deals" size="sm">
            View all {plural(count, 'request')}
          </ButtonLink>
        </CardBody>
      ) : null}
    </section>
  )
}

function RequestRow({ request }: { request: ConnectionRequest }) {
  const me = useCurrentDealer()
  const reply = useAnswerRequest(me.id)
  const { id, name, avatar, dealershipName } = request.requester
  const send = (answer: 'accept' | 'decline') => reply.mutate({ request, answer })
  return (
    <li className="flex items-center gap-3 px-4 py-2">
      <Link
        href={`/dealers/${id}`}
        className="flex min-w-0 flex-1 items-center gap-3 rounded-sm hover:underline max-md:min-h-11"
      >
        <Avatar name={name} src={avatar} size={32} />
        <span className="min-w-0 leading-4">
          <span className="block truncate font-medium">{name}</span>
          <span className="block truncate text-xs text-ink-2">{dealershipName}</span>
        </span>
      </Link>
      <IconButton line label={`Decline ${name}`} icon={<X size={18} />} onClick={() => send('decline')} />
      <IconButton line label={`Accept ${name}`} icon={<Check size={18} />} onClick={() => send('accept')} />
    </li>
  )
}
