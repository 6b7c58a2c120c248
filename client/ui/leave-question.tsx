import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { ConfirmDialog } from './confirm-dialog.tsx'

const leaves = ({ origin, pathname }: URL): boolean =>
  origin === window.location.origin && pathname !== window.location.pathname

const navigation = (): Navigation | undefined =>
  'navigation' in window && window.navigation instanceof EventTarget ? window.navigation : undefined

function linkOf(event: MouseEvent): URL | undefined {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
  return isPlain && link && link.target === '' && !link.hasAttribute('download') ? new URL(link.href) : undefined
}

/** Asks before the dealer leaves a page with unsaved changes. In browsers without the Navigation API, Back does not ask. */
export function LeaveQuestion({ unsaved, title }: { unsaved: boolean; title: string }) {
  const [, navigate] = useLocation()
  const [leave, setLeave] = useState<() => void>()
  const mayLeave = useRef(false)
  const ask = (go: () => void) => setLeave(() => go)
  const open = (to: URL) => navigate(to.pathname + to.search + to.hash)
  const onPress = useEffectEvent((event: MouseEvent) => {
    const to = linkOf(event)
    if (to === undefined || !leaves(to) || mayLeave.current) return
    event.preventDefault()
    event.stopPropagation()
    ask(() => open(to))
  })
  const onStep = useEffectEvent((event: NavigateEvent) => {
    const to = new URL(event.destination.url)
    if (mayLeave.current || !event.cancelable || !leaves(to)) return
    const { key } = event.destination
    if (event.navigationType === 'traverse') ask(() => void navigation()?.traverseTo(key))
    else if (event.navigationType === 'push') ask(() => open(to))
    else return
    event.preventDefault()
  })
  const onClose = useEffectEvent((event: BeforeUnloadEvent) => {
    if (!mayLeave.current) event.preventDefault()
  })
  useEffect(() => {
    if (!unsaved) return
    const steps = navigation()
    document.addEventListener('click', onPress, { capture: true })
    addEventListener('beforeunload', onClose)
    steps?.addEventListener('navigate', onStep)
    return () => {
      document.removeEventListener('click', onPress, { capture: true })
      removeEventListener('beforeunload', onClose)
      steps?.removeEventListener('navigate', onStep)
    }
  }, [unsaved])
  return (
    <ConfirmDialog
      open={leave !== undefined}
      onOpenChange={(open) => !open && setLeave(undefined)}
      title={title}
      description="Your changes on this page will be lost."
      confirmLabel="Leave"
      cancelLabel="Stay"
      destructive
      onConfirm={() => {
        mayLeave.current = true
        setLeave(undefined)
        leave?.()
      }}
    />
  )
}
