import Paperclip from 'lucide-react/icons/paperclip'
import { useEffect, useRef, useState } from 'react'
import type { License } from '#shared/schemas/dealers.ts'
import { reasonOf } from '#client/lib/http/api.ts'
import { uploadFile } from '#client/lib/files/upload-file.ts'
import { Button } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { Select } from '#client/ui/select.tsx'
import { stateOptions } from '#client/ui/state-options.ts'

export type LicenseErrors = Partial<Record<'licenseState' | 'licenseExpiresOn', string>>

/** Returns an error for each blank field that a license number requires. Without a number, all fields may be blank. */
export function checkLicense({ number, state, expiresOn }: License): LicenseErrors {
  if (number.trim() === '') return {}
  return {
    ...(state === '' && { licenseState: 'Choose the state or province that issued the license' }),
    ...(expiresOn === '' && { licenseExpiresOn: 'Enter the date the license expires' }),
  }
}

interface LicenseFieldsProps {
  value: License
  errors: LicenseErrors
  size?: 'md' | 'lg'
  onChange: (value: License) => void
}

export function LicenseFields({ value, errors, size = 'md', onChange }: LicenseFieldsProps) {
  const change = (patch: Partial<License>) => onChange({ ...value, ...patch })
  return (
    <div className={cx('grid grid-cols-2 max-sm:grid-cols-1', size === 'lg' ? 'gap-3' : 'gap-x-4 gap-y-3')}>
      <Field label="Dealer license number" optional className="col-span-full">
        <Input
          size={size}
          maxLength={60}
          value={value.number}
          onChange={(event) => change({ number: event.target.value })}
        />
      </Field>
      <Field label="Issued by" error={errors.licenseState}>
        <Select
          size={size}
          value={value.state}
          placeholder="State or province"
          onChange={(state) => change({ state })}
          options={stateOptions}
        />
      </Field>
      <Field label="Expires on" error={errors.licenseExpiresOn}>
        <Input
          size={size}
          type="date"
          // Without a maximum, browsers accept six-digit years, which the server rejects.
          max="9999-12-31"
          value={value.expiresOn}
          onChange={(event) => change({ expiresOn: event.target.value })}
        />
      </Field>
      <Scan scan={value.scan} size={size} onChange={(scan) => change({ scan })} />
    </div>
  )
}

const accepted = 'image/*,application/pdf'

function useScanUpload(onChange: (scan: string) => void) {
  const stopped = useRef(new AbortController())
  const [share, setShare] = useState<number>()
  const [failure, setFailure] = useState<string>()
  // Always use the latest callback, so that input typed during the upload is kept.
  const change = useRef(onChange)
  useEffect(() => {
    change.current = onChange
  })
  useEffect(() => {
    const controller = new AbortController()
    stopped.current = controller
    return () => controller.abort()
  }, [])
  const send = async (file: File) => {
    setFailure(undefined)
    setShare(0)
    const { signal } = stopped.current
    try {
      const url = await uploadFile(file, { kind: 'attachment', onProgress: setShare, signal })
      change.current(url)
    } catch (error) {
      if (!signal.aborted) setFailure(reasonOf(error))
    }
    setShare(undefined)
  }
  return { send, share, failure }
}

interface ScanProps extends Pick<LicenseFieldsProps, 'size'> {
  scan: string | null
  onChange: (scan: string | null) => void
}

function Scan({ scan, size = 'md', onChange }: ScanProps) {
  const input = useRef<HTMLInputElement>(null)
  const { send, share, failure } = useScanUpload(onChange)
  return (
    <div className="col-span-full flex flex-wrap items-center gap-2">
      <input
        ref={input}
        type="file"
        hidden
        accept={accepted}
        aria-label="Scan of the license"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file) void send(file)
        }}
      />
      <Button
        size={size}
        icon={<Paperclip size={16} />}
        busy={share !== undefined}
        onClick={() => input.current?.click()}
      >
        {scanLabel(share, scan)}
      </Button>
      {scan ? (
        <>
          <a href={scan} target="_blank" rel="noopener noreferrer" className="text-accent-ink underline max-md:py-3">
            View scan
          </a>
          <Button size={size} variant="danger-ghost" onClick={() => onChange(null)}>
            Remove scan
          </Button>
        </>
      ) : (
        <p className="text-xs text-ink-3">Optional. A picture or PDF, up to 10 MB. Only you and Lanewire can see it.</p>
      )}
      {failure ? (
        <p role="alert" className="w-full text-danger-ink">
          The scan was not accepted: {failure}
        </p>
      ) : null}
    </div>
  )
}

function scanLabel(share: number | undefined, scan: string | null): string {
  if (share !== undefined) return `Uploading ${Math.round(share * 100)}%`
  return scan ? 'Replace the scan' : 'Add a scan'
}
