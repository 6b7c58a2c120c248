import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import type { NetworkSettings } from '#shared/schemas/admin.ts'
import type { Joining, Proof } from '#shared/schemas/auth.ts'
import { cancelledWinsDays, cancelledWinsMax } from '#shared/limits.ts'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { Card } from '#client/ui/card.tsx'
import { plural } from '#client/ui/format.ts'
import { RadioGroup } from '#client/ui/radio-group.tsx'
import { Switch } from '#client/ui/switch.tsx'
import { AdminBuyFee } from './admin-buy-fee.tsx'
import { Load } from '../home/admin-load.tsx'
import { adminNetworkQuery, useChangeNetwork } from '../admin.api.ts'

const joinings: readonly { value: Joining; label: string }[] = [
  { value: 'open', label: 'Anyone who signs up' },
  { value: 'approval', label: 'People an admin approves' },
  { value: 'invitation', label: 'Invited people only' },
]

const joiningHints: Record<Joining, string> = {
  open: 'New accounts can use the network right away. Accounts already waiting stay that way until you decide.',
  approval: 'Anyone can sign up and submit a profile. They can use the network once you approve it.',
  invitation: 'People can sign up only with the link emailed to the address you invite.',
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
  const network = useQuery(adminNetworkQuery())
  return (
    <Card className="mb-3">
      <Load query={network} what="network settings">
        {(settings) => <NetworkRules settings={settings} ProofDialog={ProofDialog} />}
      </Load>
    </Card>
  )
}

interface NetworkRulesProps {
  settings: NetworkSettings
  ProofDialog: AskProof
}

function NetworkRules({ settings, ProofDialog }: NetworkRulesProps) {
  const { joining, confirmedOnly, verifiedOnly, planRequired, demoPaused, buyFee = null, stopAfterCancels } = settings
  const billing = useBilling()
  const change = useChangeNetwork()
  return (
    <div className="grid gap-3 p-4">
      <JoiningRule joining={joining} onChange={(next) => change.mutate({ joining: next })} />
      {confirmedOnly !== undefined && (
        <Switch
          layout="row"
          label="Require a confirmed email address to post, bid and make offers"
          hint="Dealers without one can still read posts and write messages. Existing activity continues."
          checked={confirmedOnly}
          busy={change.isPending}
          onChange={(on) => change.mutate({ confirmedOnly: on })}
        />
      )}
      <Switch
        layout="row"
        label="Require a verified license to post, bid and make offers"
        hint="Dealers without one can still read posts, write messages and submit their license. Existing activity continues."
        checked={verifiedOnly}
        busy={change.isPending}
        onChange={(on) => change.mutate({ verifiedOnly: on })}
      />
      {billing && planRequired !== undefined && (
        <Switch
          layout="row"
          label="Require a plan to post and bid"
          hint="Dealers without one can still read posts and write messages. Existing activity continues."
          checked={planRequired}
          busy={change.isPending}
          onChange={(on) => change.mutate({ planRequired: on })}
        />
      )}
      <StaffSecondFactor settings={settings} ProofDialog={ProofDialog} />
      {stopAfterCancels !== undefined && (
        <Switch
          layout="row"
          label="Dealers who repeatedly cancel wins need approval to bid again"
          hint={`After ${plural(cancelledWinsMax, 'cancellation')} in ${cancelledWinsDays} days. Restore their bidding on their page under Users.`}
          checked={stopAfterCancels}
          busy={change.isPending}
          onChange={(on) => change.mutate({ stopAfterCancels: on })}
        />
      )}
      <AdminBuyFee key={JSON.stringify(buyFee)} fee={buyFee} />
      {demoPaused !== undefined && (
        <Switch
          layout="row"
          label="Let demo dealers act on their own"
          hint="While someone is signed in, they post, comment, message and bid. When off, they only reply to messages."
          checked={!demoPaused}
          busy={change.isPending}
          onChange={(on) => change.mutate({ demoPaused: !on })}
        />
      )}
    </div>
  )
}

function JoiningRule({ joining, onChange }: { joining: Joining; onChange: (joining: Joining) => void }) {
  return (
    <div>
      <p className="mb-1 font-medium">Who can join</p>
      <RadioGroup label="Who can join" value={joining} onChange={onChange} options={joinings} />
      <p className="mt-1 text-xs text-ink-2">{joiningHints[joining]}</p>
    </div>
  )
}

function StaffSecondFactor({ settings, ProofDialog }: NetworkRulesProps) {
  const { staffSecondFactor = false } = settings
  const rule = useChangeNetwork()
  const [asking, setAsking] = useState<boolean>()
  const close = () => {
    setAsking(undefined)
    rule.reset()
  }
  return (
    <>
      <Switch
        layout="row"
        label="Require a second factor for admins and operations staff"
        hint="Staff without one are signed out and must set one up. Changing this requires your password."
        checked={staffSecondFactor}
        busy={rule.isPending}
        onChange={setAsking}
      />
      {asking === undefined ? null : (
        <ProofDialog
          title={asking ? 'Require a second factor for staff?' : 'Stop requiring a second factor for staff?'}
          description={
            asking
              ? 'Admins and operations staff without one are signed out now and must set one up when they sign in.'
              : 'Staff who have not set one up can then sign in with just a password.'
          }
          confirmLabel={asking ? 'Require it' : 'Stop requiring it'}
          busy={rule.isPending}
          error={rule.error}
          onConfirm={(proof) => rule.mutate({ staffSecondFactor: asking, proof }, { onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  )
}
