import { useSearchParams } from 'wouter'
import { openPostInventory } from '#client/app/post-inventory.ts'
import { ShareDialog } from '#client/features/posting/received-share/share-dialog.tsx'

/** Passes content that another app shared to the Post Inventory dialog. */
export function Share() {
  const [params, setParams] = useSearchParams()
  const id = params.get('share')
  const leave = () =>
    setParams(
      (current) => {
        const rest = new URLSearchParams(current)
        rest.delete('share')
        return rest
      },
      { replace: true },
    )
  return id === null ? null : <ShareDialog key={id} id={id} onReady={openPostInventory} onDone={leave} />
}
