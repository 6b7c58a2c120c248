import t from 'tap'
import { type Article, articleText } from '#client/content/article.ts'
import { blogArticles } from '#client/content/blog.ts'
import { helpArticles } from '#client/content/help.ts'
import { newsArticles } from '#client/content/news.ts'
import { olderNewsArticles } from '#client/content/news/older.ts'

const lists: [name: string, articles: readonly Article[], count: number][] = [
  ['blog', blogArticles, 6],
  ['help', helpArticles(true), 18],
  ['help where nothing is paid for', helpArticles(false), 17],
  ['news', newsArticles, 5],
  ['older news', olderNewsArticles, 3],
]

for (const [name, articles, count] of lists)
  t.test(`has ${count} articles in the ${name}, each with its own address and 300 to 700 words`, async (t) => {
    t.equal(articles.length, count)
    t.equal(new Set(articles.map(({ slug }) => slug)).size, count)
    for (const article of articles) {
      const words = articleText(article).split(/\s+/).length
      t.ok(words >= 300 && words <= 700, `${article.slug} has ${words}`)
    }
  })
