/** Paths on which a visitor gets the app. On all other paths, visitors get the public site. */
export const visitorAppPage = /^\/(login|setup|reset|verify-email|demo-mail)\/?$/

/** Settings that change public pages. Only with `demo` may pages show invented dealers, quotes and job openings. */
export interface SiteVariant {
  billing: boolean
  demo: boolean
}

/** The build writes every page once per variant, and the server serves the folder of its own variant. */
export const siteVariants: readonly SiteVariant[] = [true, false].flatMap((billing) =>
  [true, false].map((demo) => ({ billing, demo })),
)

/** The variant's folder inside `dist/site`. */
export const siteFolder = ({ billing, demo }: SiteVariant): string =>
  `${billing ? 'billing' : 'free'}${demo ? '-demo' : ''}`
