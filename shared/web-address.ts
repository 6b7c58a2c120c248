/** Whether a link may lead there: only to the web. Any other address in a link would run or open something. */
export function isWebAddress(address: string): boolean {
  if (!/^https?:\/\//i.test(address)) return false
  try {
    return new URL(address).hostname !== ''
  } catch {
    return false
  }
}
