import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { showBadge } from '#client/lib/badge.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { useNavCounts } from '#client/lib/screen/nav-counts.ts'
import { pushDevice, storedPush } from '#client/lib/push-device.ts'
import { reportActivity } from './activity.ts'
import { PushAsk } from './push-ask.tsx'
import { pushQuery } from './push.api.ts'
import { registerAgain, useSession } from './push-registration.ts'

export function PushWatch() {
  const cache = useQueryClient()
  const { id } = useCurrentDealer()
  const session = useSession()
  const { messages, notifications } = useNavCounts()
  const isOn = storedPush.read(id) !== undefined
  useEffect(() => {
    if (session !== undefined) void registerAgain(cache, id, session)
  }, [cache, id, session])
  useEffect(reportActivity, [])
  useEffect(() => showBadge(messages + notifications), [messages, notifications])
  useMissingDevice(isOn)
  return <PushAsk />
}

/** Detects that the server has removed this browser's device, so that open tabs show desktop notifications again. */
function useMissingDevice(isOn: boolean): void {
  const { data } = useQuery({ ...pushQuery(), enabled: isOn })
  const isThere = data?.devices.some(({ isCurrent }) => isCurrent)
  useEffect(() => {
    if (isOn && isThere !== undefined) pushDevice.set((state) => void (state.isMissing = !isThere))
  }, [isOn, isThere])
}
