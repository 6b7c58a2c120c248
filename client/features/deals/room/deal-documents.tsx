import Download from 'lucide-react/icons/download'
import FileLock from 'lucide-react/icons/file-lock'
import { type FocusEventHandler, useState } from 'react'
import { Link } from 'wouter'
import { reasonOf } from '#client/lib/http/api.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { typedMiles } from '#client/lib/form/typed-amount.ts'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { Field } from '#client/ui/field.tsx'
import { formatDateTime } from '#client/ui/format.ts'
import { Input } from '#client/ui/input.tsx'
import type { DealDetail, DealDocument, DocumentKind } from '#shared/schemas/deals.ts'
import { mileageMax } from '#shared/limits.ts'
import { documentPath, useGiveMileage, useSignDocument } from '../deal.api.ts'
import { stepMark } from '../step-focus.ts'
import { PaperPreview } from './paper-preview.tsx'

const titles: Record<DocumentKind, string> = {
  bill_of_sale: 'Bill of Sale',
  odometer: 'Mileage statement between dealers',
}

export function DealDocuments({ deal, onFocus }: { deal: DealDetail; onFocus: FocusEventHandler }) {
  return (
    <Card aria-labelledby="deal-documents" onFocus={onFocus}>
      <CardHeader id="deal-documents" title="Documents" />
      {deal.documents.length === 0 ? (
        <CardBody className="text-ink-2">
          {deal.status === 'pending'
            ? 'The Bill of Sale and mileage statement are generated once the seller approves the deal.'
            : 'This deal has no documents.'}
        </CardBody>
      ) : (
        <ul>
          {deal.documents.map((document) => (
            <DocumentRow key={document.kind} deal={deal} document={document} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function DocumentRow({ deal, document }: { deal: DealDetail; document: DealDocument }) {
  const title = titles[document.kind]
  const locked = document.kind === 'bill_of_sale' ? deal.billOfSaleNeeds : null
  return (
    <li className="border-t border-line px-4 py-3 first:border-t-0">
      <div className="flex gap-3">
        {locked === null ? (
          <PaperPreview dealId={deal.id} documentId={document.id} title={title}>
            <PaperLink deal={deal} document={document} title={title} />
          </PaperPreview>
        ) : (
          <span className="grid h-18 w-14 flex-none place-items-center rounded-sm bg-sunken text-ink-3 forced-colors:border">
            <FileLock size={20} aria-hidden="true" />
          </span>
        )}
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-2">
            <div className="min-w-0 flex-1">
              <p className="font-semibold">{title}</p>
              <p className="num text-xs text-ink-2">
                {document.number}, version {document.version}
              </p>
            </div>
            {locked === null ? <PaperLink deal={deal} document={document} title={title} /> : null}
          </div>
          <Signatures deal={deal} kind={document.kind} />
        </div>
      </div>
      {locked === null ? null : (
        <p className="mt-2 rounded-md bg-sunken px-3 py-2">
          {locked}. Until then, you both sign only the {titles.odometer}.{' '}
          <Link href="/plan-management" className="text-accent-ink underline">
            Compare plans
          </Link>
        </p>
      )}
      {document.kind === 'bill_of_sale' && locked === null ? <WithoutLicense deal={deal} /> : null}
      {document.kind === 'odometer' && deal.mileage === null ? <MileageMissing deal={deal} /> : null}
      {deal.may.sign.includes(document.kind) ? <SignForm deal={deal} kind={document.kind} /> : null}
    </li>
  )
}

function Signatures({ deal, kind }: { deal: DealDetail; kind: DocumentKind }) {
  const signatures = deal.signatures.filter((one) => one.kind === kind)
  return (
    <ul className="mt-1 text-xs text-ink-2">
      {[deal.seller, deal.buyer].map((party) => {
        const signature = signatures.find(({ dealerId }) => dealerId === party.id)
        return (
          <li key={party.id}>
            {party.name}:{' '}
            {signature ? (
              <span className="num text-success-ink">
                signed “{signature.name}”, {formatDateTime(signature.signedAt)}
                {signature.address && `, IP address ${signature.address}`}
              </span>
            ) : (
              'not signed yet'
            )}
          </li>
        )
      })}
    </ul>
  )
}

function PaperLink({ deal, document, title }: { deal: DealDetail; document: DealDocument; title: string }) {
  if (!document.ready) return <span className="text-xs text-ink-2">Generating…</span>
  return (
    <a
      href={documentPath(deal.id, document.id)}
      download
      aria-label={`PDF of the ${title}`}
      className={buttonClass({ size: 'sm' })}
    >
      <Download size={14} aria-hidden="true" />
      PDF
    </a>
  )
}

/** Warns that a party has no dealer license number on file. Both parties see this before they sign. */
function WithoutLicense({ deal }: { deal: DealDetail }) {
  const me = useCurrentDealer()
  if (deal.withoutLicense.length === 0) return null
  const names = deal.withoutLicense.map((side) => (deal[side].id === me.id ? 'you' : deal[side].name))
  const mine = names.includes('you')
  return (
    <p role="status" className="mt-2 rounded-md bg-warning-soft px-3 py-2 text-warning-ink">
      No dealer license number is on file for {names.join(' and ')}, and this document says so.{' '}
      {mine ? (
        <Link href="/profile-edit#license" className="underline">
          Enter your license
        </Link>
      ) : null}
    </p>
  )
}

function MileageMissing({ deal }: { deal: DealDetail }) {
  const give = useGiveMileage(deal.id)
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  if (!deal.may.giveMileage)
    return (
      <p role="status" className="mt-2 rounded-md bg-warning-soft px-3 py-2 text-warning-ink">
        The mileage is missing. {deal.seller.name} needs to enter it before you can both sign.
      </p>
    )
  return (
    <form
      noValidate
      {...stepMark(deal.id, 'mileage')}
      className="mt-2 flex items-start gap-2 max-md:flex-col max-md:items-stretch"
      onSubmit={(event) => {
        event.preventDefault()
        const mileage = typedMiles(text)
        if (mileage === undefined || mileage > mileageMax) return setError('Enter the miles on the odometer')
        give.mutate(mileage, { onError: (failure) => setError(reasonOf(failure)) })
      }}
    >
      <Field
        label="Mileage"
        error={error}
        hint="As shown on the odometer. This document cannot be signed without it."
        className="max-w-96 flex-1"
      >
        <Input
          inputMode="numeric"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setError(undefined)
          }}
        />
      </Field>
      <Button type="submit" className="md:mt-6" busy={give.isPending}>
        Save mileage
      </Button>
    </form>
  )
}

function SignForm({ deal, kind }: { deal: DealDetail; kind: DocumentKind }) {
  const me = useCurrentDealer()
  const sign = useSignDocument(deal.id)
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  return (
    <form
      noValidate
      {...stepMark(deal.id, 'sign')}
      className="mt-2 flex items-start gap-2 max-md:flex-col max-md:items-stretch"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim().length < 2) return setError('Type your full name to sign')
        sign.mutate({ kind, name: name.trim() }, { onError: (failure) => setError(reasonOf(failure)) })
      }}
    >
      <Field
        label={`Sign the ${titles[kind]}`}
        error={error}
        hint="We record your typed name, the time and your IP address."
        className="max-w-96 flex-1"
      >
        <Input
          autoComplete="name"
          placeholder={me.name}
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setError(undefined)
          }}
        />
      </Field>
      <Button type="submit" className="md:mt-6" busy={sign.isPending}>
        Sign
      </Button>
    </form>
  )
}
