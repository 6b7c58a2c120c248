import ZoomIn from 'lucide-react/icons/zoom-in'
import ZoomOut from 'lucide-react/icons/zoom-out'
import { useEffect, useRef } from 'react'
import { isPressed, keys } from '#client/lib/keys/shortcuts.ts'
import { cx } from '#client/ui/cx.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Picture } from '#client/ui/picture.tsx'
import { photoAfterKey, PhotoPlace, PhotoStep } from './photo-steps.tsx'
import type { PostPhoto } from '../posts.rules.ts'
import { useZoom } from './use-zoom.ts'

interface PhotoViewerProps {
  photos: readonly PostPhoto[]
  index: number
  onIndex: (index: number) => void
  title: string
  onClose: () => void
}

export function PhotoViewer({ photos, index, onIndex, title, onClose }: PhotoViewerProps) {
  const stage = useRef<HTMLDivElement>(null)
  const shown = photos[index]
  const zoom = useZoom(stage, shown?.src ?? '', (by) => onIndex(index + by))
  useViewerKeys((event) => {
    const to = photoAfterKey(event, index, photos.length)
    if (to !== undefined) onIndex(to)
    else if (isPressed(event, keys.growPhoto)) zoom.grow()
    else if (isPressed(event, keys.shrinkPhoto)) zoom.shrink()
    else if (isPressed(event, keys.wholePhoto)) zoom.reset()
    else return false
    return true
  })
  if (!shown) return null
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description="Use the arrow keys to browse photos; plus, minus and zero to zoom."
      hideDescription
      width="xl"
      flush
      headerEnd={
        <span className="flex items-center gap-1">
          <IconButton label="Zoom out" icon={<ZoomOut size={18} />} disabled={zoom.scale <= 1} onClick={zoom.shrink} />
          <output className="num w-12 text-center text-xs text-ink-2">{Math.round(zoom.scale * 100)}%</output>
          <IconButton label="Zoom in" icon={<ZoomIn size={18} />} disabled={!zoom.canGrow} onClick={zoom.grow} />
        </span>
      }
    >
      <div
        ref={stage}
        className="relative h-[min(46.5rem,calc(100dvh-6.5rem))] touch-none overflow-hidden bg-sunken select-none max-md:h-[calc(100dvh-3.5rem-env(safe-area-inset-bottom))]"
      >
        <div
          {...zoom.handlers}
          style={zoom.style}
          className={cx('absolute inset-0', zoom.scale > 1 ? 'cursor-grab' : 'cursor-zoom-in')}
        >
          <Picture
            src={shown.src}
            alt={`${shown.label}, ${index + 1} of ${photos.length}`}
            eager
            sizes="100vw"
            draggable={false}
            className="size-full object-contain"
          />
        </div>
        {photos.length > 1 ? (
          <>
            <PhotoPlace index={index} count={photos.length} />
            <PhotoStep side="left" onPress={() => onIndex(index - 1)} />
            <PhotoStep side="right" onPress={() => onIndex(index + 1)} />
          </>
        ) : null}
      </div>
    </Dialog>
  )
}

function useViewerKeys(press: (event: KeyboardEvent) => boolean): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && press(event)) event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  })
}
