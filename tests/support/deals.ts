import { inflateSync } from 'node:zlib'
import type { DealDetail, Offer } from '#shared/schemas/deals.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { Answer, Caller } from './app.ts'
import { publish } from './factories.ts'

export async function acceptOffer(caller: Caller, id: string | undefined): Promise<Answer<Offer>> {
  const { body: offers } = await caller.get<Offer[]>('/api/offers?open=true')
  const amount = offers.find((offer) => offer.id === id)?.amount
  return caller.post<Offer>(`/api/offers/${id}/accept`, { amount })
}

/** Has the seller accept an offer on the post's first vehicle. Returns the deal's id. */
export async function aPendingDealOn(postId: string, seller: Caller, buyer: Caller): Promise<string> {
  const { body: post } = await buyer.get<PostDetail>(`/api/inventory/${postId}`)
  const vehicleId = post.vehicles[0]?.id ?? ''
  const offer = await buyer.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId, amount: 30_000 })
  return (await acceptOffer(seller, offer.body.id)).body.dealId ?? ''
}

export async function aDealOn(postId: string, seller: Caller, buyer: Caller): Promise<DealDetail> {
  const dealId = await aPendingDealOn(postId, seller, buyer)
  return (await seller.post<DealDetail>(`/api/deal/${dealId}/approve`)).body
}

export const aDealWith = async (seller: Caller, buyer: Caller): Promise<DealDetail> =>
  aDealOn(await publish(seller), seller, buyer)

function streamsOf(pdf: Buffer): string[] {
  return pdf
    .toString('latin1')
    .split('stream\n')
    .flatMap((part) => {
      try {
        return inflateSync(Buffer.from(part, 'latin1')).toString('latin1')
      } catch {
        return [] // A stream that cannot be decompressed contains no text.
      }
    })
}

export function lettersOf(pdf: Buffer): Set<string> {
  const letters = new Set<string>()
  for (const text of streamsOf(pdf)) {
    const [, map = ''] = /beginbfrange(.*)endbfrange/s.exec(text) ?? []
    for (const [, code = ''] of map.matchAll(/<([0-9a-f]{4})>/g)) letters.add(String.fromCodePoint(parseInt(code, 16)))
  }
  return letters
}

/** Returns the text of a PDF that uses standard fonts. */
export function wordsOf(pdf: Buffer): string {
  const lines = streamsOf(pdf).flatMap((text) => [...text.matchAll(/\[([^\]]*)\] TJ/g)].map(([, line = '']) => line))
  const decode = (line: string) =>
    [...line.matchAll(/<([0-9a-f]+)>/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join('')
  return lines.map(decode).join(' ').replaceAll(/\s+/g, ' ')
}
