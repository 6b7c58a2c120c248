import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { License, OwnLicense, OwnProfile } from '#shared/schemas/dealers.ts'
import { refusedField } from '#client/lib/http/api.ts'
import { useKeptFormState } from '#client/lib/storage/kept-forms.ts'
import { Badge, type BadgeTone } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { useRefusal } from '#client/ui/form-state.ts'
import { RestoredDraftNote } from '#client/ui/restored-draft-note.tsx'
import { checkLicense, type LicenseErrors, LicenseFields } from './license-fields.tsx'
import { useSaveProfile } from './profile.api.ts'

const states: Record<OwnLicense['status'], { badge: string; tone: BadgeTone; text: string }> = {
  none: {
    badge: 'Not given',
    tone: 'neutral',
    text: 'Once we verify it, your profile and posts show a Verified badge. Your deal documents show the number.',
  },
  waiting: { badge: 'In review', tone: 'warning', text: "We'll notify you once Lanewire has reviewed it." },
  verified: {
    badge: 'Verified',
    tone: 'success',
    text: 'Your profile and posts show a Verified badge. If you change the license, your name, your dealership name or your state, Lanewire checks the license again.',
  },
  rejected: {
    badge: 'Rejected',
    tone: 'danger',
    text: "Enter the license exactly as issued and we'll check it again.",
  },
  expired: { badge: 'Expired', tone: 'warning', text: 'Enter your current license to get verified again.' },
}

function useLicenseForm(saved: License) {
  const save = useSaveProfile()
  const kept = useKeptFormState<License>('license', saved)
  const { values: value, replace } = kept
  const [errors, setErrors] = useState<LicenseErrors>({})
  const focusWrong = useRefusal()
  const change = (next: License) => {
    replace(next)
    setErrors({})
  }
  const startOver = () => {
    replace(saved)
    kept.forget()
    setErrors({})
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const refuse = (found: LicenseErrors) => {
      setErrors(found)
      focusWrong(form)
    }
    const found = checkLicense(value)
    if (Object.keys(found).length > 0) return refuse(found)
    setErrors({})
    const given = ({ license: now }: OwnProfile) => {
      kept.forget(value)
      toast({ title: 'Saved', description: now.status === 'waiting' ? 'Your license is in review' : '' })
    }
    save
      .mutateAsync({ license: value })
      .then(given, (error) => refuse(refusedField(error, ['licenseState', 'licenseExpiresOn'])))
  }
  return { value, errors, change, startOver, submit, wasKept: kept.wasKept, isSaving: save.isPending }
}

export function LicenseForm({ profile: { license } }: { profile: OwnProfile }) {
  const { status, reason, ...saved } = license
  const { value, errors, change, startOver, submit, wasKept, isSaving } = useLicenseForm(saved)
  const card = useRef<HTMLDivElement>(null)
  // Scroll to the form if a notification's link opened the page.
  useEffect(() => {
    if (window.location.hash === '#license') card.current?.scrollIntoView()
  }, [])
  const { badge, tone, text } = states[status]
  return (
    <div ref={card} id="license" className="scroll-mt-20">
      <form noValidate onSubmit={submit} aria-label="Dealer license">
        <Card>
          <CardHeader title="Dealer license">
            <Badge tone={tone}>{badge}</Badge>
          </CardHeader>
          <CardBody className="space-y-3">
            {status === 'rejected' ? (
              <p role="status" className="rounded-md bg-danger-soft px-3 py-2 wrap-anywhere text-danger-ink">
                {reason}
              </p>
            ) : null}
            <p className="text-ink-2">{text}</p>
            <LicenseFields value={value} errors={errors} onChange={change} />
          </CardBody>
          <footer className="flex justify-end border-t border-line px-4 py-3">
            <RestoredDraftNote shown={wasKept} onStartOver={startOver} />
            <Button type="submit" variant="primary" busy={isSaving}>
              {isSaving ? 'Saving...' : 'Save License'}
            </Button>
          </footer>
        </Card>
      </form>
    </div>
  )
}
