import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CircleCheck from 'lucide-react/icons/circle-check'
import X from 'lucide-react/icons/x'
import * as Radix from '@radix-ui/react-toast'
import { Link } from 'wouter'
import { toastMs } from '#shared/limits.ts'
import { cx } from './cx.ts'
import { dismissToast, useToast } from './toast-store.ts'

/** Shows toasts at the bottom left, or at the top on screens where they could cover bid buttons. Mount it once. */
export function Toaster() {
  const entry = useToast()
  const destructive = entry?.variant === 'destructive'
  return (
    <Radix.Provider duration={toastMs} swipeDirection="left">
      {entry ? (
        <Radix.Root
          key={entry.id}
          open={entry.open}
          onOpenChange={(open) => !open && dismissToast(entry.id)}
          {...(entry.heldAs !== undefined && { duration: Number.POSITIVE_INFINITY })}
          type={destructive ? 'foreground' : 'background'}
          className={cx(
            'flex w-90 max-w-full animate-rise gap-3 rounded-md py-3 pr-2 pl-4 shadow-2',
            destructive ? 'bg-danger text-on-solid' : 'bg-raised',
          )}
        >
          {destructive ? (
            <CircleAlert size={16} className="mt-0.5" aria-hidden="true" />
          ) : (
            <CircleCheck size={16} className="mt-0.5 text-success-ink" aria-hidden="true" />
          )}
          <div className="min-w-0 flex-1">
            <Radix.Title className="font-semibold">{entry.title}</Radix.Title>
            {entry.description ? (
              <Radix.Description className={destructive ? undefined : 'text-ink-2'}>
                {entry.description}
              </Radix.Description>
            ) : null}
            {entry.links ? (
              <p className="mt-1 flex flex-wrap gap-x-4">
                {entry.links.map(({ label, path }) => (
                  <Radix.Action key={label} altText={label} asChild>
                    <Link
                      href={path}
                      className="inline-flex min-h-7 items-center rounded-sm font-semibold underline underline-offset-3 max-md:min-h-11"
                    >
                      {label}
                    </Link>
                  </Radix.Action>
                ))}
              </p>
            ) : null}
          </div>
          <Radix.Close
            aria-label="Dismiss"
            className={cx(
              // The negative margins center the button on the title.
              '-my-1 inline-flex size-7 flex-none items-center justify-center rounded-md max-md:-my-3 max-md:size-11',
              destructive ? 'hover:bg-white/16' : 'text-ink-2 hover:bg-hover',
            )}
          >
            <X size={18} />
          </Radix.Close>
        </Radix.Root>
      ) : null}
      <Radix.Viewport className="fixed bottom-4 left-[calc(1rem+env(safe-area-inset-left))] beside:left-110 z-80 flex w-90 max-w-[calc(100vw-2rem)] flex-col outline-none max-lg:top-[calc(4rem+env(safe-area-inset-top))] max-lg:bottom-auto" />
    </Radix.Provider>
  )
}
