import type { NewsArticle } from '../article.ts'

/** News articles after the first five, newest first. */
export const olderNewsArticles: readonly NewsArticle[] = [
  {
    slug: 'condition-reports-that-get-bids',
    title: 'The condition report that gets a second look',
    summary:
      'Buyers who cannot walk around a car decide by the description alone. Ten minutes more on the report cost less than one arbitration.',
    category: 'Practice',
    date: '2026-10-13',
    readTime: '2 min read',
    source: 'Lanewire Market Desk',
    trending: false,
    sections: [
      {
        paragraphs: [
          'In a lane the buyer walks around the car. Online somebody has to have walked around it for them, and the report is all that is left of that walk. A thin one does not hide anything: it only makes the buyer assume the worst and bid for that car instead of yours.',
          'The remedy is cheap. A report that names the three worst things about a unit, with a photo of each, is believed in everything else it says. A report that names none is believed in nothing.',
        ],
      },
      {
        heading: 'What buyers look for first',
        paragraphs: [
          'Ask a buyer what made them skip a unit and the answers repeat themselves. The odometer was not legible. There was no photo of the tires. A warning light was cropped out of the dash picture. The description said clean, and the roof was missing from the photos.',
        ],
        points: [
          'A dash photo with the engine running, so that every lamp that is on can be seen',
          'Four corners, the roof, and each panel that was painted',
          'Tread depth in numbers, and the age of the battery',
          'Keys, books, and what was not checked',
        ],
      },
      {
        heading: 'Say what was not looked at',
        paragraphs: [
          'Nobody checks everything on a unit that came in yesterday. Saying so is not a weakness: "not driven above 30 mph" tells a buyer where their own risk begins, and keeps the argument off your desk afterwards. Most disputes are about a sentence that was not there, seldom about one that was.',
          'Dates matter for the same reason. A report from three weeks ago describes a car that has since been jump-started, moved twice and rained on. Put the day into the notes, and look again before the unit goes up a second time.',
        ],
      },
      {
        heading: 'The habit that pays',
        paragraphs: [
          'Take the photos in the same order every time. It is faster, nothing is forgotten, and buyers who come back to your posts learn where to look. That is what a reputation is made of in a network where most people never meet.',
        ],
      },
    ],
  },
  {
    slug: 'transport-quotes-in-the-price',
    title: 'The truck is part of the price',
    summary:
      'A unit that is four hundred dollars cheaper three states away is often not cheaper at all. How dealers put freight into the number before they bid.',
    category: 'Logistics',
    date: '2026-10-06',
    readTime: '2 min read',
    source: 'Lanewire Market Desk',
    trending: false,
    sections: [
      {
        paragraphs: [
          'The number on a post is not what a unit costs. What it costs is that number, the fee, the truck, and the days it spends on the truck. Dealers who buy from far away know this and still forget it at the moment of the bid, because the price is on the screen and the freight is not.',
          'The rule of thumb is simple: get the freight before you get the car. A lane you buy from twice a month deserves a standing figure in a notebook, per mile and per unit, with a date beside it.',
        ],
      },
      {
        heading: 'What moves a quote',
        paragraphs: [
          'Distance is only the beginning. A carrier prices the whole run, and a unit that fills an empty slot on a route they drive anyway is worth less to refuse than one that begins a new route.',
        ],
        points: [
          'Whether it runs, steers and rolls: a unit that has to be winched costs a surcharge',
          'How many go together, from one place to one place',
          'Where it stands: a gated lot with hours, or a street that a truck cannot turn in',
          'The season, above all where snow and returning travellers meet',
        ],
      },
      {
        heading: 'Days are money, too',
        paragraphs: [
          'A unit on the road cannot be sold, and the floor plan does not wait. Ten days between paying and the photo on your own site are ten days of interest and ten days in which the market may move. It is one of the reasons for which a nearby unit at a somewhat higher price is so often the better one.',
          'It also explains why sellers who answer one question quickly sell more than their prices would suggest: when can it be picked up, and who signs for it. A seller who says "any weekday, seven to four, ask for Ray" has taken a day out of the deal, and a buyer will pay for that day without being asked to.',
        ],
      },
      {
        heading: 'Put it into the offer',
        paragraphs: [
          'Say in the offer what you have assumed about the truck. If the seller knows a cheaper one, or has another unit going your way, that is the moment to hear it. Afterwards it is only a regret.',
        ],
      },
    ],
  },
  {
    slug: 'aged-units-and-the-honest-price',
    title: 'Day sixty: what to do with the unit nobody wants',
    summary:
      'Every lot has one. The longer it stands the more it costs, and the price that felt like a loss on day thirty looks like a bargain on day ninety.',
    category: 'Market',
    date: '2026-09-29',
    readTime: '2 min read',
    source: 'Lanewire Market Desk',
    trending: false,
    sections: [
      {
        paragraphs: [
          'There is a unit on every lot that was bought with a good reason and has not been asked about since. It is washed, moved, photographed again, and moved once more. What is not done is the sum: what it cost, what it has cost since, and what somebody would pay for it today.',
          'The sum is unpleasant and short. Interest, insurance, the place it takes from a unit that would sell, and the price of its own kind, which falls month by month. A unit that was a fair buy on day one can be under water by day sixty with nobody having done anything wrong.',
        ],
      },
      {
        heading: 'Decide by the calendar',
        paragraphs: [
          'Dealers who handle this well have taken the decision out of their own hands. They have a day, mostly between forty-five and sixty, on which a unit leaves retail whatever anybody feels about it. The day is the same for all of them, so that nobody has to argue for the one they like.',
        ],
        points: [
          'On day thirty the price is looked at, with the comparable units of that week beside it',
          'On day forty-five it is offered to the two dealers who sell that kind',
          'On day sixty it goes to wholesale, with its story told',
        ],
      },
      {
        heading: 'Tell the story',
        paragraphs: [
          'A unit that has stood for two months is not a secret: the history of its posts says so. The post that says "bought for a customer who did not come back, serviced in August, tires at six, priced to leave" is answered. The post that says nothing is read as a warning.',
          'There is somebody for almost every unit, seldom in your own town. A convertible in November is a problem in one state and a find in another, and a diesel that nobody wants beside a tramway is what somebody near a quarry has been looking for. That is what a network is for.',
        ],
      },
      {
        heading: 'The next one',
        paragraphs: [
          'Write down why it stood. Three such notes in a year that say the same thing are the cheapest advice there is about what not to buy.',
        ],
      },
    ],
  },
]
