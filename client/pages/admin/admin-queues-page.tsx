import { useState } from 'react'
import type { OpsRange } from '#shared/schemas/ops.ts'
import { OpsHeader, OpsQueues } from '#client/features/ops/ops-queues.tsx'
import { AdminLayout } from './admin-layout.tsx'

export function AdminQueuesPage() {
  const [range, setRange] = useState<OpsRange>('1h')
  return (
    <AdminLayout title="Queues" roles={['admin', 'ops']} headerEnd={<OpsHeader range={range} onRange={setRange} />}>
      <OpsQueues range={range} />
    </AdminLayout>
  )
}
