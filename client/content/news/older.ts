import type { NewsArticle } from '../article.ts'

export const olderNewsArticles: readonly NewsArticle[] = [
  {
    slug: 'condition-reports-that-get-bids',
    title: 'The condition report that gets a second look',
    summary:
      'Buyers who cannot walk around a car decide by the description alone. Ten more minutes on the report cost less than one arbitration.',
    category: 'Practice',
    date: '2026-10-13',
    readTime: '2 min read',
    source: 'Lanewire Market Desk',
    trending: false,
    sections: [
      {
        paragraphs: [
          'In a physical lane, the buyer walks around the car. Online, somebody has to do it for them, and the report is all they get to see of it. A thin report hides nothing: it only makes buyers assume the worst and bid on another car.',
          'The fix is cheap. A report that names the three worst things about a unit, with a photo of each, is believed in everything else it says. A report that names none is believed in nothing.',
        ],
      },
      {
        heading: 'What buyers look for first',
        paragraphs: [
          'Ask buyers what made them skip a unit and you hear the same answers. The odometer could not be read. There was no photo of the tires. A warning light was cropped out of the dash picture. The description said clean, and the roof was missing from the photos.',
        ],
        points: [
          'A dash photo with the engine running, so that every warning light that is on can be seen',
          'Four corners, the roof, and each panel that has paintwork',
          'Tread depth in numbers, and the age of the battery',
          'Keys, manuals, and what was not checked',
        ],
      },
      {
        heading: 'Say what was not checked',
        paragraphs: [
          'Nobody checks everything on a unit that came in yesterday. Saying so is not a weakness: "not driven above 30 mph" tells buyers where their own risk begins, and saves you an argument afterward. Most disputes are about something the report left out, not about something it said.',
          'Dates matter for the same reason. A report from three weeks ago describes a car that has since been jump-started, moved twice and rained on. Put the date in the notes, and check again before you list the unit a second time.',
        ],
      },
      {
        heading: 'The habit that pays',
        paragraphs: [
          'Take the photos in the same order every time. It is faster, nothing is forgotten, and buyers who come back to your posts know where to look. In a network where most people never meet, that is how you build a reputation.',
        ],
      },
    ],
  },
  {
    slug: 'transport-quotes-in-the-price',
    title: 'The truck is part of the price',
    summary:
      'A unit that is four hundred dollars cheaper three states away is often not cheaper at all. How dealers work freight into the number before they bid.',
    category: 'Logistics',
    date: '2026-10-06',
    readTime: '2 min read',
    source: 'Lanewire Market Desk',
    trending: false,
    sections: [
      {
        paragraphs: [
          'The number on a post is not what a unit costs. The cost is that number, plus the fee, the truck, and the days it spends on the truck. Dealers who buy from far away know this and still forget it when they bid, because the price is on the screen and the freight is not.',
          'The rule of thumb is simple: get the freight before you get the car. For a place you buy from twice a month, keep a current figure in a notebook, per mile and per unit, with a date beside it.',
        ],
      },
      {
        heading: 'What moves a quote',
        paragraphs: [
          'Distance is only the beginning. A carrier prices the whole run, and a unit that fills an empty slot on a route they drive anyway costs less than one that needs a new route.',
        ],
        points: [
          'Whether it runs, steers and rolls: winching a unit costs extra',
          'How many units go together between the same two places',
          'Where it is parked: a gated lot with set hours, or a street where a truck cannot turn',
          'The season, above all on snowbird routes in spring and fall',
        ],
      },
      {
        heading: 'Days are money, too',
        paragraphs: [
          'You cannot sell a unit in transit, and floor-plan interest keeps adding up. Ten days between payment and the photo on your own site means ten days of interest and ten days for the market to move. That is one reason a nearby unit at a slightly higher price is often the better buy.',
          'It also explains why sellers who answer one question quickly sell more than their prices would suggest: when can it be picked up, and who releases it? A seller who says "any weekday, seven to four, ask for Ray" has taken a day out of the deal, and a buyer will pay for that day without being asked to.',
        ],
      },
      {
        heading: 'Put it in the offer',
        paragraphs: [
          'Say in the offer what you have assumed for transport. If the seller knows a cheaper carrier, or has another unit going your way, that is the time to hear it. Afterward it is too late.',
        ],
      },
    ],
  },
  {
    slug: 'aged-units-and-the-honest-price',
    title: 'Day sixty: what to do with the unit nobody wants',
    summary:
      'Every lot has one. The longer it sits, the more it costs, and the price that felt like a loss on day thirty looks like a bargain on day ninety.',
    category: 'Market',
    date: '2026-09-29',
    readTime: '2 min read',
    source: 'Lanewire Market Desk',
    trending: false,
    sections: [
      {
        paragraphs: [
          'Every lot has a unit that was bought for a good reason and that nobody has asked about since. It is washed, moved, photographed again, and moved once more. What nobody does is the math: what it cost, what it has cost since, and what somebody would pay for it today.',
          'The math is short and unpleasant. Interest, insurance, the space it takes from a unit that would sell, and the market price for that model, which falls month by month. A unit that was a fair buy on day one can be under water by day sixty without anybody having done anything wrong.',
        ],
      },
      {
        heading: 'Decide by the calendar',
        paragraphs: [
          'Dealers who handle this well have taken the decision out of their own hands. They have a day, usually between forty-five and sixty, on which a unit leaves retail no matter how anybody feels about it. The day is the same for every unit, so that nobody argues for a favorite.',
        ],
        points: [
          'On day thirty the price is reviewed against that week’s comparable units',
          'On day forty-five it is offered to the two dealers who sell that kind of unit',
          'On day sixty it goes to wholesale, with its story told',
        ],
      },
      {
        heading: 'Tell the story',
        paragraphs: [
          'A unit that has sat for two months is no secret: the history of its posts says so. A post that says "bought for a customer who did not come back, serviced in August, tires at 6/32, priced to move" gets answers. A post that says nothing reads like a warning.',
          'There is a buyer for almost every unit, though seldom in your own town. A convertible in November is a problem in one state and a find in another, and the diesel that nobody downtown wants is what somebody near a quarry has been looking for. That is what a network is for.',
        ],
      },
      {
        heading: 'The next one',
        paragraphs: [
          'Write down why it sat. Three such notes in a year that say the same thing are the cheapest advice you can get about what not to buy.',
        ],
      },
    ],
  },
]
