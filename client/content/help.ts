import type { HelpArticle } from './article.ts'
import { helpOnAccount } from './help/account.ts'
import { helpOnBuying } from './help/buying.ts'
import { helpOnMessages } from './help/messages.ts'
import { helpOnSelling } from './help/selling.ts'
import { helpOnStarting } from './help/starting.ts'

const all: readonly HelpArticle[] = [
  ...helpOnStarting,
  ...helpOnBuying,
  ...helpOnSelling,
  ...helpOnMessages,
  ...helpOnAccount,
]

const isShownWhere = (billing: boolean) => (one: { billing?: boolean }) =>
  one.billing === undefined || one.billing === billing

/** Returns every help article, in the version for a network with billing on or off. */
export const helpArticles = (billing: boolean): readonly HelpArticle[] =>
  all
    .filter(isShownWhere(billing))
    .map((article) => ({ ...article, sections: article.sections.filter(isShownWhere(billing)) }))
