import { directoryMaxLimit, messagesPageMax } from '#shared/limits.ts'

export interface ApiEndpoint {
  method: 'GET' | 'POST'
  path: string
  scope: 'read' | 'full'
  title: string
  text: string
  query?: readonly { name: string; text: string }[]
  body?: string
  answer: string
}

export const apiDocs = {
  title: 'API docs',
  lede: 'Read from the network and act on it from your own systems. Five endpoints, JSON in and out.',
  keyTitle: 'Bearer API key',
  key: [
    'Every API call needs a bearer API key. Accounts with API access create and revoke keys in the settings. For other accounts, keys come from our sales team: request access above and tell us what you want to connect.',
    'Send the key in the Authorization header of each request. A key acts for the dealer it belongs to and sees what that dealer sees. A read-only key may call the GET endpoints; a full key may call all five. Find and your buy orders are open to keys as well: every call is documented at /api/docs once you are signed in.',
  ],
  limits: [
    { status: '401', text: 'The key is missing, wrong or revoked.' },
    {
      status: '402',
      text: 'The account no longer has API access, or has reached its connection limit. The message says how to fix it.',
    },
    {
      status: '403',
      text: 'The key is read-only and the call changes something, or the endpoint does not accept keys.',
    },
    {
      status: '429',
      text: 'More than 120 calls, 60 messages or 60 connections per minute with one key. Wait the number of seconds in Retry-After.',
    },
  ],
  sdkTitle: 'SDKs',
  sdkText:
    'Libraries for JavaScript, Python and PHP are planned. Until then, use any HTTP client; the examples above are complete.',
  sdks: ['JavaScript', 'Python', 'PHP'],
} as const

export const apiEndpoints: readonly ApiEndpoint[] = [
  {
    method: 'GET',
    path: '/api/dealers',
    scope: 'read',
    title: 'List dealers',
    text: 'Dealers in the directory, as a plain list. The Link header names the next page and X-Total-Count gives the total. Searches count up to 1,000; 1001 means more.',
    query: [
      {
        name: 'name',
        text: 'part of a name, dealership or city; fewer than three letters match only the start of a word',
      },
      { name: 'state', text: 'a state or province code, such as OK or AB' },
      { name: 'dealershipType', text: 'independent, wholesaler or franchise' },
      { name: 'buysCanadian', text: 'yes or no' },
      { name: 'limit', text: `maximum number of results: 1 to ${directoryMaxLimit} (the default)` },
    ],
    answer: `[
  {
    "id": "…",
    "name": "Marcus Webb",
    "avatar": null,
    "dealershipName": "Webb Bros Auto Wholesale",
    "dealershipType": "wholesaler",
    "city": "Tulsa",
    "state": "OK",
    "buysCanadianVehicles": false,
    "rating": 4.9,
    "connected": true,
    "degree": "1st",
    "mutualConnections": 12
  }
]`,
  },
  {
    method: 'POST',
    path: '/api/dealers/connect',
    scope: 'full',
    title: 'Connect with a dealer',
    text: 'Adds the dealer to your network and sends a connection request.',
    body: `{ "dealerId": "…" }`,
    answer: `{
  "connected": true,
  "degree": null,
  "connectionCount": 157
}`,
  },
  {
    method: 'GET',
    path: '/api/messages',
    scope: 'read',
    title: 'List messages',
    text: 'The newest messages in your conversations, oldest first.',
    query: [
      { name: 'chatId', text: 'one conversation only' },
      { name: 'limit', text: `maximum number of results: 1 to ${messagesPageMax}, 20 by default` },
    ],
    answer: `[
  {
    "id": "…",
    "chatId": "…",
    "senderId": "…",
    "content": "Hold the Tacoma for me?",
    "createdAt": "2026-11-20T14:05:00.000Z"
  }
]`,
  },
  {
    method: 'POST',
    path: '/api/messages',
    scope: 'full',
    title: 'Send a message',
    text: 'Sends a message to a conversation you are part of. With an Idempotency-Key header (a UUID), repeated calls send it only once.',
    body: `{ "chatId": "…", "content": "Held. Driver booked for Thursday." }`,
    answer: `{
  "id": "…",
  "senderId": "…",
  "content": "Held. Driver booked for Thursday.",
  "createdAt": "2026-11-20T14:06:10.000Z"
}`,
  },
  {
    method: 'GET',
    path: '/api/deals',
    scope: 'read',
    title: 'List deals',
    text: 'Deals where you are the buyer or the seller, newest first, up to 200.',
    answer: `[
  {
    "id": "…",
    "status": "approved",
    "year": 2019,
    "make": "Toyota",
    "model": "Tacoma",
    "price": 24500,
    "vin": "…",
    "location": "Tulsa, OK",
    "sellerId": "…",
    "buyer": { "name": "Luis Herrera" },
    "seller": { "name": "Marcus Webb" }
  }
]`,
  },
]
