import { useEffect } from 'react'

/** Sets the page title. If there are alarms, their number comes first: `(2) Queues · Lanewire`. */
export function useDocumentTitle(title: string, alarms = 0): void {
  useEffect(() => {
    document.title = `${alarms > 0 ? `(${alarms}) ` : ''}${title} · Lanewire`
  }, [title, alarms])
  useIconBadge(alarms)
}

const badgeMax = 9

async function drawBadge(address: string, count: number, signal: AbortSignal): Promise<string> {
  const drawing = await (await fetch(address, { signal })).text()
  const words = count > badgeMax ? `${badgeMax}+` : String(count)
  const badge =
    '<circle cx="18.5" cy="18.5" r="9.5" fill="#bd1f3d"/>' +
    `<text x="18.5" y="23.5" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="14" fill="#fff">${words}</text>`
  return `data:image/svg+xml,${encodeURIComponent(drawing.replace('</svg>', `${badge}</svg>`))}`
}

function useIconBadge(count: number): void {
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!icon || count === 0) return
    const plain = icon.href
    const gone = new AbortController()
    drawBadge(plain, count, gone.signal).then(
      (drawn) => {
        if (!gone.signal.aborted) icon.href = drawn
      },
      () => undefined,
    )
    return () => {
      gone.abort()
      icon.href = plain
    }
  }, [count])
}
