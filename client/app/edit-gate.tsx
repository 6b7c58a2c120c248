import { lazy } from 'react'
import { useSearchParams } from 'wouter'

const EditPost = lazy(async () => ({ default: (await import('#client/pages/edit-post.tsx')).EditPost }))

/** The edit dialog opens over any page whose address says `edit=<post>`: its code comes with the first one. */
export function EditGate() {
  const [params] = useSearchParams()
  return params.get('edit') ? <EditPost /> : null
}
