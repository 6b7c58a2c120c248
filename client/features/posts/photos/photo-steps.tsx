import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { isPressed, keys } from '#client/lib/keys/shortcuts.ts'
import { cx } from '#client/ui/cx.ts'
import { IconButton } from '#client/ui/icon-button.tsx'

export function PhotoPlace({ index, count }: { index: number; count: number }) {
  return (
    <span className="num on-photo absolute right-2 bottom-2 rounded-sm px-2 text-xs leading-5" role="status">
      {index + 1} of {count}
    </span>
  )
}

export function photoAfterKey(press: KeyboardEvent, index: number, count: number): number | undefined {
  if (isPressed(press, keys.nextPhoto)) return index + 1
  if (isPressed(press, keys.previousPhoto)) return index - 1
  if (isPressed(press, keys.firstPhoto)) return 0
  return isPressed(press, keys.lastPhoto) ? count - 1 : undefined
}

export function PhotoStep({ side, onPress }: { side: 'left' | 'right'; onPress: () => void }) {
  return (
    <span className={cx('absolute top-1/2 -mt-4 max-md:-mt-5.5', side === 'left' ? 'left-2' : 'right-2')}>
      <IconButton
        label={side === 'left' ? 'Previous photo' : 'Next photo'}
        icon={side === 'left' ? <ChevronLeft size={18} /> : <ChevronRight size={18} />}
        onClick={onPress}
        className="bg-surface shadow-2"
      />
    </span>
  )
}
