/** One part of an article: an optional heading, its paragraphs, and an optional list after them. */
export interface ArticleSection {
  heading?: string
  paragraphs: readonly string[]
  points?: readonly string[]
  /** Said only where plans are paid for (true), or only where they are not (false). */
  billing?: boolean
}

/** What every readable item of the editorial pages has; `slug` is the last part of its address. */
export interface Article {
  slug: string
  title: string
  sections: readonly ArticleSection[]
}

/** One blog article. `date` is an ISO day, `readTime` is ready to show. */
export interface BlogArticle extends Article {
  excerpt: string
  author: string
  date: string
  category: string
  readTime: string
}

/** One wholesale news article. `date` is an ISO day, `readTime` is ready to show. */
export interface NewsArticle extends Article {
  summary: string
  category: string
  date: string
  readTime: string
  source: string
  trending: boolean
}

/** One help article; `topic` is the group it is listed under. */
export interface HelpArticle extends Article {
  /** There only where plans are paid for. */
  billing?: true
  topic: HelpTopic
  summary: string
}

/** The groups of the help centre, in the order they are shown. */
export const helpTopics = ['Getting started', 'Buying', 'Selling', 'Messages and network', 'Account'] as const
export type HelpTopic = (typeof helpTopics)[number]

/** The whole text of an article, for search and for counting its words. */
export function articleText(article: Article): string {
  return article.sections
    .flatMap((section) => [section.heading ?? '', ...section.paragraphs, ...(section.points ?? [])])
    .join(' ')
}
