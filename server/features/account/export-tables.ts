/** SQL conditions for a dealer's own rows in each table. `:me` is the dealer's id. Columns with the comment `export: no` are omitted. */
const own = 'dealer_id = :me'
const provenEmail = '(select email from dealers where id = :me and email_verified_at is not null)'
/** Includes messages that the dealer sent from the contact page while signed out. */
const ofContact = `dealer_id = :me or dealer_id is null and email = ${provenEmail}`
const ofPosts = 'post_id in (select id from posts where dealer_id = :me)'
const ofTrade = 'seller_id = :me or buyer_id = :me'

export const exportAreas: Record<string, Record<string, string>> = {
  account: {
    dealers: 'id = :me',
    onboarding: own,
    sessions: own,
    identities: own,
    passkeys: own,
    email_changes: own,
    api_keys: own,
    notifications: own,
    push_devices: own,
    saved_searches: own,
    watches: own,
    buy_orders: own,
    buy_order_matches: 'order_id in (select id from buy_orders where dealer_id = :me)',
    demand_asks: own,
    find_alerts: own,
    find_watchers: own,
  },
  network: {
    connections: own,
    connection_requests: 'requester_id = :me or dealer_id = :me',
    profile_views: 'viewer_id = :me',
  },
  posts: {
    posts: own,
    vehicles: ofPosts,
    photos: ofPosts,
    sheet_imports: ofPosts,
    sheet_columns: own,
    comments: own,
    reactions: own,
    post_views: own,
    post_impressions: own,
  },
  auctions: {
    auctions: 'seller_id = :me',
    auction_bidders: 'bidder_id = :me',
    bids: 'bidder_id = :me',
    bid_receipts: 'bidder_id = :me',
    auction_presets: 'bidder_id = :me',
    reserve_changes: 'actor_id = :me',
    lane_pins: own,
  },
  deals: {
    deals: ofTrade,
    offers: ofTrade,
    deal_steps: 'actor_id = :me',
    deal_documents: `deal_id in (select id from deals where ${ofTrade})`,
    deal_signatures: own,
    reviews: 'author_id = :me or subject_id = :me',
  },
  messages: {
    chats: 'low_dealer_id = :me or high_dealer_id = :me',
    chat_members: own,
    // Filter by chat first, because the index on messages begins with the chat.
    messages: 'sender_id = :me and chat_id in (select id from chats where low_dealer_id = :me or high_dealer_id = :me)',
  },
  billing: {
    subscriptions: own,
    subscription_add_ons: 'subscription_id in (select id from subscriptions where dealer_id = :me)',
    entitlement_grants: own,
    refunds: own,
  },
  contact: {
    contact_messages: ofContact,
    contact_answers: `message_id in (select id from contact_messages where ${ofContact})`,
    list_subscribers: `email = ${provenEmail}`,
    reports: 'reporter_id = :me',
  },
  files: {
    objects: own,
    object_sources: 'object_id in (select id from objects where dealer_id = :me)',
  },
}
