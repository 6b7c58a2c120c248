import ChevronRight from 'lucide-react/icons/chevron-right'
import SearchX from 'lucide-react/icons/search-x'
import { useState } from 'react'
import { articleText, type HelpArticle, helpTopics } from '#client/content/article.ts'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { plural } from '#client/ui/format.ts'
import { SearchInput } from '#client/ui/input.tsx'

/** Article fields for lists. Full texts are loaded only for a search. */
export type HelpEntry = Pick<HelpArticle, 'slug' | 'title' | 'topic' | 'summary'>

interface HelpFinds {
  byTitle: readonly HelpEntry[]
  byText: readonly HelpEntry[]
}

function searchHelp(entries: readonly HelpEntry[], texts: ReadonlyMap<string, string>, words: string): HelpFinds {
  const wanted = words.trim().toLowerCase()
  const byTitle = entries.filter((entry) => entry.title.toLowerCase().includes(wanted))
  const rest = entries.filter((entry) => !byTitle.includes(entry))
  return {
    byTitle,
    byText: rest.filter(({ slug, summary }) => `${summary} ${texts.get(slug) ?? ''}`.toLowerCase().includes(wanted)),
  }
}

function useHelpTexts() {
  const billing = useBilling()
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map())
  const load = () => {
    if (texts.size > 0) return
    // If loading fails, titles can still be searched.
    import('#client/content/help.ts').then(
      ({ helpArticles }) =>
        setTexts(new Map(helpArticles(billing).map((article) => [article.slug, articleText(article)]))),
      () => undefined,
    )
  }
  return { texts, load }
}

export function HelpSearch({ entries }: { entries: readonly HelpEntry[] }) {
  const [words, setWords] = useState('')
  const { texts, load } = useHelpTexts()
  const searching = words.trim() !== ''
  const { byTitle, byText } = searchHelp(entries, texts, words)
  return (
    <div className="space-y-8">
      <form role="search" className="max-w-140" onSubmit={(event) => event.preventDefault()}>
        <SearchInput
          label="Search help articles"
          size="lg"
          placeholder="Search help articles"
          value={words}
          onFocus={load}
          onChange={(event) => setWords(event.target.value)}
        />
        <p role="status" className="mt-2 min-h-5 text-ink-2">
          {searching ? countLine(byTitle.length, byText.length) : plural(entries.length, 'article')}
        </p>
      </form>
      {searching ? <HelpResults byTitle={byTitle} byText={byText} /> : <HelpTopicLists entries={entries} />}
    </div>
  )
}

function countLine(titles: number, texts: number): string {
  const parts = [plural(titles, 'title'), `${texts} more in the text`]
  return texts > 0 ? parts.join(', ') : (parts[0] ?? '')
}

function HelpResults({ byTitle, byText }: HelpFinds) {
  if (byTitle.length + byText.length === 0) {
    return (
      <EmptyState
        icon={<SearchX size={24} />}
        title="No articles found"
        hint="Try another word, or write to us from the contact page."
      />
    )
  }
  return (
    <div className="space-y-8">
      {byTitle.length > 0 ? <HelpList title="By title" articles={byTitle} /> : null}
      {byText.length > 0 ? <HelpList title="In the text" articles={byText} /> : null}
    </div>
  )
}

function HelpTopicLists({ entries }: { entries: readonly HelpEntry[] }) {
  return helpTopics.map((topic) => (
    <HelpList key={topic} title={topic} articles={entries.filter((entry) => entry.topic === topic)} />
  ))
}

function HelpList({ title, articles }: { title: string; articles: readonly HelpEntry[] }) {
  return (
    <section>
      <h2 className="mb-3 text-md font-semibold">{title}</h2>
      <ul className="divide-y divide-line rounded-md border border-line bg-surface shadow-1">
        {articles.map((article) => (
          <li key={article.slug}>
            <a href={`/help/${article.slug}`} className="flex items-center gap-4 px-5 py-3 hover:bg-hover max-md:px-4">
              <span className="min-w-0 flex-1">
                <span className="block text-base font-semibold">{article.title}</span>
                <span className="block text-ink-2">{article.summary}</span>
              </span>
              <ChevronRight size={16} className="text-ink-3" aria-hidden="true" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
