/** Paths at which visitors get the app. At all other paths, they get the public site. */
export const visitorAppPage = /^\/(login|setup|reset|verify-email|demo-mail)\/?$/

/** Settings that change public pages. Only pages with `demo` may show invented dealers, quotes and job openings. */
export interface SiteVariant {
  billing: boolean
  demo: boolean
}

/** The build writes every public page once per variant. The server serves the folder of its own variant. */
export const siteVariants: readonly SiteVariant[] = [true, false].flatMap((billing) =>
  [true, false].map((demo) => ({ billing, demo })),
)

/** Returns the variant's folder inside `dist/site`. */
export const siteFolder = ({ billing, demo }: SiteVariant): string =>
  `${billing ? 'billing' : 'free'}${demo ? '-demo' : ''}`
