import Search from 'lucide-react/icons/search'
import { useLocation, useSearchParams } from 'wouter'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Kbd } from '#client/ui/kbd.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { openSearch } from './shortcuts.tsx'
import { SlotTarget } from './slots.tsx'

const modes = [
  { value: 'search', label: 'Search' },
  { value: 'post', label: 'Post' },
] as const

/** Search or Post. The mode is in the URL, so that it works with links and Back. */
export function ModeSwitch() {
  const [path, navigate] = useLocation()
  const [params] = useSearchParams()
  const mode = path === '/' && params.get('mode') === 'post' ? 'post' : 'search'
  const change = (next: 'search' | 'post') => {
    const wanted = feedParams(path, params)
    if (next === 'post') wanted.set('mode', 'post')
    else wanted.delete('mode')
    navigate(addressOf(wanted))
  }
  return (
    <div className="flex min-w-0 items-center gap-3 max-md:justify-center max-md:gap-0">
      <Segmented
        label="Mode"
        value={mode}
        onChange={change}
        options={modes}
        className="max-md:[&>button]:min-w-15 max-[22.4375rem]:[&>button]:min-w-12 max-[22.4375rem]:[&>button]:px-1"
      />
      {mode === 'search' ? (
        <SearchButton />
      ) : (
        <SlotTarget name="top-bar-title" className="min-w-0 flex-1 max-md:hidden" />
      )}
    </div>
  )
}

/** The feed's query parameters. Those of other pages are dropped. */
function feedParams(path: string, params: URLSearchParams): URLSearchParams {
  return new URLSearchParams(path === '/' ? params : undefined)
}

function addressOf(params: URLSearchParams): string {
  const query = params.toString()
  return query ? `/?${query}` : '/'
}

/** Looks like the search field that it opens; only an icon on a phone. */
function SearchButton() {
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K Meta+K"
        onClick={openSearch}
        className="flex h-10 min-w-0 flex-1 items-center gap-2 rounded-md border border-control bg-surface px-2 text-left text-base text-ink-3 transition-colors hover:border-ink-3 max-md:hidden touch:h-11"
      >
        <Search size={16} aria-hidden="true" />
        <span className="min-w-0 flex-1 truncate">Search dealers, vehicles, VINs</span>
        <span aria-hidden="true">
          <Kbd>/</Kbd>
        </span>
      </button>
      <IconButton
        label="Search everything"
        icon={<Search size={20} />}
        aria-haspopup="dialog"
        onClick={openSearch}
        className="md:hidden"
      />
    </>
  )
}
