import type { BlogArticle } from './article.ts'
import { blogOnPractice } from './blog/practice.ts'
import { blogOnProduct } from './blog/product.ts'

/** The six articles of /blog, newest first. */
export const blogArticles: readonly BlogArticle[] = [...blogOnProduct, ...blogOnPractice].toSorted((a, b) =>
  b.date.localeCompare(a.date),
)
