import { Fragment } from 'react'
import { type KeyName, keys, type Stroke } from '#client/lib/keys/shortcuts.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { Kbd } from '#client/ui/kbd.tsx'

const does: Record<KeyName, { where: string; what: string }> = {
  search: { where: 'Everywhere', what: 'Search everything' },
  help: { where: 'Everywhere', what: 'Show keyboard shortcuts' },
  close: { where: 'Everywhere', what: 'Close the open dialog, auction or chat' },
  nextPost: { where: 'In the feed', what: 'Go to the next post' },
  previousPost: { where: 'In the feed', what: 'Go to the previous post' },
  openPost: { where: 'In the feed', what: 'Open the post' },
  afterFeed: { where: 'In the feed', what: 'Skip past the feed' },
  beforeFeed: { where: 'In the feed', what: 'Skip back above the feed' },
  nextFound: { where: 'In the search', what: 'Go to the next result' },
  previousFound: { where: 'In the search', what: 'Go to the previous result' },
  openFound: { where: 'In the search', what: 'Open the result' },
  findText: { where: 'In Find', what: 'Focus the search field' },
  findFilters: { where: 'In Find', what: 'Go to the filters' },
  nextVehicle: { where: 'In Find', what: 'Go to the next vehicle' },
  previousVehicle: { where: 'In Find', what: 'Go to the previous vehicle' },
  openVehicle: { where: 'In Find', what: "Open the vehicle's post" },
  watchVehicle: { where: 'In Find', what: "Watch or unwatch the vehicle's post" },
  nextPhoto: { where: 'In photos', what: 'Show the next photo' },
  previousPhoto: { where: 'In photos', what: 'Show the previous photo' },
  firstPhoto: { where: 'In photos', what: 'Show the first photo' },
  lastPhoto: { where: 'In photos', what: 'Show the last photo' },
  growPhoto: { where: 'In an enlarged photo', what: 'Zoom in' },
  shrinkPhoto: { where: 'In an enlarged photo', what: 'Zoom out' },
  wholePhoto: { where: 'In an enlarged photo', what: 'Fit to screen' },
  send: { where: 'In a chat', what: 'Send the message; Shift+Enter starts a new line' },
  lanePosition: { where: 'In Lane', what: 'Go to that position' },
  laneLeft: { where: 'In Lane', what: 'Go to the position on the left' },
  laneRight: { where: 'In Lane', what: 'Go to the position on the right' },
  laneUp: { where: 'In Lane', what: 'Go to the position above' },
  laneDown: { where: 'In Lane', what: 'Go to the position below' },
  laneBid: { where: 'In Lane', what: 'Bid the first increment' },
  laneBidMore: { where: 'In Lane', what: 'Bid the second increment' },
  laneConfirm: { where: 'In Lane', what: 'Confirm the bid' },
  laneDisarm: { where: 'In Lane', what: 'Cancel the bid' },
  laneMaximum: { where: 'In Lane', what: 'Set your maximum' },
  lanePin: { where: 'In Lane', what: 'Pin the row, or choose an auction for this position' },
  laneUrgent: { where: 'In Lane', what: "Go to auctions where you've been outbid, ending soonest first" },
  laneOpen: { where: 'In Lane', what: 'Open the full auction' },
  lanePhotos: { where: 'In Lane', what: 'View all photos' },
  laneFill: { where: 'In Lane', what: 'Fill the positions with the auctions ending soonest' },
  laneSound: { where: 'In Lane', what: 'Turn sound on or off' },
}

const listed = Object.keys(does) as KeyName[]
const places = [...new Set(listed.map((name) => does[name].where))]

const names: Record<string, string> = {
  Escape: 'Esc',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageDown: 'Page Down',
  PageUp: 'Page Up',
}

const nameOf = (key: string): string => names[key] ?? (/^[a-z]$/.test(key) ? key.toUpperCase() : key)

const isMac = () => /mac|iphone|ipad/i.test(navigator.userAgent)

const namesOf = ({ key, command: held, shift }: Stroke): string[] => [
  ...(held ? [isMac() ? '⌘' : 'Ctrl'] : []),
  ...(shift ? ['Shift'] : []),
  nameOf(key),
]

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Keys"
      description="Shortcuts are off while you're typing."
    >
      {places.map((place) => (
        <section key={place} className="not-first:mt-4">
          <h3 className="pb-1 text-xs font-medium text-ink-3">{place}</h3>
          <dl className="divide-y divide-line">
            {listed
              .filter((name) => does[name].where === place)
              .map((name) => (
                <div key={name} className="flex min-h-9 items-center justify-between gap-4 py-1">
                  <dt>{does[name].what}</dt>
                  <dd className="flex flex-none flex-wrap items-center justify-end gap-1 text-xs text-ink-3">
                    <Strokes strokes={keys[name]} />
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}

const Strokes = ({ strokes }: { strokes: readonly Stroke[] }) =>
  strokes.map((stroke, index) => (
    <Fragment key={namesOf(stroke).join(' ')}>
      {index > 0 ? ' or ' : null}
      {namesOf(stroke).map((name) => (
        <Kbd key={name}>{name}</Kbd>
      ))}
    </Fragment>
  ))
