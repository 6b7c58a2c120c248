import { widthOf } from '#client/ui/screen-width.ts'
import { openChatWindows } from '#shared/limits.ts'

/** On screens of at least this width, the open list has its own column. */
const forColumn = widthOf('(width >= 100rem)')
const forThree = widthOf('(width >= 90rem)')

interface WindowRoom {
  windows: number
  besideList: number
}

function roomOf(hasColumn: boolean, hasThree: boolean): WindowRoom {
  if (hasColumn) return { windows: openChatWindows, besideList: openChatWindows }
  const windows = hasThree ? openChatWindows : openChatWindows - 1
  return { windows, besideList: windows - 1 }
}

export function useWindowRoom(): WindowRoom {
  const hasColumn = forColumn.use()
  return roomOf(hasColumn, forThree.use())
}

export const windowRoom = (): WindowRoom => roomOf(forColumn.is(), forThree.is())
