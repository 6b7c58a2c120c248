export const feedPageSize = 7
/** Posts to fetch at a time. The feed then reveals them page by page. */
export const feedLoadSize = 5 * feedPageSize
export const feedScrollThreshold = 0.8
export const feedRevealDelayMs = 300
/** Milliseconds between polls while there is no socket, and of the feed's automatic refresh. */
export const feedPollMs = 30_000
export const feedMaxLimit = 100
/** A card counts as seen once at least this share of it has been visible for `impressionMs`. */
export const impressionShare = 0.5
export const impressionMs = 1_000
export const impressionsAtOnce = 50
export const searchTotalMax = 1_000

export const dealPanelActive = 5
export const dealPanelRequests = 3
export const dealPanelCompleted = 3

export const photosPerPost = 50
export const photosPerComposer = 30
/** Widths of the stored photo sizes, in pixels. Before uploading, clients scale photos so that no side is longer than the last width. */
export const photoWidths = [320, 960, 2048] as const
export const picturePixelsMax = 25_000_000
/** Maximum pixels of a non-progressive JPEG. Such a JPEG needs less memory, because it is scaled down while it is decoded. */
export const jpegPixelsMax = 60_000_000
export const pictureFramesMax = 500
export const photoMaxBytes = 10 * 1024 * 1024
export const avatarMaxBytes = 2 * 1024 * 1024
export const attachmentMaxBytes = 10 * 1024 * 1024
export const attachmentNameMax = 200

export const pushDevicesMax = 10
export const pushEndpointMax = 1_024
export const pushLabelMax = 60
/** Maximum pushes per device and UTC day. Beyond it, only pushes of the kinds `outbid`, `won` and `deal` are sent. */
export const pushesPerDay = 300
/** A dealer counts as active for this long after a press, key press or scroll in a visible, focused tab. */
export const activeMs = 60_000
/** A browser reports that its dealer is active at most this often. */
export const activeEveryMs = 30_000

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
export const commentEditMs = 15 * 60_000
export const commentsPageSize = 50
export const commentsPageMax = 100
export const messageMax = 4_000
export const dealerNoteMax = 2_000
export const dealerFileRows = 20
export const vehiclesPerPost = 200

/** Steps of the bid buttons, in dollars. The first step is also the minimum increment. */
export const bidIncrements = [500, 1_000, 2_500] as const
export const bidMaxDollars = 99_999_999
/** Soft close: if a bid comes later than this before the end, the auction ends this long after the bid. */
export const softCloseMs = 30_000
/** The soft close never moves the end farther than this past the end that the seller chose. */
export const hardEndAfterMs = 10 * 60_000
export const auctionDefaultMs = 20 * 60_000
export const auctionMinMs = 60_000
export const auctionMaxMs = 14 * 24 * 3_600_000
export const auctionAheadMaxMs = 30 * 24 * 3_600_000
export const endReasonMax = 500
export const bidHistoryMax = 50
/** Number of bids in each `auction.state` event: the newest ones. */
export const shownBidsMax = 4
/** How long a seller can decide on a highest bid below the reserve, and how long an offer stays open. */
export const offerAnswerMs = 24 * 3_600_000
/** If the network requires it, a dealer who cancels this many wins within this many days cannot bid until an admin allows it. */
export const cancelledWinsMax = 2
export const cancelledWinsDays = 90
export const lanePositionsMax = 6
export const lanePinsMax = 24
export const lanePageSize = 50
export const laneFlagsMax = 100
/** Most offers that one list returns. Lists of open offers may be longer, because an open offer expires within a day. */
export const offersMax = 100
export const openOffersMax = 1_000
export const laneRowsMax = 100
export const typingTtlMs = 5_000
export const typingEveryMs = 3_000
export const socketPayloadMaxBytes = 4 * 1024
export const jsonBodyMaxBytes = 1024 * 1024
/** Maximum chats, and maximum posts, that a client sends with `sync`. */
export const syncVectorMax = 60
/** Maximum chats in a response to GET /api/chats and to GET /api/heads. */
export const chatsPageMax = 100
export const messagesPageMax = 200
export const catchUpMax = 1_000
export const directoryMaxLimit = 100
/** A dealer whose connection request was declined must wait this long before asking the same dealer again. */
export const connectAgainDays = 30
export const savedSearchesMax = 50
export const watchesMax = 500

export const mileageMax = 9_999_999

/** Length of an admin's reason, not counting surrounding whitespace. */
export const reasonMin = 3
export const reasonMax = 500
