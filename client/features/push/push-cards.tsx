import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { askForNotices, noticeObstacles, noticePermission } from '#client/lib/screen/desktop-notices.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { formatDateTime } from '#client/ui/format.ts'
import { useFocusInPlace, useListFocus } from '#client/ui/list-focus.ts'
import { QueryState } from '#client/ui/query-state.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import type { PushDevice } from '#shared/schemas/push.ts'
import { isPushOff, pushQuery, useRemoveDevice, useTestDevice } from './push.api.ts'
import { Failing, TestOutcome, ThisDevice } from './this-device.tsx'

export function PushCards() {
  const query = useQuery(pushQuery())
  const { data } = query
  const body = useRef<HTMLDivElement>(null)
  const focus = useFocusInPlace(body)
  const others = data?.devices.filter(({ isCurrent }) => !isCurrent) ?? []
  return (
    <>
      <Card aria-label="This device">
        <CardHeader title="This device" />
        <CardBody ref={body} {...focus}>
          {data ? <ThisDevice device={data.devices.find(({ isCurrent }) => isCurrent)} /> : null}
          {!data && isPushOff(query.error) ? <TabNotices /> : null}
          {!data && !isPushOff(query.error) ? (
            <QueryState query={query} failure="Your devices could not be loaded" label="Loading your devices">
              <SkeletonRows rows={2} />
            </QueryState>
          ) : null}
        </CardBody>
      </Card>
      {others.length > 0 ? <OtherDevices devices={others} /> : null}
    </>
  )
}

/** Shown if the operator has disabled push. Only open tabs can then show notifications. */
function TabNotices() {
  const [permission, setPermission] = useState(noticePermission)
  if (permission === 'granted')
    return <p className="text-ink-2">Notifications appear while Lanewire is open in the background.</p>
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-ink-2">{noticeObstacles[permission]}</p>
      {permission === 'default' ? (
        <Button onClick={() => void askForNotices().then(setPermission)}>Allow</Button>
      ) : null}
    </div>
  )
}

function OtherDevices({ devices }: { devices: readonly PushDevice[] }) {
  return (
    <Card aria-label="Other devices">
      <CardHeader title="Other devices" />
      <ul {...useListFocus()} className="pb-1">
        {devices.map((device) => (
          <OtherDevice key={device.id} device={device} />
        ))}
      </ul>
      <p className="px-4 pb-3 text-xs text-ink-2">
        A removed device registers again when you open Lanewire there. To prevent that, turn push off on that device, or
        sign it out under Sessions.
      </p>
    </Card>
  )
}

function OtherDevice({ device: { id, label, lastOkAt, failing } }: { device: PushDevice }) {
  const test = useTestDevice()
  const remove = useRemoveDevice()
  return (
    <li className="border-line px-4 py-3 not-last:border-b">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="font-medium">{label}</p>
          <p className="num text-xs text-ink-2">
            {lastOkAt === null ? 'Nothing delivered yet' : `Last delivery ${formatDateTime(lastOkAt)}`}
          </p>
        </div>
        <div className="flex gap-2">
          <Button size="sm" aria-label={`Test ${label}`} busy={test.isPending} onClick={() => test.mutate(id)}>
            Test
          </Button>
          <Button
            size="sm"
            variant="danger-ghost"
            aria-label={`Remove ${label}`}
            busy={remove.isPending}
            onClick={() => remove.mutate(id)}
          >
            Remove
          </Button>
        </div>
      </div>
      <TestOutcome isSent={test.isSuccess} reason={test.error ? reasonOf(test.error) : undefined} />
      {test.isError ? null : <Failing failing={failing} />}
    </li>
  )
}
