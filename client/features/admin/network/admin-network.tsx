import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import type { Joining, Proof } from '#shared/schemas/auth.ts'
import { cancelledWinsDays, cancelledWinsMax } from '#shared/limits.ts'
import { useBilling } from '#client/lib/billing.ts'
import { Card } from '#client/ui/card.tsx'
import { plural } from '#client/ui/format.ts'
import { RadioGroup } from '#client/ui/radio-group.tsx'
import { Switch } from '#client/ui/switch.tsx'
import { AdminBuyFee } from './admin-buy-fee.tsx'
import { Load } from '../home/admin-load.tsx'
import { adminNetworkQuery, useChangeNetwork } from '../admin.api.ts'

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
type AskProof = ComponentType<{
  title: string
  description: string
  confirmLabel: string
  busy: boolean
  error: Error | null
  onConfirm: (proof: Proof) => void
  onClose: () => void
}>

export function AdminNetwork({ ProofDialog }: { ProofDialog: AskProof }) {
  const billing = useBilling()
  const network = useQuery(adminNetworkQuery())
  const change = useChangeNetwork()
  const rule = useChangeNetwork()
  const [asking, setAsking] = useState<boolean>()
  const close = () => {
    setAsking(undefined)
    rule.reset()
  }
  return (
    <Card className="mb-3">
      <Load query={network} what="network settings">
        {({
          joining,
          confirmedOnly,
          verifiedOnly,
          planRequired,
          demoPaused,
          buyFee = null,
          stopAfterCancels,
          staffSecondFactor = false,
        }) => (
          <div className="grid gap-3 p-4">
            <div>
              <p className="mb-1 font-medium">Who may join</p>
              <RadioGroup
                label="Who may join"
                value={joining}
                onChange={(joining) => change.mutate({ joining })}
                options={joinings}
              />
              <p className="mt-1 text-xs text-ink-2">{joiningHints[joining]}</p>
            </div>
            {confirmedOnly !== undefined && (
              <Switch
                layout="row"
                label="Only dealers with a confirmed email address post, bid and offer"
                hint="Others can still read and write messages. Posts, bids and offers that they have made already stay."
                checked={confirmedOnly}
                busy={change.isPending}
                onChange={(on) => change.mutate({ confirmedOnly: on })}
              />
            )}
            <Switch
              layout="row"
              label="Only verified dealers post, bid and offer"
              hint="Others can still read, write messages and send in their license. What is under way goes on."
              checked={verifiedOnly}
              busy={change.isPending}
              onChange={(on) => change.mutate({ verifiedOnly: on })}
            />
            {billing && planRequired !== undefined && (
              <Switch
                layout="row"
                label="Posting and bidding need a plan"
                hint="Dealers without a paid plan can still read and write messages. What is under way goes on."
                checked={planRequired}
                busy={change.isPending}
                onChange={(on) => change.mutate({ planRequired: on })}
              />
            )}
            <Switch
              layout="row"
              label="Admins and operations staff need a second factor"
              hint="Who has none is signed out, and sets one up before anything else. It takes your password to change this."
              checked={staffSecondFactor}
              busy={rule.isPending}
              onChange={setAsking}
            />
            {asking === undefined ? null : (
              <ProofDialog
                title={asking ? 'Ask staff for a second factor?' : 'Let staff in without a second factor?'}
                description={
                  asking
                    ? 'Admins and operations staff who have none are signed out now, and set one up when they come back.'
                    : 'From now on a password is enough for an admin who has not set one up.'
                }
                confirmLabel={asking ? 'Ask for it' : 'Do not ask'}
                busy={rule.isPending}
                error={rule.error}
                onConfirm={(proof) =>
                  rule.mutate({ verifiedOnly, staffSecondFactor: asking, proof }, { onSuccess: close })
                }
                onClose={close}
              />
            )}
            {stopAfterCancels !== undefined && (
              <Switch
                layout="row"
                label="Who keeps cancelling what they won asks you before they bid again"
                hint={`From ${plural(cancelledWinsMax, 'cancellation')} in ${cancelledWinsDays} days on. You let them bid again on their page under Users.`}
                checked={stopAfterCancels}
                busy={change.isPending}
                onChange={(on) => change.mutate({ stopAfterCancels: on })}
              />
            )}
            <AdminBuyFee key={JSON.stringify(buyFee)} fee={buyFee} />
            {demoPaused !== undefined && (
              <Switch
                layout="row"
                label="Demo dealers act by themselves"
                hint="While somebody is signed in they post, comment, write and bid. Paused, they only answer what they are sent."
                checked={!demoPaused}
                busy={change.isPending}
                onChange={(on) => change.mutate({ demoPaused: !on })}
              />
            )}
          </div>
        )}
      </Load>
    </Card>
  )
}
