import { useQuery } from '@tanstack/react-query'
import ArrowRight from 'lucide-react/icons/arrow-right'
import CarFront from 'lucide-react/icons/car-front'
import Handshake from 'lucide-react/icons/handshake'
import MessageSquare from 'lucide-react/icons/message-square'
import Search from 'lucide-react/icons/search'
import UserRound from 'lucide-react/icons/user-round'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import { reasonOf } from '#client/lib/http/api.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { isPressed, keys } from '#client/lib/keys/shortcuts.ts'
import { nothingFound } from '#client/lib/form/nothing-found.ts'
import { useDebounced } from '#client/lib/form/use-debounced.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { plural } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { RateLimitCountdown } from '#client/ui/rate-limit-countdown.tsx'
import { Picture } from '#client/ui/picture.tsx'
import { forgetRecent, type Kind, noteRecent, readRecent } from './recent-searches.ts'
import { searchQuery } from './search.api.ts'
import { isAskable, isNothing, type Option, type Section, sectionsOf, type VehiclesOption } from './search-sections.ts'

const settleMs = 150

function useFound(typed: string) {
  const asked = useDebounced(typed, settleMs)
  const isAsking = isAskable(typed)
  const query = useQuery({ ...searchQuery(asked), enabled: isAsking && isAskable(asked) })
  // Keep the previous results until the next response arrives, unless the search field is empty.
  const found = isAsking ? query.data : undefined
  const isWaiting = isAsking && !query.isError && (asked !== typed || query.isFetching)
  return { query, found, isWaiting, isSettled: isAsking && !isWaiting && query.isSuccess }
}

/** Returns the option chosen with the arrow keys or pointer. Defaults to the option at index `first`. */
function useChosen(options: readonly Option[], typed: string, first: number) {
  const [picked, setPicked] = useState<{ typed: string; href: string }>()
  const wanted = picked?.typed === typed ? options.findIndex(({ href }) => href === picked.href) : first
  const index = Math.max(0, wanted)
  const choose = (at: number) => {
    const option = options.at(at % options.length)
    if (option) setPicked({ typed, href: option.href })
  }
  return { index, choose, step: (by: number) => choose(index + by), isPicked: picked?.typed === typed }
}

export interface SearchListProps {
  text: string
  pages: readonly Option[]
  vehicles: VehiclesOption | undefined
  /** If true, Enter searches the feed. If false, Enter opens the first option. */
  feedFirst?: boolean
  onOpenChat: (href: string) => void
  onClose: () => void
}

export function useSearchList({ text, pages, vehicles, feedFirst = false, onOpenChat, onClose }: SearchListProps) {
  const { id: ownId } = useCurrentDealer()
  const [recent, setRecent] = useState(() => readRecent(ownId))
  const typed = text.trim()
  const { query, found, isWaiting, isSettled } = useFound(typed)
  const sections = sectionsOf({ typed, found, pages, vehicles, recent, ownId })
  const options = sections.flatMap((section) => section.options)
  const first = feedFirst ? options.findIndex(({ kind }) => kind === 'words') : 0
  const { index, choose, step, isPicked } = useChosen(options, typed, first)
  const id = useId()
  const optionId = (at: number) => `${id}-${at}`
  const isNone = isSettled && found !== undefined && isNothing(found)
  return {
    id,
    typed,
    query,
    sections,
    options,
    index,
    optionId,
    isPicked,
    isWaiting,
    isNone,
    status: isNone ? 'No results' : statusOf(isWaiting, isSettled, options.length),
    choose,
    hasRecent: typed === '' && recent.length > 0,
    clearRecent: () => {
      forgetRecent(ownId)
      setRecent([])
    },
    /** Returns true if the key was handled. */
    press: (event: KeyboardEvent<HTMLInputElement>): boolean => {
      if (isPressed(event, keys.nextFound)) step(1)
      else if (isPressed(event, keys.previousFound)) step(-1)
      else if (isPressed(event, keys.openFound)) document.getElementById(optionId(index))?.click()
      else return false
      event.preventDefault()
      return true
    },
    pick: (option: Option, event: MouseEvent) => {
      noteRecent(ownId, option)
      if (option.kind === 'chat') {
        event.preventDefault()
        onOpenChat(option.href)
      }
      onClose()
    },
  }
}

export function SearchList({ list }: { list: ReturnType<typeof useSearchList> }) {
  const { id, typed, query, sections, options, index, optionId, choose, pick } = list
  return (
    <>
      <p role="status" className="sr-only">
        {list.status}
      </p>
      <div className="min-h-0 flex-auto overflow-y-auto overscroll-contain p-2">
        {query.isError && isAskable(typed) ? (
          <div className="mb-2">
            <InlineError
              title="The search failed"
              message={reasonOf(query.error)}
              retrying={query.isFetching}
              onRetry={() => void query.refetch()}
            />
          </div>
        ) : null}
        <RateLimitCountdown query={query} className="mb-2" />
        <div role="listbox" id={id} aria-label="Results">
          {sections.map((section) => (
            <SectionGroup
              key={section.title}
              section={section}
              first={options.findIndex((option) => option === section.options[0])}
              chosen={index}
              optionId={optionId}
              onChoose={choose}
              onPick={pick}
            />
          ))}
        </div>
        {list.isNone ? (
          <p className="px-3 py-4 text-center text-ink-2">
            {nothingFound(`No dealers, posts, chats or deals for “${typed}”`, typed)}
          </p>
        ) : null}
        {list.hasRecent ? (
          <Button variant="ghost" className="mx-1 mt-1" onClick={list.clearRecent}>
            Clear recent
          </Button>
        ) : null}
      </div>
    </>
  )
}

function statusOf(isWaiting: boolean, isSettled: boolean, count: number): string {
  if (isWaiting) return 'Searching'
  return isSettled ? plural(count, 'result') : ''
}

interface SectionGroupProps {
  section: Section
  first: number
  chosen: number
  optionId: (at: number) => string
  onChoose: (at: number) => void
  onPick: (option: Option, event: MouseEvent) => void
}

function SectionGroup({ section: { title, options }, first, chosen, optionId, onChoose, onPick }: SectionGroupProps) {
  const titleId = useId()
  return (
    <div role="group" aria-labelledby={titleId} className="not-first:mt-2">
      <div id={titleId} role="presentation" className="px-3 pt-1 pb-1 text-xs font-medium text-ink-3">
        {title}
      </div>
      {options.map((option, at) => (
        <OptionRow
          key={option.href}
          option={option}
          id={optionId(first + at)}
          isChosen={first + at === chosen}
          onChoose={() => onChoose(first + at)}
          onPick={(event) => onPick(option, event)}
        />
      ))}
    </div>
  )
}

interface OptionRowProps {
  option: Option
  id: string
  isChosen: boolean
  onChoose: () => void
  onPick: (event: MouseEvent) => void
}

function OptionRow({ option, id, isChosen, onChoose, onPick }: OptionRowProps) {
  const { href, label, detail, end } = option
  const row = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <Link
      ref={row}
      href={href}
      role="option"
      id={id}
      aria-selected={isChosen}
      tabIndex={-1}
      // Choose only when the pointer moves, because results may appear under a resting pointer.
      onMouseMove={isChosen ? undefined : onChoose}
      onClick={onPick}
      className={cx(
        'flex min-h-11 scroll-my-8 items-center gap-3 rounded-sm px-3 py-1',
        isChosen &&
          'bg-accent-soft shadow-[inset_2px_0_0_var(--lw-accent)] forced-colors:outline-2 forced-colors:-outline-offset-2',
      )}
    >
      <OptionIcon option={option} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{label}</span>
        {detail ? <span className="block truncate text-xs text-ink-2">{detail}</span> : null}
      </span>
      {end ? <span className="num flex-none text-xs text-ink-2">{end}</span> : null}
    </Link>
  )
}

const icons: Record<Kind, ReactNode> = {
  page: <ArrowRight size={16} aria-hidden="true" />,
  words: <Search size={16} aria-hidden="true" />,
  vehicles: <CarFront size={16} aria-hidden="true" />,
  dealer: <UserRound size={16} aria-hidden="true" />,
  post: <CarFront size={16} aria-hidden="true" />,
  deal: <Handshake size={16} aria-hidden="true" />,
  chat: <MessageSquare size={16} aria-hidden="true" />,
}

function OptionIcon({ option: { kind, label, avatar, photo, icon } }: { option: Option }) {
  if (avatar !== undefined) return <Avatar name={label} src={avatar} size={32} />
  return (
    <span
      aria-hidden="true"
      className="relative flex h-8 w-8 flex-none items-center justify-center overflow-hidden rounded-sm bg-hover text-ink-2"
    >
      {photo ? (
        <Picture src={photo} alt="" eager sizes="32px" className="absolute inset-0 size-full object-cover" />
      ) : (
        (icon ?? icons[kind])
      )}
    </span>
  )
}
