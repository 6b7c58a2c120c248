import { Link } from 'wouter'
import { Avatar } from '#client/ui/avatar.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { Count } from '#client/ui/count.tsx'
import type { DealerProfile } from '#shared/schemas/dealers.ts'

export function ProfileMutual({ profile }: { profile: DealerProfile }) {
  return (
    <Card inset aria-labelledby="mutual-connections">
      <CardHeader id="mutual-connections" title="Mutual connections">
        <Count value={profile.mutualConnections} tone="quiet" />
      </CardHeader>
      <CardBody>
        {profile.mutual.length === 0 ? <p className="text-ink-2">No mutual connections yet</p> : null}
        <ul>
          {profile.mutual.map(({ id, name, avatar, dealershipName }) => (
            <li key={id}>
              <Link
                href={`/dealers/${id}`}
                className="-mx-2 flex items-center gap-3 rounded-md px-2 py-2 hover:bg-hover"
              >
                <Avatar name={name} src={avatar} size={32} />
                <span className="min-w-0">
                  <span className="block truncate font-medium">{name}</span>
                  <span className="block truncate text-xs text-ink-2">{dealershipName}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </CardBody>
    </Card>
  )
}
