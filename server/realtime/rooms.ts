export const dealerRoom = (dealerId: string) => `dealer:${dealerId}`
export const sessionRoom = (sessionId: string) => `session:${sessionId}`
export const postRoom = (postId: string) => `post:${postId}`
/** Dealers who have opened the auction's popup or page. A card in the feed does not count. */
export const auctionRoom = (postId: string) => `auction:${postId}`
/** Dealers who have the auction on the Lane, but not in focus. */
export const lotRoom = (postId: string) => `lot:${postId}`
export const laneRoom = 'lane'
export const chatRoom = (chatId: string) => `chat:${chatId}`
/** Dealers who have this dealer on screen, and therefore receive this dealer's online status. */
export const presenceRoom = (dealerId: string) => `presence:${dealerId}`
export const feedRoom = 'feed'
export const opsRoom = 'ops'
export const everyoneRoom = 'everyone'

const crowdRooms: ReadonlySet<string> = new Set([feedRoom, opsRoom, everyoneRoom, laneRoom])

export const isCrowdRoom = (room: string): boolean => crowdRooms.has(room) || /^(post|auction|lot|presence):/.test(room)
