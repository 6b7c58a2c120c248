/** Every room name is made here. */
export const dealerRoom = (dealerId: string) => `dealer:${dealerId}`
export const sessionRoom = (sessionId: string) => `session:${sessionId}`
export const postRoom = (postId: string) => `post:${postId}`
/** Those who have the post's auction open: its popup or its page. A card in the feed does not. */
export const auctionRoom = (postId: string) => `auction:${postId}`
/** Those who have it as a place of the Lane without the focus. */
export const lotRoom = (postId: string) => `lot:${postId}`
/** Those who have the Lane on screen. */
export const laneRoom = 'lane'
export const chatRoom = (chatId: string) => `chat:${chatId}`
/** Those who have a dealer on screen and so hear whether that dealer is online. */
export const presenceRoom = (dealerId: string) => `presence:${dealerId}`
export const feedRoom = 'feed'
export const opsRoom = 'ops'
/** Every socket that is connected: for news of the whole network, which is rare. */
export const everyoneRoom = 'everyone'

const crowdRooms: ReadonlySet<string> = new Set([feedRoom, opsRoom, everyoneRoom, laneRoom])

/** Whether any number of dealers may be in a room; the others are a dealer's own, or a chat's. */
export const isCrowdRoom = (room: string): boolean => crowdRooms.has(room) || /^(post|auction|lot|presence):/.test(room)
