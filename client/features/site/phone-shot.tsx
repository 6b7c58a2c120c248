import { cx } from '#client/ui/cx.ts'

/** Size of the screenshot files in pixels. It includes the pixel density of a phone (scripts/screens/site-pictures.mjs). */
export const phoneSize = { width: 780, height: 1440 }

const themes = { light: 'dark:hidden', dark: 'hidden dark:block' }

/** Shows a phone screenshot in the current theme. The browser does not load the hidden one. */
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
