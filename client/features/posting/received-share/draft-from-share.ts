import { cutText } from '#shared/cut-text.ts'
import { typedMiles, typedPrice } from '#client/lib/form/typed-amount.ts'
import { nounOf } from '#client/ui/format.ts'
import { descriptionMax, titleMax, vehiclesPerPost } from '#shared/limits.ts'
import { validVinsIn } from '#shared/vin/vin.ts'
import type { PostDraft } from '../post-draft.ts'
import { isTouched, newVehicle, nextVehicle, type VehicleDraft } from '../vehicle-draft.ts'
import type { SharedContent } from './shared-content.ts'

function wordsOf({ title, text, url }: SharedContent): string {
  const words = text.trim() || title.trim()
  return (words.includes(url.trim()) ? words : `${words}\n${url.trim()}`).trim()
}

const firstLineOf = (words: string): string => (words.split('\n').find((line) => line.trim() !== '') ?? '').trim()

const amount = String.raw`(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)`
const miles = new RegExp(String.raw`(?:^|[^\d.,$])${amount}\s*(k)?\s*(?:mi|miles)\b`, 'gi')
const dollars = new RegExp(String.raw`\$\s*${amount}\s*(k\b)?`, 'gi')
/** Smaller numbers are more likely a distance or a repair cost than a vehicle's mileage or price. */
const figureMin = 1_000

/** Returns the number that the pattern matches, or an empty string if there is none or there are several different numbers. */
function figureIn(words: string, pattern: RegExp, read: (text: string) => number | undefined): string {
  const found = [...words.matchAll(pattern)].map(([, digits = '', thousands = '']) => read(digits + thousands))
  const figures = new Set(found.filter((figure) => figure !== undefined && figure >= figureMin))
  return figures.size === 1 ? String([...figures][0]) : ''
}

export const vinsOf = (share: SharedContent): string[] => validVinsIn(wordsOf(share))

/** Adds a vehicle for each new VIN in the shared content. Fills in the mileage and price only if there is exactly one VIN. */
function vehiclesOf(share: SharedContent, vehicles: readonly VehicleDraft[], place: Place): VehicleDraft[] {
  const words = wordsOf(share)
  const vins = validVinsIn(words)
  const known = new Set(vehicles.map(({ vin }) => vin))
  const added = vins.filter((vin) => !known.has(vin)).map((vin) => ({ ...nextVehicle(vehicles, place), vin }))
  if (vins.length !== 1) return added
  return added.map((vehicle) => ({
    ...vehicle,
    mileage: figureIn(words, miles, typedMiles),
    price: figureIn(words, dollars, typedPrice),
  }))
}

interface Place {
  city: string
  state: string
}

/** Adds the shared text and vehicles to a draft. The form adds the photos when it opens. */
export function withShare(draft: PostDraft, share: SharedContent, place: Place): PostDraft {
  const words = wordsOf(share)
  const touched = draft.vehicles.filter(isTouched)
  const added = vehiclesOf(share, touched, place)
  const vehicles = [...touched, ...added].slice(0, vehiclesPerPost)
  const type = vehicles.length > 1 ? 'multiple' : 'single'
  return {
    ...draft,
    type: added.length === 0 ? draft.type : type,
    title: draft.title.trim() === '' ? cutText(firstLineOf(words), titleMax) : draft.title,
    description: cutText([draft.description.trim(), words].filter(Boolean).join('\n\n'), descriptionMax),
    vehicles: vehicles.length > 0 ? vehicles : [newVehicle(place)],
  }
}

const leave = (count: number, why: string): string[] =>
  count > 0 ? [`${count} ${nounOf(count, 'photo')} ${count > 1 ? 'were' : 'was'} ${why}.`] : []

export const notesOf = ({ left: { tooLarge, tooMany } }: SharedContent): string[] => [
  ...leave(tooLarge, 'too large'),
  ...leave(tooMany, 'left out: you can share up to 50 photos and 100 MB'),
]
