import { becomes, show } from '#tests/support/screen.tsx'
import { screen } from '@testing-library/react'
import t from 'tap'
import { newsArticles } from '#client/content/news.ts'
import { olderNewsArticles } from '#client/content/news/older.ts'
import { NewsList } from '#client/features/site/news.tsx'
import { press, says } from '#tests/support/controls.ts'

t.test('shows Load More Articles, older articles after the first five, and the end', async (t) => {
  show(t, <NewsList articles={newsArticles} older={olderNewsArticles} />)
  const titles = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  const five = newsArticles.map(({ title }) => title)
  t.same(titles(), five)
  await press('Load More Articles')
  await becomes(t, titles, [...five, ...olderNewsArticles.map(({ title }) => title)])
  await says('These are all the articles.')
  t.ok(screen.getByRole('button', { name: 'Load More Articles' }), 'still there')
})
