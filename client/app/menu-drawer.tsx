import { lazy, Suspense } from 'react'
import { Brand } from '#client/ui/brand.tsx'
import { Drawer } from '#client/ui/drawer.tsx'

// The left column is only in the drawer where it is not on the page; its code waits until then.
const MenuColumn = lazy(async () => ({ default: (await import('./menu-column.tsx')).MenuColumn }))

interface MenuDrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The left column below 1280 px. */
export function MenuDrawer({ open, onOpenChange }: MenuDrawerProps) {
  return (
    <Drawer title="Menu" heading={<Brand />} closeLabel="Close menu" open={open} onOpenChange={onOpenChange}>
      <Suspense>
        <MenuColumn onNavigate={() => onOpenChange(false)} />
      </Suspense>
    </Drawer>
  )
}
