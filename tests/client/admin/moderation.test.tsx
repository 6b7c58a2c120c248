import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { AdminModeration } from '#client/features/admin/moderation/admin-moderation.tsx'
import { CasesPage, ModerationCase, ModerationDecision } from '#shared/schemas/moderation.ts'
import { dialogOpen, fill, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, sent } from '#tests/support/network.ts'

const at = '2026-11-20T10:00:00.000Z'

function aCase(about: Partial<ModerationCase> = {}): ModerationCase {
  const author = { id: randomUUID(), name: 'Ray Okafor', dealershipName: 'Okafor Cars', avatar: null, suspended: false }
  const reporter = { id: randomUUID(), name: 'Dana Torres' }
  const report = { id: randomUUID(), reporter, reason: 'spam', details: '', createdAt: at, decided: false } as const
  return {
    kind: 'post',
    subjectId: randomUUID(),
    state: 'open',
    author,
    title: 'Buy my course',
    text: 'Get rich',
    photoUrl: null,
    attachment: null,
    path: null,
    createdAt: at,
    hidden: false,
    deleted: false,
    context: [],
    flags: [],
    reports: [report],
    decisions: [],
    ...about,
  }
}

t.test('hides reported content with a reason or dismisses it, and changes nothing after a refusal', async (t) => {
  const one = aCase()
  const heard: ModerationDecision[] = []
  fakeNetwork(t).use(
    http.get('*/api/admin/moderation', () =>
      answer(CasesPage, { cases: [one], counts: { open: 1, decided: 0 }, nextCursor: null }),
    ),
    http.post(`*/api/admin/moderation/post/${one.subjectId}`, async ({ request }) => {
      heard.push(await sent(ModerationDecision, request))
      return heard.length <= 2 ? away() : answer(ModerationCase, one)
    }),
  )
  show(t, <AdminModeration />)
  await says('Open (1)')
  await press('Dismiss reports about the post by Ray Okafor')
  await says('The database is away')
  await press('Dismiss')
  await press('Hide the post by Ray Okafor')
  await press('Hide')
  await becomes(t, () => refusalOf('Reason'), 'Enter a reason for the audit log')
  fill('Reason', 'Advertising')
  await press('Hide')
  await says('The database is away')
  t.equal(textIn('Reason'), 'Advertising')
  await press('Hide')
  await says('Hidden')
  await becomes(t, dialogOpen, false)
  await press('Suspend the author of the post by Ray Okafor')
  fill('Reason', 'Again and again')
  await press('Suspend')
  await says('Dealer suspended')
  const hide = { act: 'hide', reason: 'Advertising' }
  t.same(heard, [{ act: 'dismiss' }, hide, hide, { act: 'suspend', reason: 'Again and again', until: null }])
})

t.test('focuses the author of the next case after one is dismissed', async (t) => {
  const named = (name: string) => aCase({ author: { ...aCase().author, name } })
  let cases = ['Ray Okafor', 'Bea Long'].map(named)
  fakeNetwork(t).use(
    http.get('*/api/admin/moderation', () =>
      answer(CasesPage, { cases, counts: { open: cases.length, decided: 0 }, nextCursor: null }),
    ),
    http.post('*/api/admin/moderation/post/:id', ({ params }) => {
      const [one] = cases
      cases = cases.filter(({ subjectId }) => subjectId !== params['id'])
      return answer(ModerationCase, one!)
    }),
  )
  show(t, <AdminModeration />)
  const dismiss = await screen.findByRole('button', { name: 'Dismiss reports about the post by Ray Okafor' })
  dismiss.focus()
  fireEvent.click(dismiss)
  await becomes(t, () => document.activeElement?.textContent, 'Bea Long')
})

t.test('shows shared data and bids of an automatically created case', async (t) => {
  const dealer = (name: string, number: number | null) => ({
    id: randomUUID(),
    name,
    dealershipName: `${name} Cars`,
    number,
  })
  const [found] = aCase().reports
  const one = aCase({
    reports: [{ ...found!, reporter: null, reason: 'fraud' }],
    flags: [
      {
        bidder: dealer('Tim', 3),
        other: dealer('Sue', null),
        signals: ['license', 'device'],
        flaggedAt: at,
        postId: randomUUID(),
        title: 'Live auction: Camry',
        bids: [{ bidder: 3, amount: 12_500, auto: true, at }],
      },
    ],
  })
  fakeNetwork(t).use(
    http.get('*/api/admin/moderation', () =>
      answer(CasesPage, { cases: [one], counts: { open: 1, decided: 0 }, nextCursor: null }),
    ),
  )
  show(t, <AdminModeration />)
  await says('Same license or Auction Access number, device')
  const words = document.body.textContent
  for (const part of [
    /Lanewire\s*, /,
    /Tim, Tim Cars \(Bidder 3\) and Sue, Sue Cars \(seller\)/,
    /Bidder 3: \$12,500 by maximum/,
  ])
    t.match(words, part)
})
