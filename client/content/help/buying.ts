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
          'The feed shows posts from dealers across the network. Two tools bring the right ones to the top: the search box and the four sort buttons. They work together, and the line under them shows the search term, the sort order and the number of posts.',
        ],
      },
      {
        heading: 'Searching',
        paragraphs: [
          'Type and press Enter, or press SEARCH. The search covers the title and description of a post, the VIN, make, model and trim of its vehicles, and the dealer, dealership, city and state (name or abbreviation). It finds plurals, and F150 as well as F-150. A word of five or more letters may have one wrong letter: matches for what you may have meant come after exact ones. You can paste a whole VIN to find one car, or type "Tacoma Tulsa" to find a model in a place.',
          'When nothing fits, the page says No matching dealers found. Try a shorter term first: leave out the trim, or search for the model alone. Clear the box and search again to return to all posts.',
        ],
      },
      {
        heading: 'The four sort buttons',
        paragraphs: ['Choose the one that fits your question:'],
        points: [
          'Recent: newest first. Good for a quick look between customers.',
          'Hottest: posts that other dealers like, comment on, view and bid on right now. Old activity counts for less than new.',
          'For Sale: posts with vehicles still available.',
          'Auction Promo: live auctions, ending soonest first.',
        ],
      },
      {
        heading: 'Paging and new posts',
        paragraphs: [
          'The feed begins with seven posts. Scroll on, or press Load More, for the next seven; a line tells you when you reach the end. Changing the search or the sort order starts again at the top.',
          'New posts do not push the page down while you read. A button shows how many are waiting; press it to see them. When the live connection is interrupted, a line at the top says Reconnecting, and the page asks for updates every thirty seconds until the connection is back.',
          'Click anywhere on a card to open the post on its own page, with all photos, vehicles and the newest comments. If there are more than fifty, Show earlier comments loads the ones before. That page has an address you can send to a colleague who has a Lanewire account.',
        ],
      },
      {
        paragraphs: [
          'For single vehicles by year, miles, price and distance use Find, the car in the top bar. It has its own article.',
        ],
      },
    ],
  },
  {
    slug: 'find-vehicles',
    title: 'Find vehicles with filters, and save the search',
    topic: 'Buying',
    summary: 'How filters work, what distances mean, searching in plain words, and getting notified of new vehicles.',
    sections: [
      {
        paragraphs: [
          'Find, the car in the top bar, lists single vehicles from all posts with vehicles for sale. Your own are among them, marked Yours. Vehicles from suspended dealers, and from dealers you blocked or who blocked you, are not listed.',
        ],
      },
      {
        heading: 'Filters and their numbers',
        paragraphs: [
          'A second choice in the same group widens the search; a choice in another group narrows it. The number beside a value is how many vehicles you would see with it. Details a post leaves out count under Not stated; nothing is guessed. The price of an auction is its current bid, or its starting amount. A vehicle without a price is left out of price ranges and comes last when you sort by price.',
          'Active filters appear above the list. Choose one to remove it. The page address contains the whole search, so Back undoes a filter and a colleague can open the link. If nothing matches, the page suggests up to three changes and shows how many vehicles each would find.',
        ],
      },
      {
        heading: 'Distance',
        paragraphs: [
          "Type a ZIP or a Canadian postal code and choose a distance. Distances are approximate, from the center of one postal code to the center of another. A vehicle's location comes from its post, or else from its dealer. Vehicles without a location are found only if you set no distance. If you enter a code without a distance, each result shows how far away it is.",
        ],
      },
      {
        heading: 'Plain words and the keyboard',
        paragraphs: [
          'Type a phrase such as "2019-2021 F-150 under 40k miles within 200 miles of Dallas". Find shows how it reads your words before you press Enter. For words it cannot use as filters, it offers a feed search below.',
          '"Near me", "nearby" and "within 50 miles of me" search around the ZIP or postal code in your profile. Without a distance, "near me" means within 100 miles. Change the distance under Near.',
        ],
        points: [
          '/ goes to the search field, f to the filters.',
          'j and k go from vehicle to vehicle, Enter opens its post, w puts the post on your watchlist or takes it off.',
        ],
      },
      {
        heading: 'New and removed vehicles',
        paragraphs: [
          'New vehicles wait behind a button, so nothing moves while you read. Sold vehicles stay in place, grayed out, until the next search. A LIVE row updates with its auction, and Open in Lane shows it there.',
        ],
      },
      {
        heading: 'Save search',
        paragraphs: [
          'Save search keeps the filters. From then on, we notify you when a matching vehicle is posted, drops into your price range, becomes available again or, if you search for live auctions, opens for bidding. You get one notification for each vehicle, no matter how many of your searches and buy orders it matches. After fifty in a day, you get a summary once an hour. Choose your notifications under Settings, Notifications, Vehicle matches. Saved searches are listed under Watchlist, where you remove them. Sort order and layout are not saved, and neither is a location without a distance. If you buy the same model every month, use a buy order instead.',
        ],
      },
    ],
  },
  {
    slug: 'buy-orders',
    title: 'Buy orders: tell sellers what you buy and pay',
    topic: 'Buying',
    summary:
      'What goes into a buy order, when a vehicle matches, how to make an offer with one click, and when an order stops.',
    sections: [
      {
        paragraphs: [
          'A buy order describes a vehicle you buy regularly: "2019–2021 Ford F-150 XLT, under 40,000 miles, within 300 miles, I pay $30,000, three a month". You find it under Wanted. You need a confirmed email address and can have up to fifty buy orders.',
        ],
      },
      {
        paragraphs: ['Anyone who can make offers can have buy orders. Some networks require a plan for that.'],
        billing: true,
      },
      {
        heading: 'The form',
        paragraphs: [
          'Make, model, mileage and price are required; trims, years, distance and drivetrain narrow it. Beside the form you see current listings and recent sales. Asking and sold prices need at least five vehicles. An order runs for 30, 60 or 90 days and can be renewed. To set a distance, enter the ZIP or postal code it starts from.',
          "The price is not a secret ceiling: dealers who have a matching vehicle see it, with your distance, your rating and your note. It can be changed once a minute. A buy order isn't a commitment to buy. You make or accept an offer on each vehicle.",
        ],
      },
      {
        heading: 'Matches',
        paragraphs: [
          'A vehicle matches when it fits your order and its price is at most ten percent above yours, or it has no price. We check when it is posted, when its price drops and when it becomes available again. Vehicles in an auction do not match. We notify you within seconds, once for each vehicle, and the match appears to the right of your orders. A vehicle that fits several of your orders is listed once, under the order that pays most, and your answer applies to all of them.',
        ],
        points: [
          "Offer: one click offers the lower of the asking price and your order's price. You can undo it for five seconds. If the price has changed since, we tell you before anything is offered.",
          'Offered to you: the seller offered it for your order. Answer opens the offer. If an offer was declined or not answered in time, you see that and can offer again.',
          'Not this one: removes the match from the list.',
        ],
      },
      {
        heading: 'When an order stops',
        paragraphs: ['Each order shows its status:'],
        points: [
          'Active: it matches vehicles until its end date.',
          "Filled: you have bought this month's number of vehicles. It continues next month, in the time zone of your quiet hours if you set them, otherwise in your dealership's. A deal counts if it started with an offer from this order and was not cancelled.",
          'Paused: by you, or because you did not answer ten matches in a row. A match counts once its vehicle has been for sale for a day. Vehicles sold sooner do not count, and neither do matches from before the order was filled or paused. Resume starts it again. It also pauses while your account cannot make offers: it then shows Choose a plan and resumes automatically.',
          'Ended: by you, or because its time is up. Renew gives it thirty days from now. So does saving new terms, unless you pick another period. You can renew a running order in its last week.',
        ],
      },
      {
        heading: 'Prices far below the market',
        paragraphs: [
          "If at least five matching vehicles have a price and yours is below forty percent of their median, the form warns you, the order shows a note, and the network's moderators are notified. The order still runs.",
        ],
      },
      {
        heading: 'Who sees what',
        paragraphs: [
          "No other dealer can list your orders. Admins can view them, which is recorded, and can end one that is far below market; you see the reason and can renew it. A dealer about to post a matching vehicle sees your terms without your name, unless you chose to show it. Demand lists only models that at least three dealers want, with the number of dealers but no names. Once an offer is made, by you or to you, both sides see each other's names. If either of you has blocked the other, neither sees anything of the other.",
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
          'A post marked LIVE mentions an auction. If the seller runs it on Lanewire, the card shows the current bid, the time left and your own status. Open live auction shows everything: the bid buttons, the history and how many dealers have it open. If bidding is not open, Ask about this auction messages the seller.',
        ],
      },
      {
        heading: 'Placing a bid',
        paragraphs: [
          'There are three buttons: +$500, +$1,000 and +$2,500. Each shows the amount you would be offering in total, and that is the number to read. When you press one, the server decides. If it is accepted you are the leader and the block says You are winning, or High bid, reserve not met while the bid is below the reserve. If the price moved in the moment you pressed, nothing is placed; the buttons change to the new amounts and you decide again.',
          'You cannot bid on your own post or outbid yourself: while you lead, the buttons raise your maximum.',
        ],
      },
      {
        heading: 'Several auctions at once',
        paragraphs: [
          'Lane shows two, four or six auctions side by side, with a list of all running and upcoming auctions. Choose a row to pin its auction; an accepted bid pins it automatically. Fill with the six ending soonest, or the key F, fills every position in which you have no bid. Each position shows mileage, location, color, what the seller says about the title, and the seller with their rating. Press the photo, or the key V, to see all photos. Before an auction opens you can set a preset maximum, which is placed when bidding opens. You can also set a day limit: bids over it are not accepted.',
          'The first press arms an amount for six seconds, and a second press places it. It is cancelled by Escape, by switching to another position or window, by a lost connection, by the end of the auction, or if the price moves above it. You are asked to confirm an amount or maximum far above the next bid. The keys 1 to 6, B and Enter do the same; press ? to list all shortcuts.',
        ],
      },
      {
        heading: 'The last thirty seconds',
        paragraphs: [
          'A bid in the last thirty seconds moves the end to thirty seconds from that bid. So there is no advantage in waiting for the final moment, and no need to wait. Each auction also has a hard end that no bid can move. Bids that are not accepted never extend the time.',
          'The countdown runs against the server’s clock. A wrong clock in your computer makes no difference.',
        ],
      },
      {
        heading: 'Outbid, reserve and the end',
        paragraphs: ['Watch for these states, shown in words as well as color:'],
        points: [
          'You have been outbid: someone bid more. The first button shows the next amount.',
          'Reserve: the seller can set a hidden minimum price. If bidding ends below it, the seller decides.',
          "Won: a deal is created with the agreed amount, and you find it in your active deals. If you win and cancel twice within 90 days, you may need an admin's approval to bid again. Deals whose seller is no longer on Lanewire do not count.",
          'Buy fee: if the network charges one, you see the price, the fee and the total below the price. The fee in effect when bidding opened applies, even if it changes later.',
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
    summary: 'The four states of a deal, who can move it forward, and where the Bill of Sale comes from.',
    sections: [
      {
        paragraphs: [
          "A deal is the record of an agreement about one vehicle between two dealers. It begins in one of two ways: one of you accepts the other's offer on a vehicle, or a buyer wins an auction. From then on both sides see the same deal. Only the network's admins can see it too.",
        ],
      },
      {
        heading: 'The states',
        paragraphs: ['A deal moves forward only when the right party takes the next step:'],
        points: [
          'Pending: an offer was accepted or an auction was won, and the seller has not approved the deal yet.',
          'Approved: the seller has approved the deal. Sign the documents, and arrange payment, title and transport now.',
          'Completed: both of you have signed, and the buyer has completed the deal.',
          'Cancelled: one side backed out before completion. The deal stays on record.',
        ],
      },
      {
        heading: 'One vehicle, one buyer',
        paragraphs: [
          'A vehicle has one deal at a time. When an offer is accepted, the other offers on that vehicle are declined. When bidding opens on it, open offers end and each buyer gets a link to the auction; while an auction runs or its highest bid is being decided, no offer on what it sells can be made or accepted. An auction sells the first vehicle of its post; the others stay for sale. An offer also ends, and its buyer learns why, when the seller changes what the vehicle is, sells it elsewhere or takes it down, and when its post expires or a moderator hides it. A cancelled deal puts the vehicle back on the market, unless its seller has marked it as sold; a completed one does not.',
        ],
      },
      {
        paragraphs: [
          'Your active deals are in the panel on the right of the home screen, the five most recent first; completed ones are listed below. Everything not completed counts as active there, so a cancelled deal stays visible.',
          'Deals in the top bar, on a phone under More, has all of them with the offers they come from. Your turn lists what you need to do, with a button for each step; its count appears in the bar. Waiting lists what the other side does next. Completed and Cancelled list finished deals. The search finds a VIN, a vehicle or a dealer.',
        ],
      },
      {
        heading: 'The Bill of Sale',
        paragraphs: [
          'The Bill of Sale is made from the deal itself: the parties, the vehicle with its VIN, the mileage and the agreed amount. You do not type anything twice, so the document always matches what was agreed. Check the VIN and the mileage against the car before you use it. Some states also require their own form; your titling office knows which.',
          'A document that either of you has signed never changes, even if a name or address changes later. If something changes before anyone signs, a new version is generated, and you are asked to read and sign that one.',
        ],
      },
      {
        heading: 'Good practice',
        paragraphs: [
          'Write the terms into the conversation before you approve: price, known flaws, where the title is, pickup date, who pays for transport. One message and one clear yes is enough. Lanewire does not hold money and does not take title; payment goes between the two dealerships in the way they agree.',
          'If a deal goes wrong, keep the conversation on Lanewire and write to support with the names of both dealerships. The history of the deal, with the times of each step, is available to both sides. When all went well, complete it promptly: completed deals count on both profiles.',
        ],
      },
    ],
  },
]
