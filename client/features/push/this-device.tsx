import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Share from 'lucide-react/icons/share'
import SquarePlus from 'lucide-react/icons/square-plus'
import { type ReactNode, useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { Badge } from '#client/ui/badge.tsx'
import { BrandMark } from '#client/ui/brand.tsx'
import { Button } from '#client/ui/button.tsx'
import { formatMonthDay } from '#client/ui/format.ts'
import { Switch } from '#client/ui/switch.tsx'
import type { PushDevice } from '#shared/schemas/push.ts'
import { useChangeDevice, useTestDevice } from './push.api.ts'
import { cannotReceive, useTurnOff, useTurnOn } from './push-registration.ts'
import { pushSupport, stepsToAllow } from './push-support.ts'

export function ThisDevice({ device }: { device: PushDevice | undefined }) {
  const turnOn = useTurnOn()
  const test = useTestDevice()
  // Read on every render, because the permission may have changed.
  const support = pushSupport()
  if (support === 'denied') return <Denied />
  if (support === 'install') return <InstallSteps />
  if (support === 'update') return <p className="text-ink-2">Update iOS to 16.4 or later.</p>
  if (support === 'none') return <p className="text-ink-2">{cannotReceive}</p>
  if (device) return <PushOn device={device} test={test} />
  const refusal = turnOn.error ?? test.error
  const begin = () => {
    test.reset()
    turnOn.mutate()
  }
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-60 text-ink-2">
          Get outbid alerts and messages on this device, even when Lanewire is closed.
        </p>
        <Button variant="primary" busy={turnOn.isPending} onClick={begin}>
          Turn on
        </Button>
      </div>
      {refusal ? (
        <p role="alert" className="mt-1 text-danger-ink">
          {reasonOf(refusal)}
        </p>
      ) : null}
    </>
  )
}

interface PushOnProps {
  device: PushDevice
  /** Owned by the parent: a failed test may remove the device and this component, but the error must stay visible. */
  test: ReturnType<typeof useTestDevice>
}

function PushOn({ device: { id, hideContent, failing }, test }: PushOnProps) {
  const change = useChangeDevice()
  const turnOff = useTurnOff()
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Badge tone="success">On</Badge>
        <div className="flex gap-2">
          <Button busy={test.isPending} onClick={() => test.mutate(id)}>
            Send test
          </Button>
          <Button variant="ghost" busy={turnOff.isPending} onClick={() => turnOff.mutate(id)}>
            Turn off
          </Button>
        </div>
      </div>
      <TestOutcome isSent={test.isSuccess} reason={test.error ? reasonOf(test.error) : undefined} />
      {test.isError ? null : <Failing failing={failing} />}
      <Switch
        layout="row"
        label="Hide content"
        hint="Notifications on this device do not show dealers, vehicles or prices"
        checked={hideContent}
        onChange={(on) => change.mutate({ id, hideContent: on })}
      />
    </div>
  )
}

export function TestOutcome({ isSent, reason }: { isSent: boolean; reason: string | undefined }) {
  return (
    <div role="status">
      {isSent ? <p className="mt-1 text-success-ink">Sent. It should appear within seconds.</p> : null}
      {reason === undefined ? null : <p className="mt-1 text-danger-ink">{reason}</p>}
    </div>
  )
}

export function Failing({ failing }: Pick<PushDevice, 'failing'>) {
  if (failing === null) return null
  return (
    <p className="mt-1 flex items-start gap-2 text-warning-ink">
      <CircleAlert size={16} className="mt-0.5 flex-none" aria-hidden="true" />
      <span>
        Last delivery failed on {formatMonthDay(failing.at)}: {failing.reason}
      </span>
    </p>
  )
}

function Denied() {
  const [steps] = useState(() => stepsToAllow(navigator.userAgent))
  return (
    <div className="text-ink-2">
      <p>Your browser blocks notifications. Allow them in its site settings, then reload.</p>
      {steps === undefined ? null : <p className="mt-1">{steps}</p>}
    </div>
  )
}

const installSteps: readonly { picture: ReactNode; text: string }[] = [
  { picture: <Share size={20} />, text: 'Press Share in the toolbar of your browser.' },
  { picture: <SquarePlus size={20} />, text: 'Choose Add to Home Screen.' },
  { picture: <BrandMark />, text: 'Open Lanewire from there and turn push on in its settings.' },
]

function InstallSteps() {
  return (
    <ol aria-label="Install Lanewire to receive push" className="space-y-2">
      {installSteps.map(({ picture, text }, index) => (
        <li key={text} className="flex items-center gap-3">
          <span
            aria-hidden="true"
            className="inline-flex size-10 flex-none items-center justify-center rounded-md border border-line bg-sunken"
          >
            {picture}
          </span>
          <span className="text-ink-2">
            {index + 1}. {text}
          </span>
        </li>
      ))}
    </ol>
  )
}
