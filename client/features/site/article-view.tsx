import { type Article } from '#client/content/article.ts'
import { ArticleSections } from '#client/ui/article-sections.tsx'

export function ArticleView({ article }: { article: Article }) {
  return (
    <div className="max-w-170 space-y-4 text-md text-pretty text-ink-2">
      <ArticleSections sections={article.sections} />
    </div>
  )
}
