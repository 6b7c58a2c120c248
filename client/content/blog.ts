import type { BlogArticle } from './article.ts'
import { blogOnPractice } from './blog/practice.ts'
import { blogOnProduct } from './blog/product.ts'

export const blogArticles: readonly BlogArticle[] = [...blogOnProduct, ...blogOnPractice].toSorted((a, b) =>
  b.date.localeCompare(a.date),
)
