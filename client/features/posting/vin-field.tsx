import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import { vinLength } from '#shared/limits.ts'
import type { VinReport } from '#shared/schemas/posting.ts'
import { cleanVin } from '#shared/vin.ts'

interface VinFieldProps {
  vin: string
  onChange: (vin: string) => void
  /** What is wrong with it, in the words of the form it stands in. */
  error: string | undefined
  looking?: boolean
  className?: string
}

/** Upper-case, 17 characters at most, with a counter. */
export function VinField({ vin, onChange, error, looking = false, className }: VinFieldProps) {
  const full = vin.length === vinLength
  return (
    <Field label="VIN" error={error} {...(className && { className })}>
      <Input
        value={vin}
        onChange={(event) => onChange(cleanVin(event.target.value))}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        className="vin uppercase"
        trailing={
          <>
            {looking ? <Spinner size={14} /> : null}
            {full && !looking && !error ? (
              <CircleCheck size={16} className="text-success-ink" aria-hidden="true" />
            ) : null}
            {vin.length}/{vinLength}
          </>
        }
      />
    </Field>
  )
}

/** Says what a look-up found, where the dealer is looking; the toast says it too. */
export function VinOutcome({ title, text, found }: { title: string; text: string; found: boolean }) {
  const Icon = found ? CircleCheck : CircleX
  return (
    <p
      className={
        found
          ? 'flex flex-wrap items-center gap-2 rounded-md bg-success-soft px-3 py-2 text-success-ink'
          : 'flex flex-wrap items-center gap-2 rounded-md bg-hover px-3 py-2 text-ink-2'
      }
    >
      <Icon size={16} aria-hidden="true" />
      <span className="font-semibold">{title}</span>
      {text}
    </p>
  )
}

/** A wrong check digit, or the same VIN on offer elsewhere: said, never a block (READING "VIN"). */
export function VinWarnings({ report, editing = false }: { report: VinReport | undefined; editing?: boolean }) {
  if (!report) return null
  // While a post is edited its own VIN is no news.
  const first = report.activePosts.find(({ own }) => !editing || !own)
  return (
    <>
      {report.checkDigitHolds ? null : (
        <VinWarning>
          The check digit does not match: the 9th character should be {report.expectedCheckDigit ?? 'another one'}.
          Compare with the title.
        </VinWarning>
      )}
      {first ? (
        <VinWarning>
          This VIN is already active in the network: {first.own ? 'your own post' : first.dealershipName}, “
          {first.title}
          ”.
        </VinWarning>
      ) : null}
    </>
  )
}

function VinWarning({ children }: { children: React.ReactNode }) {
  return (
    <p className="flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-ink">
      <TriangleAlert size={16} className="mt-0.5 flex-none" aria-hidden="true" />
      <span>{children}</span>
    </p>
  )
}
