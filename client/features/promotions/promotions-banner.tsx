import { useQuery } from '@tanstack/react-query'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import Megaphone from 'lucide-react/icons/megaphone'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { useState } from 'react'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { isListOf, isText } from '#client/lib/http/type-guards.ts'
import { defineStored } from '#client/lib/storage/browser-storage.ts'
import type { Promotion } from '#shared/schemas/promotions.ts'
import { Banner } from '#client/ui/banner.tsx'
import { runningPromotionsQuery } from './promotions.api.ts'

const storedDismissals = defineStored({ key: 'lanewire.dismissed-promotions', version: 1, isValue: isListOf(isText) })
const keptDismissals = 50

const looks = {
  info: { tone: 'info', icon: <Info size={16} /> },
  warning: { tone: 'warning', icon: <TriangleAlert size={16} /> },
  success: { tone: 'success', icon: <CircleCheck size={16} /> },
  promotion: { tone: 'info', icon: <Megaphone size={16} /> },
} as const

/** Identifies a promotion and its version, so that an edited promotion appears again after it was dismissed. */
const keyOf = ({ id, version }: Promotion) => `${id}:${version}`

export function PromotionsBanner() {
  const { data = [] } = useQuery(runningPromotionsQuery())
  const me = useCurrentDealer()
  const [dismissed, setDismissed] = useState(() => storedDismissals.read(me.id) ?? [])
  const promotion = data.find((one) => !dismissed.includes(keyOf(one)))
  if (!promotion) return null
  const dismiss = () => {
    const next = [keyOf(promotion), ...dismissed].slice(0, keptDismissals)
    setDismissed(next)
    storedDismissals.write(next, me.id)
  }
  return (
    <Banner {...looks[promotion.type]} onDismiss={dismiss}>
      <span className="font-semibold">{promotion.title}</span> <span className="font-normal">{promotion.message}</span>
    </Banner>
  )
}
