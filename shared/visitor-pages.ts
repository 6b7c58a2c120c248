/**
 * Paths on which a visitor gets the app: sign-in, first-time setup and links in emails. All other paths show visitors the public
 * site.
 */
export const visitorAppPage = /^\/(login|setup|reset|verify-email|demo-mail)\/?$/

/**
 * The settings that change the content of public pages. `billing`: plans cost money. `demo`: the server runs a demo network. Only
 * in that case may pages show invented dealers, quotes and job openings.
 */
export interface SiteVariant {
  billing: boolean
  demo: boolean
}

/** All variants of the public site. The build writes every page once per variant, and the server serves the folder of its own variant. */
export const siteVariants: readonly SiteVariant[] = [true, false].flatMap((billing) =>
  [true, false].map((demo) => ({ billing, demo })),
)

/** Returns the variant's folder inside `dist/site`. */
export const siteFolder = ({ billing, demo }: SiteVariant): string =>
  `${billing ? 'billing' : 'free'}${demo ? '-demo' : ''}`
