import { useQuery } from '@tanstack/react-query'
import Mail from 'lucide-react/icons/mail'
import { reasonOf } from '#client/lib/http/api.ts'
import { parseAddress } from '#client/lib/http/older-browsers.ts'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatDateTime } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import { demoMailQuery } from './auth.api.ts'

export function DemoMailList() {
  const mails = useQuery(demoMailQuery())
  return (
    <div className="space-y-3">
      <div className="flex justify-end max-md:px-4">
        <Button busy={mails.isFetching} onClick={() => void mails.refetch()}>
          Refresh
        </Button>
      </div>
      {mails.error ? <InlineError title="The demo emails could not be loaded" message={reasonOf(mails.error)} /> : null}
      {mails.isPending ? (
        <Loading label="Loading emails">
          <Card className="p-4">
            <SkeletonRows />
          </Card>
        </Loading>
      ) : null}
      {mails.data?.length === 0 ? (
        <Card>
          <EmptyState
            icon={<Mail size={24} />}
            title="No email yet"
            hint="Request a password reset or sign up, then refresh."
          />
        </Card>
      ) : null}
      {mails.data?.map((mail) => (
        <Card key={mail.id} className="p-4" aria-label={mail.subject}>
          <p className="text-xs text-ink-3">
            To {mail.to}, {formatDateTime(mail.sentAt)}
          </p>
          <h2 className="text-base font-semibold">{mail.subject}</h2>
          {mail.text.split('\n\n').map((line) => (
            <p key={line} className="mt-2">
              <MailLine line={line} />
            </p>
          ))}
        </Card>
      ))}
    </div>
  )
}

/** Renders a line as a link if it is a URL, because our emails put each link on its own line. A link always opens on this site. */
function MailLine({ line }: { line: string }) {
  const address = parseAddress(line)
  if (address === undefined) return line
  const { pathname, search, hash } = address
  return (
    <a href={pathname + search + hash} className="text-accent-ink underline">
      {line}
    </a>
  )
}
