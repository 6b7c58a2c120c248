import { type NewsArticle } from '#client/content/news.ts'
import { Card } from '#client/ui/card.tsx'
import { NewsMeta } from './news-list.tsx'

/** One article, at a width that reads well. */
export function NewsArticleView({ article }: { article: NewsArticle }) {
  return (
    <Card className="p-6 max-md:p-4">
      <article className="mx-auto max-w-170">
        <NewsMeta article={article} />
        <h1 className="mt-3 text-lg font-semibold tracking-lg text-balance">{article.title}</h1>
        <p className="mt-2 text-md text-pretty text-ink-2">{article.summary}</p>
        <p className="mt-2 text-xs text-ink-3">{article.source}</p>
        <div className="mt-6 space-y-4 text-md text-pretty">
          {article.sections.map((section) => (
            <section key={section.heading ?? section.paragraphs[0]} className="space-y-3">
              {section.heading ? <h2 className="pt-2 text-md font-semibold">{section.heading}</h2> : null}
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
      </article>
    </Card>
  )
}
