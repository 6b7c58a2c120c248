import { type HelpArticle } from '#client/content/article.ts'
import { helpArticles } from '#client/content/help.ts'
import { ArticleView } from '#client/features/site/article-view.tsx'
import { HelpSearch } from '#client/features/site/help-search.tsx'
import { Island } from '#client/features/site/island.tsx'
import { MoreLinks } from '#client/features/site/more-links.tsx'
import { SiteFrame } from '#client/features/site/site-frame.tsx'
import { SiteHero, SiteSection } from '#client/features/site/site-section.tsx'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { buttonClass } from '#client/ui/button.tsx'

export function HelpPage() {
  const entries = helpArticles(useBilling()).map(({ slug, title, topic, summary }) => ({ slug, title, topic, summary }))
  return (
    <SiteFrame>
      <SiteHero title="Help center" lede="Short guides to everything a dealer does in Lanewire." />
      <SiteSection>
        <Island name="help-search" Component={HelpSearch} props={{ entries }} />
      </SiteSection>
      <SiteSection title="Still stuck?" lede="A person answers within 24 hours." raised>
        <a href="/contact" className={buttonClass({ variant: 'primary', size: 'lg' })}>
          Contact support
        </a>
      </SiteSection>
    </SiteFrame>
  )
}

export function HelpArticlePage({ article }: { article: HelpArticle }) {
  const related = helpArticles(useBilling()).filter(
    ({ topic, slug }) => topic === article.topic && slug !== article.slug,
  )
  return (
    <SiteFrame>
      <SiteHero title={article.title} lede={article.summary}>
        <p className="mt-3 text-ink-3">{article.topic}</p>
      </SiteHero>
      <SiteSection>
        <ArticleView article={article} />
      </SiteSection>
      <MoreLinks
        title={`More in ${article.topic}`}
        links={related.map(({ slug, title }) => ({ href: `/help/${slug}`, label: title }))}
        all={{ href: '/help', label: 'All help articles' }}
      />
    </SiteFrame>
  )
}
