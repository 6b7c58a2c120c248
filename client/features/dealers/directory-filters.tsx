import { Select } from '#client/ui/select.tsx'
import { DebouncedSearch } from '#client/ui/debounced-search.tsx'
import { statesAndProvinces } from '#shared/places.ts'
import type { DirectoryFilter } from './directory.api.ts'

/** Highlights dealers who have sold or bought Canadian vehicles before. Not sent to the server. */
export type PreviousCanadian = 'all' | 'sellers' | 'buyers'

const all = { value: 'all', label: 'All' }
const states = [all, ...statesAndProvinces.map((code) => ({ value: code, label: code }))]
const types = [
  all,
  { value: 'independent', label: 'Independent' },
  { value: 'wholesaler', label: 'Wholesaler' },
  { value: 'franchise', label: 'Franchise' },
]
const canadian = [all, { value: 'yes', label: 'Yes' }, { value: 'no', label: 'No' }]
const previous = [all, { value: 'sellers', label: 'Sellers' }, { value: 'buyers', label: 'Buyers' }]

interface DirectoryFiltersProps {
  filter: DirectoryFilter
  onFilter: (change: Partial<DirectoryFilter>) => void
  previousCanadian: PreviousCanadian
  onPreviousCanadian: (value: PreviousCanadian) => void
}

export function DirectoryFilters({ filter, onFilter, previousCanadian, onPreviousCanadian }: DirectoryFiltersProps) {
  const selects = [
    {
      label: 'State or province',
      value: filter.state,
      onChange: (state: string) => onFilter({ state }),
      options: states,
    },
    {
      label: 'Dealership type',
      value: filter.dealershipType,
      onChange: (dealershipType: string) => onFilter({ dealershipType }),
      options: types,
    },
    {
      label: 'Canadian buying',
      value: filter.buysCanadian,
      onChange: (buysCanadian: string) => onFilter({ buysCanadian }),
      options: canadian,
    },
    {
      label: 'Previous Canadian',
      value: previousCanadian,
      onChange: (value: string) => onPreviousCanadian(value === 'sellers' || value === 'buyers' ? value : 'all'),
      options: previous,
    },
  ]
  return (
    <div className="flex gap-2 border-b border-line px-4 py-3 max-lg:flex-col max-md:px-0">
      <DebouncedSearch
        label="Search by name or dealership"
        value={filter.name}
        onSearch={(name) => onFilter({ name })}
        className="min-w-50 flex-1 max-md:mx-4"
      />
      <div className="scrollbar-none flex gap-2 overflow-x-auto max-md:px-4 [&>button]:w-auto [&>button]:flex-none [&>button]:pl-2 max-md:[&>button]:text-base">
        {selects.map(({ label, ...select }) => (
          <Select key={label} label={label} prefix={label} {...select} />
        ))}
      </div>
    </div>
  )
}
