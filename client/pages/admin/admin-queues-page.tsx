import { useState } from 'react'
import type { OpsRange } from '#shared/schemas/ops.ts'
import { OpsHeader, OpsQueues } from '#client/features/ops/ops-queues.tsx'
import { useFailingQueues } from '#client/features/ops/ops.api.ts'
import { AdminLayout } from './admin-layout.tsx'

export function AdminQueuesPage() {
  const [range, setRange] = useState<OpsRange>('1h')
  const failing = useFailingQueues(range)
  return (
    <AdminLayout
      title="Queues"
      alarms={failing}
      roles={['admin', 'ops']}
      headerEnd={<OpsHeader range={range} onRange={setRange} />}
    >
      <OpsQueues range={range} />
    </AdminLayout>
  )
}
