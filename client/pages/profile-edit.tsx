import { useQuery } from '@tanstack/react-query'
import { PageLayout } from '#client/app/page-layout.tsx'
import { securityQuery } from '#client/features/auth/auth.api.ts'
import { AvatarField } from '#client/features/dealers/avatar-field.tsx'
import { EmailField } from '#client/features/dealers/email-field.tsx'
import { LicenseForm } from '#client/features/dealers/license-form.tsx'
import { ProfileForm } from '#client/features/dealers/profile-form.tsx'
import { ownProfileQuery } from '#client/features/dealers/profile.api.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card } from '#client/ui/card.tsx'
import { QueryState } from '#client/ui/query-state.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { HomeLeft } from './home-columns.tsx'

export function ProfileEditPage() {
  const profile = useQuery(ownProfileQuery())
  const security = useQuery(securityQuery())
  return (
    <PageLayout title="Profile Edit" left={<HomeLeft />}>
      <div className="mx-auto max-w-[52.5rem] space-y-3">
        <div className="flex items-center justify-between gap-4 pt-1 max-md:px-4 max-md:pt-3">
          <h1 className="text-lg font-semibold tracking-lg">Profile Edit</h1>
          <ButtonLink href="/dealer-profile">View profile</ButtonLink>
        </div>
        <QueryState query={profile} failure="Your profile could not be loaded" label="Loading your profile">
          <Card className="space-y-4 p-4">
            <Skeleton className="h-24 rounded-md" />
            <Skeleton className="h-64 rounded-md" />
          </Card>
        </QueryState>
        {profile.data ? (
          <>
            <AvatarField profile={profile.data} />
            <ProfileForm profile={profile.data} />
            <LicenseForm profile={profile.data} />
            <EmailField profile={profile.data} hasPassword={security.data?.hasPassword ?? false} />
          </>
        ) : null}
      </div>
    </PageLayout>
  )
}
