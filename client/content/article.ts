/** One part of an article: an optional heading, its paragraphs, and an optional list after them. */
export interface ArticleSection {
  heading?: string
  paragraphs: readonly string[]
  points?: readonly string[]
}

/** What every readable item of the editorial pages has; `slug` is the last part of its address. */
export interface Article {
  slug: string
  title: string
  sections: readonly ArticleSection[]
}

/** The whole text of an article, for search and for counting its words. */
export function articleText(article: Article): string {
  return article.sections
    .flatMap((section) => [section.heading ?? '', ...section.paragraphs, ...(section.points ?? [])])
    .join(' ')
}
