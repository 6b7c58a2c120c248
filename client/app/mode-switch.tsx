import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { SearchInput } from '#client/ui/input.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { SlotTarget } from './slots.tsx'

const modes = [
  { value: 'search', label: 'Search' },
  { value: 'post', label: 'Post' },
] as const

/** Search or Post (spec A §2 "Home feed shell"). The mode lives in the address, so that it can be linked and gone back from. */
export function ModeSwitch() {
  const [path, navigate] = useLocation()
  const [params] = useSearchParams()
  const mode = path === '/' && params.get('mode') === 'post' ? 'post' : 'search'
  const change = (next: 'search' | 'post') => {
    const wanted = new URLSearchParams(path === '/' ? params : undefined)
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

function addressOf(params: URLSearchParams): string {
  const query = params.toString()
  return query ? `/?${query}` : '/'
}

function TopSearch({ term }: { term: string }) {
  const [, navigate] = useLocation()
  const [params] = useSearchParams()
  const [text, setText] = useState(term)
  const input = useSearchShortcut()
  useEffect(() => setText(term), [term])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = new URLSearchParams(params)
    if (text.trim()) wanted.set('search', text.trim())
    else wanted.delete('search')
    navigate(addressOf(wanted))
  }
  return (
    <form role="search" aria-label="Everything" onSubmit={submit} className="min-w-0 flex-1 max-md:hidden">
      <SearchInput
        ref={input}
        size="lg"
        label="Search dealers, vehicles, VINs"
        placeholder="Search dealers, vehicles, VINs"
        shortcut="/"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  )
}

/** `/` goes to the search box, except while one is typing. */
function useSearchShortcut() {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return input
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}
