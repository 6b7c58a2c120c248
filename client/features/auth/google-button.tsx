import { useQuery } from '@tanstack/react-query'
import { buttonClass } from '#client/ui/button.tsx'
import { authStatusQuery } from './auth.api.ts'

export function GoogleButton({ onClick }: { onClick?: () => void }) {
  const { data: status } = useQuery(authStatusQuery())
  if (!status?.google) return null
  return (
    <a
      href="/api/auth/google"
      onClick={onClick}
      className={buttonClass({ variant: 'secondary', size: 'lg', block: true })}
    >
      <GoogleMark />
      Continue with Google
    </a>
  )
}

/** The colors are required by Google's branding rules. */
function GoogleMark() {
  return (
    <svg width="16" height="16" viewBox="0 0 48 48" aria-hidden="true" className="flex-none">
      <path
        fill="#4285F4"
        d="M45.1 24.5c0-1.6-.1-3.1-.4-4.5H24v8.5h11.8c-.5 2.7-2 5-4.4 6.6v5.5h7.1c4.1-3.8 6.6-9.5 6.6-16.1z"
      />
      <path
        fill="#34A853"
        d="M24 46c5.9 0 10.9-2 14.5-5.3l-7.1-5.5c-2 1.3-4.5 2.1-7.4 2.1-5.7 0-10.5-3.9-12.3-9.1H4.4v5.7C8 41.1 15.4 46 24 46z"
      />
      <path
        fill="#FBBC05"
        d="M11.7 28.2c-.4-1.3-.7-2.7-.7-4.2s.3-2.9.7-4.2v-5.7H4.4C2.9 17.1 2 20.4 2 24s.9 6.9 2.4 9.9l7.3-5.7z"
      />
      <path
        fill="#EA4335"
        d="M24 10.7c3.2 0 6.1 1.1 8.4 3.3l6.3-6.3C34.9 4.2 29.9 2 24 2 15.4 2 8 6.9 4.4 14.1l7.3 5.7c1.8-5.2 6.6-9.1 12.3-9.1z"
      />
    </svg>
  )
}
