import FileX from 'lucide-react/icons/file-x'
import type { ReactNode } from 'react'
import { Card } from './card.tsx'
import { EmptyState } from './empty-state.tsx'

interface ArticleSectionsProps {
  sections: readonly {
    heading?: string | undefined
    paragraphs: readonly string[]
    points?: readonly string[] | undefined
  }[]
}

export function ArticleSections({ sections }: ArticleSectionsProps) {
  return sections.map((section) => (
    <section key={section.heading ?? section.paragraphs[0]} className="space-y-3">
      {section.heading ? <h2 className="pt-2 text-md font-semibold text-ink">{section.heading}</h2> : null}
      {section.paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {section.points ? (
        <ul className="list-disc space-y-1 pl-5 marker:text-ink-3">
          {section.points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      ) : null}
    </section>
  ))
}

export const ArticleNotFound = ({ action }: { action?: ReactNode }) => (
  <Card>
    <EmptyState
      level={1}
      icon={<FileX size={24} />}
      title="Article not found"
      hint="The address may be wrong, or the article has moved."
      action={action}
    />
  </Card>
)
