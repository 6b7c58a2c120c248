export const dealerRoom = (dealerId: string) => `dealer:${dealerId}`
export const sessionRoom = (sessionId: string) => `session:${sessionId}`
export const postRoom = (postId: string) => `post:${postId}`
/** Dealers who have the auction's dialog or page open. Feed cards do not count. */
export const auctionRoom = (postId: string) => `auction:${postId}`
/** Dealers who see the auction as a Lane lot that is not in focus. */
export const lotRoom = (postId: string) => `lot:${postId}`
export const laneRoom = 'lane'
export const chatRoom = (chatId: string) => `chat:${chatId}`
/** Dealers who have this dealer on screen. They receive the dealer's online status. */
export const presenceRoom = (dealerId: string) => `presence:${dealerId}`
export const feedRoom = 'feed'
export const opsRoom = 'ops'
export const everyoneRoom = 'everyone'

const crowdRooms: ReadonlySet<string> = new Set([feedRoom, opsRoom, everyoneRoom, laneRoom])

export const isCrowdRoom = (room: string): boolean => crowdRooms.has(room) || /^(post|auction|lot|presence):/.test(room)
