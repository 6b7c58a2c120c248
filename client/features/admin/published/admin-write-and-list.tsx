import type { UseQueryResult } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useId, useState } from 'react'
import { type Typed, useKeptForm } from '#client/lib/storage/kept-forms.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormActions } from '#client/ui/form-dialog.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Load } from '../home/admin-load.tsx'

export interface WrittenFormProps<Input> {
  id: string
  initial: Input
  onSubmit: (input: Input, changed: Partial<Input>) => void
  keep?: (input: Input) => void
}

type WrittenForm<Input> = ComponentType<WrittenFormProps<Input>>

interface Keeping<Input> {
  Form: WrittenForm<Input>
  initial: Input
  busy: boolean
}

interface WriteCardProps<Input> extends Keeping<Input> {
  title: string
  action: string
  onSubmit: (input: Input) => Promise<unknown>
}

/** The input survives reloads and navigation in this tab until the entry is sent. */
export function WriteCard<Input extends Typed<Input>>({ title, action, busy, ...form }: WriteCardProps<Input>) {
  const id = useId()
  const [made, setMade] = useState(0)
  return (
    <Card>
      <CardHeader title={title} />
      <CardBody className="space-y-4 pb-4">
        <NewForm key={made} id={id} name={title} {...form} onMade={() => setMade((count) => count + 1)} />
        <Button variant="primary" type="submit" form={id} block busy={busy}>
          {action}
        </Button>
      </CardBody>
    </Card>
  )
}

interface NewFormProps<Input> extends Pick<WriteCardProps<Input>, 'Form' | 'initial' | 'onSubmit'> {
  id: string
  name: string
  onMade: () => void
}

function NewForm<Input extends Typed<Input>>({ id, name, Form, initial, onSubmit, onMade }: NewFormProps<Input>) {
  // Computed once, on mount: `initial()` returns a different value each time, because it contains the current time.
  const [fresh] = useState(initial)
  const { start, keep, forget } = useKeptForm(name, fresh)
  // The handlers also run if the admin has left the page. If the request fails, the caller shows the error and the input is kept.
  const send = (input: Input) =>
    void onSubmit(input).then(
      () => {
        forget()
        onMade()
      },
      () => undefined,
    )
  return <Form id={id} initial={start} onSubmit={send} keep={keep} />
}

interface WrittenListProps<Row> {
  title: string
  what: string
  query: UseQueryResult<Row[]>
  empty: { icon: ReactNode; title: string; hint: string }
  renderRow: (row: Row) => ReactNode
}

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

/** Sends only the changed fields, because another admin may have changed the others. */
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
      footer={<FormActions form={form} confirmLabel="Save" busy={busy} onClose={onClose} />}
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
