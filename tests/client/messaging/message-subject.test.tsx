import { show } from '#tests/support/screen.tsx'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { MessageBubble } from '#client/features/messaging/thread/bubble.tsx'
import type { Message, MessageSubject } from '#shared/schemas/messaging.ts'

const aMessage = (subject: MessageSubject): Message => ({
  id: randomUUID(),
  seq: 1,
  rev: 1,
  senderId: randomUUID(),
  content: 'Still there?',
  createdAt: '2026-11-20T12:00:00.000Z',
  clientId: randomUUID(),
  attachmentUrl: null,
  attachmentName: null,
  subject,
})

t.test('shows the vehicle for sale on the post card above a message', (t) => {
  const post = { postId: randomUUID(), title: 'Three trucks', price: 8_950, photoUrl: null }
  for (const [about, shown] of [
    [{}, 'Three trucks$8,950'],
    [{ vehicleCount: 1 }, 'Three trucks$8,950'],
    [{ vehicleCount: 3 }, 'Three trucks3 vehiclesfrom $8,950'],
    [{ vehicleCount: 3, price: null }, 'Three trucks3 vehicles'],
    [{ vehicleCount: 1, vehicle: '2021 Ford F-150' }, 'Three trucks2021 Ford F-150$8,950'],
  ] as const) {
    const { getByRole, unmount } = show(
      t,
      <MessageBubble
        message={aMessage({ ...post, ...about })}
        own={false}
        writer="Luis"
        endsRun
        seen={false}
        isLastOwn={false}
      />,
    )
    t.equal(getByRole('link').textContent, shown)
    unmount()
  }
  t.end()
})
