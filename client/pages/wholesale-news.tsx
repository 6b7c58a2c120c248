import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useParams } from 'wouter'
import { PageLayout } from '#client/app/page-layout.tsx'
import { newsArticles } from '#client/content/news.ts'
import { olderNewsArticles } from '#client/content/news/older.ts'
import { NewsArticleView, NewsList } from '#client/features/site/news.tsx'
import { ArticleNotFound } from '#client/ui/article-sections.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { HomeLeft } from './home-columns.tsx'

export function WholesaleNewsPage() {
  return (
    <PageLayout title="Wholesale News" left={<HomeLeft />}>
      <div className="mx-auto max-w-[52.5rem] space-y-3">
        <div className="flex items-center justify-between gap-4 pt-1 max-md:px-4 max-md:pt-3">
          <h1 className="text-lg font-semibold tracking-lg">Wholesale News</h1>
          <ButtonLink href="/" icon={<ArrowLeft size={16} aria-hidden="true" />}>
            Back to Feed
          </ButtonLink>
        </div>
        <NewsList articles={newsArticles} older={olderNewsArticles} />
      </div>
    </PageLayout>
  )
}

export function NewsArticlePage() {
  const { slug } = useParams<{ slug: string }>()
  const article = [...newsArticles, ...olderNewsArticles].find((one) => one.slug === slug)
  return (
    <PageLayout title={article?.title ?? 'Article not found'} left={<HomeLeft />}>
      <div className="mx-auto max-w-[52.5rem] space-y-3">
        <p className="max-md:px-4 max-md:pt-3">
          <ButtonLink href="/wholesale-news" icon={<ArrowLeft size={16} aria-hidden="true" />}>
            Wholesale News
          </ButtonLink>
        </p>
        {article ? <NewsArticleView article={article} /> : <ArticleNotFound />}
      </div>
    </PageLayout>
  )
}
