import X from 'lucide-react/icons/x'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useEscapeKey } from './escape-key.ts'
import { IconButton } from './icon-button.tsx'
import { usePanelFocus } from './modal-focus.ts'
import { useWide } from './screen-width.ts'

/** True on screens wide enough (`beside:`) for a panel beside the page. */
export const useRoomBeside = useWide

interface SidePanelProps {
  title: string
  headerStart?: ReactNode
  headerEnd?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** A non-modal dialog at the left edge. Escape closes it if focus is inside. */
export function SidePanel({ title, headerStart, headerEnd, onClose, children }: SidePanelProps) {
  const panel = useRef<HTMLElement>(null)
  const titleId = useId()
  useEscapeKey(panel, onClose)
  useRoomForPanel()
  usePanelFocus(panel)
  return (
    <section
      ref={panel}
      role="dialog"
      data-beside
      aria-labelledby={titleId}
      tabIndex={-1}
      className="fixed top-(--frame-top,3.5rem) bottom-0 left-0 z-15 flex w-106 animate-from-left flex-col border-r border-line bg-raised focus:outline-none"
    >
      <div className="flex h-14 flex-none items-center gap-3 border-b border-line pr-3 pl-5">
        {headerStart}
        <h2 id={titleId} title={title} className="min-w-0 flex-1 truncate text-md font-semibold">
          {title}
        </h2>
        {headerEnd}
        <IconButton label="Close" icon={<X size={18} />} onClick={onClose} />
      </div>
      <div className="min-h-0 flex-auto overflow-y-auto overscroll-contain">{children}</div>
    </section>
  )
}

/** Makes room beside the page for the panel while it is open (`beside:` in app.css). */
function useRoomForPanel() {
  useLayoutEffect(() => {
    const { documentElement: root } = document
    root.setAttribute('data-panel-open', '')
    return () => root.removeAttribute('data-panel-open')
  }, [])
}
