import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { cx } from './cx.ts'
import { SearchInput } from './input.tsx'

const settleMs = 250

interface DebouncedSearchProps {
  label: string
  placeholder?: string
  value: string
  onSearch: (term: string) => void
  className?: string
}

/** Searches once the user stops typing, or at once on Enter. Trims the search term, but keeps the typed spaces in the box. */
export function DebouncedSearch({ label, placeholder = label, value, onSearch, className }: DebouncedSearchProps) {
  const [text, setText] = useState(value)
  const asked = useRef(value)
  const ask = (term: string) => {
    asked.current = term
    onSearch(term)
  }
  const askSettled = useEffectEvent(ask)
  useEffect(() => {
    if (value === asked.current) return
    asked.current = value
    setText(value)
  }, [value])
  useEffect(() => {
    const term = text.trim()
    if (term === asked.current) return undefined
    const timer = setTimeout(() => askSettled(term), settleMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <form
      role="search"
      className={cx('min-w-0', className ?? 'max-md:w-full md:w-72')}
      onSubmit={(event) => {
        event.preventDefault()
        ask(text.trim())
      }}
    >
      <SearchInput
        label={label}
        placeholder={placeholder}
        maxLength={100}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  )
}
