import CircleX from 'lucide-react/icons/circle-x'
import Hourglass from 'lucide-react/icons/hourglass'
import type { OnboardingProgress } from '#shared/schemas/onboarding.ts'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Fact } from '#client/ui/labeled-fact.tsx'
import { formatPlace } from '#client/ui/format.ts'
import { OnboardingFrame } from './onboarding-frame.tsx'

interface OnboardingReviewProps {
  profile: OnboardingProgress['profile']
  onEdit: () => void
  onLogOut: () => void
}

const beforePlan =
  "This page updates automatically when you're approved. Next, you choose a plan. Until then your profile is hidden and nothing is charged."
const beforeNetwork =
  "This page updates automatically when you're approved and can use the network. Until then your profile is hidden."

export function OnboardingReview({ profile, onEdit, onLogOut }: OnboardingReviewProps) {
  const { admission, declinedReason, email } = useCurrentDealer()
  const billing = useBilling()
  const declined = admission === 'declined'
  return (
    <OnboardingFrame
      step={2}
      reviewed
      title={declined ? 'Your dealership was not approved' : 'Your dealership is being reviewed'}
      hint={declined ? 'This account cannot use the network.' : `We'll email ${email} with the decision.`}
      onLogOut={onLogOut}
    >
      <div className="space-y-3">
        <Card role="status">
          {declined ? (
            <EmptyState
              icon={<CircleX size={24} />}
              title={declinedReason}
              hint="If you can fix this, contact us. An admin can still approve the account."
              action={
                <a href="/contact?public" className="text-accent-ink underline max-md:inline-block max-md:py-3">
                  Contact us
                </a>
              }
            />
          ) : (
            <EmptyState
              icon={<Hourglass size={24} />}
              title="An admin is reviewing your profile"
              hint={billing ? beforePlan : beforeNetwork}
            />
          )}
        </Card>
        {declined ? null : <SubmittedProfile profile={profile} onEdit={onEdit} />}
      </div>
    </OnboardingFrame>
  )
}

function SubmittedProfile({ profile, onEdit }: Pick<OnboardingReviewProps, 'profile' | 'onEdit'>) {
  const { name, dealershipName } = useCurrentDealer()
  const { license } = profile
  return (
    <Card aria-label="Your profile" className="p-5 max-md:p-4">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-base font-semibold">Your profile</h2>
        <Button onClick={onEdit}>Edit</Button>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 max-sm:grid-cols-1">
        <Fact label="Dealership">{dealershipName}</Fact>
        <Fact label="Your name">{name}</Fact>
        <Fact label="Location">{formatPlace(profile)}</Fact>
        <Fact label="Dealer license">
          {license?.number ? `${license.number}, ${license.state}` : 'None. An admin may ask for one'}
        </Fact>
      </dl>
    </Card>
  )
}
