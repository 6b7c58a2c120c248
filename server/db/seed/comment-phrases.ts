/** Several wordings of a buyer's question, and possible answers. */
export interface Exchange {
  asks: readonly string[]
  answers: readonly string[]
}

export const exchanges: readonly Exchange[] = [
  {
    asks: [
      'Any paint work on the {model}?',
      'What does the paint meter say on this {model}?',
      'Is that quarter panel factory?',
    ],
    answers: [
      'All panels read 4 to 6, nothing painted.',
      'Front bumper was resprayed, rest is factory.',
      'Hood reads 11, chips were touched up. No body work.',
    ],
  },
  {
    asks: [
      'Is the title in hand or absent?',
      'How soon on the title?',
      'Title state? I need it for a retail deal Saturday.',
    ],
    answers: [
      'In hand, overnight it the same day.',
      'Absent. Payoff went out Tuesday, figure seven days.',
      '{state} title, clean, no lien.',
      'At the state for a reprint, I will guarantee 14 days.',
    ],
  },
  {
    asks: [
      'Would you take {offer}?',
      'I am at {offer} with transport on me.',
      '{offer} today, funds wired this afternoon.',
      'Can do {offer} if it passes PSI.',
    ],
    answers: [
      'Need a little more, meet me at {counter}.',
      'Cannot do it, I own it for more than that.',
      'At {counter} it is yours.',
      'Send it over and I will get it approved with my partner.',
      'Appreciate it. I have a stronger number already.',
    ],
  },
  {
    asks: ['Tires?', 'What is tread on all four, and do the brands match?', 'How are the brakes and rubber?'],
    answers: [
      'Matching Michelins, 7/32 all around.',
      'Fronts are 4, rears are 6. Priced with that in mind.',
      'Brakes done last month front and rear. Tires 6/32.',
      'Needs two. I will knock $250 off.',
    ],
  },
  {
    asks: ['Any codes or lights?', 'Did you scan it?', 'Readiness monitors all set?'],
    answers: [
      'No codes, all monitors ready.',
      'Scanned yesterday, one evap code for the cap, cleared and gone.',
      'TPMS light only, one sensor.',
      'Full scan is in the condition report, all green.',
    ],
  },
  {
    asks: [
      'What does recon look like on this one?',
      'How much recon are you figuring?',
      'Frontline ready or does it need work?',
    ],
    answers: [
      'Detail and an oil change, call it $350.',
      'Detail, one wheel refinished, windshield chip. Under $500.',
      'Frontline ready, I would put it out today.',
      'Two tires and a detail. That is all I would do.',
    ],
  },
  {
    asks: ['Still available?', 'Is this one gone?', 'Did the {model} sell?', 'Hold it for me until tomorrow?'],
    answers: [
      'Still here.',
      'Still available, two people looking at it.',
      'I can hold it until noon Central.',
      'Here and ready to load.',
    ],
  },
  {
    asks: ['Any frame or structural?', 'Structural announcements?', 'What did the lift show underneath?'],
    answers: [
      'No structural, measured on our rack.',
      'Straight. Put it through PSI if you like.',
      'Clean underneath, no rust past surface.',
      'No frame. Unibody is untouched.',
    ],
  },
  {
    asks: [
      'What is it doing in the lane?',
      'Lane averages on these are all over the place. Where do you see it?',
      'Book has dropped twice this month, still at that number?',
    ],
    answers: [
      'Last three like it brought more than this with worse miles.',
      'Thirty-day average is above my ask, and those had announcements.',
      'Fair point, I came down $300 this morning.',
      'I priced it off real sales, not off asking prices.',
    ],
  },
  {
    asks: [
      'Can you get it to {city}?',
      'Ballpark on transport to {city}?',
      'Do you have a driver coming through {city}?',
    ],
    answers: [
      'Truck leaves Thursday, I have two spots.',
      'About $425 on an open carrier.',
      'My guy can be there Monday.',
      'You would need to arrange it, but we load any day before 4.',
    ],
  },
  {
    asks: ['Both keys?', 'How many keys, and books?', 'Does everything in the photos go with it?'],
    answers: [
      'Two keys, books, mats.',
      'One key. Budget $180 for the second.',
      'Everything in the photos goes with it.',
      'Two fobs and the wheel lock.',
    ],
  },
  {
    asks: ['Any arbitration history on it?', 'Is this the one that ran last Wednesday?', 'Why did it no-sale?'],
    answers: [
      'Never been through a lane, it is a local trade.',
      'It ran once, high bid was short of my floor. No announcements.',
      'It is a different unit, check the last six.',
      'Reserve was too high, that was my fault.',
    ],
  },
  {
    asks: ['Is it CPO eligible?', 'In-service date? Trying to see warranty left.', 'Any factory warranty remaining?'],
    answers: [
      'In service {month}, so powertrain is still good.',
      'CPO eligible on miles and age.',
      'Factory bumper-to-bumper ran out, powertrain has a year left.',
      'I will post the warranty printout tonight.',
    ],
  },
  {
    asks: ['Smoke smell?', 'How is the inside? Any tears?', 'Carpet and headliner clean?'],
    answers: [
      'No smoke. Driver bolster has light wear.',
      'Cleaner than the photos show.',
      'Small burn on the rear carpet, covered by the mat.',
      'Solid 8 inside.',
    ],
  },
  {
    asks: ['Clean history report?', 'Anything on the history I should know about?', 'Odometer is actual?'],
    answers: [
      'Clean both ways, report is in your messages.',
      'One minor rear reported in 2021, no airbags, photos in the link.',
      'Actual miles, title history checks out.',
      'Two owners, no accidents, no gaps in service.',
    ],
  },
  {
    asks: ['Open recalls?', 'Any recall on the airbag?', 'Which of these have open recalls?'],
    answers: [
      'Checked by VIN this morning, none open.',
      'One open, parts are in stock at the store down the street.',
      'Recall done in spring, paper is in the glove box.',
    ],
  },
  {
    asks: ['Can I floor it through you or do you need a wire?', 'Do you take floor plan drafts?', 'Payment terms?'],
    answers: [
      'Wire or floor plan, both fine.',
      'Floor plan works, title goes to them the same day.',
      'Wire preferred, draft for anyone I have dealt with before.',
    ],
  },
]

export const remarks = [
  'Good unit, somebody is going to do well with it.',
  'Bought three from these folks, descriptions are straight.',
  'Following.',
  'Watching this one.',
  'Sent you a message.',
  'I have a customer for exactly this color.',
  'That is a retail piece all day.',
  'Miles are right, just a little north of me.',
  'Wish I had seen this yesterday.',
  'Nice clean unit.',
  'These are bringing stupid money in {city}.',
  'Photos are great, thanks for showing the flaws.',
  'Condition report matches what I saw in person.',
  'Price is fair. I am full on {body} this month or I would grab it.',
  'Picked one of these up from {seller} in spring, zero surprises.',
  'My buyer will call you in ten.',
  'Will be in {city} Tuesday, can look at it then.',
  'Too much rust country for me, but the number is good.',
  'Sold one just like it in six days.',
  'Add me to the list for the next batch.',
  'What a difference real photos make.',
  'I would split this package with someone. Anyone near {city}?',
] as const
