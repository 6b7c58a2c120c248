import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { type PushDevice, PushDevice as DeviceSchema, PushState, RegisterPushDevice } from '#shared/schemas/push.ts'
import { answer, fakeNetwork, http, HttpResponse, sent } from './network.ts'

export const aPushDevice = (about: Partial<PushDevice> = {}): PushDevice => ({
  id: randomUUID(),
  label: 'Chrome on Android',
  hideContent: false,
  isCurrent: false,
  createdAt: '2026-11-01T10:00:00.000Z',
  lastOkAt: null,
  failing: null,
  ...about,
})

export function aPushServer(t: Test, devices: PushDevice[] = [], publicKey = 'AAAA') {
  const registered: RegisterPushDevice[] = []
  const network = fakeNetwork(t)
  network.use(
    http.get('*/api/push', () => answer(PushState, { publicKey, devices })),
    http.put('*/api/push/devices', async ({ request }) => {
      const body = await sent(RegisterPushDevice, request)
      registered.push(body)
      const known = devices.find(({ isCurrent }) => isCurrent)
      if (known) return answer(DeviceSchema, known)
      const device = aPushDevice({ label: body.label, isCurrent: true, hideContent: body.hideContent ?? false })
      devices.push(device)
      return answer(DeviceSchema, device)
    }),
    http.delete('*/api/push/devices/:id', ({ params }) => {
      const index = devices.findIndex(({ id }) => id === params['id'])
      if (index >= 0) devices.splice(index, 1)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  return { network, devices, registered }
}
