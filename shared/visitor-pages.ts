/** Paths where a visitor gets the app: sign-in, first-time setup and links in mails. All other paths show the public site to visitors. */
export const visitorAppPage = /^\/(login|setup|reset|verify-email|demo-mail)\/?$/

/**
 * The settings that change the content of public pages. `billing`: plans cost money. `demo`: the server runs a demo network; only then may
 * pages show invented dealers, quotes and job openings.
 */
export interface SiteVariant {
  billing: boolean
  demo: boolean
}

/** The build writes every page once per variant; the server serves its variant's folder. */
export const siteVariants: readonly SiteVariant[] = [true, false].flatMap((billing) =>
  [true, false].map((demo) => ({ billing, demo })),
)

/** Returns the variant's folder inside `dist/site`. */
export const siteFolder = ({ billing, demo }: SiteVariant): string =>
  `${billing ? 'billing' : 'free'}${demo ? '-demo' : ''}`
