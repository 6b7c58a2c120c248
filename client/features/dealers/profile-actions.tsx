import { useMutation, useQueryClient } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import Flag from 'lucide-react/icons/flag'
import MessageSquare from 'lucide-react/icons/message-square'
import UserPlus from 'lucide-react/icons/user-plus'
import { useRef } from 'react'
import { call } from '#client/lib/http/api.ts'
import { askToReport } from '#client/lib/screen/report-subject.ts'
import { Button } from '#client/ui/button.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { useFocusInPlace } from '#client/ui/list-focus.ts'
import type { DealerProfile } from '#shared/schemas/dealers.ts'
import { useInNetwork } from './dealers.api.ts'
import { profilesKey } from './profile.api.ts'

interface ProfileActionsProps {
  profile: DealerProfile
  onMessage: () => void
}

export function ProfileActions({ profile, onMessage }: ProfileActionsProps) {
  const { on, toggle } = useInNetwork(profile, profile.connected)
  const connect = useRef<HTMLButtonElement>(null)
  const focus = useFocusInPlace(connect)
  const offer = profile.requestId === null ? 'Connect' : 'Accept'
  return (
    <>
      {profile.requestId === null || on ? null : <Decline requestId={profile.requestId} {...focus} />}
      <Button
        ref={connect}
        variant={on ? 'on' : 'primary'}
        aria-pressed={on}
        icon={on ? <Check size={16} aria-hidden="true" /> : <UserPlus size={16} aria-hidden="true" />}
        onClick={toggle}
      >
        {on ? 'Connected' : offer}
      </Button>
      <Button icon={<MessageSquare size={16} aria-hidden="true" />} onClick={onMessage}>
        Message
      </Button>
      <IconButton
        label="Report dealer"
        icon={<Flag size={16} />}
        onClick={() =>
          askToReport({ kind: 'dealer', id: profile.id, name: `${profile.name}, ${profile.dealershipName}` })
        }
      />
    </>
  )
}

function Decline({ requestId, ...focus }: { requestId: string } & ReturnType<typeof useFocusInPlace>) {
  const cache = useQueryClient()
  const decline = useMutation({
    mutationFn: () => call(`/api/connections/requests/${requestId}/decline`, { method: 'POST' }),
    onSuccess: () => cache.invalidateQueries({ queryKey: profilesKey }),
    meta: { refused: 'Not saved' },
  })
  return (
    <Button variant="ghost" {...focus} busy={decline.isPending} onClick={() => decline.mutate()}>
      Decline
    </Button>
  )
}
