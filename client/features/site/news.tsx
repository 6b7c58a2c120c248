import TrendingUp from 'lucide-react/icons/trending-up'
import { useState } from 'react'
import type { NewsArticle } from '#client/content/article.ts'
import { ArticleSections } from '#client/ui/article-sections.tsx'
import { Badge } from '#client/ui/badge.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card } from '#client/ui/card.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { formatDay } from '#client/ui/format.ts'
import { LoadMore } from '#client/ui/load-more.tsx'

const perPress = 5

interface NewsListProps {
  articles: readonly NewsArticle[]
  older: readonly NewsArticle[]
}

export function NewsList({ articles, older }: NewsListProps) {
  const [extra, setExtra] = useState(0)
  const atEnd = extra >= older.length
  return (
    <>
      <ul className="space-y-3">
        {[...articles, ...older.slice(0, extra)].map((article) => (
          <li key={article.slug}>
            <NewsTeaser article={article} />
          </li>
        ))}
      </ul>
      <LoadMore label="Load More Articles" disabled={atEnd} onLoad={() => setExtra(extra + perPress)} />
      <p role="status" className="pb-2 text-center text-xs text-ink-2">
        {atEnd ? 'These are all the articles.' : null}
      </p>
    </>
  )
}

function NewsTeaser({ article }: { article: NewsArticle }) {
  return (
    <Card className="p-4" aria-labelledby={article.slug}>
      <NewsMeta article={article} />
      <h2 id={article.slug} className="mt-2 text-md font-semibold tracking-title text-pretty">
        {article.title}
      </h2>
      <p className="mt-1 max-w-170 text-base text-pretty text-ink-2">{article.summary}</p>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
        <span className="text-xs text-ink-3">{article.source}</span>
        <ButtonLink href={`/wholesale-news/${article.slug}`}>
          Read Full Article<span className="sr-only">: {article.title}</span>
        </ButtonLink>
      </div>
    </Card>
  )
}

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

function NewsMeta({ article }: { article: NewsArticle }) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-xs text-ink-2">
      <Badge tone="outline">{article.category}</Badge>
      {article.trending ? (
        <Badge tone="accent" icon={<TrendingUp size={12} aria-hidden="true" />}>
          Trending
        </Badge>
      ) : null}
      <span>
        <time dateTime={article.date}>{formatDay(article.date)}</time>
        <DotSeparator />
        {article.readTime}
      </span>
    </p>
  )
}
