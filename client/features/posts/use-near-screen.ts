import { type RefObject, useEffect, useState } from 'react'

/** Posts within three screens above or below the viewport count as near. */
const nearMargin = '300% 0px'

export function useNearScreen(article: RefObject<HTMLElement | null>) {
  const [place, setPlace] = useState<{ near: boolean; height: number | undefined }>({ near: true, height: undefined })
  useEffect(() => {
    const element = article.current
    if (!element) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return
        // A post with focus or an unsent comment counts as near, so that the comment is not lost.
        const near = entry.isIntersecting || element.contains(document.activeElement) || hasDraft(element)
        setPlace({ near, height: entry.boundingClientRect.height })
      },
      { rootMargin: nearMargin },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [article])
  return place
}

function hasDraft(element: HTMLElement): boolean {
  return [...element.querySelectorAll('input')].some((input) => input.value !== '')
}
