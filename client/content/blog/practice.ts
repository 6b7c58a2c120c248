import type { BlogArticle } from '../article.ts'

export const blogOnPractice: readonly BlogArticle[] = [
  {
    slug: 'photos-that-sell-a-wholesale-unit',
    title: 'Twelve photos that sell a wholesale unit',
    excerpt:
      'A buyer two states away decides on your pictures. The twelve that answer nearly every question, in the order a buyer looks at them.',
    author: 'Tomás Rivera',
    date: '2026-11-10',
    category: 'Selling',
    readTime: '3 min read',
    sections: [
      {
        paragraphs: [
          'Retail photos sell a feeling. Wholesale photos answer questions. The buyer knows the model; what they need is the condition of this one, and every question you leave open comes off the price or, worse, comes up after the sale. You do not need a studio. You need ten minutes, a clean lens, daylight, and the same order every time.',
        ],
      },
      {
        heading: 'The outside, five pictures',
        paragraphs: [
          'Walk around the car once. Front three-quarter from the driver’s side first: it becomes the cover, so make it the best one. Then the rear three-quarter from the other side, both sides square on so that panel gaps and color can be compared, and the roof. Roofs are forgotten and hail is not.',
          'Stand far enough back that the lens does not distort the car. Keep the sun behind you and other cars out of the frame. If the paint is wet, say so, because water hides scratches and everybody knows it.',
        ],
      },
      {
        heading: 'The inside, four pictures',
        paragraphs: [
          'The dashboard with the engine running, so that mileage and warning lights can be read together. The driver’s seat, since it wears first. The rear seat. And the load area with the floor lifted where there is one: moisture, spare, tools.',
        ],
      },
      {
        heading: 'The proof, three pictures',
        paragraphs: ['These are the ones that settle an argument before it begins:'],
        points: [
          'The VIN plate or door label, sharp enough to read. On a Canadian unit the label shows the conformity statement too.',
          'Tire tread with a gauge or a coin, on the worst tire, not the best.',
          'Every flaw you know of, with something for scale. A dent with a pen beside it is a small dent. A dent found on delivery is a large one.',
        ],
      },
      {
        heading: 'Getting them up',
        paragraphs: [
          'The Post Inventory dialog takes up to fifty photos, and the quick composer takes thirty. Each may be up to 10 MB, which is more than a phone photo needs. Several files upload at a time. If one fails, the others continue and you can retry the failed one. Put the cover first. On the lot, open Lanewire on the phone that took the pictures and you save yourself the transfer.',
          'Location data stored inside the photos is removed when they are processed, so a picture taken at home does not publish your address.',
          'Twelve pictures take ten minutes. One return trip on a hauler costs a week. It is the cheapest reconditioning there is.',
        ],
      },
    ],
  },
  {
    slug: 'writing-a-post-that-gets-answers',
    title: 'How to write a post that gets answers',
    excerpt:
      'Titles, prices, locations and the one sentence most sellers leave out. What the posts with the quickest replies have in common.',
    author: 'Priya Nair',
    date: '2026-10-27',
    category: 'Selling',
    readTime: '2 min read',
    sections: [
      {
        paragraphs: [
          'A wholesale post has one job: to let another dealer decide, quickly, whether to talk to you. Everything that helps the decision belongs in it. Everything else is in the way.',
        ],
      },
      {
        heading: 'The title does the sorting',
        paragraphs: [
          'Year, make, model, trim. That is the title, in that order, because that is how people search and how they read. "2021 Ford F-150 XLT SuperCrew 4x4" beats "MUST SEE!!! clean truck" in every way that matters. For a group, give the number and the kind: "Six off-lease crossovers, all under 40,000 miles".',
          'If the unit goes to auction, say auction in the title or the description. Lanewire then marks the post as LIVE, and buyers who sort by Auction Promo will find it. Bidding opens once you switch on Run a live auction.',
        ],
      },
      {
        heading: 'Price and location',
        paragraphs: [
          'Put in a price you would take. A blank price is read as a high one, and a buyer with forty posts to read will not ask. Fill in the city and state of the car rather than those of your office, since transport is part of every number a buyer works out in their head.',
        ],
      },
      {
        heading: 'The sentence most sellers leave out',
        paragraphs: [
          'Say what is wrong with it. "Windshield chip on the passenger side, small dent in the tailgate, second key missing." It takes ten seconds, and three things follow. The people who answer are people who still want it. The price you agree on survives the delivery. And the next time your name comes up, they remember that the car matched your description.',
        ],
      },
      {
        heading: 'After you publish',
        paragraphs: ['The first hour decides more than the wording:'],
        points: [
          'Answer comments in the open when the answer helps everybody; take the offer to a message.',
          'Watch for dealers who press Need more info. They are telling you that something is missing from your post.',
          'Correct the post rather than explaining in the thread. The summary and the search read the post.',
          'When it is gone, mark it as sold. Nothing costs more goodwill than a trucker sent for a car that left on Monday.',
        ],
      },
      {
        paragraphs: [
          'None of this needs talent. It needs the same five minutes each time, which is exactly why most of the competition does not do it.',
        ],
      },
    ],
  },
  {
    slug: 'knowing-the-dealer-behind-the-post',
    title: 'Knowing the dealer behind the post',
    excerpt:
      'You can inspect a car by photo. You cannot inspect a counterparty that way. A short routine before the first deal with somebody new.',
    author: 'Grant MacLeod',
    date: '2026-10-13',
    category: 'Trust',
    readTime: '3 min read',
    sections: [
      {
        paragraphs: [
          'Wholesale runs on people who do what they said. Within a state everybody knows who those people are. Once you buy across three states and a border, you are dealing with names you have never met, and a routine has to do what reputation used to.',
          'Ours takes about five minutes, and we do it before the first deal with anybody, however good the car looks.',
        ],
      },
      {
        heading: 'Look before you write',
        paragraphs: [
          'Open the dealer’s profile from the post. You see the dealership, what kind it is, where it is, how many deals it has completed and what its rating is. Connections you have in common are the most useful line on the page: one message to a mutual connection is worth more than any number of stars.',
          'Then read two or three of their older posts. Are the descriptions specific? Do they answer comments? Are sold units marked as sold? People are consistent, and a careless post usually comes before a careless title.',
        ],
      },
      {
        heading: 'Ask three questions',
        paragraphs: ['In a message, before any number is mentioned:'],
        points: [
          'Where is the title, and in whose name? "At the bank, payoff on Friday" is a fine answer. "It is coming" is not.',
          'Who releases the car, and when can a driver pick it up? A seller who owns the car knows the gate hours.',
          'How would you like to be paid? Anything that has to happen today, to an account with a different name, is the end of the conversation.',
        ],
      },
      {
        heading: 'Keep it on the record',
        paragraphs: [
          'Agree in the chat, not on the phone, or confirm the call in the chat afterward. Price, condition, title date and pickup in one message, and an answer that says yes. The deal then carries the amount both sides approved, and the Bill of Sale is made from that, so there is no second version to argue about.',
          'Start small. Buy one unit before you buy six, and leave a fair review when it went well. The network is only as good as what its members write about each other.',
        ],
      },
      {
        heading: 'When something feels wrong',
        paragraphs: [
          'Stop, and tell us. Write to support through the contact page with the dealer’s name and the post. A person reads it. If you are wrong, nobody is harmed; if you are right, you may save the next dealer a loss.',
        ],
      },
    ],
  },
]
