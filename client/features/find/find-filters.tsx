import { type ReactNode, useEffect, useRef, useState } from 'react'
import { findPosted, findRadii, findSales, type FindQuery, type FindRange } from '#shared/find-query.ts'
import { findRating } from '#shared/constants/find.ts'
import type { FindFacets, FindHome, FindPlace } from '#shared/schemas/find.ts'
import { bodies, drives, fuels, notStated, traitLabels } from '#shared/vehicle-traits.ts'
import { enter, isPressed } from '#client/lib/keys/shortcuts.ts'
import { typedFigure } from '#client/lib/form/typed-amount.ts'
import { cx } from '#client/ui/cx.ts'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { Field } from '#client/ui/field.tsx'
import { formatMileage, formatMoney, formatNumber, formatPlace } from '#client/ui/format.ts'
import { Input } from '#client/ui/input.tsx'
import { Select } from '#client/ui/select.tsx'
import { postedLabels, ratingLabel, saleLabels, withoutNear } from '#shared/find-labels.ts'
import { isUnknown } from './unknown-place.ts'
import { Histogram, RangeInputs } from './find-range.tsx'
import { FilterOption, MakeTree } from './make-model-tree.tsx'
import { Group, Choices } from './filter-group.tsx'

/** `typed` is the name of the field in which the dealer is typing. Such changes replace the current history entry. */
export type ChangeFind = (query: FindQuery, typed?: string) => void

interface FiltersProps {
  query: FindQuery
  facets: FindFacets | undefined
  place: FindPlace | null | undefined
  home: FindHome | null | undefined
  isUpdating: boolean
  onChange: ChangeFind
}

export function Filters({ query, facets, place, home, isUpdating, onChange }: FiltersProps) {
  const change = (part: Partial<FindQuery>, typed?: string) => onChange({ ...query, ...part }, typed)
  return (
    <div className={cx('divide-y divide-line', isUpdating && '[&_.num]:opacity-60')}>
      <NearGroup query={query} place={place} home={home} onChange={onChange} />
      <Group title="Make, model, trim" chosen={query.mmt.length} folds startsOpen>
        <MakeTree chosen={query.mmt} makes={facets?.mmt} onChosen={(mmt) => change({ mmt })} />
      </Group>
      <Group title="Year">
        <RangeInputs
          range={query.year}
          from="From year"
          to="To year"
          parse={(text) => (/^\s*\d{4}\s*$/.test(text) ? Number(text) : undefined)}
          format={String}
          unreadable="Enter a four-digit year or leave blank"
          onRange={(year) => change({ year }, 'year')}
        />
        <Unstated count={facets?.year.notStated} range={query.year} onRange={(year) => change({ year })} />
      </Group>
      <Group title="Price">
        <Histogram label="Price" histogram={facets?.price} range={query.price} format={formatMoney} />
        <RangeInputs
          range={query.price}
          from="Min price"
          to="Max price"
          parse={someFigure}
          format={formatMoney}
          unreadable="Enter dollars, such as 24,500 or 24k, or leave blank"
          onRange={(price) => change({ price }, 'price')}
        />
        <Unstated count={facets?.price.notStated} range={query.price} onRange={(price) => change({ price })} />
      </Group>
      <Group title="Mileage">
        <Histogram label="Mileage" histogram={facets?.miles} range={query.miles} format={formatMileage} />
        <RangeInputs
          range={query.miles}
          from="Min mileage"
          to="Max mileage"
          parse={someFigure}
          format={formatNumber}
          unreadable="Enter miles, such as 48,000 or 48k, or leave blank"
          onRange={(miles) => change({ miles }, 'miles')}
        />
        <Unstated count={facets?.miles.notStated} range={query.miles} onRange={(miles) => change({ miles })} />
      </Group>
      <Group title="Sale" chosen={query.sale.length} folds startsOpen>
        <Choices
          values={findSales}
          labels={saleLabels}
          counts={facets?.sale}
          chosen={query.sale}
          onChosen={(sale) => change({ sale })}
        />
      </Group>
      <Group title="Body" chosen={query.body.length} folds>
        <Choices
          values={[...bodies, notStated]}
          labels={traitLabels}
          counts={facets?.body}
          chosen={query.body}
          onChosen={(body) => change({ body })}
        />
      </Group>
      <Group title="Drivetrain" chosen={query.drive.length} folds>
        <Choices
          values={[...drives, notStated]}
          labels={traitLabels}
          counts={facets?.drive}
          chosen={query.drive}
          onChosen={(drive) => change({ drive })}
        />
      </Group>
      <Group title="Fuel" chosen={query.fuel.length} folds>
        <Choices
          values={[...fuels, notStated]}
          labels={traitLabels}
          counts={facets?.fuel}
          chosen={query.fuel}
          onChosen={(fuel) => change({ fuel })}
        />
      </Group>
      <SellerGroups query={query} facets={facets} onChange={onChange} />
      <p className="px-4 py-3 text-xs text-ink-2">
        Canadian locations:{' '}
        <a href="/about#credits" target="_blank" rel="noopener" className="underline">
          GeoNames
        </a>
      </p>
    </div>
  )
}

interface UnstatedProps {
  count: number | undefined
  range: FindRange
  onRange: (range: FindRange) => void
}

/** The checkbox for vehicles without this value. Once pressed, it stays rendered even at a count of zero, because it has focus. */
function Unstated({ count, range: { none, ...bounds }, onRange }: UnstatedProps) {
  const [isKept, setKept] = useState(false)
  if (!count && !none && !isKept) return null
  return (
    <div className="mt-1">
      <FilterOption
        label={traitLabels[notStated]}
        count={count}
        checked={none === true}
        onToggle={() => {
          setKept(true)
          onRange(none ? bounds : { ...bounds, none: true })
        }}
      />
    </div>
  )
}

/** Parses a number. Treats zero like an empty field. */
const someFigure = (text: string): number | undefined => typedFigure(text) || undefined

function SellerGroups({ query, facets, onChange }: Pick<FiltersProps, 'query' | 'facets' | 'onChange'>) {
  const { rating, posted, ...rest } = query
  const ratedAs = rating ?? findRating
  const countOf = (days: number) => facets?.posted.find((one) => one.days === days)?.count
  return (
    <>
      <Group title="Seller" chosen={Number(query.connected) + Number(rating !== undefined)} folds startsOpen>
        <FilterOption
          label="My connections"
          count={facets?.seller.connected}
          checked={query.connected}
          onToggle={() => onChange({ ...query, connected: !query.connected })}
        />
        <FilterOption
          label={ratingLabel(ratedAs)}
          count={ratedAs === findRating ? facets?.seller.rated : undefined}
          checked={rating !== undefined}
          onToggle={() => {
            const others = { ...rest, ...(posted !== undefined && { posted }) }
            onChange(rating === undefined ? { ...others, rating: findRating } : others)
          }}
        />
      </Group>
      <Group title="Posted" says={posted === undefined ? 'any time' : postedLabels[posted].toLowerCase()} folds>
        {findPosted.map((days) => (
          <FilterOption
            key={days}
            label={postedLabels[days]}
            count={countOf(days)}
            checked={posted === days}
            onToggle={() => {
              const others = { ...rest, ...(rating !== undefined && { rating }) }
              onChange(posted === days ? others : { ...others, posted: days })
            }}
          />
        ))}
      </Group>
      <Group title="Photos" hideTitle>
        <FilterOption
          label="Has photos"
          count={facets?.photos}
          checked={query.photos}
          onToggle={() => onChange({ ...query, photos: !query.photos })}
        />
      </Group>
    </>
  )
}

const anyDistance = 'all'

const codeTypingMs = 250

/** True for a complete ZIP, or enough of a Canadian postal code to find the place. */
const isWhole = (code: string): boolean => /^(?:\d{5}|[A-Z]\d[A-Z](?:[ -]?\d[A-Z]\d)?)$/i.test(code)

function NearGroup({ query, place, home, onChange }: Pick<FiltersProps, 'query' | 'place' | 'home' | 'onChange'>) {
  const { near, within } = query
  const unknown = isUnknown(place, query)
  const hint = placeHint(near, place, home)
  const radii =
    findRadii.some((radius) => radius === within) || within === undefined ? findRadii : [...findRadii, within]
  const choose = (radius: string) => {
    const { within: _before, ...rest } = query
    const code = near === '' ? (home?.code ?? '') : near
    onChange(radius === anyDistance ? rest : { ...rest, near: code, within: Number(radius) })
  }
  return (
    <Group title="Near">
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,8rem)] items-start gap-2 max-lg:grid-cols-2">
        <CodeInput
          code={near}
          error={unknown ? "We don't recognize this ZIP or postal code" : undefined}
          onCode={(code) => onChange(code === '' ? withoutNear(query) : { ...query, near: code }, 'near')}
        />
        <Select
          label="Distance"
          value={within === undefined ? anyDistance : String(within)}
          disabled={(near === '' && !home) || unknown}
          onChange={choose}
          options={[
            { value: anyDistance, label: 'Any distance' },
            ...radii
              .toSorted((a, b) => a - b)
              .map((radius) => ({
                value: String(radius),
                label: `${formatNumber(radius)} miles`,
              })),
          ]}
          className="pl-2!"
        />
      </div>
      <p className="mt-1 min-h-4 text-xs text-ink-2">{hint}</p>
    </Group>
  )
}

const placeName = ({ city, region }: FindHome): string => formatPlace({ city, state: region })

function placeHint(near: string, place: FiltersProps['place'], home: FiltersProps['home']): ReactNode {
  const isHome = home && (near === '' || near === home.code)
  const known = place?.known === true && place.code === near ? place : undefined
  if (isHome)
    return (
      <>
        {placeName(home)}
        <DotSeparator />
        your dealership
      </>
    )
  return known && placeName(known)
}

interface CodeInputProps {
  code: string
  error: string | undefined
  onCode: (code: string) => void
}

function CodeInput({ code, error, onCode }: CodeInputProps) {
  const [typed, setTyped] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const sent = useRef(code)
  useEffect(() => {
    if (code !== sent.current) setTyped(undefined)
    sent.current = code
  }, [code])
  const commit = (text: string) => {
    clearTimeout(timer.current)
    const wanted = text.trim().toUpperCase()
    sent.current = wanted
    if (wanted !== code) onCode(wanted)
  }
  return (
    <Field label="ZIP or postal code" hideLabel error={error}>
      <Input
        placeholder="ZIP or code"
        autoComplete="postal-code"
        maxLength={10}
        className="num px-2!"
        value={typed ?? code}
        onChange={({ target: { value } }) => {
          setTyped(value)
          clearTimeout(timer.current)
          if (value.trim() === '' || isWhole(value.trim()))
            timer.current = setTimeout(() => commit(value), codeTypingMs)
        }}
        onKeyDown={(event) => {
          if (isPressed(event, enter)) commit(typed ?? code)
        }}
        onBlur={() => {
          if (typed !== undefined) commit(typed)
          setTyped(undefined)
        }}
      />
    </Field>
  )
}
