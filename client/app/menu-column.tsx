import { HomeLeft } from '#client/pages/home-columns.tsx'

/** What the menu drawer holds: the home page's left column. */
export function MenuColumn({ onNavigate }: { onNavigate: () => void }) {
  return <HomeLeft onNavigate={onNavigate} />
}
