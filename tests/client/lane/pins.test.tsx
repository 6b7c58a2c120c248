import { becomes, show } from '#tests/support/screen.tsx'
import { useQuery } from '@tanstack/react-query'
import { act } from '@testing-library/react'
import t, { type Test } from 'tap'
import { laneQuery, refetchLane, useSetPins } from '#client/features/lane/lane.api.ts'
import { resetStore } from '#client/lib/storage/store-slice.ts'
import { Lane, LanePins } from '#shared/schemas/lane.ts'
import { press, says } from '#tests/support/controls.ts'
import { aLane, aRow } from '#tests/support/lane.ts'
import { answer, fakeNetwork, http } from '#tests/support/network.ts'
import { anAuction } from '#tests/support/records.ts'

const [first, second] = [anAuction(), anAuction()].map((auction) => aRow(auction))
const pinned = { pins: [{ postId: first!.postId, slot: 1 }], pinned: [first!] }

function Pins() {
  const { data } = useQuery(laneQuery())
  const { mutate } = useSetPins()
  return (
    <button type="button" onClick={() => mutate([])}>
      {`${data?.running.length ?? 0} running, ${data?.pins.length ?? 0} pinned`}
    </button>
  )
}

/** Renders the pins against a fake server. Set `server.takes` to a pending promise to delay the response to a pin update. */
function openPins(t: Test, laneOf: (asked: number) => Lane | Promise<never>) {
  const server = { asked: 0, taken: 0, takes: Promise.resolve() }
  fakeNetwork(t).use(
    http.get('*/api/lane', async () => answer(Lane, await laneOf((server.asked += 1)))),
    http.put('*/api/lane/pins', async () => {
      await server.takes
      server.taken += 1
      return answer(LanePins, { pins: [] })
    }),
  )
  return { ...show(t, <Pins />), server }
}

t.test('refetches after a pin changed during a catch-up', async (t) => {
  const { cache, server } = openPins(t, (asked) => {
    if (asked === 2) return new Promise<never>(() => undefined)
    return asked === 1 ? aLane({ running: [first!], ...pinned }) : aLane({ running: [first!, second!], pins: [] })
  })
  await says('1 running, 1 pinned')
  void refetchLane(cache)
  await becomes(t, () => server.asked, 2)
  await press('1 running, 1 pinned')
  await says('2 running, 0 pinned')
})

t.test('ignores a late response from the previous session', async (t) => {
  const { cache, server } = openPins(t, () => aLane({ running: [first!], ...pinned }))
  await says('1 running, 1 pinned')
  let take = () => {}
  server.takes = new Promise<void>((resolve) => (take = resolve))
  await press('1 running, 1 pinned')
  await says('1 running, 0 pinned')
  act(() => resetStore())
  take()
  await becomes(t, () => cache.isMutating(), 0)
  server.takes = new Promise<void>((resolve) => (take = resolve))
  await press('1 running, 0 pinned')
  await becomes(t, () => cache.isMutating(), 1)
  const before = server.asked
  await act(() => refetchLane(cache))
  t.equal(server.asked, before + 1)
  t.equal(cache.getQueryData(laneQuery().queryKey)?.pins.length, 0)
  take()
})
