import type { HelpArticle } from '../article.ts'

export const helpOnSelling: readonly HelpArticle[] = [
  {
    slug: 'post-inventory',
    title: 'Post inventory: one vehicle, several, or a sheet',
    topic: 'Selling',
    summary: 'The three tabs of the Post Inventory dialog, what makes a vehicle complete, and what is sent.',
    sections: [
      {
        paragraphs: [
          'The Post Inventory dialog has three tabs. Choose the one that fits what you have in front of you; title, description and photos are kept when you change between them.',
        ],
      },
      {
        heading: 'The tabs',
        paragraphs: ['All three need a title. Year, make, model and trim make the best one.'],
        points: [
          'SINGLE VEHICLE: one car with all its facts. The quickest way for a fresh trade.',
          'MULTIPLE VEHICLES: a group in one post. Each vehicle has its own card, which folds to one line when it is complete.',
          'SPREADSHEET: a link to your inventory sheet. The link must be publicly accessible, otherwise nobody can read it, including us. The vehicles found in the sheet are listed under the post after it has been fetched. Of a workbook the first sheet is read. It may have up to 10,000 rows, 200 columns and 5 MB; one post lists up to 2,000 vehicles of it.',
        ],
      },
      {
        heading: 'Complete and Incomplete',
        paragraphs: [
          'A vehicle is Complete when VIN, year, make, model, mileage, price, city and state are filled in. Trim and color are optional. A post with vehicles needs at least one complete vehicle; incomplete ones are left out of the post, so look at the badges before you submit.',
          'If something is missing you are told what: Title required, Vehicle information required, or Spreadsheet URL required. Nothing you typed is lost.',
        ],
      },
      {
        heading: 'Auction facilitator',
        paragraphs: [
          'If the vehicles run through an auction house, choose it from the list, from Manheim and ADESA to regional auctions. To open bidding on Lanewire itself, use the word auction in the title or description: the post is marked LIVE, and a switch, Run a live auction, appears with its terms. Only the switch opens bidding; without it readers can ask about the auction. Open offers on the vehicle that it sells end when bidding opens, and their buyers are told where to bid.',
          'You can end a running auction while it has no bid or its reserve is not met. You say why, and whoever has bid reads it. Once the reserve is met it runs to its end. One without a bid stops while its vehicle is pending or sold, and begins again, for as long as before, once the vehicle is available; one whose start is still to come keeps its time. One whose time is over without a bid stays over, also where you relist its post: Run again, under its terms, opens it.',
        ],
      },
      {
        heading: 'After you press the button',
        paragraphs: [
          'The button reads Posting... while the post is sent. Then the dialog closes, a message confirms Inventory posted successfully!, and the post is in the feed of the network. If the server refuses it the dialog stays open with everything in it, and the message says why.',
          'Without a connection nothing is lost either: the post is kept in this browser, with photos that could not go up yet, and a line under the top bar says Waiting for a connection. It leaves by itself, once, as soon as there is a connection and you are signed in. Until then the line has Edit and Discard. If the server refuses it by then, the line says why.',
          'For something quick there is also the composer: switch the top bar to Post, write a few lines, add a vehicle or photos, and publish without opening the dialog. It suits a single unit you want to mention while you are walking the lot. Keep your posts true after they are out: mark a vehicle as sold when it is gone, and other dealers see it at once.',
        ],
      },
    ],
  },
  {
    slug: 'who-wants-your-car',
    title: 'See who wants your car',
    topic: 'Selling',
    summary:
      'What the Post Inventory dialog tells you about buy orders, offering to the best one, and the Demand list.',
    sections: [
      {
        paragraphs: [
          'Other dealers keep buy orders: which vehicle they buy, for how much, how many a month. Lanewire shows you those that your vehicle meets, at the moment when it helps: while you post it.',
        ],
      },
      {
        heading: 'While you post',
        paragraphs: [
          'In the tab SINGLE VEHICLE, once VIN, year, make, model and mileage are filled in, the dialog says how many dealers want this car, what the best of them pays, about how far the nearest is, and the terms of up to five orders. Distances are from where the vehicle stands, as you typed it, else from your dealership. Where nobody wants it, nothing is shown. Those whose terms it meets are told of your post within seconds, if you ask for no more than ten percent above what they pay; the dialog says how many of the orders shown that is. While the vehicle is in an auction nobody is told, and it is offered to no order.',
          'Fits means that the order takes the car as you typed it. Needs photos and If it is 4WD name what an order asks for beyond that; You ask more means that its dealer is not told, though it can be offered to them. Names stay hidden, unless a buyer chose to show theirs, and distances are told in steps of ten miles.',
        ],
      },
      {
        heading: 'Offer it to the best one',
        paragraphs: [
          'Tick Offer it to the best one when I post, and the best order that fits gets your offer with the post, at its own price. Its dealer has 24 hours to accept, and both of you see each other’s names. The post is in the feed meanwhile, and everybody else may make an offer too. If the order is filled, paused or changed by then, you are told that it does not take the vehicle any more; the post stands. A post that waits for a connection goes out later without the offer, and you are told so.',
        ],
      },
      {
        heading: 'The Demand list',
        paragraphs: [
          'Wanted, then Demand, lists models that at least three dealers want, with years, mileage, how many a month and how far the nearest buyer is. The best price is shown only for a car that you have on offer yourself, with a right VIN; otherwise it reads Shown with your car, or why not with yours. Offer yours lists your cars that an order takes and offers each of them at a press. Post one opens the dialog.',
        ],
      },
      {
        heading: 'What is not told, and why',
        paragraphs: ['Prices of buyers are worth protecting, so there are limits:'],
        points: [
          'You buy these too: who has a buy order for a model does not see what others pay for it, only how many want it.',
          'The check digit of the VIN has to be right, and a vehicle that another dealer has on offer tells nothing.',
          'You can ask for 60 vehicles an hour and 200 a day. After 20 VINs in a week that you never posted you read numbers without prices for the time being.',
          'Vehicles that you have on offer already are counted by themselves, each once a day, with the same limits.',
          'The same question has the same answer for ten minutes, as long as somebody wants the vehicle. Of one VIN at most three different questions are answered in that time; after these you read the last answer, and the dialog says so.',
          'Your own orders never count, and a block on either side hides both of you from each other.',
        ],
      },
    ],
  },
  {
    slug: 'vin-decoding',
    title: 'What the VIN decoder fills in',
    topic: 'Selling',
    summary: 'Which characters decide year and make, why some letters never appear, and what to do with a warning.',
    sections: [
      {
        paragraphs: [
          'Type or paste a VIN into a vehicle form and it is turned into capitals and limited to seventeen characters. A counter tells you how many are missing. With the seventeenth character the decoder starts, and a message lists what was filled in for you.',
        ],
      },
      {
        heading: 'With the camera of a phone',
        paragraphs: [
          'Press Scan beside the VIN and hold the camera over the barcode of the door, the windshield or the title; QR and Data Matrix codes are read as well. The letter I before the VIN of an import is left out. What was read is taken over when its check digit is right; otherwise you are asked. If the camera cannot be used you are told why, and a photo of the barcode does as well.',
          'What the VIN says is then one line, with Edit, and you type mileage and price. Scan next VIN adds the next vehicle where the last one stands. A title that you have not written yourself is made of what was scanned. Who scanned last time finds the camera open the next time.',
        ],
      },
      {
        heading: 'How it reads a VIN',
        paragraphs: [
          'The first three characters name the maker, and with it the make. The tenth is the model year. Letters and digits are used in turn: the letters from A stand for 2010 and the years after it, the digits 1 to 9 for 2001 to 2009. I, O and Q are never used in a VIN, since they are too easily read as 1 and 0.',
          'Year and make therefore come up at once. Model, trim and body follow where the vehicle data knows them. Anything the decoder cannot say for certain is left for you.',
        ],
      },
      {
        heading: 'Your own entries come first',
        paragraphs: [
          'The decoder fills empty fields. It does not overwrite what you typed yourself, and every filled field can be changed. Trim is worth a second look: a VIN often covers several trims, and the difference may be the money in the deal.',
        ],
      },
      {
        heading: 'Messages you may see',
        paragraphs: ['None of these stops you from posting a vehicle that is really there:'],
        points: [
          'VIN must be exactly 17 characters, with the number that is still missing. Vehicles older than model year 1981 have shorter numbers and need to be described in the text.',
          'VIN Decoded! with the list of fields that were filled.',
          'VIN Not Recognized: the first characters belong to a maker we do not know. Fill in the fields by hand.',
          'A warning about the check digit: the ninth character is calculated from the others and does not fit. In nearly every case one character was misread. Compare with the plate at the windshield, especially 8 and B, 5 and S, 1 and 7.',
        ],
      },
      {
        heading: 'Why it matters',
        paragraphs: [
          'The VIN is what the search finds, what the summary compares, and what the Bill of Sale carries. A wrong one is corrected in seconds now and in weeks later. Where you can, read it from the car rather than from a list, and take a photo of the plate for the buyer at the same time.',
          'Open offers on a vehicle end when you change its VIN, year, make, model, trim or mileage, and so do maximums that wait for the start of its auction; who made them is told. Once somebody has bid, what the auction sells stays as it is; the other vehicles of its post can still be changed or removed.',
        ],
      },
    ],
  },
  {
    slug: 'add-photos',
    title: 'Add photos and fix uploads that fail',
    topic: 'Selling',
    summary: 'Formats, limits, order and cover, and what to do when one picture does not go up.',
    sections: [
      {
        paragraphs: [
          'Photos can be added in the Post Inventory dialog and in the composer. Drop them on the field, choose them from your computer, or on a phone take them with the camera. Several files can be chosen at once.',
        ],
      },
      {
        heading: 'The limits',
        paragraphs: ['They are the same for everybody, on every plan:'],
        points: [
          'Up to 50 photos for each post in the dialog, and up to 30 in the composer. The composer shows the count as you go.',
          'PNG, JPG and GIF, up to 10 MB each.',
          'Images only. For another kind of file the message is Please select only image files.',
        ],
      },
      {
        paragraphs: [
          'If you choose more than fit, the message tells you how many you can still add. Large pictures from a phone are reduced in the browser before they are sent, which saves time on a weak connection and makes no visible difference on the screen.',
        ],
      },
      {
        heading: 'Order and cover',
        paragraphs: [
          'The first photo is the cover: it is what dealers see in the feed. Drag a photo to another place, or use the buttons on it to move it from the keyboard. Remove takes a photo out of the post.',
        ],
      },
      {
        heading: 'When an upload fails',
        paragraphs: [
          'Each photo is sent by itself. If one fails you see Photo upload failed with the name of the file, and the others go on. The failed tile stays, with a Retry button unless the file is too large or empty. Try that first; most failures are a gap in the connection.',
          'If the same file fails twice, it is usually not the image it claims to be. The content is checked on the server and the ending of the name is not trusted. Open the file on your computer, save it again as JPG, and add the new one. Photos copied from a chat program are sometimes web pages in disguise.',
        ],
      },
      {
        heading: 'Privacy',
        paragraphs: [
          'Cameras write the place and time into a photo. This data is dropped when the picture is processed for the feed. Check the picture itself, though: a title, a driver’s licence or a customer’s face on the passenger seat does not belong in a post, and it is easily overlooked on a small screen. Remove the photo and take another.',
        ],
      },
    ],
  },
]
