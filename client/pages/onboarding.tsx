import { useQuery, useQueryClient } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useState } from 'react'
import { Redirect, useLocation } from 'wouter'
import type { OnboardingProgress } from '#shared/schemas/onboarding.ts'
import { authStatusQuery, meQuery, securityQuery, useLogout } from '#client/features/auth/auth.api.ts'
import { OnboardingPlan } from '#client/features/billing/checkout/onboarding-plan.tsx'
import { ChangeEmailDialog } from '#client/features/dealers/email-field.tsx'
import { checkLicense, LicenseFields } from '#client/features/dealers/license-fields.tsx'
import { askEveryMs, onboardingQuery } from '#client/features/onboarding/onboarding.api.ts'
import { OnboardingReview } from '#client/features/onboarding/onboarding-review.tsx'
import { OnboardingFrame } from '#client/features/onboarding/onboarding-frame.tsx'
import { ProfileForm } from '#client/features/onboarding/profile-form.tsx'
import { useSaveProgress } from '#client/features/onboarding/use-save-progress.ts'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { useIsMounted } from '#client/lib/screen/use-is-mounted.ts'
import { takeWantedPath } from '#client/lib/session/path-after-sign-in.ts'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { useDocumentTitle } from '#client/ui/document-title.ts'
import { QueryError } from '#client/ui/query-state.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'

export function OnboardingPage() {
  useDocumentTitle('Onboarding')
  const progress = useQuery(onboardingQuery())
  const logOut = useLogout()
  if (progress.data) return <Steps progress={progress.data} />
  return (
    <OnboardingFrame
      step={1}
      title="Your dealer profile"
      hint={progress.error ? "What you've typed so far is saved." : 'One moment.'}
      onLogOut={logOut}
    >
      {progress.error ? (
        <QueryError query={progress} failure="Your progress could not be loaded" />
      ) : (
        <Loading label="Loading your progress">
          <Card className="space-y-4 p-5">
            <Skeleton className="h-4 w-1/4" />
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
          </Card>
        </Loading>
      )}
    </OnboardingFrame>
  )
}

/** The onboarding steps. The server decides which step comes first; the buttons move between steps. */
function Steps({ progress }: { progress: OnboardingProgress }) {
  const [step, setStep] = useState(progress.step === 'profile' ? 1 : 2)
  const [draft, setDraft] = useState(progress.profile)
  const { data: status } = useQuery(authStatusQuery())
  const queryClient = useQueryClient()
  const { save } = useSaveProgress()
  const [, navigate] = useLocation()
  const isShown = useIsMounted()
  const me = useCurrentDealer()
  const [changingEmail, setChangingEmail] = useState(false)
  const { data: security } = useQuery({ ...securityQuery(), enabled: changingEmail })
  const logOut = useLogout()
  const billing = useBilling()
  const demo = status?.demo ?? false
  const reviewed = me.admission !== 'admitted'
  useQuery({ ...meQuery(), enabled: reviewed, refetchInterval: askEveryMs })
  const finish = () => {
    void queryClient.invalidateQueries({ queryKey: authStatusQuery().queryKey })
    if (isShown()) navigate(takeWantedPath())
  }
  if (progress.step === 'done') return <Redirect to="/" replace />
  if (step === 1) {
    return (
      <OnboardingFrame
        step={1}
        reviewed={reviewed}
        title="Your dealer profile"
        hint="Other dealers see your name, dealership and location."
        action={<Back busy={false} onBack={logOut} />}
        onLogOut={logOut}
      >
        <ProfileForm
          draft={draft}
          email={me.email}
          emailCorrectable={progress.emailCorrectable}
          onChangeEmail={() => setChangingEmail(true)}
          demo={demo}
          renderLicense={(value, onChange, errors) => (
            <LicenseFields value={value} errors={errors} size="lg" onChange={onChange} />
          )}
          checkLicense={checkLicense}
          reviewed={reviewed}
          onSaved={() => {
            if (!billing && !reviewed) return finish()
            setStep(2)
            // Refetch the progress, so that the review screen shows the submitted data.
            void queryClient.invalidateQueries({ queryKey: onboardingQuery().queryKey })
          }}
        />
        {changingEmail ? (
          <ChangeEmailDialog hasPassword={security?.hasPassword ?? true} onClose={() => setChangingEmail(false)} />
        ) : null}
      </OnboardingFrame>
    )
  }
  const back = async () => {
    setDraft((await queryClient.fetchQuery(onboardingQuery()).catch(() => progress)).profile)
    setStep(1)
  }
  if (reviewed) return <OnboardingReview profile={progress.profile} onEdit={() => void back()} onLogOut={logOut} />
  if (!billing) return <Redirect to="/" replace />
  return (
    <OnboardingFrame
      step={2}
      title="Choose your subscription plan"
      hint="Billed monthly. Cancel any time from your plan page."
      action={<Back busy={false} onBack={() => void back()} />}
      onLogOut={logOut}
    >
      <OnboardingPlan
        initialPlanId={progress.planId}
        dealershipName={me.dealershipName}
        demo={demo}
        onChoose={(planId) => save({ planId })}
        onPaid={finish}
      />
    </OnboardingFrame>
  )
}

function Back({ busy, onBack }: { busy: boolean; onBack: () => void }) {
  return (
    <Button icon={<ArrowLeft size={16} />} busy={busy} onClick={onBack} className="caps">
      BACK
    </Button>
  )
}
