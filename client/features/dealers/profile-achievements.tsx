import BadgeCheck from 'lucide-react/icons/badge-check'
import Handshake from 'lucide-react/icons/handshake'
import Lock from 'lucide-react/icons/lock'
import Star from 'lucide-react/icons/star'
import Users from 'lucide-react/icons/users'
import { Card } from '#client/ui/card.tsx'
import { cx } from '#client/ui/cx.ts'
import type { Achievement } from '#shared/schemas/dealers.ts'

const icons = {
  verified: <BadgeCheck size={20} />,
  rated: <Star size={20} />,
  closer: <Handshake size={20} />,
  network: <Users size={20} />,
}

export function ProfileAchievements({ achievements }: { achievements: readonly Achievement[] }) {
  return (
    <section aria-label="Achievements">
      <ul className="grid grid-cols-4 gap-3 max-lg:grid-cols-2 max-md:gap-2 max-md:px-4">
        {achievements.map(({ key, title, detail, earned }) => (
          <li key={key}>
            <Card inset className="h-full p-4 max-md:p-3">
              <span
                aria-hidden="true"
                className={cx(
                  'mb-2 inline-flex size-10 items-center justify-center rounded-full',
                  earned ? 'bg-accent-soft text-accent-ink' : 'bg-hover text-ink-3',
                )}
              >
                {icons[key]}
              </span>
              <p className="font-semibold">{title}</p>
              <p className="text-xs text-ink-2">{detail}</p>
              {earned ? null : (
                <p className="mt-1 flex items-center gap-1 text-xs text-ink-3">
                  <Lock size={12} aria-hidden="true" />
                  Not earned yet
                </p>
              )}
            </Card>
          </li>
        ))}
      </ul>
    </section>
  )
}
