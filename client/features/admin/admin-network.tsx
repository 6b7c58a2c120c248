import { useQuery } from '@tanstack/react-query'
import { Card } from '#client/ui/card.tsx'
import { Switch } from '#client/ui/switch.tsx'
import { Load } from './admin-load.tsx'
import { networkQuery, useChangeNetwork } from './admin.api.ts'

/** How the network is set, above its dealers. */
export function AdminNetwork() {
  const network = useQuery(networkQuery())
  const change = useChangeNetwork()
  return (
    <Card className="mb-3">
      <Load query={network} what="network settings">
        {({ verifiedOnly, demoPaused }) => (
          <div className="grid gap-3 p-4">
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
                onChange={(on) => change.mutate({ verifiedOnly, demoPaused: !on })}
              />
            )}
          </div>
        )}
      </Load>
    </Card>
  )
}
