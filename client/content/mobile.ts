export const mobile = {
  title: 'Lanewire on your phone',
  lede: 'Nothing to install. The whole product runs in the browser of the phone you already carry across the lot.',
  points: [
    {
      title: 'Made for one thumb',
      text: 'Feed, Network, Messages and More sit in a bar at the bottom, and every button is large enough to hit while walking.',
    },
    {
      title: 'From camera to feed',
      text: 'Take photos straight into a post. They are resized on the phone first, so they upload even on a weak connection.',
    },
    {
      title: 'Chats fill the screen',
      text: 'One conversation at a time, with the keyboard where you expect it, and drafts that wait for you.',
    },
    {
      title: 'Bids within reach',
      text: 'The three bid buttons stay at the bottom edge, smallest step first, with the total on each.',
    },
  ],
  shotsTitle: 'What you will see',
  shots: [
    { image: 'feed', caption: 'The feed, with the price and the mileage where you look first' },
    { image: 'post', caption: 'An auction, with the clock that every bidder sees' },
    { image: 'messages', caption: 'A chat, with the vehicle it is about above it' },
    { image: 'directory', caption: 'The Dealer Network, with both buttons under your thumb' },
  ],
  installTitle: 'Put it on the home screen',
  install: [
    'Open Lanewire in the browser of your phone and sign in.',
    'On an iPhone choose Share, then Add to Home Screen. On Android choose Install app or Add to Home screen in the menu.',
    'Start it from its icon. It opens without the address bar and updates automatically.',
  ],
  appsTitle: 'Apps for iOS and Android',
  apps: 'Native apps are planned. Until then, the web version has every feature.',
} as const
