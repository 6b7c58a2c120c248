import { useQuery } from '@tanstack/react-query'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CreditCard from 'lucide-react/icons/credit-card'
import { Link, useLocation } from 'wouter'
import { Banner } from '#client/ui/banner.tsx'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { mySubscriptionQuery } from '#client/lib/session/my-subscription.ts'

export function SubscriptionBanner() {
  const { data } = useQuery(mySubscriptionQuery())
  const [path] = useLocation()
  const billing = useBilling()
  if (!billing || !data || path === '/subscribe' || path === '/plan-management') return null
  const status = data.subscription?.status
  const link = 'font-semibold underline max-md:-my-3 max-md:inline-block max-md:py-3'
  if (status === 'past_due' || status === 'unpaid') {
    return (
      <Banner tone="danger" icon={<CircleAlert size={16} aria-hidden="true" />}>
        Your last payment failed.{' '}
        <Link href="/subscribe" className={link}>
          Pay the open invoice
        </Link>
      </Banner>
    )
  }
  if (data.hasSubscription || data.entitlements.includes('posting')) return null
  return (
    <Banner tone="warning" icon={<CreditCard size={16} aria-hidden="true" />}>
      You can read posts and send messages. To post inventory or bid,{' '}
      <Link href="/subscribe" className={link}>
        choose a plan
      </Link>
    </Banner>
  )
}
