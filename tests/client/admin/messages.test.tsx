import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { AdminMessages } from '#client/features/admin/messages/admin-messages.tsx'
import { AdminUser } from '#shared/schemas/admin.ts'
import { ContactAnswer, ContactEntry, ContactHandling, ContactPage } from '#shared/schemas/site.ts'
import { fill, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, sent } from '#tests/support/network.ts'
import { anAdminUser } from '#tests/support/records.ts'

const at = '2026-11-20T10:00:00.000Z'

t.test('marks a contact message as handled and keeps it waiting after a refusal', async (t) => {
  const message: ContactEntry = {
    id: randomUUID(),
    name: 'Vera Visitor',
    email: 'vera@visitor.example',
    company: '',
    dealershipType: null,
    topic: 'sales',
    message: 'What does it cost?',
    createdAt: at,
    handledAt: null,
    handledBy: '',
    dealer: null,
    answers: [],
  }
  let waiting = [message]
  let refused = false
  fakeNetwork(t).use(
    http.get('*/api/admin/contact-messages', () =>
      answer(ContactPage, { messages: waiting, waiting: waiting.length, nextCursor: null }),
    ),
    http.post(`*/api/admin/contact-messages/${message.id}`, async ({ request }) => {
      t.same(await sent(ContactHandling, request), { handled: true })
      if (!refused) {
        refused = true
        return away()
      }
      waiting = []
      return answer(ContactEntry, { ...message, handledAt: at, handledBy: 'Dana Torres' })
    }),
  )
  show(t, <AdminMessages />)
  await says('Waiting (1)')
  await press('Mark as handled: the message from Vera Visitor')
  await says('The database is away')
  await says('What does it cost?')
  await press('Mark as handled: the message from Vera Visitor')
  await says('Nothing waiting')
})

t.test('requires text for an answer, sends it once, and grants API access beside it', async (t) => {
  const dealer = { id: randomUUID(), name: 'Vera Visitor', apiAccess: false }
  const message: ContactEntry = {
    id: randomUUID(),
    name: 'Vera Visitor',
    email: 'vera@visitor.example',
    company: '',
    dealershipType: null,
    topic: 'api',
    message: 'We want to read our deals',
    createdAt: at,
    handledAt: null,
    handledBy: '',
    dealer,
    answers: [],
  }
  const heard: string[] = []
  let now = message
  fakeNetwork(t).use(
    http.get('*/api/admin/contact-messages', () =>
      answer(ContactPage, { messages: [now], waiting: 1, nextCursor: null }),
    ),
    http.post(`*/api/admin/contact-messages/${message.id}/answers`, async ({ request }) => {
      const { content } = await sent(ContactAnswer, request)
      heard.push(content)
      if (heard.length === 1) return away()
      now = { ...now, answers: [{ id: randomUUID(), content, sentBy: 'Ada Admin', createdAt: at }] }
      return answer(ContactEntry, now)
    }),
    http.post(`*/api/admin/users/${dealer.id}/api-access`, () => {
      now = { ...now, dealer: { ...dealer, apiAccess: true } }
      return answer(AdminUser, anAdminUser({ id: dealer.id, apiAccess: true }))
    }),
  )
  show(t, <AdminMessages />)
  await press('Reply to Vera Visitor')
  await press('Send Reply')
  await becomes(t, () => refusalOf('Your reply to Vera Visitor'), 'Write a reply')
  fill('Your reply to Vera Visitor', 'Gladly')
  await press('Send Reply')
  await says('The database is away')
  t.equal(textIn('Your reply to Vera Visitor'), 'Gladly')
  await press('Send Reply')
  await says('Reply sent')
  await says(/^Reply from Ada Admin/)
  await press('Grant API access to Vera Visitor')
  await says('API access granted')
  await becomes(t, () => screen.queryByRole('button', { name: /^Grant API access/ }), null)
  t.same(heard, ['Gladly', 'Gladly'])
})

t.test('moves the focus into an answer and back, and to the next message', async (t) => {
  const messages = ['Vera', 'Wanda', 'Xenia'].map((name): ContactEntry => ({
    id: randomUUID(),
    name,
    email: `${name}@visitor.example`,
    company: '',
    dealershipType: null,
    topic: 'sales',
    message: `From ${name}`,
    createdAt: at,
    handledAt: null,
    handledBy: '',
    dealer: null,
    answers: [],
  }))
  let waiting = messages
  fakeNetwork(t).use(
    http.get('*/api/admin/contact-messages', () =>
      answer(ContactPage, { messages: waiting, waiting: waiting.length, nextCursor: null }),
    ),
    http.post('*/api/admin/contact-messages/:id', ({ params }) => {
      waiting = waiting.filter(({ id }) => id !== params['id'])
      return answer(ContactEntry, { ...messages[0]!, handledAt: at, handledBy: 'Dana Torres' })
    }),
  )
  show(t, <AdminMessages />)
  const pressed = async (name: string) => {
    const button = await screen.findByRole('button', { name })
    button.focus()
    fireEvent.click(button)
  }
  const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName
  await pressed('Reply to Wanda')
  t.equal(focused(), 'TEXTAREA')
  await pressed('Cancel')
  t.equal(focused(), 'Reply to Wanda')
  await pressed('Mark as handled: the message from Wanda')
  await becomes(t, focused, 'Mark as handled: the message from Xenia')
  await pressed('Mark as handled: the message from Xenia')
  await becomes(t, focused, 'Mark as handled: the message from Vera')
})
