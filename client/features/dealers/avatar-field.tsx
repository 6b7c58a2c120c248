import { Upload } from 'lucide-react'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { FileDrop } from '#client/ui/file-drop.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { avatarMaxBytes } from '#shared/limits.ts'
import type { OwnProfile } from '#shared/schemas/profile.ts'
import { avatarRefused, useSaveAvatar } from './profile.api.ts'

const accepted = ['image/jpeg', 'image/png', 'image/gif']

/** The picture beside one's name everywhere; cut to a square around its middle. */
export function AvatarField({ profile }: { profile: OwnProfile }) {
  const save = useSaveAvatar()
  const refuse = (description: string) => toast({ title: avatarRefused, description, variant: 'destructive' })
  const send = (file: File | undefined) =>
    save.mutate(file, {
      onSuccess: () =>
        toast({ title: 'Saved', description: file ? 'Your picture has been updated' : 'Picture removed' }),
    })
  const choose = ([file]: File[]) => {
    if (!file) return
    if (!accepted.includes(file.type)) return refuse('Please choose a JPG, PNG or GIF image')
    if (file.size > avatarMaxBytes) return refuse('The picture may have up to 2 MB')
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
          {profile.avatar ? (
            <Button size="sm" variant="danger-ghost" disabled={save.isPending} onClick={() => send(undefined)}>
              Remove picture
            </Button>
          ) : null}
        </div>
      </CardBody>
    </Card>
  )
}
