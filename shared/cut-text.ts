/** Matches marks, joiners and skin tones, which belong to the preceding character. */
const continues = /^[\p{M}\p{Emoji_Modifier}\u200d]/u
const joiner = '\u200d'
/** Longest character that is kept whole, in UTF-16 units. A limit is needed, because a letter can carry any number of marks. */
const characterMax = 32

/** Cuts the text to at most `max` UTF-16 units, without splitting an emoji or an accented letter. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  let end = max
  while (end > max - characterMax && isWithinCharacter(text, end)) end -= 1
  if (isWithinCharacter(text, end)) end = isWithinPair(text, max) ? max - 1 : max
  return text.slice(0, end)
}

const isWithinPair = (text: string, at: number): boolean =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))

const isWithinCharacter = (text: string, at: number): boolean =>
  at > 0 && (isWithinPair(text, at) || text[at - 1] === joiner || continues.test(text.slice(at, at + 2)))
