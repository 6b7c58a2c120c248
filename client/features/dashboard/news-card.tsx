import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import { newsQuery } from './dashboard.api.ts'

const shownArticles = 3

export function NewsCard() {
  const news = useQuery(newsQuery())
  return (
    <Card className="pb-2" aria-labelledby="news-card">
      <CardHeader id="news-card" title="Wholesale News" />
      {news.isPending ? (
        <div className="space-y-2 px-4 pb-2">
          <Loading label="Loading news">
            {[1, 2, 3].map((row) => (
              <div key={row} className="h-17 space-y-2 py-2">
                <Skeleton className="h-3" />
                <Skeleton className="h-2 w-2/5" />
              </div>
            ))}
          </Loading>
        </div>
      ) : null}
      <ul>
        {news.data?.slice(0, shownArticles).map((article) => (
          <li key={article.slug}>
            <Link
              href={`/wholesale-news/${article.slug}`}
              className="block px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="block font-medium text-pretty">{article.title}</span>
              <span className="text-xs text-ink-3">
                {article.category}
                <DotSeparator />
                {article.readTime}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
