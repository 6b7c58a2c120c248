import { QuickAccess } from '#client/features/side-columns/quick-access.tsx'

/** What the menu drawer holds: the home page's left column. */
export function MenuColumn({ onNavigate }: { onNavigate: () => void }) {
  return <QuickAccess onNavigate={onNavigate} />
}
