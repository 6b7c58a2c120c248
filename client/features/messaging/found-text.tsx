import { Fragment } from 'react'

/** So much of what stands before the first hit is shown. */
const leadMax = 16

/** The words as the server looks for them: their beginnings, whatever their case. */
function hitsOf(search: string): RegExp | undefined {
  const words = search.match(/[\p{L}\p{N}]+/gu)
  return words === null ? undefined : new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})`, 'giu')
}

/** A message from shortly before what was looked for, which is marked: the rest is cut where there is no room. */
export function FoundText({ content, search }: { content: string; search: string }) {
  const hits = hitsOf(search)
  if (hits === undefined) return content
  const lead = content.search(hits) - leadMax
  const start = lead <= 0 ? 0 : content.indexOf(' ', lead) + 1
  // Splitting by a group leaves what it matched at the odd places.
  const parts = content.slice(start).split(hits)
  return (
    <>
      {start > 0 ? '… ' : ''}
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          <Fragment key={index}>{part}</Fragment>
        ) : (
          <mark key={index} className="bg-transparent font-semibold text-ink">
            {part}
          </mark>
        ),
      )}
    </>
  )
}
