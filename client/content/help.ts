import type { HelpArticle } from './article.ts'
import { helpOnAccount } from './help/account.ts'
import { helpOnBuying } from './help/buying.ts'
import { helpOnMessages } from './help/messages.ts'
import { helpOnSelling } from './help/selling.ts'
import { helpOnStarting } from './help/starting.ts'

/** Every help article, in the order of the topics. */
export const helpArticles: readonly HelpArticle[] = [
  ...helpOnStarting,
  ...helpOnBuying,
  ...helpOnSelling,
  ...helpOnMessages,
  ...helpOnAccount,
]
