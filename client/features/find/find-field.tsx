import Search from 'lucide-react/icons/search'
import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { Link } from 'wouter'
import { withQuery } from '#client/lib/http/api.ts'
import { isPressed, keys } from '#client/lib/keys/shortcuts.ts'
import { cx } from '#client/ui/cx.ts'
import { Input } from '#client/ui/input.tsx'
import { emptyFind, findSearch, type FindQuery, parseFind, writeFind, readFind } from '#shared/find-query.ts'
import { describeFind } from '#shared/find-labels.ts'
import { type OwnPlace, type Phrase, phraseMax } from './phrase/parse.ts'
import { isSearch, optionOf, usePhrase } from './phrase/use-phrase.ts'

interface Option {
  href: string
  label: string
  detail: string
}

/** Adds the typed filters to the search. Each replaces the current filter of the same kind. */
function merged(query: FindQuery, typed: FindQuery): FindQuery {
  const named = writeFind(typed)
  return readFind({ ...writeFind(query), ...named })
}

function optionsOf(text: string, phrase: Phrase | undefined, query: FindQuery): Option[] {
  const { as, sort: _sort, ...filters } = query
  const feed = { href: withQuery('/', { search: text }), label: `Search the feed for “${text}”`, detail: '' }
  if (phrase === undefined) return [feed]
  const alone = optionOf({ ...phrase, query: { ...phrase.query, as } })
  if (!isSearch({ ...emptyFind, ...filters })) return [alone, feed]
  const added = merged(query, phrase.query)
  const says = describeFind(phrase.query, phrase.place)
  return [alone, { href: `/find?${findSearch(added)}`, label: `Add to these filters: ${says}`, detail: '' }, feed]
}

interface FindFieldProps {
  query: FindQuery
  field: RefObject<HTMLInputElement | null>
  /** An example of a search that finds vehicles. */
  example: string
  home: OwnPlace
  onFind: (query: FindQuery) => void
}

/** A field that turns words into filters: `2019-2021 F-150 under 40k Dallas`. The text can also be searched in the feed. */
export function FindField({ query, field, example, home, onFind }: FindFieldProps) {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [picked, setPicked] = useState(0)
  const id = useId()
  const typed = text.trim()
  const phrase = usePhrase(typed, home)
  const options = typed === '' ? [] : optionsOf(typed, phrase, query)
  const shown = isOpen && options.length > 0
  const index = Math.min(picked, options.length - 1)
  const optionId = (at: number) => `${id}-${at}`
  const press = (event: KeyboardEvent) => {
    if (!shown) return
    if (isPressed(event, keys.nextFound)) setPicked((index + 1) % options.length)
    else if (isPressed(event, keys.previousFound)) setPicked((index + options.length - 1) % options.length)
    else if (isPressed(event, keys.openFound)) document.getElementById(optionId(index))?.click()
    else if (isPressed(event, keys.close)) setOpen(false)
    else return
    event.preventDefault()
  }
  return (
    <form
      role="search"
      aria-label="Describe vehicles"
      onSubmit={(event) => event.preventDefault()}
      className="relative"
    >
      <span className="relative block">
        <Search size={16} aria-hidden="true" className="pointer-events-none absolute top-1/2 left-2 -mt-2 text-ink-3" />
        <Input
          ref={field}
          role="combobox"
          aria-label="Describe what you're looking for"
          aria-expanded={shown}
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={shown ? optionId(index) : undefined}
          aria-keyshortcuts="/"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={phraseMax}
          placeholder={example}
          size="lg"
          className="pl-8!"
          value={text}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onChange={(event) => {
            setText(event.target.value)
            setPicked(0)
            setOpen(true)
          }}
          onKeyDown={press}
        />
      </span>
      <div
        id={id}
        role="listbox"
        aria-label="Suggested filters"
        hidden={!shown}
        className="absolute inset-x-0 top-full z-12 mt-1 rounded-md border border-line bg-raised p-1 shadow-2"
      >
        {options.map(({ href, label, detail }, at) => (
          <Link
            key={href}
            href={href}
            id={optionId(at)}
            role="option"
            aria-selected={at === index}
            tabIndex={-1}
            // Keep the focus in the field when the dealer presses an option, so that the list stays open.
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => setPicked(at)}
            onClick={(event) => {
              setText('')
              setOpen(false)
              if (!href.startsWith('/find?')) return
              event.preventDefault()
              onFind(parseFind(href.slice('/find?'.length)))
            }}
            className={cx(
              'flex min-h-9 flex-col justify-center rounded-sm px-2 py-1 max-md:min-h-11 touch:min-h-11',
              at === index &&
                'bg-accent-soft shadow-[inset_2px_0_0_var(--lw-accent)] forced-colors:outline-2 forced-colors:-outline-offset-2',
            )}
          >
            <span className="font-medium">{label}</span>
            {detail ? <span className="text-xs text-ink-2">{detail}</span> : null}
          </Link>
        ))}
      </div>
    </form>
  )
}
