import { type FormEvent, useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { SearchInput } from '#client/ui/input.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { SlotTarget } from './slots.tsx'

const modes = [
  { value: 'search', label: 'Search' },
  { value: 'post', label: 'Post' },
] as const

/** Search or Post. The mode lives in the address, so that it can be linked and gone back from. */
export function ModeSwitch() {
  const [path, navigate] = useLocation()
  const [params] = useSearchParams()
  const mode = path === '/' && params.get('mode') === 'post' ? 'post' : 'search'
  useSearchShortcut()
  const change = (next: 'search' | 'post') => {
    const wanted = feedParams(path, params)
    if (next === 'post') wanted.set('mode', 'post')
    else wanted.delete('mode')
    navigate(addressOf(wanted))
  }
  return (
    <div className="flex min-w-0 items-center gap-3 max-md:justify-center">
      <Segmented label="Mode" value={mode} onChange={change} options={modes} className="max-md:[&>button]:min-w-18" />
      {mode === 'search' ? (
        <TopSearch term={path === '/' ? (params.get('search') ?? '') : ''} />
      ) : (
        <SlotTarget name="top-bar-title" className="min-w-0 flex-1 max-md:hidden" />
      )}
    </div>
  )
}

/** The feed's own part of the address; another page's means nothing to it. */
function feedParams(path: string, params: URLSearchParams): URLSearchParams {
  return new URLSearchParams(path === '/' ? params : undefined)
}

function addressOf(params: URLSearchParams): string {
  const query = params.toString()
  return query ? `/?${query}` : '/'
}

function TopSearch({ term }: { term: string }) {
  const [path, navigate] = useLocation()
  const [params] = useSearchParams()
  const [text, setText] = useState(term)
  useEffect(() => setText(term), [term])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = feedParams(path, params)
    if (text.trim()) wanted.set('search', text.trim())
    else wanted.delete('search')
    navigate(addressOf(wanted))
  }
  return (
    <form role="search" aria-label="Everything" onSubmit={submit} className="min-w-0 flex-1 max-md:hidden">
      <SearchInput
        size="lg"
        label="Search dealers, vehicles, VINs"
        placeholder="Search dealers, vehicles, VINs"
        shortcut="/"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  )
}

/** `/` goes to the first search box that is shown, except while one is typing: in Post mode and on a phone the feed's. */
function useSearchShortcut() {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return
      const boxes = [...document.querySelectorAll<HTMLInputElement>('[role="search"] input')]
      const input = boxes.find((box) => box.checkVisibility())
      if (!input) return
      event.preventDefault()
      input.focus()
      input.select()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Where one types, and in a dialog, a slash is only a slash. */
function isElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.closest('input, textarea, select, [role="dialog"]') !== null
}
