import { widthOf } from '#client/ui/screen-width.ts'
import { openChatWindows } from '#shared/limits.ts'

/** From this width on, the open list has a column of its own. */
const forColumn = widthOf('(width >= 100rem)')
const forThree = widthOf('(width >= 90rem)')

interface WindowRoom {
  /** How many windows may be open at once. */
  windows: number
  /** How many of them may be open beside the open list. */
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
