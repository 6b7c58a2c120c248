import { type Article } from '#client/content/article.ts'

/** The body of an article, at a width that reads well. */
export function ArticleView({ article }: { article: Article }) {
  return (
    <div className="max-w-170 space-y-4 text-md text-pretty text-ink-2">
      {article.sections.map((section) => (
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
      ))}
    </div>
  )
}
