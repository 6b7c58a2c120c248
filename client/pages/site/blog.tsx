import { type BlogArticle } from '#client/content/article.ts'
import { blogArticles } from '#client/content/blog.ts'
import { ArticleView } from '#client/features/site/article-view.tsx'
import { Island } from '#client/features/site/island.tsx'
import { NewsletterForm, NewsletterOutcome } from '#client/features/site/newsletter-form.tsx'
import { MoreLinks } from '#client/features/site/more-links.tsx'
import { formatDay } from '#client/ui/format.ts'
import { SiteFrame } from '#client/features/site/site-frame.tsx'
import { SiteHero, SiteSection } from '#client/features/site/site-section.tsx'
import { Badge } from '#client/ui/badge.tsx'
import { buttonClass } from '#client/ui/button.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'

export function BlogPage() {
  return (
    <SiteFrame>
      <Island name="newsletter-outcome" Component={NewsletterOutcome} props={{}} />
      <SiteHero title="Blog" lede="What we build, why, and what good dealers do every day." />
      <SiteSection title="Articles">
        <div className="grid gap-3 md:grid-cols-2 lg:grid-cols-3">
          {blogArticles.map((article) => (
            <BlogCard key={article.slug} article={article} />
          ))}
        </div>
      </SiteSection>
      <SiteSection title="Newsletter" lede="One email a month with new articles and product changes." raised>
        <Island name="newsletter-form" Component={NewsletterForm} props={{ list: 'newsletter' }} />
      </SiteSection>
    </SiteFrame>
  )
}

function BlogMeta({ article }: { article: BlogArticle }) {
  return (
    <p className="text-ink-3">
      {article.author}
      <DotSeparator />
      <time dateTime={article.date} className="whitespace-nowrap">
        {formatDay(article.date)}
      </time>
      <DotSeparator />
      <span className="whitespace-nowrap">{article.readTime}</span>
    </p>
  )
}

function BlogCard({ article }: { article: BlogArticle }) {
  return (
    <article className="flex flex-col gap-2 rounded-md border border-line bg-surface p-5 shadow-1">
      <div>
        <Badge tone="accent">{article.category}</Badge>
      </div>
      <h3 className="text-md font-semibold text-balance">{article.title}</h3>
      <p className="text-base text-pretty text-ink-2">{article.excerpt}</p>
      <div className="mt-auto space-y-3 pt-2">
        <BlogMeta article={article} />
        <a href={`/blog/${article.slug}`} aria-label={`Read More: ${article.title}`} className={buttonClass({})}>
          Read More
        </a>
      </div>
    </article>
  )
}

export function BlogArticlePage({ article }: { article: BlogArticle }) {
  const others = blogArticles.filter(({ slug }) => slug !== article.slug).slice(0, 3)
  return (
    <SiteFrame>
      <SiteHero title={article.title} lede={article.excerpt}>
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Badge tone="accent">{article.category}</Badge>
          <BlogMeta article={article} />
        </div>
      </SiteHero>
      <SiteSection>
        <ArticleView article={article} />
      </SiteSection>
      <MoreLinks
        title="Read next"
        links={others.map(({ slug, title }) => ({ href: `/blog/${slug}`, label: title }))}
        all={{ href: '/blog', label: 'All articles' }}
      />
    </SiteFrame>
  )
}
