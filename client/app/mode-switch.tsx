import Search from 'lucide-react/icons/search'
import { useLocation, useSearchParams } from 'wouter'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { SearchField } from './search-field.tsx'
import { openSearch } from './shortcuts.tsx'
import { SlotTarget } from './slots.tsx'

const modes = [
  { value: 'search', label: 'Search' },
  { value: 'post', label: 'Post' },
] as const

/** The mode is in the URL, so that links and the Back button work. */
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
        <>
          <SearchField />
          <IconButton
            label="Search everything"
            icon={<Search size={20} />}
            aria-haspopup="dialog"
            onClick={openSearch}
            className="md:hidden"
          />
        </>
      ) : (
        <SlotTarget name="top-bar-title" className="min-w-0 flex-1 max-md:hidden" />
      )}
    </div>
  )
}

function feedParams(path: string, params: URLSearchParams): URLSearchParams {
  return new URLSearchParams(path === '/' ? params : undefined)
}

function addressOf(params: URLSearchParams): string {
  const query = params.toString()
  return query ? `/?${query}` : '/'
}
