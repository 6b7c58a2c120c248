import type { ReactNode } from 'react'
import { searchMin } from '#shared/constants/search.ts'
import type { Found } from '#shared/schemas/search.ts'
import { capitalize, formatMoney, formatPlace, formatTotal, formatVehicle, nounOf, plural } from '#client/ui/format.ts'
import type { Target } from './recent-searches.ts'

export interface Option extends Target {
  avatar?: string | null
  photo?: string | null
  icon?: ReactNode
  end?: string
}

export interface VehiclesOption extends Option {
  /** True if the text can only mean vehicles. This option then comes before the feed search, and Enter opens it. */
  isOnlyVehicles: boolean
}

export interface Section {
  title: string
  options: Option[]
}

const pagesFor = (pages: readonly Option[], typed: string): Option[] =>
  pages.filter(({ label }) => ` ${label}`.toLowerCase().includes(` ${typed.toLowerCase()}`))

/** Returns the option that searches the feed. It is always present, so that Enter always does something. */
function wordsOption(typed: string, found: Found | undefined): Option {
  const option: Option = {
    kind: 'words',
    href: `/?${new URLSearchParams({ search: typed }).toString()}`,
    label: `Search the feed for “${typed}”`,
    detail: '',
  }
  if (found === undefined) return option
  const { postTotal } = found
  return { ...option, end: `${formatTotal(postTotal, typed).text} ${nounOf(postTotal, 'post')}` }
}

/** Maximum number of dealers if there are also posts, because a search usually looks for only one of the two. */
const fewDealers = 3

const dealerOptions = ({ dealers, posts }: Found): Option[] =>
  dealers
    .slice(0, posts.length > 0 ? fewDealers : dealers.length)
    .map(({ id, name, avatar, dealershipName, ...place }) => ({
      kind: 'dealer',
      href: `/dealers/${id}`,
      label: name,
      detail: [dealershipName, formatPlace(place)].filter(Boolean).join(' · '),
      avatar,
    }))

const postOptions = ({ posts }: Found): Option[] =>
  posts.map(({ id, title, status, dealershipName, vehicleCount, price, photo }) => ({
    kind: 'post',
    href: `/post/${id}`,
    label: title,
    detail: [
      dealershipName,
      vehicleCount > 1 ? plural(vehicleCount, 'vehicle') : '',
      status === 'active' ? '' : capitalize(status),
    ]
      .filter(Boolean)
      .join(' · '),
    photo,
    ...(price !== null && vehicleCount === 1 && { end: formatMoney(price) }),
  }))

const chatOptions = ({ chats }: Found): Option[] =>
  chats.map(({ id, other, unreadCount }) => ({
    kind: 'chat',
    href: `/messages?chat=${id}`,
    label: other.name,
    detail: ['Chat', other.dealershipName].filter(Boolean).join(' · '),
    avatar: other.avatar,
    ...(unreadCount > 0 && { end: `${unreadCount} unread` }),
  }))

const dealOptions = ({ deals }: Found, ownId: string): Option[] =>
  deals.map(({ id, status, year, make, model, price, buyer, seller }) => ({
    kind: 'deal',
    href: `/deals/${id}`,
    label: formatVehicle({ year, make, model }) || 'Deal',
    detail: `${seller.id === ownId ? `Selling to ${buyer.name}` : `Buying from ${seller.name}`} · ${capitalize(status)}`,
    end: formatMoney(price),
  }))

interface Asked {
  typed: string
  found: Found | undefined
  pages: readonly Option[]
  vehicles: VehiclesOption | undefined
  recent: readonly Option[]
  ownId: string
}

/** Returns the sections in a fixed order, so that nothing moves when responses arrive. */
export function sectionsOf({ typed, found, pages, vehicles, recent, ownId }: Asked): Section[] {
  const all: Section[] =
    typed === ''
      ? [
          { title: 'Recent', options: [...recent] },
          { title: 'Go to', options: [...pages] },
        ]
      : [
          { title: 'Go to', options: pagesFor(pages, typed) },
          { title: 'Vehicles', options: vehicles?.isOnlyVehicles === true ? [vehicles] : [] },
          { title: 'Feed', options: [wordsOption(typed, found)] },
          { title: 'Vehicles', options: vehicles?.isOnlyVehicles === false ? [vehicles] : [] },
          ...(found === undefined ? [] : foundSections(found, ownId)),
        ]
  return all.filter(({ options }) => options.length > 0)
}

const foundSections = (found: Found, ownId: string): Section[] => [
  { title: 'Dealers', options: dealerOptions(found) },
  { title: 'Posts', options: postOptions(found) },
  { title: 'Your chats', options: chatOptions(found) },
  { title: 'Your deals', options: dealOptions(found, ownId) },
]

export const isAskable = (typed: string): boolean => typed.length >= searchMin

export const isNothing = ({ dealers, posts, deals, chats }: Found): boolean =>
  dealers.length + posts.length + deals.length + chats.length === 0
