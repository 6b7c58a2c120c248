/** Numbers both sides must agree on. */

/** Posts revealed at a time in the feed. */
export const feedPageSize = 7
/** Posts fetched at a time, to be revealed page by page. */
export const feedLoadSize = 5 * feedPageSize
/** Share of the list that must be scrolled past before the next page is revealed. */
export const feedScrollThreshold = 0.8
export const feedRevealDelayMs = 300
/** The documented fallback poll. */
export const feedPollMs = 30_000
/** Most posts one GET /api/inventory answers. */
export const feedMaxLimit = 100
/** A card counts as seen when so much of it was on screen for so long. */
export const impressionShare = 0.5
export const impressionMs = 1_000
/** Most cards of one POST /api/inventory/impressions. */
export const impressionsAtOnce = 50
/** A search is counted so far: one more in `X-Total-Count` stands for any number beyond. */
export const searchTotalMax = 1_000

export const dealPanelActive = 5
export const dealPanelRequests = 3
export const dealPanelCompleted = 3

export const photosPerPost = 50
export const photosPerComposer = 30
/** Widths in pixels a photo is served in; the largest is also what a client scales down to before it sends. */
export const photoWidths = [320, 960, 2048] as const
/** What a picture that is sent may hold; a browser scales photos down before. Of an animation the first frame is shown. */
export const picturePixelsMax = 25_000_000
export const pictureFramesMax = 500
export const photoMaxBytes = 10 * 1024 * 1024
export const avatarMaxBytes = 2 * 1024 * 1024
export const attachmentMaxBytes = 10 * 1024 * 1024
export const attachmentNameMax = 200

export const vinLength = 17
export const yearMin = 1900
export const yearMax = 2030

export const openChatWindows = 3
export const messagesPerWindow = 20
export const unreadBadgeCap = 99

export const toastMs = 5_000
export const toastRemoveDelayMs = 1_000_000
export const tooltipDelayMs = 700
export const tooltipSkipDelayMs = 300

export const titleMax = 200
export const descriptionMax = 5_000
export const commentMax = 2_000
/** So long its author may change a comment. */
export const commentEditMs = 15 * 60_000
/** Comments that come with their post, and at a time before those. */
export const commentsPageSize = 50
/** Most comments one GET answers. */
export const commentsPageMax = 100
export const messageMax = 4_000
/** Of what admins note about a dealer, and how many of each list their page of a dealer shows. */
export const dealerNoteMax = 2_000
export const dealerFileRows = 20
export const vehiclesPerPost = 200

/** Bid increments offered as buttons, in whole dollars; the first is what a bid has to add at least. */
export const bidIncrements = [500, 1_000, 2_500] as const
/** Largest amount that may be bid, offered or asked, in dollars. */
export const bidMaxDollars = 99_999_999
/** A bid in the last so many ms moves the end to so many ms from then. */
export const softCloseMs = 30_000
/** The soft close never goes further than this past the end that the seller set. */
export const hardEndAfterMs = 10 * 60_000
export const auctionDefaultMs = 20 * 60_000
export const auctionMinMs = 60_000
export const auctionMaxMs = 14 * 24 * 3_600_000
export const auctionAheadMaxMs = 30 * 24 * 3_600_000
/** Most characters of why a seller ends an auction. */
export const endReasonMax = 500
/** Bids that one auction's answer lists. */
export const bidHistoryMax = 50
/** The newest bids of an auction, which each event tells: as many as a place of the Lane shows. */
export const bidsTold = 4
/** How long a seller may decide below the reserve, and an offer waits for its answer. */
export const offerAnswerMs = 24 * 3_600_000
/** Who wins and cancels so often in so many days bids again by an admin's word only, where the network is set so. */
export const cancelledWinsMax = 2
export const cancelledWinsDays = 90
/** Places of the Lane at most, what of it a dealer may pin, and rows of its lists at a time. */
export const lanePlacesMax = 6
export const lanePinsMax = 24
export const lanePageSize = 50
/** What was noticed of bidders, in the Lane of staff. */
export const laneFlagsMax = 100
/** Most offers one GET /api/offers answers, of any kind and of open ones, which end by themselves within a day. */
export const offersMax = 100
export const openOffersMax = 1_000
/** Most rows of each list that GET /api/lane answers. */
export const laneRowsMax = 100
export const typingTtlMs = 5_000
export const typingEveryMs = 3_000
/** Largest accepted client-to-server socket payload. */
export const socketPayloadMaxBytes = 4 * 1024
export const jsonBodyMaxBytes = 1024 * 1024
/** Most chats one GET /api/chats answers, and most that one catch-up compares. */
export const chatsPageMax = 100
/** Most messages one page answers. */
export const messagesPageMax = 200
/** A client further behind than this takes the newest page instead of everything it missed. */
export const catchUpMax = 1_000
/** Most dealers one GET /api/dealers answers. */
export const directoryMaxLimit = 100
/** After a declined request the same dealer is not asked again for so long. */
export const connectAgainDays = 30
export const savedSearchesMax = 50
export const watchesMax = 500

/** Of a vehicle, in miles. */
export const mileageMax = 9_999_999

/** Of the reason that an admin gives: characters, without the blanks around it. */
export const reasonMin = 3
export const reasonMax = 500
