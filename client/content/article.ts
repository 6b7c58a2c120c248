export interface ArticleSection {
  heading?: string
  paragraphs: readonly string[]
  points?: readonly string[]
  /** If true, the section is shown only if billing is on. If false, only if billing is off. */
  billing?: boolean
}

/** `slug` is the last part of the article's URL. */
export interface Article {
  slug: string
  title: string
  sections: readonly ArticleSection[]
}

/** `date` is an ISO day; `readTime` is display text. */
export interface BlogArticle extends Article {
  excerpt: string
  author: string
  date: string
  category: string
  readTime: string
}

/** `date` is an ISO day; `readTime` is display text. */
export interface NewsArticle extends Article {
  summary: string
  category: string
  date: string
  readTime: string
  source: string
  trending: boolean
}

export interface HelpArticle extends Article {
  /** If true, the article is shown only if billing is on. */
  billing?: true
  topic: HelpTopic
  summary: string
}

/** In display order. */
export const helpTopics = ['Getting started', 'Buying', 'Selling', 'Messages and network', 'Account'] as const
export type HelpTopic = (typeof helpTopics)[number]

export function articleText(article: Article): string {
  return article.sections
    .flatMap((section) => [section.heading ?? '', ...section.paragraphs, ...(section.points ?? [])])
    .join(' ')
}
