import { useEffect, useState } from 'react'

const outcomes: Record<string, string> = {
  'newsletter-confirmed': 'You are subscribed to the newsletter.',
  'newsletter-left': 'You are no longer subscribed to the newsletter.',
  'status-confirmed': 'You will receive a mail when the state of a service changes.',
  'status-left': 'You will no longer receive mails about the state of our services.',
  expired: 'This link has been used or is too old. Please subscribe again.',
}

/** What a link in a mail has done; the server leads back to the page with `?list=`. */
export function ListOutcome() {
  const [outcome, setOutcome] = useState<string>()
  useEffect(() => {
    setOutcome(outcomes[new URLSearchParams(window.location.search).get('list') ?? ''])
  }, [])
  return (
    <div role="status">
      {outcome ? (
        <p className="border-b border-accent-line bg-accent-soft px-4 py-2 text-center font-medium text-accent-ink">
          {outcome}
        </p>
      ) : null}
    </div>
  )
}
