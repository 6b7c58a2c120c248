import { useQuery, useQueryClient } from '@tanstack/react-query'
import ChevronDown from 'lucide-react/icons/chevron-down'
import CircleCheck from 'lucide-react/icons/circle-check'
import Circle from 'lucide-react/icons/circle'
import X from 'lucide-react/icons/x'
import { Suspense, useEffect, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Button } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { useNarrow } from '#client/ui/screen-width.ts'
import { toast } from '#client/ui/toast-store.ts'
import { readFind } from '#shared/find-query.ts'
import type { DemoSteps } from '#shared/schemas/demo.ts'
import { demoStepsQuery, followSteps } from './demo.api.ts'
import { DemoStripPlace, storedSteps } from './demo-strip-place.tsx'

// Loaded on demand, because the dialog's code is large and few visitors open it.
const SecondBrowser = lazyPart(async () => (await import('./second-browser.tsx')).SecondBrowser)

/** Example of a search. `isPhrase` must check for the filters that Find recognizes in it. */
const phrase = '2019-2021 F-150 under 40k miles'

/** A valid VIN for visitors to try posting with. No vehicle in the demo data has it. */
const sampleVin = '1HGCM82633A004352'

function isPhrase(path: string, search: string): boolean {
  if (path !== '/find') return false
  const { mmt, year, miles } = readFind(Object.fromEntries(new URLSearchParams(search)))
  const isYears = year.from === 2019 && year.to === 2021
  return isYears && miles.to === 40_000 && mmt.some(({ model }) => model === 'F-150')
}

/** State that is stored only in this browser: whether the visitor has searched the phrase, and whether they closed the strip. */
function useKeptSteps() {
  const { id } = useCurrentDealer()
  const [kept, setKept] = useState(() => storedSteps.read(id) ?? { found: false, closed: false })
  const [path] = useLocation()
  const search = useSearch()
  const keep = (change: Partial<typeof kept>) => {
    const next = { ...kept, ...change }
    setKept(next)
    storedSteps.write(next, id)
  }
  const isFound = kept.found || isPhrase(path, search)
  useEffect(() => {
    if (isFound && !kept.found) keep({ found: true })
  })
  return { ...kept, found: isFound, close: () => keep({ closed: true }) }
}

interface DemoStripProps {
  onChat: (dealerId: string) => void
  onPost: () => void
}

export function DemoStrip(props: DemoStripProps) {
  const { found, closed, close } = useKeptSteps()
  if (closed) return null
  return <OpenStrip found={found} onClose={close} {...props} />
}

type Asked = 'second' | 'ops'

const firstNameOf = ({ name }: DemoSteps['second']) => name.split(' ')[0] ?? name

function OpenStrip({ found, onClose, onChat, onPost }: DemoStripProps & { found: boolean; onClose: () => void }) {
  const cache = useQueryClient()
  const { data: steps, isPending } = useQuery(demoStepsQuery())
  const [isOpen, setOpen] = useState(false)
  const isNarrow = useNarrow()
  const [asked, setAsked] = useState<Asked>()
  const hasSteps = Boolean(steps)
  useEffect(() => (hasSteps ? followSteps(cache) : undefined), [cache, hasSteps])
  if (isPending) return <DemoStripPlace />
  if (!steps) return null
  const { second } = steps
  const firstName = firstNameOf(second)
  const tasks = tasksOf(
    steps,
    found,
    { firstName, isNarrow },
    {
      onChat: () => onChat(second.id),
      onPost: () => {
        void navigator.clipboard?.writeText(sampleVin).catch(() => undefined)
        toast({ title: 'A VIN to try', description: `Paste or type ${sampleVin}` })
        onPost()
      },
      onQueues: () => setAsked('ops'),
    },
  )
  const done = tasks.filter((task) => task.done).length
  return (
    <section
      aria-label="Things to try"
      className="border-b border-accent-line bg-accent-soft text-accent-ink max-md:px-2 md:px-6"
    >
      <div className="mx-auto flex max-w-[82rem] flex-wrap items-center gap-x-4 md:min-h-9 md:py-1">
        <StripToggle isOpen={isOpen} done={done} onToggle={() => setOpen(!isOpen)} />
        <p className="font-semibold max-md:hidden">{done === tasks.length ? 'All five done' : 'Try'}</p>
        <ul
          className={cx(
            'flex flex-wrap items-center gap-x-4 md:flex-1',
            isOpen ? 'max-md:order-3 max-md:w-full max-md:flex-col max-md:items-stretch' : 'max-md:hidden',
          )}
        >
          {tasks.map((task) => (
            <Task key={task.label} {...task} onFollow={() => setOpen(false)} />
          ))}
        </ul>
        <span className={cx(isOpen ? 'max-md:order-4 max-md:w-full max-md:pb-2' : 'max-md:hidden')}>
          <Button variant="ghost" size="sm" className="text-accent-ink" onClick={() => setAsked('second')}>
            Open a second browser as {firstName}
          </Button>
        </span>
        <IconButton label="Hide these suggestions" size="sm" icon={<X size={16} />} onClick={onClose} />
      </div>
      <AskedBrowser asked={asked} steps={steps} onClose={() => setAsked(undefined)} />
    </section>
  )
}

function StripToggle({ isOpen, done, onToggle }: { isOpen: boolean; done: number; onToggle: () => void }) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="flex min-h-11 flex-1 items-center gap-2 px-2 text-left font-medium md:hidden"
    >
      Five things to try
      <span className="num font-normal">{done} of 5</span>
      <ChevronDown size={16} aria-hidden="true" className={cx('transition-transform', isOpen && 'rotate-180')} />
    </button>
  )
}

interface AskedBrowserProps {
  asked: Asked | undefined
  steps: DemoSteps
  onClose: () => void
}

function AskedBrowser({ asked, steps: { second, ops }, onClose }: AskedBrowserProps) {
  if (asked === undefined) return null
  if (asked === 'ops')
    return (
      <Suspense>
        <SecondBrowser
          title="Open the queues"
          email={ops}
          hint="Operations staff can see every background job on the network and retry failed ones."
          onClose={onClose}
        />
      </Suspense>
    )
  const firstName = firstNameOf(second)
  return (
    <Suspense>
      <SecondBrowser
        title={`Open a second browser as ${firstName}`}
        email={second.email}
        hint={`Put the windows side by side. Messages, bids and offers between you and ${firstName} arrive instantly.`}
        onClose={onClose}
      />
    </Suspense>
  )
}

interface TaskProps {
  label: string
  done: boolean
  href?: string
  onPress?: () => void
}

function tasksOf(
  { bid, answered, posted, queues }: DemoSteps,
  found: boolean,
  { firstName, isNarrow }: { firstName: string; isNarrow: boolean },
  { onChat, onPost, onQueues }: Record<'onChat' | 'onPost' | 'onQueues', () => void>,
): TaskProps[] {
  return [
    { label: isNarrow ? 'Bid in Lane' : 'Bid in Lane with B', done: bid, href: '/lane' },
    { label: `Type “${phrase}”`, done: found, href: '/find' },
    { label: `Reply to ${firstName}`, done: answered, onPress: onChat },
    { label: 'Post a VIN', done: posted, onPress: onPost },
    { label: 'Open the queues', done: queues, onPress: onQueues },
  ]
}

const task =
  'inline-flex min-h-7 items-center gap-1 rounded-sm hover:underline max-md:min-h-11 max-md:w-full max-md:px-2'

function Task({ label, done, href, onPress, onFollow }: TaskProps & { onFollow: () => void }) {
  const content = (
    <>
      {done ? <CircleCheck size={16} aria-hidden="true" /> : <Circle size={16} aria-hidden="true" />}
      <span className={cx(done && 'line-through')}>{label}</span>
      {done ? <span className="sr-only">, done</span> : null}
    </>
  )
  const follow = () => {
    onFollow()
    onPress?.()
  }
  return (
    <li>
      {href ? (
        <Link href={href} onClick={onFollow} className={task}>
          {content}
        </Link>
      ) : (
        <button type="button" onClick={follow} className={task}>
          {content}
        </button>
      )}
    </li>
  )
}
