import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Dialog } from '#client/ui/dialog.tsx'
import { QueryState } from '#client/ui/query-state.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import type { DealPaper } from '#shared/schemas/deals.ts'
import { paperQuery } from '../deal.api.ts'

interface PaperPreviewProps {
  dealId: string
  documentId: string
  title: string
  /** The link to the PDF. It is repeated below the open document. */
  children: ReactNode
}

export function PaperPreview({ dealId, documentId, title, children }: PaperPreviewProps) {
  const [open, setOpen] = useState(false)
  const query = useQuery(paperQuery(dealId, documentId))
  return (
    <>
      <span className="relative block h-18 w-14 flex-none overflow-hidden rounded-sm border border-line-strong bg-surface hover:border-ink-3">
        {query.data ? (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute top-0 left-0 block w-128 origin-top-left scale-[.107] text-left"
          >
            <Sheet paper={query.data} />
          </span>
        ) : (
          <span className="block space-y-2 p-2">
            <Skeleton className="h-2" />
            <Skeleton className="h-1" />
            <Skeleton className="h-1" />
          </span>
        )}
        {/* The button lies on top of the small page, so that the page's text is not part of the button's label. */}
        <button
          type="button"
          aria-label={`Preview the ${title}`}
          data-tooltip="Preview"
          onClick={() => setOpen(true)}
          className="absolute inset-0 rounded-sm -outline-offset-2"
        />
      </span>
      <Dialog open={open} onOpenChange={setOpen} title={title} width="md" footer={children}>
        <QueryState query={query} failure="The document could not be loaded" label="Loading the document">
          <Skeleton className="h-96" />
        </QueryState>
        {query.data ? (
          // Focusable, so that a long document can be scrolled by keyboard.
          <div role="group" aria-label={query.data.reference} tabIndex={0}>
            <Sheet paper={query.data} />
          </div>
        ) : null}
      </Dialog>
    </>
  )
}

function Sheet({ paper }: { paper: DealPaper }) {
  return (
    <div className="flex flex-col gap-5 p-2">
      <div className="border-b border-line pb-3">
        <p className="flex justify-between gap-3 text-ink-2">
          <span className="font-semibold">Lanewire</span>
          <span>{paper.reference}</span>
        </p>
        <p className="mt-2 text-lg font-semibold tracking-lg">{paper.title}</p>
        <p className="text-xs text-ink-2">{paper.issued}</p>
      </div>
      <div className="grid gap-5 md:grid-cols-2">
        {paper.parties.map(({ role, rows }) => (
          <Part key={role} title={role}>
            <Rows rows={rows} />
          </Part>
        ))}
      </div>
      <Part title="Vehicle">
        <Rows rows={paper.vehicle} />
        {paper.price === null ? null : (
          <p className="flex items-baseline justify-between gap-3 pt-2">
            <span className="text-ink-2">Price</span>
            <span className="num text-md font-semibold">{paper.price}</span>
          </p>
        )}
      </Part>
      <Part title="Statement">
        <p className="wrap-anywhere">{paper.statement}</p>
      </Part>
      <Part title="Signatures">
        <div className="grid gap-5 md:grid-cols-2">
          {paper.signatures.map(({ by, name, note }) => (
            <div key={by} className="min-w-0">
              <p className="min-h-10 border-b border-line-strong pt-3 text-md wrap-anywhere italic">{name}</p>
              <p className="pt-1 wrap-anywhere">{by}</p>
              <p className="text-xs text-ink-2">{note}</p>
            </div>
          ))}
        </div>
      </Part>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="pb-1 font-semibold">{title}</p>
      {children}
    </div>
  )
}

function Rows({ rows }: { rows: DealPaper['vehicle'] }) {
  return (
    <dl className="divide-y divide-line">
      {rows.map(({ label, value }) => (
        <div key={label} className="flex gap-3 py-1">
          <dt className="w-28 flex-none text-ink-2">{label}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
