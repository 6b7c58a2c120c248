import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { SearchInput } from '#client/ui/input.tsx'
import { Select } from '#client/ui/select.tsx'
import { statesAndProvinces } from '#shared/places.ts'
import type { DirectoryFilter } from './directory.api.ts'

/** Marks who has dealt in Canadian vehicles before; asks nothing of the server. */
export type PreviousCanadian = 'all' | 'sellers' | 'buyers'

const searchDelayMs = 250
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

/** One row; on a phone the search above and the selects in a row that scrolls. */
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
      <NameSearch term={filter.name} onSearch={(name) => onFilter({ name })} />
      <div className="scrollbar-none flex gap-2 overflow-x-auto max-md:px-4 [&>button]:w-auto [&>button]:flex-none [&>button]:pl-2 max-md:[&>button]:text-base">
        {selects.map(({ label, ...select }) => (
          <Select key={label} label={label} prefix={label} {...select} />
        ))}
      </div>
    </div>
  )
}

/** Searches as one types, a moment after the last key; at once with Enter. */
function NameSearch({ term, onSearch }: { term: string; onSearch: (term: string) => void }) {
  const [text, setText] = useState(term)
  const asked = useRef(term)
  const search = useEffectEvent((wanted: string) => {
    asked.current = wanted
    onSearch(wanted)
  })
  useEffect(() => {
    // What was typed here stays as it was typed: a blank at its end, and letters that came meanwhile.
    if (term === asked.current) return
    asked.current = term
    setText(term)
  }, [term])
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === term) return
    const timer = setTimeout(() => search(wanted), searchDelayMs)
    return () => clearTimeout(timer)
  }, [text, term])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    asked.current = text.trim()
    onSearch(asked.current)
  }
  return (
    <form role="search" aria-label="Dealers" onSubmit={submit} className="min-w-50 flex-1 max-md:mx-4">
      <SearchInput
        label="Search by name or dealership"
        placeholder="Search by name or dealership"
        maxLength={120}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  )
}
