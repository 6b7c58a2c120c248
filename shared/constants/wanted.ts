export const buyOrdersMax = 50
export const orderTrimsMax = 10
/** Most matches that one request can mark as seen. */
export const matchesSeenMax = 100
export const orderNoteMax = 200
export const perMonthMax = 50
/** Possible durations of a buy order, in days. */
export const orderDays = [30, 60, 90] as const
/** Possible radii around the buyer, in miles. */
export const orderRadii = [25, 50, 100, 150, 200, 300, 500, 1_000] as const
/** A buy order pauses once this many matches in a row are unanswered. */
export const unansweredMax = 10
/** A buy order can be renewed only in this many days before it expires. */
export const renewableDays = 7
/** A vehicle matches an order even if its price is higher by up to this share. */
export const askedAboveShare = 0.1
/** An order is flagged as too low if its price is below this share of the median asking price. */
export const lowPriceShare = 0.4
/** The list of wanted vehicles shows only vehicles that at least this many dealers want. */
export const demandDealersMin = 3
