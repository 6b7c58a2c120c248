import Bookmark from 'lucide-react/icons/bookmark'
import BookmarkX from 'lucide-react/icons/bookmark-x'
import Ellipsis from 'lucide-react/icons/ellipsis'
import ExternalLink from 'lucide-react/icons/external-link'
import MessageSquare from 'lucide-react/icons/message-square'
import X from 'lucide-react/icons/x'
import { memo } from 'react'
import { useLocation } from 'wouter'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Menu, MenuItem } from '#client/ui/menu.tsx'
import type { LaneRow } from '#shared/schemas/lane.ts'
import { useLaneParts } from '../lane-context.ts'
import type { PositionState } from './lane-position-state.ts'
import { nameOfRow } from '../lists/row-standing.ts'

/** Path of the post page. The page opens the auction popup. */
export const fullAuctionPath = (postId: string): string => `/post/${postId}?auction=${postId}`

/** Memoized, because bids do not change the menu. */
export const PositionMenu = memo(function PositionMenu({ row, state }: { row: LaneRow; state: PositionState }) {
  const { removeFromGrid, onMessage, onWatch } = useLaneParts()
  const [, navigate] = useLocation()
  const { postId, title, seller, you } = row
  return (
    <Menu trigger={<IconButton label={`More for ${nameOfRow(row)}`} size="sm" icon={<Ellipsis size={16} />} />}>
      {state === 'removed' ? null : (
        <MenuItem icon={<ExternalLink size={16} />} onSelect={() => navigate(fullAuctionPath(postId))}>
          Open full auction
        </MenuItem>
      )}
      {you.isSeller ? null : (
        <>
          <MenuItem icon={<MessageSquare size={16} />} onSelect={() => onMessage(seller.id, { id: postId, title })}>
            Message seller
          </MenuItem>
          <MenuItem
            icon={you.watching ? <BookmarkX size={16} /> : <Bookmark size={16} />}
            onSelect={() => onWatch(postId, !you.watching)}
          >
            {you.watching ? 'Stop watching' : 'Watch'}
          </MenuItem>
        </>
      )}
      <MenuItem icon={<X size={16} />} onSelect={() => removeFromGrid(postId)}>
        Remove from Lane
      </MenuItem>
    </Menu>
  )
})
