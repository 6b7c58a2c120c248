import Search from 'lucide-react/icons/search'
import { type KeyboardEvent, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { PanelHandle } from '#client/features/search/search-panel.tsx'
import { isPressed, keys } from '#client/lib/keys/shortcuts.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { Kbd } from '#client/ui/kbd.tsx'
import { searchMax } from '#shared/constants/search.ts'
import { openKeys } from './shortcuts.tsx'

const Panel = lazyPart(async () => (await import('#client/pages/search-palette.tsx')).SearchPanel)
const fetchPanel = () => void Panel.preload().catch(() => undefined)

function useSearchText() {
  const [path, navigate] = useLocation()
  const [params] = useSearchParams()
  const isHome = path === '/'
  const term = isHome ? (params.get('search') ?? '') : ''
  const [text, setText] = useState(term)
  const [isOpen, setOpen] = useState(false)
  const panel = useRef<PanelHandle>(null)
  // Show the feed's current search term, also after Back and after a search in the feed's own field.
  useEffect(() => {
    setText(term)
    setOpen(false)
  }, [path, term])
  const close = useCallback(() => setOpen(false), [])
  const searchFeed = () => {
    const wanted = new URLSearchParams(isHome ? params : undefined)
    if (text.trim()) wanted.set('search', text.trim())
    else wanted.delete('search')
    const query = wanted.toString()
    setOpen(false)
    navigate(query ? `/?${query}` : '/')
  }
  /** Searches the feed on the home screen, or anywhere while the suggestions are loading. Returns true if the search ran. */
  const enter = (): boolean => {
    const hasText = text.trim() !== ''
    const isForFeed = isHome ? hasText || term !== '' : hasText && panel.current === null
    if (panel.current?.isPicked || !isForFeed) return false
    searchFeed()
    return true
  }
  const escape = (): boolean => {
    close()
    return isOpen
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const isHandled = (isPressed(event, keys.openFound) && enter()) || (isPressed(event, keys.close) && escape())
    if (isHandled) event.preventDefault()
    else panel.current?.press(event)
  }
  const type = (next: string) => {
    setText(next)
    setOpen(true)
  }
  return { text, type, isOpen, open: () => setOpen(true), close, press, panel, isHome }
}

/** Enter searches the feed on the home screen, and opens the first suggestion on other screens. */
export function SearchField() {
  const { text, type, isOpen, open, close, press, panel, isHome } = useSearchText()
  const [ids, setIds] = useState<{ list: string; option: string }>()
  const isShown = isOpen && ids !== undefined
  return (
    <form
      role="search"
      aria-label="Everything"
      onSubmit={(event) => event.preventDefault()}
      className="relative min-w-0 flex-1 max-md:hidden"
    >
      <Search size={16} aria-hidden="true" className="pointer-events-none absolute top-1/2 left-2 -mt-2 text-ink-3" />
      <input
        data-search-field
        role="combobox"
        aria-label="Search dealers, vehicles, VINs"
        aria-expanded={isShown}
        aria-autocomplete="list"
        aria-controls={isShown ? ids.list : undefined}
        aria-activedescendant={isShown ? ids.option : undefined}
        aria-keyshortcuts="/ Control+K Meta+K"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={searchMax}
        placeholder="Dealers, vehicles, VINs"
        value={text}
        onPointerEnter={fetchPanel}
        onFocus={open}
        onClick={open}
        onBlur={close}
        onChange={(event) => type(event.target.value)}
        onKeyDown={press}
        className="h-10 w-full rounded-md border border-control bg-surface pr-9 pl-8 text-base transition-colors placeholder:text-ink-3 hover:border-ink-3 touch:h-11"
      />
      <span aria-hidden="true" className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2">
        <Kbd>/</Kbd>
      </span>
      {isOpen ? (
        <Suspense>
          <Panel
            handle={panel}
            text={text}
            feedFirst={isHome}
            onOptions={setIds}
            onClose={close}
            onShowKeys={() => {
              close()
              openKeys()
            }}
          />
        </Suspense>
      ) : null}
    </form>
  )
}
