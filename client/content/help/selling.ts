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
        paragraphs: [
          'Begin with the VIN: typed, pasted or scanned, it fills in the vehicle and suggests a title, which you can change. All three tabs need a title. Year, make, model and trim make the best one.',
        ],
        points: [
          'SINGLE VEHICLE: one car with all its details.',
          'MULTIPLE VEHICLES: a group in one post. Each vehicle has its own card, which collapses to one line when it is complete.',
          'SPREADSHEET: a link to your inventory sheet, which must be publicly accessible. It can have up to 10 MB (20 MB unpacked), 25,000 rows and 1,000 columns; one post lists up to 2,000 vehicles from it.',
        ],
      },
      {
        heading: 'Check a spreadsheet',
        paragraphs: [
          'Preview shows the vehicles, the columns that were read, and each cell that was not understood, before you post. If a column is wrong, choose another one under Correct the columns: sheets with the same headings are read that way from then on. Without a preview, the vehicles wait on your post until you publish them. In a workbook, we read the first visible sheet with a heading row and skip hidden and filtered rows.',
          'Read again on the post loads the sheet once more and lists what changed. If over 30% of the vehicles, prices or VINs are missing, the post stays as it is until you approve the new version. The report on the post also lists your column corrections; Remove them and read again undoes them.',
        ],
      },
      {
        heading: 'Complete and Incomplete',
        paragraphs: [
          'A vehicle is Complete when VIN, year, make, model, mileage, price, city and state are filled in. Trim and color are optional. A post with vehicles needs at least one complete vehicle; incomplete ones, and those typed under another tab, are left out of the post and kept in your draft.',
          'Missing fields are listed beside the button. If you press it too early, every missing field is marked, and the message names the first: Title required, Vehicle information required, or Spreadsheet URL required.',
        ],
      },
      {
        heading: 'Auction facilitator',
        paragraphs: [
          'If the vehicles run through an auction house, choose it from the list, from Manheim and ADESA to regional auctions. To open bidding on Lanewire itself, use the word auction in the title or description: the post is marked LIVE, and a switch, Run a live auction, appears with its terms. Only the switch opens bidding. Without it, dealers can ask about the auction. When bidding opens, open offers on the auctioned vehicle end, and their buyers get a link to the auction.',
          'You can end a running auction while it has no bid or its reserve is not met. You give a reason, which the bidders see. Once the reserve is met, the auction runs to its end. An auction without a bid stops while its vehicle is pending or sold, and restarts with its full length once the vehicle is available. An auction that has not started keeps its start time. An auction that ended without a bid stays closed, even if you relist its post. To reopen it, choose Run again under its terms.',
        ],
      },
      {
        heading: 'After you press the button',
        paragraphs: [
          'The button reads Posting... while the post is sent. Then the dialog closes, a message confirms Inventory posted successfully!, and the post is in the feed of the network. If the post is not accepted, the dialog stays open with everything you entered, and the message says why.',
          'Nothing is lost without a connection either. The post is saved in this browser with any photos not uploaded yet, and a line under the top bar says Waiting for a connection. It is sent once, automatically, as soon as you are online and signed in. Until then you can choose Edit or Discard. If the post is not accepted, the line says why.',
          'For something quick there is also the composer: switch the top bar to Post, write a few lines, add a vehicle or photos, and publish without opening the dialog. Mark a vehicle as sold when it is gone, and other dealers see it at once.',
        ],
      },
    ],
  },
  {
    slug: 'who-wants-your-car',
    title: 'See who wants your car',
    topic: 'Selling',
    summary: 'What the Post Inventory dialog shows about buy orders, offering to the top buyer, and the Demand list.',
    sections: [
      {
        paragraphs: [
          'Other dealers keep buy orders that say which vehicle they buy, at what price and how many each month. Lanewire shows you the ones your vehicle matches while you post it.',
        ],
      },
      {
        heading: 'While you post',
        paragraphs: [
          "In the tab SINGLE VEHICLE, once VIN, year, make, model and mileage are filled in, the dialog says how many dealers want this car, the best price, about how far away the nearest buyer is, and the terms of up to five orders. Distances start at the vehicle's location if you entered one, otherwise at your dealership. If there is no demand, nothing is shown. Buyers whose terms it meets are notified within seconds of posting if your price is at most ten percent above theirs; the dialog shows how many that is. During an auction, buyers are not notified and the vehicle cannot be offered to orders.",
          'Fits means the order accepts the car as you entered it. Needs photos and If it is 4WD name what else an order requires. Your price is higher means that dealer is not notified, but you can still offer it to them. Names stay hidden unless a buyer chose to show theirs, and distances are shown in steps of ten miles.',
        ],
      },
      {
        heading: 'Offer it to the top buyer',
        paragraphs: [
          "Check Offer it to the top buyer when I post, and the best matching order gets your offer along with the post, at that order's price. Its dealer has 24 hours to accept, and you both see each other's names. The post is public meanwhile, so everyone else can make an offer too. If the order is filled, paused or changed by then, we tell you it no longer accepts the vehicle; the post stays up. A post that was waiting for a connection is sent later without the offer, and we tell you.",
        ],
      },
      {
        heading: 'The Demand list',
        paragraphs: [
          'Demand, under Wanted, lists models that at least three dealers want, with years, mileage, vehicles wanted each month, and distance to the nearest buyer. The best price is shown only if you have posted such a car with a valid VIN. Otherwise you see Enter a VIN to see prices, or the reason why the price is hidden. To see prices before you post, enter the VIN and mileage of a vehicle you have above the list. Offer yours lists your vehicles that a buy order accepts, and you can offer each with one click. Post one opens the Post Inventory dialog.',
        ],
      },
      {
        heading: 'What is hidden, and why',
        paragraphs: ["We protect buyers' prices, so there are limits:"],
        points: [
          'If you have a buy order for a model, you see how many dealers want it but not what they pay.',
          "The VIN's check digit must be right. If another dealer has posted the same vehicle, nothing is shown.",
          'You can look up 60 vehicles an hour and 200 a day. After you look up 20 VINs in a week without posting them, prices are hidden for a while.',
          'Vehicles you have already posted are counted separately, each once a day, with the same limits.',
          'Demand for a vehicle is refreshed every ten minutes. In that time you can look up one VIN with up to three different sets of details. After that you see the last figures, and the dialog says so.',
          "Your own orders never count, and if either of you has blocked the other, you do not see each other's orders or vehicles.",
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
          'Type or paste a VIN into a vehicle form and it is converted to capitals and limited to seventeen characters. A counter shows how many characters are missing. The decoder starts at the seventeenth character, and a message lists what was filled in for you.',
        ],
      },
      {
        heading: 'With your phone’s camera',
        paragraphs: [
          "Press Scan beside the VIN and hold the camera over the barcode on the door, windshield or title; QR and Data Matrix codes are read as well. The letter I before an import's VIN is left out. A scanned VIN is filled in if its check digit is right; otherwise you are asked first. If the camera cannot be used, the dialog says why, and you can use a photo of the barcode instead.",
          'The decoded details then appear on one line with Edit, and you enter mileage and price. Scan next VIN adds the next vehicle at the same location. If you have not written a title, it is filled in from the scan. If you scanned last time, the camera opens automatically.',
        ],
      },
      {
        heading: 'How it reads a VIN',
        paragraphs: [
          'The first three characters name the maker, and with it the make. The tenth is the model year. Letters and digits are used in turn: the letters from A stand for 2010 and the years after it, the digits 1 to 9 for 2001 to 2009. I, O and Q are never used in a VIN, since they are too easily read as 1 and 0.',
          'Year and make therefore appear at once. Model, trim and body follow if the vehicle data has them. Anything the decoder cannot say for certain is left for you.',
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
        paragraphs: ['None of these stops you from posting a real vehicle:'],
        points: [
          'VIN must be exactly 17 characters: the message also says how many are missing. Vehicles from model years before 1981 have shorter VINs. Describe them in the text.',
          'VIN Decoded! with the list of fields that were filled.',
          'VIN Not Recognized: the first characters belong to a maker we do not know. Fill in the fields by hand.',
          'A warning about the check digit: the ninth character is calculated from the others and does not match. In nearly every case one character was misread. Compare it with the plate at the windshield, especially 8 and B, 5 and S, 1 and 7.',
        ],
      },
      {
        heading: 'Why it matters',
        paragraphs: [
          'The VIN is what the search finds, what the summary compares, and what the Bill of Sale carries. A wrong one takes seconds to correct now and weeks later. Where you can, read it from the car rather than from a list, and take a photo of the plate for the buyer at the same time.',
          'Open offers on a vehicle, and preset maximums for its auction, end when you change its VIN, year, make, model, trim or mileage. We notify the buyers. Once there is a bid, the auctioned vehicle cannot be changed. You can still change or remove the other vehicles in the post.',
        ],
      },
    ],
  },
  {
    slug: 'add-photos',
    title: 'Add photos and fix uploads that fail',
    topic: 'Selling',
    summary: 'Formats, limits, order and cover, and what to do when a picture does not upload.',
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
          'Each photo is uploaded separately. If one fails you see Photo upload failed with the name of the file, and the others continue. The failed tile stays, with a Retry button unless the file is too large or empty. Try that first; most failures are a short loss of connection.',
          'If the same file fails twice, it is usually not the image it claims to be. The server checks the content, not the file extension. Open the file on your computer, save it again as JPG, and add the new one. Photos copied from a chat app are sometimes web pages rather than images.',
        ],
      },
      {
        heading: 'Privacy',
        paragraphs: [
          'Cameras store the place and time in a photo. This data is removed when the picture is processed. Check the picture itself, though: a title, a driver’s license or a customer’s face on the passenger seat does not belong in a post, and it is easily overlooked on a small screen. Remove the photo and take another.',
        ],
      },
    ],
  },
]
