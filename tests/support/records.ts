import { randomUUID } from 'node:crypto'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { AuthStatus } from '#shared/schemas/auth.ts'
import type { AdminUser } from '#shared/schemas/admin.ts'
import type { CurrentUser, Dealer, OwnProfile } from '#shared/schemas/dealers.ts'
import type { Post, PostDetail, Vehicle } from '#shared/schemas/posts.ts'
import type { Deal, DealDetail, Offer } from '#shared/schemas/deals.ts'
import type { Comment } from '#shared/schemas/comments.ts'
import type { FoundVehicle } from '#shared/schemas/find.ts'

/** The builders in this file return complete records. A test passes only the fields that it needs. */
export function aDealer(about: Partial<Dealer> = {}): Dealer {
  return {
    id: randomUUID(),
    name: 'Priya Nair',
    avatar: null,
    dealershipName: 'Lakefront Auto Exchange',
    dealershipType: 'independent',
    type: 'independent',
    city: 'Milwaukee',
    state: 'WI',
    licenseNumber: null,
    verified: false,
    connectionCount: 34,
    dealsCompleted: 12,
    rating: 4.6,
    buysCanadianVehicles: false,
    ...about,
  }
}

export function aCurrentUser(about: Partial<CurrentUser> = {}): CurrentUser {
  return {
    ...aDealer({ name: 'Dana Torres', dealershipName: 'Torres Auto Group' }),
    email: 'dana@torresauto.example',
    phone: null,
    role: 'dealer',
    profileComplete: true,
    admission: 'admitted',
    declinedReason: '',
    secondFactorDue: false,
    settings: {},
    rev: 0,
    ...about,
  }
}

/** A dealer who is signed in to a real network, not to the demo. */
export function anAuthStatus(about: Partial<AuthStatus> = {}): AuthStatus {
  return {
    authenticated: true,
    session: 'one',
    demo: false,
    google: false,
    billing: true,
    sampleLogin: null,
    secondFactor: null,
    ...about,
  }
}

export function aComment(about: Partial<Comment> = {}): Comment {
  return {
    id: randomUUID(),
    content: 'Is it still there?',
    createdAt: '2026-11-20T10:00:00.000Z',
    attachmentUrl: null,
    attachment: null,
    dealer: { id: randomUUID(), name: 'Luis Herrera', avatar: null },
    ...about,
  }
}

export function aShownVehicle(about: Partial<Vehicle> = {}): Vehicle {
  return {
    id: randomUUID(),
    vin: null,
    year: 2021,
    make: 'Ford',
    model: 'F-150',
    trim: null,
    mileage: null,
    price: 31_900,
    city: null,
    state: null,
    color: null,
    notes: null,
    location: null,
    atDealership: null,
    status: 'available',
    photos: [],
    ...about,
  }
}

export function aFeedPost(about: Partial<Post> = {}): Post {
  return {
    id: randomUUID(),
    title: '2021 Honda CR-V EX',
    description: 'Second key, clean title.',
    type: 'single',
    status: 'active',
    createdAt: '2026-11-20T09:00:00.000Z',
    updatedAt: '2026-11-20T09:00:00.000Z',
    version: 1,
    dealer: aDealer(),
    aiSummary: null,
    spreadsheetUrl: null,
    vehicleCount: 0,
    availableCount: 0,
    viewCount: 0,
    commentCount: 0,
    likeCount: 0,
    infoCount: 0,
    bidCount: 0,
    auctionFacilitator: null,
    isAuction: false,
    hasAuction: false,
    photoUrls: [],
    vehicles: [],
    ...about,
  }
}

export function aPostDetail(about: Partial<PostDetail> = {}): PostDetail {
  return { ...aFeedPost(), comments: [], earlierComments: null, ...about }
}

export function feedPosts(count: number): Post[] {
  const newestMs = Date.parse('2026-11-20T12:00:00.000Z')
  return Array.from({ length: count }, (_, index) =>
    aFeedPost({ title: `Post ${index + 1}`, createdAt: new Date(newestMs - index * 60_000).toISOString() }),
  )
}

type Party = Deal['seller']

function dealBetween(seller: Party, buyer: Party, about: Partial<Deal> = {}): Deal {
  return {
    id: randomUUID(),
    status: 'pending',
    year: 2021,
    make: 'Ford',
    model: 'F-150',
    price: 30_000,
    vin: null,
    location: 'Tulsa, OK',
    sellerId: seller.id,
    seller,
    buyer,
    postId: null,
    createdAt: '2026-11-20T10:00:00.000Z',
    updatedAt: '2026-11-20T10:00:00.000Z',
    ...about,
  }
}

export const mayNothing: DealDetail['may'] = {
  approve: false,
  cancel: false,
  complete: false,
  giveMileage: false,
  submit: false,
  sign: [],
  review: false,
}

export function dealDetailBetween(seller: Party, buyer: Party, about: Partial<DealDetail> = {}): DealDetail {
  return {
    ...dealBetween(seller, buyer),
    trim: null,
    mileage: 48_210,
    color: null,
    source: 'offer',
    photo: null,
    waitsFor: null,
    absent: [],
    chatId: null,
    review: null,
    steps: [],
    documents: [],
    signatures: [],
    billOfSaleNeeds: null,
    withoutLicense: [],
    may: mayNothing,
    ...about,
  }
}

export function anApprovedDeal(seller: Party, may: Partial<DealDetail['may']>): DealDetail {
  const paper = { number: '1', version: 1, ready: true, createdAt: '2026-11-20T10:00:00.000Z' }
  return dealDetailBetween(seller, aDealer(), {
    status: 'approved',
    mileage: null,
    documents: [
      { ...paper, id: randomUUID(), kind: 'bill_of_sale' },
      { ...paper, id: randomUUID(), kind: 'odometer' },
    ],
    may: { ...mayNothing, ...may },
  })
}

export function anAdminUser(about: Partial<AdminUser> = {}): AdminUser {
  return {
    id: randomUUID(),
    name: 'Luis Herrera',
    dealershipName: 'Herrera Motors',
    dealershipType: 'independent',
    email: 'luis@herrera.example',
    phone: '(214) 555-0100',
    city: 'Dallas',
    state: 'TX',
    avatar: null,
    isOnline: false,
    role: 'dealer',
    license: { number: '', state: '', expiresOn: '', scan: null, status: 'none', reason: '', submittedAt: null },
    auctionAccessNumber: null,
    dealership5MilNumber: null,
    apiAccess: false,
    suspendedAt: null,
    suspendedUntil: null,
    suspendedReason: null,
    biddingStoppedAt: null,
    emailVerified: true,
    profileComplete: true,
    admission: 'admitted',
    waitingSince: null,
    declinedReason: null,
    invitedUntil: null,
    createdAt: '2026-11-20T10:00:00.000Z',
    ...about,
  }
}

/** An auction with ten minutes left and no bids. */
export function anAuction(about: Partial<Auction> = {}): Auction {
  const now = Date.now()
  const endsAt = new Date(now + 600_000).toISOString()
  return {
    postId: randomUUID(),
    seq: 1,
    status: 'open',
    endReason: null,
    amount: null,
    startAmount: 20_000,
    increment: 500,
    minNext: 20_000,
    bidCount: 0,
    leader: null,
    reserve: 'none',
    startsAt: new Date(now - 600_000).toISOString(),
    endsAt,
    hardEndsAt: endsAt,
    bids: [],
    serverNow: new Date(now).toISOString(),
    you: { isSeller: false, number: null, maximum: null, preset: null },
    seller: null,
    ...about,
  }
}

export const anOffer = (about: Partial<Offer> = {}): Offer => ({
  id: randomUUID(),
  postId: randomUUID(),
  vehicleId: randomUUID(),
  title: '2020 Ford F-150',
  askingPrice: 29_400,
  amount: 29_400,
  turn: 'seller',
  status: 'open',
  source: 'order',
  seller: { id: randomUUID(), name: 'Ann', dealershipName: 'Cherokee Auto' },
  buyer: { id: randomUUID(), name: 'Dana Torres', dealershipName: 'Torres Auto' },
  dealId: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  expiresAt: '2026-11-21T10:00:00.000Z',
  ...about,
})

export function aFound(about: Partial<FoundVehicle> = {}): FoundVehicle {
  return {
    vehicleId: randomUUID(),
    postId: randomUUID(),
    postVersion: 1,
    title: '2020 Ford F-150 XLT',
    year: 2020,
    make: 'Ford',
    model: 'F-150',
    trim: 'XLT',
    vin: '1FTEW1EP8LFA21904',
    mileage: 31_240,
    price: 29_400,
    miles: 46,
    place: { city: 'Muskogee', region: 'OK' },
    body: 'pickup',
    drive: '4wd',
    fuel: 'gas',
    sale: 'fixed',
    auction: null,
    photoUrl: null,
    photoCount: 0,
    seller: { id: randomUUID(), name: 'Luis Herrera', dealershipName: 'Cherokee Auto', rating: 4.8, verified: true },
    connected: true,
    postedAt: '2026-11-20T10:00:00.000Z',
    yours: false,
    ...about,
  }
}

export const anOwnProfile: OwnProfile = {
  name: 'Ann Lee',
  dealershipName: 'Lee Autos',
  phone: '',
  address: '',
  city: 'Dallas',
  state: 'TX',
  zip: '',
  dealershipType: 'independent',
  description: 'Trucks',
  website: '',
  buysCanadianVehicles: false,
  auctionAccessNumber: '',
  dealership5MilNumber: '',
  license: { number: '', state: '', expiresOn: '', scan: null, status: 'none', reason: '' },
  email: 'ann@lee.example',
  pendingEmail: null,
  avatar: null,
  pendingAvatar: null,
}
