/**
 * Pages of the app that exist for visitors: sign-in, the first admin, and where mailed links lead. Every other address of a visitor is a
 * page of the public site.
 */
export const visitorAppPage = /^\/(login|setup|reset|verify-email|demo-mail)\/?$/

/**
 * What public pages depend on beside their words. `billing`: plans are paid for. `demo`: the server shows a demo network, and only there
 * invented dealers, quotes and job openings stand on the pages.
 */
export interface SiteVariant {
  billing: boolean
  demo: boolean
}

/** The build writes each page once per variant; the server reads the folder of its own. */
export const siteVariants: readonly SiteVariant[] = [true, false].flatMap((billing) =>
  [true, false].map((demo) => ({ billing, demo })),
)

/** The folder of a variant below `dist/site`. */
export const siteFolder = ({ billing, demo }: SiteVariant): string =>
  `${billing ? 'billing' : 'free'}${demo ? '-demo' : ''}`
