import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import t, { type Test } from 'tap'
import { PostOwnerMenu } from '#client/features/posts/card/post-owner-menu.tsx'
import { PostVehicles } from '#client/features/posts/card/post-vehicles.tsx'
import { PostDetail } from '#shared/schemas/posts.ts'
import { chooseAct, gone, press, says } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, HttpResponse, wouldEndAuction } from '#tests/support/network.ts'
import { aPostDetail, aShownVehicle } from '#tests/support/records.ts'
import { me } from '#tests/support/posting.ts'

/** Opens a running auction. The server rejects a change that would end the auction until the dealer confirms the change. */
function aRunningAuction(t: Test) {
  const vehicles = [aShownVehicle({ year: 2021, make: 'Ford', model: 'F-150' })]
  const post = aPostDetail({ dealer: me, title: 'Live auction', hasAuction: true, vehicleCount: 1, vehicles })
  const calls: unknown[] = []
  fakeNetwork(t).use(
    http.get(`*/api/inventory/${post.id}`, () => answer(PostDetail, post)),
    http.patch(`*/api/inventory/${post.id}`, async ({ request }) => {
      const patch = (await request.json()) as { endAuction?: boolean }
      calls.push(patch)
      return patch.endAuction ? answer(PostDetail, post) : wouldEndAuction()
    }),
    http.delete(`*/api/inventory/${post.id}`, ({ request }) => {
      const { search } = new URL(request.url)
      calls.push(`delete${search}`)
      return search === '' ? wouldEndAuction() : new HttpResponse(null, { status: 204 })
    }),
  )
  return { post, calls }
}

for (const [act, patch] of [
  ['Mark as sold', { status: 'sold' }],
  ['Expire now', { status: 'expired' }],
] as const)
  t.test(`${act} asks before it ends an auction`, async (t) => {
    const { post, calls } = aRunningAuction(t)
    show(t, <PostOwnerMenu post={post} />, me)
    await chooseAct('Manage post', act)
    await says('End the auction?')
    await says(/Dealers who preset a maximum are notified/)
    await press('Keep auction')
    await gone(t, 'End the auction?')
    t.same(calls, [patch])
    t.equal(screen.queryByText('Status not changed'), null, 'a question is not an error')
    await chooseAct('Manage post', act)
    await says('End the auction?')
    await press('End auction')
    await becomes(t, () => calls.slice(1), [patch, { ...patch, endAuction: true }])
  })

t.test('asks before deleting a post ends an auction', async (t) => {
  const { post, calls } = aRunningAuction(t)
  show(t, <PostOwnerMenu post={post} />, me)
  await chooseAct('Manage post', 'Delete post')
  await says('Delete this post?')
  await press('Delete post')
  await says('End the auction?')
  await gone(t, 'Delete this post?')
  await press('End auction')
  await becomes(t, () => calls, ['delete', 'delete?endAuction=true'])
})

t.test("asks before a vehicle's new status ends an auction", async (t) => {
  const { post, calls } = aRunningAuction(t)
  show(t, <PostVehicles post={post} own />, me)
  const menu = await screen.findByRole('button', { name: 'Change status of 2021 Ford F-150' })
  fireEvent.keyDown(menu, { key: 'Enter' })
  fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Pending' }))
  await says('End the auction?')
  await press('End auction')
  const vehicle = { id: post.vehicles[0]?.id, status: 'pending' }
  await becomes(t, () => calls, [{ vehicle }, { vehicle, endAuction: true }])
})
