import { useQuery } from '@tanstack/react-query'
import type { Joining } from '#shared/schemas/auth.ts'
import { Card } from '#client/ui/card.tsx'
import { RadioGroup } from '#client/ui/radio-group.tsx'
import { Switch } from '#client/ui/switch.tsx'
import { Load } from './admin-load.tsx'
import { networkQuery, useChangeNetwork } from './admin.api.ts'

const joinings: readonly { value: Joining; label: string }[] = [
  { value: 'open', label: 'Everybody who signs up' },
  { value: 'approval', label: 'Whom an admin approves' },
  { value: 'invitation', label: 'Whom an admin invites' },
]

const joiningHints: Record<Joining, string> = {
  open: 'A new account uses the network at once. Accounts that wait already go on waiting until you decide.',
  approval: 'Everybody may sign up and send a profile; the network opens to them once you approve it.',
  invitation: 'Nobody signs up without the link that is mailed to the address you invite.',
}

/** How the network is set, above its dealers. */
export function AdminNetwork() {
  const network = useQuery(networkQuery())
  const change = useChangeNetwork()
  return (
    <Card className="mb-3">
      <Load query={network} what="network settings">
        {({ joining, verifiedOnly, demoPaused }) => (
          <div className="grid gap-3 p-4">
            <div>
              <p className="mb-1 font-medium">Who may join</p>
              <RadioGroup
                label="Who may join"
                value={joining}
                onChange={(value) => change.mutate({ joining: value as Joining })}
                options={joinings}
              />
              <p className="mt-1 text-xs text-ink-2">{joiningHints[joining]}</p>
            </div>
            <Switch
              layout="row"
              label="Only verified dealers post, bid and offer"
              hint="Others can still read, write messages and send in their license. What is under way goes on."
              checked={verifiedOnly}
              disabled={change.isPending}
              onChange={(on) => change.mutate({ verifiedOnly: on })}
            />
            {demoPaused !== undefined && (
              <Switch
                layout="row"
                label="Demo dealers act by themselves"
                hint="While somebody is signed in they post, comment, write and bid. Paused, they only answer what they are sent."
                checked={!demoPaused}
                disabled={change.isPending}
                onChange={(on) => change.mutate({ demoPaused: !on })}
              />
            )}
          </div>
        )}
      </Load>
    </Card>
  )
}
