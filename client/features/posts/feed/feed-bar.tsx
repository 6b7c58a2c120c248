import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { formatNumber, formatTotal, nounOf } from '#client/ui/format.ts'
import { SearchInput } from '#client/ui/input.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { feedSorts } from './feed-sorts.ts'
import type { FeedFilter } from '../posts.api.ts'

interface FeedBarProps {
  filter: FeedFilter
  onFilter: (filter: FeedFilter) => void
  total: number | undefined
  shown: number
  status: ReactNode
}

export function FeedBar({ filter, onFilter, total, shown, status }: FeedBarProps) {
  const sortLabel = feedSorts.find((sort) => sort.value === filter.sort)?.label ?? 'Recent'
  return (
    <div className="sticky top-(--frame-top,3.5rem) z-10 -mt-4 bg-canvas pt-4 pb-1 max-md:static max-md:mt-0 max-md:border-b max-md:border-line max-md:bg-surface max-md:px-4 max-md:pt-3 max-md:pb-2">
      <div className="flex items-center gap-3 max-md:flex-col-reverse max-md:items-stretch max-md:gap-2">
        <Segmented
          label="Sort"
          value={filter.sort}
          onChange={(sort) => onFilter({ ...filter, sort })}
          options={feedSorts}
          className="max-md:flex max-md:[&>button]:flex-auto"
        />
        <FeedSearch term={filter.search} onSearch={(search) => onFilter({ ...filter, search })} />
      </div>
      {/* Wraps on a phone, because the Save button and the connection's state do not fit on one line. */}
      <div className="flex min-h-9 items-center justify-between gap-x-3 pt-1 text-xs text-ink-2 max-md:flex-wrap">
        <p>
          {/*
            The number of posts shown grows with every page. It is outside the live region, so that screen readers do not
            announce it each time.
          */}
          <span role="status">
            {filter.search ? `“${filter.search}”` : 'All posts'}
            <DotSeparator />
            <b className="font-medium text-ink">{sortLabel}</b>
            {total === undefined ? null : (
              <>
                <DotSeparator />
                <span className="num">{formatTotal(total, filter.search).text}</span> {nounOf(total, 'result')}
              </>
            )}
          </span>
          {total === undefined ? null : (
            <>
              <DotSeparator />
              <span>
                showing <span className="num">{formatNumber(shown)}</span>
              </span>
            </>
          )}
        </p>
        {status}
      </div>
    </div>
  )
}

function FeedSearch({ term, onSearch }: { term: string; onSearch: (term: string) => void }) {
  const [text, setText] = useState(term)
  useEffect(() => setText(term), [term])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(text.trim())
  }
  return (
    <form role="search" aria-label="This feed" onSubmit={submit} className="flex min-w-0 flex-1 gap-2">
      <SearchInput
        size="lg"
        label="Search this feed"
        placeholder="Search this feed"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="flex-1"
      />
      <Button type="submit" size="lg" className="text-sm">
        SEARCH
      </Button>
    </form>
  )
}
