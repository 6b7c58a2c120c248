import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Upload from 'lucide-react/icons/upload'
import { useEffect, useRef } from 'react'
import { emptyFile, hasUnknownType } from '#client/lib/files/upload-file.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { FileDrop } from '#client/ui/file-drop.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { avatarMaxBytes } from '#shared/limits.ts'
import type { OwnProfile } from '#shared/schemas/dealers.ts'
import { avatarRefused, useSaveAvatar } from './profile.api.ts'

const accepted = ['image/jpeg', 'image/png', 'image/gif']

export function AvatarField({ profile }: { profile: OwnProfile }) {
  const save = useSaveAvatar()
  useUpdatedToast(profile)
  const refuse = (description: string) => toast({ title: avatarRefused, description, variant: 'destructive' })
  const send = (file: File | undefined) =>
    save.mutate(file, {
      onSuccess: () => file ?? toast({ title: 'Saved', description: 'Picture removed' }),
    })
  const choose = ([file]: File[]) => {
    if (!file) return
    if (!accepted.includes(file.type) && !hasUnknownType(file)) return refuse('Please choose a JPG, PNG or GIF image')
    if (file.size === 0) return refuse(emptyFile)
    if (file.size > avatarMaxBytes) return refuse('The picture can be up to 2 MB')
    send(file)
  }
  return (
    <Card>
      <CardHeader title="Picture" />
      <CardBody className="flex items-center gap-4">
        <Avatar name={profile.name} src={profile.avatar} size={96} />
        <div className="min-w-0 flex-1 space-y-2">
          <FileDrop
            label={save.isPending ? 'Uploading...' : 'Choose a picture'}
            hint="JPG, PNG or GIF, max 2MB"
            icon={<Upload size={20} />}
            accept={accepted.join(',')}
            disabled={save.isPending}
            onFiles={choose}
            className="min-h-20"
          />
          <PendingAvatar pending={profile.pendingAvatar} />
          {profile.avatar || profile.pendingAvatar ? (
            <Button size="sm" variant="danger-ghost" disabled={save.isPending} onClick={() => send(undefined)}>
              Remove picture
            </Button>
          ) : null}
        </div>
      </CardBody>
    </Card>
  )
}

/** Shows the state of a new profile picture. The current picture stays until the new one is ready. */
function PendingAvatar({ pending }: { pending: OwnProfile['pendingAvatar'] }) {
  if (pending === null) return null
  if (pending.state === 'failed')
    return (
      <p role="alert" className="flex items-start gap-2 text-danger-ink">
        <CircleAlert size={16} aria-hidden="true" className="mt-px flex-none" />
        <span>Your new picture could not be used. {pending.error}</span>
      </p>
    )
  return (
    <p role="status" className="flex items-center gap-2 text-ink-2">
      <Spinner /> Your new picture is being processed
    </p>
  )
}

function useUpdatedToast({ avatar, pendingAvatar }: OwnProfile): void {
  const awaited = useRef<string>(undefined)
  const url = pendingAvatar?.state === 'stored' ? pendingAvatar.url : undefined
  useEffect(() => {
    if (url !== undefined) awaited.current = url
    else if (awaited.current !== undefined) {
      if (awaited.current === avatar) toast({ title: 'Saved', description: 'Your picture has been updated' })
      awaited.current = undefined
    }
  }, [url, avatar])
}
