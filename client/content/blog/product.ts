import type { BlogArticle } from '../article.ts'

export const blogOnProduct: readonly BlogArticle[] = [
  {
    slug: 'why-the-feed-waits',
    title: 'Why new posts wait behind a button',
    excerpt:
      'A live feed that moves while you read it costs more than it gives. How we keep Lanewire current without ever moving the line under your eyes.',
    author: 'Dana Whitfield',
    date: '2026-11-16',
    category: 'Product',
    readTime: '3 min read',
    sections: [
      {
        paragraphs: [
          'The first version of every live feed does the obvious thing: something new arrives and it is put on top. It looks impressive in a demo. Then somebody uses it for an hour. You are reading the mileage of a Tacoma, three posts arrive, and the Tacoma is somewhere below the edge of the screen. You scroll, find it, start again, and it moves again.',
          'Dealers told us this in the first week, in plainer words. So we wrote down a rule and have kept to it: real time never moves what someone is reading.',
        ],
      },
      {
        heading: 'What happens instead',
        paragraphs: [
          'When a dealer publishes a post, every open feed learns within moments that there is something new. A small button on the summary line shows how many posts are waiting. Nothing else moves. Press it and the page goes to the top with the new posts in place. Ignore it and you can finish the comparison you were making. If you are already at the top and idle, the posts come in by themselves, because then nothing is in the way.',
          'Counters are different. A comment count or a view count changes in place, with a short tint behind the number, since replacing 41 with 42 disturbs nobody. The current bid of a live auction does the same. It never rolls, slides or grows.',
        ],
      },
      {
        heading: 'What it costs us',
        paragraphs: [
          'It would be easier to send every new post in full to every screen. We send a hint instead: the newest post and how many there are. The page asks for the posts when you want them. That keeps a busy Tuesday morning light for a phone on a lot with poor reception, and it means that what you see is always read from the database, not pieced together from messages that may have arrived in any order.',
          'The same idea covers bad connections. The page says so in one line, keeps everything you had, and asks for updates every thirty seconds until the live connection is back. Then it fills the gap by itself. You do not have to reload, and you do not have to wonder whether what you see is old.',
        ],
      },
      {
        heading: 'The test we use',
        paragraphs: [
          'We ask one question about every live element: if this changed now, would a person in the middle of something lose their place? If the answer is yes, it waits. It is a simple test, and it has killed several features we liked.',
        ],
      },
    ],
  },
  {
    slug: 'three-chats-and-no-more',
    title: 'Three chats, and no more',
    excerpt:
      'The messaging dock holds three open conversations. The limit is deliberate: it is the number you can answer without losing the deal you opened first.',
    author: 'Marcus Oyelaran',
    date: '2026-11-03',
    category: 'Product',
    readTime: '2 min read',
    sections: [
      {
        paragraphs: [
          'Most deals on Lanewire are closed in a small window at the bottom of the screen. It has a text box, the last twenty messages, and a name at the top. You can have three of those windows open at once. Open a fourth, and the oldest one goes back to the list.',
          'People ask for more. We watched how the windows are used before we answered, and the answer stayed three.',
        ],
      },
      {
        heading: 'Why three',
        paragraphs: [
          'With three windows you see every conversation whole, beside the post that started it. With five they overlap or shrink, and the newest message in the window at the back goes unanswered. In wholesale, an unanswered question is a lost unit. A limit that keeps each open chat readable is worth more than room for chats nobody is reading.',
          'Nothing is closed behind your back. A conversation that leaves the screen keeps its place in the list, with an unread count, and with whatever you had begun to type. Drafts are kept for each chat, so a half-written offer is still there when you come back to it.',
        ],
      },
      {
        heading: 'What a message goes through',
        paragraphs: [
          'When you press Enter the message appears at once, marked as sending. The server gives it a number in that conversation, stores it, and only then delivers it to the other dealer. If your connection drops in between, the message waits and is sent again with the same key, so the other dealer receives it once. If it cannot be delivered it says so, and the text stays where you can retry it.',
          'That is where we spent most of our time. A dealer who reads "sent" must be able to rely on it, because somebody may already be on the road with a trailer.',
        ],
      },
      {
        heading: 'Small things that help',
        paragraphs: ['A few habits from dealers who live in the dock:'],
        points: [
          'Minimize rather than close while you wait for an answer. The header shows when something new arrives.',
          'Use Shift and Enter for a second line, so that terms stay in one message.',
          'Start the chat from the post. The other side sees which vehicle you mean.',
          'On a phone the same conversations fill the screen, one at a time, under Messages.',
        ],
      },
    ],
  },
  {
    slug: 'what-the-ai-summary-reads',
    title: 'What the AI summary reads, and what it leaves alone',
    excerpt:
      'Every post gets a short list of facts. Here is where they come from, when there are none, and why the summary never tells you to buy.',
    author: 'Ines Carvalho',
    date: '2026-10-20',
    category: 'Product',
    readTime: '3 min read',
    sections: [
      {
        paragraphs: [
          'Under the description of a post there is a box with a few bullets. It is called the AI summary, and because those two letters promise a great deal these days, it is worth saying exactly what the box does.',
        ],
      },
      {
        heading: 'Facts first',
        paragraphs: [
          'The summary is made from the vehicles in the post: year, make, model, trim, mileage, price and location. For one vehicle it says what stands out. For a group it counts: how many, which years, what the mileage range is, what the total comes to. That is work a person could do in a minute, and on a post with fourteen vehicles nobody does.',
          'When the network holds enough comparable vehicles, a comparison beside the summary shows how the price compares. Comparable means the same make and model, a model year at most one apart, and similar mileage. With fewer than five of those we say nothing about the market, because an average of two says nothing.',
        ],
      },
      {
        heading: 'Made in the background',
        paragraphs: [
          'Posting is never held up by it. The post goes out at once, and the summary is written by a background job and appears on the screens that have the post open. Change a price and it is written again. If there is nothing to say, the box reads "No vehicle data available" and leaves it at that.',
          'An installation can be connected to a language model that writes the sentences. The facts still come from the post and the network, and an answer that is not a clean list of statements is not shown as one. Without a model, rules write the bullets. They are plainer, and just as correct.',
        ],
      },
      {
        heading: 'What it leaves alone',
        paragraphs: ['We decided early what the box should not do:'],
        points: [
          'It does not read your private messages to other dealers in order to advertise to you.',
          'It does not grade the condition of a car from a photo. An inspection does.',
          'It does not tell you to buy. It puts the numbers side by side; the decision is yours.',
          'It does not replace the description. Sellers who write the flaws down sell faster, with or without a summary.',
        ],
      },
      {
        paragraphs: [
          'If a bullet is wrong, the data behind it usually is. Look at the mileage and the trim first, correct the post, and the summary corrects itself.',
        ],
      },
    ],
  },
]
