/** The network size that the public pages of a demo network claim. A real network shows no such number. */
export const dealersClaim = '25,000+'

export const supportHours = [
  { days: 'Mon-Fri', hours: '8 to 8 EST' },
  { days: 'Sat', hours: '9 to 6 EST' },
  { days: 'Sunday', hours: 'closed' },
] as const

interface SiteLink {
  href: string
  label: string
}

const paidOnly: ReadonlySet<string> = new Set(['/pricing'])

export const linksWhere = (links: readonly SiteLink[], billing: boolean): SiteLink[] =>
  links.filter(({ href }) => billing || !paidOnly.has(href))

export const footerGroups = [
  {
    title: 'Product',
    links: [
      { href: '/features', label: 'Features' },
      { href: '/pricing', label: 'Pricing' },
      { href: '/security', label: 'Security' },
      { href: '/mobile', label: 'Mobile' },
    ],
  },
  {
    title: 'Support',
    links: [
      { href: '/help', label: 'Help' },
      { href: '/contact', label: 'Contact' },
      { href: '/api-docs', label: 'API docs' },
      { href: '/status', label: 'Status' },
    ],
  },
  {
    title: 'Company',
    links: [
      { href: '/about', label: 'About' },
      { href: '/blog', label: 'Blog' },
      { href: '/careers', label: 'Careers' },
      { href: '/privacy', label: 'Privacy' },
    ],
  },
] as const

export const headerLinks = [
  { href: '/features', label: 'Features' },
  { href: '/pricing', label: 'Pricing' },
  { href: '/security', label: 'Security' },
  { href: '/help', label: 'Help' },
] as const
