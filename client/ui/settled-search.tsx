import { useEffect, useState } from 'react'
import { SearchInput } from '#client/ui/input.tsx'

const settleMs = 250

/** A search box that asks once the typing has settled. */
export function AdminSearch({
  label,
  value,
  onSearch,
}: {
  label: string
  value: string
  onSearch: (term: string) => void
}) {
  const [text, setText] = useState(value)
  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => onSearch(text), settleMs)
    return () => clearTimeout(timer)
  }, [text, value, onSearch])
  return (
    <form
      role="search"
      className="min-w-0 max-md:w-full md:w-72"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(text)
      }}
    >
      <SearchInput label={label} placeholder={label} value={text} onChange={(event) => setText(event.target.value)} />
    </form>
  )
}
