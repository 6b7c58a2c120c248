import { useInfiniteQuery } from '@tanstack/react-query'
import Lock from 'lucide-react/icons/lock'
import Megaphone from 'lucide-react/icons/megaphone'
import { type ReactNode, useState } from 'react'
import { planNeedOf } from '#client/lib/session/plan-refusal.ts'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { cx } from '#client/ui/cx.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatMileage, formatMoney, formatNumber, nounOf, plural } from '#client/ui/format.ts'
import { LoadMore } from '#client/ui/load-more.tsx'
import { NeedsPlan } from '#client/ui/needs-plan.tsx'
import { QueryState } from '#client/ui/query-state.tsx'
import { Select } from '#client/ui/select.tsx'
import { DebouncedSearch } from '#client/ui/debounced-search.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { demandDealersMin, orderRadii } from '#shared/constants/wanted.ts'
import type { DemandGroup, DemandList as Listed, WantedVehicle } from '#shared/schemas/wanted.ts'
import { traitLabels } from '#shared/vehicle-traits.ts'
import { modelTitle } from './order-labels.ts'
import { type DemandFilter, demandListQuery, useOfferToOrder } from './wanted.api.ts'

const all = 'all'
const row = 'grid items-center gap-x-4 px-4 md:grid-cols-[minmax(0,1fr)_4.5rem_4.5rem_6.5rem_11.5rem_8rem]'
const heatMarks = 5

interface DemandListProps {
  filter: DemandFilter
  onFilter: (change: Partial<DemandFilter>) => void
  onPost: () => void
  lookUp: ReactNode
}

/** Lists the vehicles that other dealers want, by model. The dealers are anonymous. */
export function DemandList({ filter, onFilter, onPost, lookUp }: DemandListProps) {
  const list = useInfiniteQuery(demandListQuery(filter))
  const [first] = list.data?.pages ?? []
  const groups = list.data?.pages.flatMap((page) => page.items)
  const [offering, setOffering] = useState<DemandGroup>()
  const isFiltered = filter.have || [filter.q, filter.make, filter.within].some((one) => one !== '')
  const need = planNeedOf(list.error)
  if (need)
    return (
      <Card aria-label="Demand">
        <NeedsPlan need={need} icon={<Megaphone size={24} />} />
      </Card>
    )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {lookUp}
      <Card aria-label="Demand" className={cx('overflow-hidden', list.isPlaceholderData && 'opacity-60')}>
        <Filters filter={filter} list={first} onFilter={onFilter} />
        <QueryState query={list} failure="Demand could not be loaded" label="Loading demand">
          <div className="divide-y divide-line md:pt-8">
            <SkeletonRows rows={6} className="h-15 px-4" lead="hidden" />
          </div>
        </QueryState>
        {groups ? <Groups groups={groups} isFiltered={isFiltered} onPost={onPost} onOffer={setOffering} /> : null}
        {list.hasNextPage ? <LoadMore busy={list.isFetchingNextPage} onLoad={() => void list.fetchNextPage()} /> : null}
      </Card>
      <p className="px-4 text-xs text-ink-2">
        Wanted by at least {demandDealersMin === 3 ? 'three' : demandDealersMin} dealers. Buyers' names are hidden.
      </p>
      {offering ? <OfferYours group={offering} onClose={() => setOffering(undefined)} /> : null}
    </div>
  )
}

function Groups({
  groups,
  isFiltered,
  onPost,
  onOffer,
}: {
  groups: readonly DemandGroup[]
  isFiltered: boolean
  onPost: () => void
  onOffer: (group: DemandGroup) => void
}) {
  const most = Math.max(1, ...groups.map(({ dealers }) => dealers))
  if (groups.length === 0)
    return (
      <EmptyState
        icon={<Megaphone size={24} />}
        title={isFiltered ? 'No matching demand' : 'No demand yet'}
        hint={`${isFiltered ? 'Remove a filter. ' : ''}Models appear here once at least three dealers want them.`}
      />
    )
  return (
    <>
      <div
        aria-hidden="true"
        className={cx(row, 'h-8 border-b border-line bg-sunken text-xs font-medium text-ink-2 max-md:hidden')}
      >
        <span>Vehicle</span>
        <span className="text-right">Dealers</span>
        <span className="text-right">Per month</span>
        <span className="text-right">Nearest</span>
        <span>Best price</span>
      </div>
      <ul className="divide-y divide-line">
        {groups.map((group) => (
          <GroupRow
            key={`${group.make}~${group.model}~${group.yearFrom}~${group.yearTo}`}
            group={group}
            most={most}
            onPost={onPost}
            onOffer={() => onOffer(group)}
          />
        ))}
      </ul>
    </>
  )
}

const withinOptions = [
  { value: all, label: 'anywhere' },
  ...orderRadii.map((miles) => ({ value: String(miles), label: `within ${formatNumber(miles)} mi` })),
]

interface FiltersProps extends Pick<DemandListProps, 'filter' | 'onFilter'> {
  list: Listed | undefined
}

function Filters({ filter, list, onFilter }: FiltersProps) {
  const { makes = [], placeKnown = true } = list ?? {}
  const shown = filter.make && !makes.includes(filter.make) ? [filter.make, ...makes] : makes
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-3">
      <DebouncedSearch label="Make, model or trim" value={filter.q} onSearch={(q) => onFilter({ q })} />
      {list?.placeKnown ? (
        <Select
          label="Distance"
          prefix="Dealers"
          className="w-auto!"
          value={filter.within || all}
          options={withinOptions}
          onChange={(within) => onFilter({ within: within === all ? '' : within })}
        />
      ) : null}
      <Select
        label="Make"
        prefix="Make"
        className="w-auto!"
        value={filter.make || all}
        options={[{ value: all, label: 'All' }, ...shown.map((make) => ({ value: make, label: make }))]}
        onChange={(make) => onFilter({ make: make === all ? '' : make })}
      />
      <Checkbox checked={filter.have} onChange={(have) => onFilter({ have })} label="I have one" />
      {list ? (
        <p role="status" className="num ml-auto text-xs text-ink-2">
          {plural(list.dealers, 'dealer')} {nounOf(list.dealers, 'wants', 'want')} {plural(list.perMonth, 'vehicle')}{' '}
          per month
        </p>
      ) : null}
      {placeKnown ? null : (
        <p className="w-full text-xs text-ink-2">
          We don't recognize the ZIP or postal code in your profile, so distances are not shown.
        </p>
      )}
    </div>
  )
}

const milesText = ({ milesFrom, milesTo }: DemandGroup) =>
  milesFrom === milesTo ? `${formatMileage(milesTo)} max` : `${formatNumber(milesFrom)}–${formatMileage(milesTo)} max`

const forYours = ({ year }: WantedVehicle) => (year === null ? 'for yours' : `for your ${year}`)

function whyHidden({ isRival, withheld }: DemandGroup): string {
  if (isRival) return "Hidden: you're buying these too"
  return withheld === null ? 'Enter a VIN to see prices' : withheldText[withheld]
}

const withheldText: Record<NonNullable<DemandGroup['withheld']>, string> = {
  vin: 'Hidden: your VIN is wrong or another dealer has posted it',
  limit: 'Hidden: too many lookups. Try again later',
  asked: "Hidden: you've looked up many vehicles without posting them",
}

interface GroupRowProps {
  group: DemandGroup
  most: number
  onPost: () => void
  onOffer: () => void
}

function GroupRow({ group, most, onPost, onOffer }: GroupRowProps) {
  const { dealers, perMonth, nearest, yours } = group
  const title = modelTitle(group)
  const marks = Math.max(1, Math.round((dealers / most) * heatMarks))
  const best = yours.toSorted((a, b) => b.best - a.best)[0]
  return (
    <li className={cx(row, 'min-h-15 gap-y-1 py-2 hover:bg-hover max-md:grid-cols-[minmax(0,1fr)_auto] max-md:py-3')}>
      <div className="min-w-0">
        <h2 className="text-base font-semibold text-pretty">{title}</h2>
        <p className="num text-xs text-ink-2">
          {milesText(group)}
          {group.mostlyDrive === null ? null : (
            <>
              <DotSeparator />
              mostly {traitLabels[group.mostlyDrive]}
            </>
          )}
          <span className="md:hidden">
            <DotSeparator />
            {perMonth} per month
            {nearest === null ? null : (
              <>
                <DotSeparator />
                nearest about {formatMileage(nearest)}
              </>
            )}
          </span>
        </p>
      </div>
      <div className="num text-right">
        <p className="text-md font-semibold">
          {dealers}
          <span className="text-xs font-normal text-ink-2 md:sr-only"> dealers</span>
        </p>
        <div aria-hidden="true" className="mt-0.5 flex justify-end gap-0.5">
          {Array.from({ length: heatMarks }, (_, index) => (
            <span key={index} className={cx('h-1 w-2 rounded-full', index < marks ? 'bg-accent' : 'bg-pressed')} />
          ))}
        </div>
      </div>
      <div className="num text-right max-md:hidden">
        {perMonth}
        <span className="sr-only"> per month</span>
      </div>
      <div className="num text-right max-md:hidden">
        <span className="sr-only">nearest </span>
        {nearest === null ? 'unknown' : `about ${formatMileage(nearest)}`}
      </div>
      <div className="num min-w-0">
        {best ? (
          <>
            <b className="text-md font-semibold">{formatMoney(best.best)}</b>{' '}
            <span className="text-xs text-ink-2">{forYours(best)}</span>
          </>
        ) : (
          <span className="inline-flex items-center gap-1 text-xs text-ink-2">
            <Lock size={14} aria-hidden="true" className="flex-none" />
            {whyHidden(group)}
          </span>
        )}
      </div>
      <div className="flex justify-end">
        {best ? (
          <Button variant="on" size="sm" aria-label={`Offer yours ${yours.length}: ${title}`} onClick={onOffer}>
            Offer yours <span className="num">{yours.length}</span>
          </Button>
        ) : (
          <Button size="sm" aria-label={`Post one: ${title}`} onClick={onPost}>
            Post one
          </Button>
        )}
      </div>
    </li>
  )
}

function OfferYours({ group, onClose }: { group: DemandGroup; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Offer yours"
      width="md"
      description={`${modelTitle(group)}: the highest-paying buyer has 24 hours to accept. You'll see each other's names.`}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <ul className="divide-y divide-line">
        {group.yours.map((vehicle) => (
          <OwnVehicle key={vehicle.vehicleId} vehicle={vehicle} />
        ))}
      </ul>
    </Dialog>
  )
}

function OwnVehicle({ vehicle }: { vehicle: WantedVehicle }) {
  const offer = useOfferToOrder()
  const { title, mileage, price, best, dealers, offered, vehicleId, ref } = vehicle
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        <p className="num text-xs text-ink-2">
          {mileage === null ? 'mileage not stated' : formatMileage(mileage)}
          <DotSeparator />
          {price === null ? 'no asking price' : `you ask ${formatMoney(price)}`}
          <DotSeparator />
          {plural(dealers, 'dealer')} would take it
        </p>
      </div>
      {offered || offer.isSuccess ? (
        <span role="status" className="text-success-ink">
          Offered
        </span>
      ) : (
        <Button
          variant="primary"
          busy={offer.isPending}
          aria-label={`Offer for ${formatMoney(best)}: ${title}`}
          onClick={() =>
            offer.mutate(
              { ref, vehicleId },
              {
                onSuccess: ({ buyer }) =>
                  toast({ title: 'Offer sent', description: `${buyer.name} has 24 hours to answer` }),
              },
            )
          }
        >
          Offer for {formatMoney(best)}
        </Button>
      )}
    </li>
  )
}
