import { useEffect, useId, useRef, useState } from 'react'
import type { FindRange } from '#shared/find-query.ts'
import type { Histogram as Counts } from '#shared/schemas/find.ts'
import { enter, isPressed } from '#client/lib/keys/shortcuts.ts'
import { cx } from '#client/ui/cx.ts'
import { FieldMessage } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { isOpen } from '#shared/find-labels.ts'

const typingMs = 250

interface RangeInputsProps {
  range: FindRange
  from: string
  to: string
  parse: (text: string) => number | undefined
  format: (value: number) => string
  unreadable: string
  onRange: (range: FindRange) => void
}

const textOf = (value: number | undefined, format: RangeInputsProps['format']) =>
  value === undefined ? '' : format(value)

/** Ranges with swapped bounds have the same key. */
const keyOfRange = ({ from, to }: FindRange): string =>
  from !== undefined && to !== undefined && from > to ? `${to}-${from}` : `${from ?? ''}-${to ?? ''}`

type End = 'from' | 'to'
type Ends<Value> = Partial<Record<End, Value>>

/** Applies the bounds shortly after typing. Input that cannot be parsed stays in its field and does not change the search. */
export function RangeInputs({ range, from, to, parse, format, unreadable, onRange }: RangeInputsProps) {
  const [typed, setTyped] = useState<Ends<string>>({})
  const [wrong, setWrong] = useState<Ends<boolean>>({})
  const messageId = useId()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const sent = useRef(keyOfRange(range))
  const key = keyOfRange(range)
  useEffect(() => {
    // The Back button or a removed chip changed the range, so discard the typed text.
    if (key !== sent.current) {
      setTyped({})
      setWrong({})
    }
    sent.current = key
  }, [key])
  const isUnreadable = (text: string | undefined) =>
    text !== undefined && text.trim() !== '' && parse(text) === undefined
  const commit = (texts: Ends<string>) => {
    clearTimeout(timer.current)
    const boundOf = (end: End) => {
      const text = texts[end]
      // Text that cannot be parsed, such as an incomplete year, does not change the current bound.
      return text === undefined || isUnreadable(text) ? range[end] : parse(text)
    }
    const [least, most, { none }] = [boundOf('from'), boundOf('to'), range]
    const wanted = {
      ...(least !== undefined && { from: least }),
      ...(most !== undefined && { to: most }),
      ...(none && { none }),
    }
    if (keyOfRange(wanted) === keyOfRange(range)) return
    sent.current = keyOfRange(wanted)
    onRange(wanted)
  }
  const finish = (texts: Ends<string>) => {
    commit(texts)
    setWrong({ from: isUnreadable(texts.from), to: isUnreadable(texts.to) })
  }
  const input = (end: End, label: string) => (
    <Input
      aria-label={label}
      aria-invalid={wrong[end] || undefined}
      aria-describedby={wrong[end] ? messageId : undefined}
      placeholder={label.split(' ')[0]}
      inputMode="numeric"
      autoComplete="off"
      maxLength={12}
      className="num px-2!"
      value={typed[end] ?? textOf(range[end], format)}
      onChange={(event) => {
        const texts = { ...typed, [end]: event.target.value }
        setTyped(texts)
        setWrong({ ...wrong, [end]: false })
        clearTimeout(timer.current)
        timer.current = setTimeout(() => commit(texts), typingMs)
      }}
      onKeyDown={(event) => {
        if (isPressed(event, enter)) finish(typed)
      }}
      onBlur={() => {
        finish(typed)
        setTyped({
          ...(isUnreadable(typed.from) && { from: typed.from }),
          ...(isUnreadable(typed.to) && { to: typed.to }),
        })
      }}
    />
  )
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_0.75rem_minmax(0,1fr)] items-center gap-1">
        {input('from', from)}
        <span aria-hidden="true" className="text-center text-ink-3">
          –
        </span>
        {input('to', to)}
      </div>
      <FieldMessage id={messageId} error={wrong.from || wrong.to ? unreadable : undefined} />
    </>
  )
}

/** Returns the first and last index of the shortest run of bars that holds at least half of the total. Undefined if the total is zero. */
export function densest(counts: readonly number[]): [number, number] | undefined {
  const half = counts.reduce((sum, count) => sum + count, 0) / 2
  if (half === 0) return undefined
  let best: [number, number] | undefined
  for (const [first] of counts.entries()) {
    let sum = 0
    for (let last = first; last < counts.length && sum < half; last += 1) {
      sum += counts[last] ?? 0
      if (sum >= half && (best === undefined || last - first < best[1] - best[0])) best = [first, last]
    }
  }
  return best
}

interface HistogramProps {
  label: string
  /** Undefined while the counts load. */
  histogram: Counts | undefined
  range: FindRange
  format: (value: number) => string
}

const histogramBox = 'mt-1 mb-2 flex h-10 items-end gap-px border-b border-line-strong'

export function Histogram({ label, histogram, range, format }: HistogramProps) {
  if (histogram === undefined) return <div className={histogramBox} />
  const { step, counts } = histogram
  const most = Math.max(1, ...counts)
  // The last bar also counts all higher values.
  const endOf = (bar: number) => (bar === counts.length - 1 ? Number.POSITIVE_INFINITY : (bar + 1) * step)
  const isChosen = (bar: number) =>
    !isOpen(range) && endOf(bar) > (range.from ?? 0) && bar * step <= (range.to ?? Number.POSITIVE_INFINITY)
  return (
    <div role="img" aria-label={`${label}: ${histogramText(counts, step, format)}`} className={histogramBox}>
      {counts.map((count, bar) => (
        <i
          key={bar}
          className={cx(
            'min-h-px flex-1 rounded-t-[1px] forced-colors:bg-[CanvasText]',
            isChosen(bar) ? 'bg-accent forced-colors:bg-[Highlight]' : 'bg-pressed',
          )}
          style={{ height: `${(count / most) * 100}%` }}
        />
      ))}
    </div>
  )
}

function histogramText(counts: readonly number[], step: number, format: (value: number) => string): string {
  const found = densest(counts)
  if (found === undefined) return 'none'
  const [first, last] = found
  if (last === counts.length - 1) return `most from ${format(first * step)} up`
  return `most between ${format(first * step)} and ${format((last + 1) * step)}`
}
