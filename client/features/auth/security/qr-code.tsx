import { useQuery } from '@tanstack/react-query'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { qrCodeQuery } from '../auth.api.ts'

/** Width of the quiet zone in modules (ISO/IEC 18004). */
const quiet = 4

/** Drawn in the browser, so that its content reaches no other server. Dark on white in both themes, for scanners. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const library = useQuery(qrCodeQuery())
  if (!library.data) return <Skeleton className="mx-auto size-48" />
  const { data, size } = library.data.encode(text, { border: quiet, ecc: 'M' })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto block size-48 rounded-md"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
