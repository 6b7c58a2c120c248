import type { UseQueryResult } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useId, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Load } from '../home/admin-load.tsx'

// What admins write for others, as promotions, incidents and issues: a form for a new one, a list, a dialog that edits one.

/** A form that a button elsewhere submits. */
type WrittenForm<Input> = ComponentType<{
  id: string
  initial: Input
  onSubmit: (input: Input, changed: Partial<Input>) => void
}>

interface Keeping<Input> {
  Form: WrittenForm<Input>
  initial: Input
  busy: boolean
}

/** Writes a new one. */
export function WriteCard<Input>({
  title,
  action,
  Form,
  initial,
  busy,
  onSubmit,
}: Keeping<Input> & {
  title: string
  /** On the button. */
  action: string
  /** What becomes of the input; the form empties once it is kept. */
  onSubmit: (input: Input, done: () => void) => void
}) {
  const form = useId()
  const [made, setMade] = useState(0)
  return (
    <Card>
      <CardHeader title={title} />
      <CardBody className="space-y-4 pb-4">
        <Form
          key={made}
          id={form}
          initial={initial}
          onSubmit={(input) => onSubmit(input, () => setMade((count) => count + 1))}
        />
        <Button variant="primary" type="submit" form={form} block busy={busy}>
          {action}
        </Button>
      </CardBody>
    </Card>
  )
}

interface WrittenListProps<Row> {
  title: string
  /** In 'Could not load …'. */
  what: string
  query: UseQueryResult<Row[]>
  empty: { icon: ReactNode; title: string; hint: string }
  renderRow: (row: Row) => ReactNode
}

/** Those that there are, or that there is none yet. */
export function WrittenList<Row>({ title, what, query, empty, renderRow }: WrittenListProps<Row>) {
  return (
    <Card>
      <CardHeader title={title} />
      <Load query={query} what={what}>
        {(rows) => (rows.length === 0 ? <EmptyState {...empty} /> : <ul>{rows.map(renderRow)}</ul>)}
      </Load>
    </Card>
  )
}

/** Changes one, but only what was changed here: another admin may have changed the rest meanwhile. It closes once that is kept. */
export function EditDialog<Input>({
  title,
  onClose,
  Form,
  initial,
  busy,
  onSubmit,
}: Keeping<Input> & {
  title: string
  onClose: () => void
  onSubmit: (change: Partial<Input>, done: () => void) => void
}) {
  const form = useId()
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} busy={busy}>
            Save
          </Button>
        </>
      }
    >
      <Form
        id={form}
        initial={initial}
        onSubmit={(_input, changed) => {
          if (Object.keys(changed).length === 0) onClose()
          else onSubmit(changed, onClose)
        }}
      />
    </Dialog>
  )
}
