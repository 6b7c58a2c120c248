import { ChartNoAxesColumn, FileText, Sparkles, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '#client/ui/card.tsx'

const reasons: { icon: ReactNode; title: string; text: string }[] = [
  { icon: <Users size={20} />, title: 'Your whole network', text: 'Connect with as many dealers as you trade with.' },
  {
    icon: <Sparkles size={20} />,
    title: 'AI deal detection',
    text: 'Vehicles priced below comparable ones stand out.',
  },
  { icon: <FileText size={20} />, title: 'Bill of Sale', text: 'The papers of a closed deal are filled in for you.' },
  { icon: <ChartNoAxesColumn size={20} />, title: 'Analytics', text: 'What was seen, asked for and sold, day by day.' },
]

export function WhyPremium() {
  return (
    <section aria-labelledby="why-premium">
      <h2 id="why-premium" className="mb-3 text-md font-semibold max-md:px-4">
        Why Choose Premium
      </h2>
      <ul className="grid grid-cols-4 gap-3 max-lg:grid-cols-2 max-sm:grid-cols-1">
        {reasons.map(({ icon, title, text }) => (
          <li key={title} className="flex">
            <Card className="flex-1 p-4">
              <span aria-hidden="true" className="text-accent-ink">
                {icon}
              </span>
              <h3 className="mt-2 text-base font-semibold">{title}</h3>
              <p className="text-ink-2">{text}</p>
            </Card>
          </li>
        ))}
      </ul>
    </section>
  )
}
