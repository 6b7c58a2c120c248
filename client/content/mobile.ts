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
    {
      title: 'Outbid alerts on a locked phone',
      text: 'Turn on push under Settings, and an outbid or a message reaches the phone in your pocket, even when Lanewire is closed.',
    },
    {
      title: 'From a message to a post',
      text: 'On Android, share a text and its photos with Lanewire. They become a draft, with the VIN decoded, that you check and post.',
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
    'Start it from its icon. It opens without the address bar, shows the number of unread items, and updates automatically.',
    'To get push, open Settings and press Turn on under This device. An iPhone or iPad receives push only if Lanewire is on the home screen, with iOS 16.4 or later.',
    'To share from other apps on Android, choose Lanewire in the share menu of a photo or a chat.',
  ],
  appsTitle: 'Apps for iOS and Android',
  apps: 'Native apps are planned. Until then, the web version has every feature.',
} as const
