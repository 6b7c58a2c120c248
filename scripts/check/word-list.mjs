/** Words that are hard to read, and replacements. @type {{ word: RegExp, write: string, in?: import('./texts.mjs').Kind[] }[]} */
export const WORDS = [
  { word: /\bwho(?:m)?ever\b/i, write: 'the person or program that is meant' },
  { word: /\bthat which\b/i, write: 'the thing that is meant' },
  {
    word: /\bwhat is (?:gone|left|said|asked|shown|owed|theirs|above|below|meant)\b/i,
    write: 'the thing that is meant',
  },
  { word: /\bone[’']s own\b/i, write: '"your own" or "the dealer\'s own"' },
  { word: /\b(?:an?|the|one|any|no) [a-z]+ of (?:yours|theirs|ours|mine)\b/i, write: '"your", "their" or "our"' },
  { word: /\banew\b/i, write: 'again' },
  { word: /\bof late\b/i, write: 'recently' },
  { word: /\bfor good\b/i, write: 'permanently' },
  { word: /(?:\bnot\b|n[’']t\b)[^.]*\bany more\b(?=[.,;:]|$)/i, write: '"no longer" or "anymore"' },
  {
    word: /\b(?:thereof|therein|thereby|thereupon|whereof|wherein|whereby|whereupon|hence|lest|whilst|albeit)\b/i,
    write: 'a word of today',
  },
  { word: /\be-mail/i, write: 'email' },
  { word: /\ba mail\b(?! server| provider| program)/i, write: 'an email' },
  { word: /\bmend(?:s|ed|ing)?\b/i, write: 'fix' },
  { word: /\bat the door\b/i, write: 'before a request is handled' },
  { word: /\bnobody waits\b|\bwaits for nobody\b/i, write: 'no one is waiting' },
  { word: /\b(?:is|are|was|were|be|been|being) told\b(?! apart)/i, write: '"is notified" or "receives"' },
  { word: /\btell(?:s|ing)? of\b/i, write: '"shows" or "reports"' },
  { word: /\bhear(?:s|d)? of\b/i, write: '"learn about" or "receive"' },
  { word: /\b(?:goes|go|went) on (?:by itself|by themselves|as before|from there)\b/i, write: 'continues' },
  { word: /\b(?:take|takes|took|taken|taking) (?:it |them )?back\b/i, write: 'undo, withdraw or revoke' },
  { word: /\b(?:came|comes?) to (?:nothing|stand)\b/i, write: '"fell through" or "is"' },
  { word: /\bcomes? of (?:it|them|this|that)\b/i, write: 'results' },
  { word: /\bstands? (?:here|there|above|below|open|alone|in|on|at|as)\b/i, write: '"is" or "appears"' },
  { word: /\b(?:do|does|did) not stand\b/i, write: 'was not accepted' },
  {
    word: /\b(?:colour(?!name|description)|behaviour|favour|neighbour|honour|licence|centre(?!-)|grey)/i,
    write: 'American spelling',
  },
  {
    // `post.summarise` is the former name of a job.
    word: /\b(?:anonym|apolog|author|capital|categor|custom|emphas|final|general|initial|local|maxim|memor|minim|normal|optim|organ|priorit|random|real|recogn|sanit|serial|special|standard|(?<!post\.)summar|synchron|token|util|visual)is(?:e[ds]?|ing|ations?)\b/i,
    write: 'American spelling, with a z',
  },
  {
    word: /^(?:What|Who|Whom|Whose|Such|Its|Whatever|Wherever)\b(?!.*\?)/,
    write: 'the thing that is meant first',
    in: ['comment'],
  },
  {
    word: /^(?:what|who|whom|whose|which|where|whether|one|such|its?|of|nobody|nothing|none|there|here) /i,
    write: 'the verb first: "shows …", "refuses …"',
    in: ['title'],
  },
]
