import { type NewsArticle } from '#client/content/news.ts'
import { ArticleSections } from '#client/ui/article-sections.tsx'
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
          <ArticleSections sections={article.sections} />
        </div>
      </article>
    </Card>
  )
}
