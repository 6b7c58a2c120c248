/** True for http and https URLs with a host. Links with other schemes could run code. */
export function isWebAddress(address: string): boolean {
  if (!/^https?:\/\//i.test(address)) return false
  try {
    return new URL(address).hostname !== ''
  } catch {
    return false
  }
}
