import Car from 'lucide-react/icons/car'
import Gavel from 'lucide-react/icons/gavel'
import Tag from 'lucide-react/icons/tag'
import type { ReactNode } from 'react'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { formatDuration } from '#client/ui/format.ts'
import { offerAnswerMs } from '#shared/limits.ts'

export function HowDealsBegin({ onPost }: { onPost: () => void }) {
  return (
    <section aria-labelledby="how-deals-begin" className="p-6 max-md:p-4">
      <h2 id="how-deals-begin" className="text-md font-semibold">
        How deals begin
      </h2>
      <ul className="mt-4 flex flex-col gap-5">
        <Way
          icon={<Car size={24} />}
          title="Buy by offer"
          text={`Make an offer on a vehicle. The seller has ${formatDuration(offerAnswerMs)} to accept, counter or decline.`}
          action={<ButtonLink href="/find">Find a vehicle</ButtonLink>}
        />
        <Way
          icon={<Gavel size={24} />}
          title="Buy at auction"
          text="The highest bid at the end wins, if it meets the reserve."
          action={<ButtonLink href="/lane">See live auctions</ButtonLink>}
        />
        <Way
          icon={<Tag size={24} />}
          title="Sell"
          text="Post a vehicle and accept an offer on it, or run an auction."
          action={<Button onClick={onPost}>Post Inventory</Button>}
        />
      </ul>
      <p className="mt-6 border-t border-line pt-4 text-ink-2">
        Then the seller approves the deal, Lanewire generates the documents, you both sign them, and the buyer completes
        the deal at pickup.
      </p>
    </section>
  )
}

interface WayProps {
  icon: ReactNode
  title: string
  text: string
  action: ReactNode
}

function Way({ icon, title, text, action }: WayProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span aria-hidden="true" className="flex-none text-ink-3">
        {icon}
      </span>
      <div className="min-w-48 flex-1">
        <h3 className="text-base font-semibold">{title}</h3>
        <p className="text-ink-2">{text}</p>
      </div>
      {action}
    </li>
  )
}
