/** Matches text about a vehicle's title document: clean, salvage, rebuilt, branded, in hand. */
export const aboutTitle = /\btitles?\b|\bsalvage\b|\brebuilt\b(?! (?:engine|motor|transmission))|\bbranded\b/i

const clausesShown = 2
const lettersMax = 80

/** Returns the seller's own words about the title, such as `Clean title, title in hand`. Null if there are none. */
export function titleWords(texts: readonly (string | null)[]): string | null {
  const clauses = new Map<string, string>()
  for (const text of texts)
    for (const clause of text?.split(/[.;:!?,\n]+/) ?? []) {
      const words = clause.trim()
      const known = words.toLowerCase()
      if (aboutTitle.test(words) && !clauses.has(known)) clauses.set(known, [...words].slice(0, lettersMax).join(''))
    }
  const shown = [...clauses.values()].slice(0, clausesShown).join(', ')
  return shown === '' ? null : shown.charAt(0).toUpperCase() + shown.slice(1)
}
