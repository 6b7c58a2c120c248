/** A key of a shortcut. Hide it from screen readers if the control next to it already announces the shortcut. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="inline-block min-w-5 flex-none rounded-sm bg-hover px-1 text-center font-sans text-xs leading-5 font-medium text-ink-2">
      {children}
    </kbd>
  )
}
