import { HomeLeft } from '#client/pages/home-columns.tsx'
import { Brand } from '#client/ui/brand.tsx'
import { Drawer } from '#client/ui/drawer.tsx'

interface MenuDrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function MenuDrawer({ open, onOpenChange }: MenuDrawerProps) {
  return (
    <Drawer title="Menu" heading={<Brand />} closeLabel="Close menu" open={open} onOpenChange={onOpenChange}>
      <HomeLeft onNavigate={() => onOpenChange(false)} />
    </Drawer>
  )
}
