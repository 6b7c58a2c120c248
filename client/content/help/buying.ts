import type { HelpArticle } from '../article.ts'

export const helpOnBuying: readonly HelpArticle[] = [
  {
    slug: 'search-and-sort-the-feed',
    title: 'Search and sort the dealer feed',
    topic: 'Buying',
    summary: 'What the search looks through, what the four sort buttons do, and how new posts reach you.',
    sections: [
      {
        paragraphs: [
          'The feed shows posts from dealers across the network. Two tools bring the right ones to the top: the search box and the four sort buttons. They work together, and the line under them always says which term and order you are looking at and how many posts there are.',
        ],
      },
      {
        heading: 'Searching',
        paragraphs: [
          'Type and press Enter, or press SEARCH. The search covers the title and description of a post, the VIN, make, model and trim of its vehicles, and the dealer, dealership, city and state, by its name or its code. It finds plurals, and F150 as well as F-150. One wrong letter in a word of five or more is forgiven: what you may have meant comes after what you typed. You can paste a whole VIN to find one car, or type "Tacoma Tulsa" to find a model in a place.',
          'When nothing fits, the page says No matching dealers found. Try a shorter term first: leave out the trim, or search for the model alone. Clear the box and search again to return to all posts.',
        ],
      },
      {
        heading: 'The four orders',
        paragraphs: ['Choose the button that fits the question you have:'],
        points: [
          'Recent: newest first. The order for a quick look between two customers.',
          'Hottest: posts that other dealers like, comment on, view and bid on right now. Old activity counts for less than new.',
          'For Sale: posts with vehicles still available.',
          'Auction Promo: live auctions, those that end soonest first.',
        ],
      },
      {
        heading: 'Paging and new posts',
        paragraphs: [
          'The feed begins with seven posts. Scroll on, or press Load More, for the next seven; at the end it says so. Changing the search or the order starts again at the top.',
          'New posts do not push the page down while you read. A button shows how many are waiting; press it to see them. When the live connection is interrupted, a line at the top says Reconnecting, and the page asks for updates every thirty seconds until the connection is back.',
          'Click anywhere on a card to open the post on its own page, with all photos, vehicles and the newest comments. Where there are more than fifty, Show earlier comments brings those before. That page has an address you can send to a colleague who has a Lanewire account.',
        ],
      },
      {
        paragraphs: [
          'For single vehicles by year, miles, price and distance there is Find, the car in the top bar. It has an article of its own.',
        ],
      },
    ],
  },
  {
    slug: 'find-vehicles',
    title: 'Find vehicles by filters, and keep the search',
    topic: 'Buying',
    summary:
      'How the filters count, what distances mean, typing a search in words, and being told of the next vehicle.',
    sections: [
      {
        paragraphs: [
          'Find, the car in the top bar, lists single vehicles out of all posts on offer. Your own are among them, marked Yours. Dealers with whom there is a block on either side, and suspended ones, are not.',
        ],
      },
      {
        heading: 'Filters and their numbers',
        paragraphs: [
          'Two choices in one group widen the search, one in another group narrows it. The number beside a value is how many vehicles there would be with it. What a post does not say counts under Not stated; nothing is guessed. The price of an auction is its bid, or what it starts at. A vehicle without a price is in no range of prices, and comes last where prices are sorted.',
          'Each filter that is on stands above the list, and a press takes it away. The address of the page holds the whole search, so Back undoes a filter and a colleague can open the link. Where nothing fits, the page offers up to three ways out with the number of vehicles that each of them finds.',
        ],
      },
      {
        heading: 'Distance',
        paragraphs: [
          'Type a ZIP or a Canadian postal code and choose how far. Distances are about: from the middle of one postal code to the middle of another. A vehicle stands where its post says, or else where its dealer is. One without any place is found only without a distance. Without a distance the code adds how far each one is.',
        ],
      },
      {
        heading: 'In words, and by keys',
        paragraphs: [
          'Type as in "2019-2021 F-150 under 40k miles within 200 miles of Dallas": what it means is shown before you press Enter. Words that are no filter are for the feed, which is offered below.',
        ],
        points: [
          '/ goes to the words, f to the filters.',
          'j and k go from vehicle to vehicle, Enter opens its post, w puts the post on your watchlist or takes it off.',
        ],
      },
      {
        heading: 'What is new and what is gone',
        paragraphs: [
          'New vehicles wait behind a button, so nothing moves while you read. What is sold stays greyed in its place until the next search. A LIVE row follows its auction, and To Lane opens it there.',
        ],
      },
      {
        heading: 'Save search',
        paragraphs: [
          'Save search keeps the filters. From then on you get a notice when a vehicle that fits is posted, gets cheap enough, is available again, or, where you look for running auctions, when bidding on it opens: once for each vehicle, however many of your searches and buy orders it fits. After fifty in a day you hear of the rest once an hour. Notices are chosen under Settings, Vehicles I look for. Saved searches are listed under Watchlist, where you remove them. Order and layout are not saved, nor is a place without a distance. Buying the same model every month? Then a buy order does more.',
        ],
      },
    ],
  },
  {
    slug: 'buy-orders',
    title: 'Buy orders: say what you buy and what you pay',
    topic: 'Buying',
    summary: 'What a buy order asks for, when a vehicle is a match, offering in one press, and when an order stops.',
    sections: [
      {
        paragraphs: [
          'A buy order says which vehicle you buy again and again: "2019–2021 Ford F-150 XLT, under 40,000 miles, within 300 miles, I pay $30,000, three a month". It stands under Wanted. You need a confirmed e-mail address, and can have up to fifty.',
        ],
      },
      {
        paragraphs: ['Whoever can make offers can have buy orders. Some networks ask for a plan before that.'],
        billing: true,
      },
      {
        heading: 'The form',
        paragraphs: [
          'Make, model, mileage and price are required; trims, years, distance and drivetrain narrow it. Beside the form stands what the network offers and has sold of it. Prices asked and sold are told from five vehicles up. An order stands for 30, 60 or 90 days, and can be renewed. A distance needs the ZIP or postal code that it begins from.',
          'The price is not a secret ceiling: dealers who have a matching vehicle see it, with your distance, your rating and your note. It can be changed once a minute. An order is no purchase. Every deal starts with an offer that you make or accept.',
        ],
      },
      {
        heading: 'Matches',
        paragraphs: [
          'A vehicle is a match when it fits and asks for no more than ten percent above your price, or names no price. That is looked at when it is posted, when it gets cheaper, and when it is available again. What is in an auction is no match. You are told within seconds, once for each vehicle, and the match waits at the right of your orders. A vehicle that several of your orders look for is listed once, by the one that pays most, and what you answer counts for all of them.',
        ],
        points: [
          'Offer: one press offers the lower of what is asked and what your order pays. For five seconds Undo takes it back. A price that has changed meanwhile is said before anything is offered.',
          'Offered to you: its seller has offered it by your order. Answer leads to the offer. An offer that was declined or not answered in time says so, and can be made again.',
          'Not this one: the match is listed no more.',
        ],
      },
      {
        heading: 'When an order stops',
        paragraphs: ['Each order says how it stands:'],
        points: [
          'Active: it takes vehicles until its day.',
          'Filled: as many were bought this month as it takes. It goes on with the next month: by the time zone of your quiet hours, if you have set them, else by that of your dealership. A deal counts that began with an offer of this order and was not cancelled.',
          'Paused: by you, or because ten matches in a row had no answer. A match counts once its vehicle was on offer for a day: what is sold sooner does not, nor what came before the order was filled or rested. Resume lets it go on. It also rests as long as your account may make no offers, says Choose a plan, and goes on by itself after that.',
          'Ended: by you, or because its time is over. Renew gives it thirty days from now, and so does saving other terms, unless you pick another time. An order that still runs can be renewed in its last week.',
        ],
      },
      {
        heading: 'Prices far below the market',
        paragraphs: [
          'Where at least five such vehicles name a price and yours is below forty percent of their median, the form warns you, the order says so, and the moderators of the network are told. It stands all the same.',
        ],
      },
      {
        heading: 'Who sees what',
        paragraphs: [
          'Your orders are listed for no other dealer. Administrators may look at them, which is recorded, and end one that is far from what such vehicles cost; you read why, and may renew it. A dealer who is about to post a matching vehicle sees your terms without your name, unless you chose to show it. Under Demand only models appear that at least three dealers want, with how many, never who. Once an offer is made, by you or to you, both sides see each other’s names. With a block on either side neither sees anything of the other.',
        ],
      },
    ],
  },
  {
    slug: 'bid-in-a-live-auction',
    title: 'Bid in a live auction',
    topic: 'Buying',
    summary:
      'How to read the bid block, what the three bid buttons offer, and what happens in the last thirty seconds.',
    sections: [
      {
        paragraphs: [
          'A post marked LIVE speaks of an auction. Where its seller runs one here, its card shows the current bid, the time left and your own state. Open live auction shows the whole picture: the bid buttons, the history, and how many dealers have it open. Where there is no bidding, Ask about this auction writes to the seller.',
        ],
      },
      {
        heading: 'Placing a bid',
        paragraphs: [
          'There are three buttons: +$500, +$1,000 and +$2,500. Each shows the amount you would be offering in total, and that is the number to read. When you press one, the server decides. If it is accepted you are the leader and the block says You are winning, or High bid, reserve not met while the bid is below the reserve. If the price moved in the moment you pressed, nothing is placed; the buttons change to the new amounts and you decide again.',
          'You cannot bid on your own post, and you cannot outbid yourself by accident while you are leading: the block tells you that the next step would only raise your own offer.',
        ],
      },
      {
        heading: 'Several auctions at once',
        paragraphs: [
          'Lane shows two, four or six auctions side by side, with a list of all that run and all that come. A press on a row gives its auction a place; a bid that was taken gives it one by itself. An auction that has not begun takes your maximum, which is handed in when bidding opens. You may set a limit for the day: a bid that would pass it is refused.',
          'A first press arms an amount for six seconds, a second one places it. What takes it back: Escape, another place or window, a lost connection, the end, and a price that has passed it. An amount or a maximum far above the next bid is asked about before it is sent. The keys 1 to 6, B and Enter do the same; a question mark lists them all.',
        ],
      },
      {
        heading: 'The last thirty seconds',
        paragraphs: [
          'A bid in the last thirty seconds moves the end to thirty seconds from that bid. So there is no advantage in waiting for the final moment, and no need to. Each auction also has a hard end that no bid can move. Bids that are refused never extend the time.',
          'The countdown runs against the server’s clock. A wrong clock in your computer makes no difference.',
        ],
      },
      {
        heading: 'Outbid, reserve and the end',
        paragraphs: ['Watch these states; each is written out and not only coloured:'],
        points: [
          'You have been outbid: somebody offered more. The first button is ready with the next amount.',
          'Reserve: a seller may set a lowest price that is not shown. If bidding ends below it, the seller decides.',
          'Won: a deal is created with the agreed amount, and you find it in your active deals. Who wins and cancels twice within 90 days may have to ask an admin before bidding again; a deal whose seller is no longer on Lanewire does not count.',
          'Buy fee: where the network asks one, the price, the fee and both together stand under the price. It is the one of the moment when bidding opened, whatever is set later.',
        ],
      },
      {
        heading: 'If your connection drops',
        paragraphs: [
          'The buttons are disabled while the page is not connected, and say why. A connection that goes silent without breaking is noticed within two seconds. A bid you placed before stays placed. When the connection returns, the auction is read again from the server before you can bid. Other bidders see you under a pseudonym such as Bidder 4; only the seller sees who you are.',
        ],
      },
    ],
  },
  {
    slug: 'from-offer-to-completed-deal',
    title: 'From offer to completed deal',
    topic: 'Buying',
    summary: 'The four states of a deal, who can move it on, and where the Bill of Sale comes from.',
    sections: [
      {
        paragraphs: [
          'A deal is the record of an agreement about one vehicle between two dealers. It begins in one of two ways: a buyer makes an offer on a vehicle in a post, or somebody wins an auction. From then on both sides see the same deal, and nobody else does except the administrators of the network.',
        ],
      },
      {
        heading: 'The states',
        paragraphs: ['A deal moves forward only when the right person says so:'],
        points: [
          'Pending: an offer is on the table, or an auction has been won and waits for the seller.',
          'Approved: both sides have agreed on the amount. Arrange payment, title and transport now.',
          'Completed: the vehicle and the money have changed hands.',
          'Cancelled: one side stepped back before completion. The deal stays on record.',
        ],
      },
      {
        heading: 'One vehicle, one buyer',
        paragraphs: [
          'A vehicle has one deal at a time. When an offer is accepted, the other offers on that vehicle are declined. When bidding opens on it, open offers end and each buyer is told where to bid; while an auction runs or its highest bid is being decided, no offer on what it sells can be made or accepted. An auction sells the first vehicle of its post; the others stay on offer. An offer also ends, and its buyer is told why, when the seller changes what the vehicle is, sells it elsewhere or takes it down. A cancelled deal puts the vehicle back on the market, unless its seller has marked it as sold; a completed one does not.',
        ],
      },
      {
        paragraphs: [
          'Your active deals are in the panel on the right of the home screen, the five most recent first; completed ones are listed below. Everything that is not completed counts as active there, so that a cancelled deal does not vanish without a trace.',
          'Deals in the top bar, on a phone under More, has all of them with the offers they come from. Your turn lists what waits for you, with the button that does it; its number is the one in the bar. Waiting lists what the other side does next, Completed and Cancelled what is over. The search finds a VIN, a vehicle or a dealer.',
        ],
      },
      {
        heading: 'The Bill of Sale',
        paragraphs: [
          'The Bill of Sale is made from the deal itself: the parties, the vehicle with its VIN, the mileage and the agreed amount. You do not type any of it twice, and so the paper cannot disagree with what was agreed. Check the VIN and the mileage against the car before you use it. Some states require their own form beside it; your titling office knows which.',
          'What one of you has signed stays as it is, whoever changes their name or address afterwards. What changed before anybody signed is made anew: you are asked to read the new version, and sign that.',
        ],
      },
      {
        heading: 'Good practice',
        paragraphs: [
          'Write the terms into the conversation before you approve: price, known flaws, where the title is, date of pick-up, who pays transport. One message and one clear yes is enough. Lanewire does not hold money and does not take title; payment goes between the two dealerships in the way they agree.',
          'If a deal goes wrong, keep the conversation on Lanewire and write to support with the names of both dealerships. The history of the deal, with the times of each step, is there for both sides to point at. When all went well, complete it promptly: completed deals count on both profiles.',
        ],
      },
    ],
  },
]
