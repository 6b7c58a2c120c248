import { cx } from '#client/ui/cx.ts'

/** Size of the screenshot files in pixels, at a phone's pixel density (scripts/screens/site-pictures.mjs). */
export const phoneSize = { width: 780, height: 1440 }

const themes = { light: 'dark:hidden', dark: 'hidden dark:block' }

/** The browser does not load the screenshot of the hidden theme. */
export function PhoneShot({ image, caption }: { image: string; caption: string }) {
  return (
    <figure className="w-66 flex-none">
      {Object.entries(themes).map(([theme, shown]) => (
        <img
          key={theme}
          src={`/site/phone-${image}-${theme}.webp`}
          alt={`Screenshot: ${caption}`}
          {...phoneSize}
          loading="lazy"
          className={cx('h-auto w-full rounded-md border border-line-strong bg-sunken shadow-1', shown)}
        />
      ))}
      <figcaption className="mt-2 text-ink-2">{caption}</figcaption>
    </figure>
  )
}
