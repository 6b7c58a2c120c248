import { testimonials } from '#client/content/landing.ts'
import { Avatar } from '#client/ui/avatar.tsx'

export function Testimonials() {
  return (
    <div className="grid gap-8 lg:grid-cols-3">
      {testimonials.map(({ quote, name, place }) => (
        <figure key={name} className="flex flex-col gap-4 border-t-2 border-accent pt-4">
          <blockquote className="text-md text-pretty">{quote}</blockquote>
          <figcaption className="flex items-center gap-3">
            <Avatar name={name} size={32} />
            <div>
              <p className="font-semibold">{name}</p>
              <p className="text-xs text-ink-2">{place}</p>
            </div>
          </figcaption>
        </figure>
      ))}
    </div>
  )
}
