import type { NewsArticle } from './article.ts'
import { newsHeadlines, type NewsSlug } from './news/headlines.ts'

const sections: Record<NewsSlug, NewsArticle['sections']> = {
  'off-lease-supply-and-late-model-prices': [
    {
      paragraphs: [
        'A three-year-old car comes from a three-year-old lease. When factories ran short of chips, makers had no reason to subsidize leases, and far fewer were written. Those missing contracts are now missing cars: the late-model, one-owner, low-mileage units that independent dealers used to buy by the row are spread thin, and the ones that do come back are often bought by the leasing dealer before they reach any lane.',
        'That is a matter of supply, not of mood, and it will not recover in a quarter. Lease volume has to come back first, and then those leases have to run their term. A dealer who plans stock for the coming year should assume that clean three-year-old units stay contested.',
      ],
    },
    {
      heading: 'Where buyers are going instead',
      paragraphs: [
        'The age bands on either side take up the slack. Five- to seven-year-old cars with complete service records retail well when the mileage is honest and the reconditioning is done, and they cost less to be wrong about. Retired rental and commercial units fill the other side: newer, higher mileage, sold in groups, and usually better documented than a private trade.',
        'Both need a different eye. On an older unit the money is in the inspection: timing components, suspension, tires, and rust underneath in salt states. On a fleet unit it is in the history: maintenance intervals, accident entries, and whether all the cars in the group were kept the same way.',
      ],
    },
    {
      heading: 'What helps at the desk',
      paragraphs: ['Scarce cars sell to the buyer who hears first and answers first. Some habits pay every week:'],
      points: [
        'Ask franchise dealers in your network for the trades they do not keep. They would rather move a unit in one message than haul it to an auction.',
        'Decide your number before you open the post, including transport and reconditioning. A bid made up on the spot is nearly always too high.',
        'Post your own aged units at day thirty, not day sixty. In a thin market somebody needs exactly that car.',
        'Look one province or state further than you used to. Transport on a good unit costs less than a month without it.',
      ],
    },
    {
      paragraphs: [
        'None of this is new. It is what careful wholesalers have always done; a short supply only makes it show sooner in the results.',
      ],
    },
  ],
  'electronic-titles-in-wholesale': [
    {
      paragraphs: [
        'A growing number of states keep titles in electronic lien and title systems, known as ELT. When a lender is paid off, the release moves between computers, and the state either prints a title or moves the electronic one to the new owner. For a retail buyer this is invisible. For a wholesaler who must deliver a title with the car, it changes the order of the work.',
        'The first question on any unit with a lien is therefore not how much is owed, but where the title is: on paper at the seller, on paper at the bank, or electronic. Each has its own delay, and only the first one can ride along with the driver.',
      ],
    },
    {
      heading: 'What still has to be right',
      paragraphs: [
        'Electronic or not, the federal odometer rule stands. A transfer of a vehicle within the disclosure period needs the mileage stated and acknowledged by both sides. For model year 2011 and newer that period is twenty years, so far more units now need a disclosure than a decade ago. States that have approved electronic disclosure accept it on screen; elsewhere it is ink on the title or on the state form.',
        'Powers of attorney are the second trap. A power of attorney that covers the mileage statement has to be the secure form where the state requires it. A plain one will come back from the counter, and the car will sit.',
      ],
    },
    {
      heading: 'Habits that keep the money moving',
      paragraphs: ['Small rules, agreed before the price, prevent most title trouble:'],
      points: [
        'Say in the post what the title is: in hand, at the lender, or electronic, with the state.',
        'Agree on a date by which the title is delivered, and what happens when it is not.',
        'Ask for the payoff letter with its good-through date, not just the amount.',
        'Keep the buyer, the bill of sale and the odometer statement in one place, so that a question in month three takes a minute.',
      ],
    },
    {
      paragraphs: [
        'On Lanewire the parties can settle these points in the deal conversation, and the Bill of Sale is made from the same agreed data. The rules of your state decide what the counter accepts: when in doubt, ask the titling office first. This note is general information, not legal advice.',
      ],
    },
  ],
  'buying-canadian-units': [
    {
      paragraphs: [
        'When the Canadian dollar is weak against the US dollar, northern units look cheap, and many are. Many are also well kept. But a car that cannot be imported, or that arrives with a surprise in its paperwork, is not cheap at any price. The checks are few and can be done before anyone bids.',
      ],
    },
    {
      heading: 'On the car',
      paragraphs: [
        'Start with the label in the door opening. Every vehicle built for Canada carries a statement of conformity with Canadian safety standards; many also conform to the US standards, and the maker can confirm it in a letter. The letter costs nothing to ask for and saves the most time at the border. Vehicles younger than 25 years need to meet the US standards one way or another.',
        'Then read the instrument cluster. Canadian odometers count kilometers. The disclosure on a US transfer must state the odometer reading and its unit. A cluster converted to the other unit needs separate documentation. Multiply kilometers by 0.62 for a rough figure in miles, and write both in the post.',
        'Last, recalls. Look the VIN up on the maker’s Canadian and US recall pages. A recall campaign may exist on one side only.',
      ],
    },
    {
      heading: 'At the border',
      paragraphs: ['Importing dealers and their brokers deal with a short list:'],
      points: [
        'NHTSA Form HS-7, the safety declaration.',
        'EPA Form 3520-1, the emissions declaration.',
        'Proof of ownership, a bill of sale, and the Canadian registration or export documents.',
        'Duty, which depends on where the vehicle was made, not on where it was sold. Rules and rates change: ask the broker on the day.',
      ],
    },
    {
      heading: 'On the network',
      paragraphs: [
        'Buyers who take Canadian vehicles say so in their profile, and the dealer directory can be filtered by it. Sellers in Ontario, Alberta or Quebec reach those dealers first, rather than explaining kilometers to somebody who was never going to buy. If you buy on both sides, turn the setting on: it is a single choice, and it is shown as Buys Canadian beside your name.',
        'Rates, forms and programs change. Treat this as a checklist to take to your broker, not as customs advice.',
      ],
    },
  ],
  'soft-close-and-sniping': [
    {
      paragraphs: [
        'Physical lanes never end in the middle of a bid. The auctioneer looks around, asks once more, and drops the hammer when the room is silent. Many online auctions lost that when they replaced the auctioneer with a clock. A clock that simply ends invites sniping: everybody waits for the last second, the fastest connection wins, and the seller is paid less than the room would have given.',
      ],
    },
    {
      heading: 'What a soft close does',
      paragraphs: [
        'A soft close brings the last call back. On Lanewire a bid in the last thirty seconds moves the end to thirty seconds from that bid, so every dealer who still wants the car has time to answer. A hard end sits behind it, so an auction cannot be stretched forever. Bids that come too late or too low do not move the clock at all.',
        'The server owns the time. Every screen counts down against the server’s clock rather than the one in the computer, which is why two dealers in two time zones see the same second. When the connection is lost the bid buttons are disabled and say so, because a button that may or may not work is worse than none.',
      ],
    },
    {
      heading: 'How to bid in it',
      paragraphs: ['A soft close rewards preparation and penalizes only waiting:'],
      points: [
        'Set your ceiling before the last minute, with transport and fees included.',
        'Bid when you are ready. There is no prize for being last, since the clock will move.',
        'Read the amount on the button. It is the total you are offering, not the step, and it changes when somebody is ahead of you.',
        'Do not fear a stale price. If the price moved while you pressed, nothing is placed and the new totals are shown.',
      ],
    },
    {
      heading: 'What the seller gains',
      paragraphs: [
        'Sellers get the price of the second most determined buyer plus one step, which is what an auction is for. They also get fewer arguments. Each bid has a place in one numbered sequence, the history stays with the post, and the winner’s deal is made the moment the auction closes, with the agreed amount in it.',
      ],
    },
  ],
  'used-ev-battery-health': [
    {
      paragraphs: [
        'More electric cars reach the wholesale market as early leases end, and many dealers still price them by year and mileage. Both matter, but neither says how far the car drives. Two of the same model, same year, same miles can differ by a tenth in usable capacity, depending on heat, charging habits and luck. A buyer who asks for a figure pays the right price for each. A buyer who does not pays the average and gets the worse one.',
      ],
    },
    {
      heading: 'Five facts to ask for',
      paragraphs: ['A seller who knows the car can answer all of these in one message:'],
      points: [
        'State of health, as a percentage of the original capacity, with the tool that measured it. The range estimate on the dashboard does not count.',
        'Warranty left on the battery. Eight years or 100,000 miles is common in the United States, some cover more; check the booklet for the threshold that triggers a replacement.',
        'Fast-charging equipment. The port decides which network the next owner can use, and some base trims were sold without fast charging at all.',
        'Software and account. The previous owner must release the car from their account, or the retail buyer cannot use the app.',
        'Charging cable. A missing one is a few hundred dollars nobody put into the bid.',
      ],
    },
    {
      heading: 'Recon is different, not smaller',
      paragraphs: [
        'There is no oil to change, but tires wear faster under the weight and the torque, and an electric car on the wrong tire loses range that the customer will notice. Brakes last long and can seize from lack of use. Twelve-volt batteries fail early in several models and make a healthy car look dead on arrival. None of this is expensive if you plan for it.',
      ],
    },
    {
      heading: 'How to post one',
      paragraphs: [
        'Put the state of health and the date of the reading in the description, add a photo of the screen, and name the charging port. The VIN decodes to the same year and make as on any other car, but the trim often carries the battery size: type it in if the decoder leaves it blank. Posts that answer the battery question first are the ones that do not need a second message.',
      ],
    },
  ],
}

export const newsArticles: readonly NewsArticle[] = newsHeadlines.map((headline) => ({
  ...headline,
  sections: sections[headline.slug],
}))
