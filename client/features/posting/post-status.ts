import { plural } from '#client/ui/format.ts'
import { isBlank } from '#shared/visible-text.ts'
import { isUploading, type QueuedPhoto } from './photos/photo-queue.ts'
import { type PostDraft, shownVehicles } from './post-draft.ts'
import { isComplete, isTouched, missingFields } from './vehicle-draft.ts'

/** Lists the missing fields in form order. Once one vehicle is complete, the other vehicles may stay incomplete. */
export function stillNeeded(draft: PostDraft): string[] {
  const vehicles = shownVehicles(draft)
  const [open] = vehicles.some(isComplete) ? [] : vehicles
  return [
    ...(open ? missingFields(open) : []),
    ...(isBlank(draft.title) ? ['title'] : []),
    ...(draft.type === 'spreadsheet' && isBlank(draft.spreadsheetUrl) ? ['link'] : []),
  ]
}

/** Returns how many vehicles are complete and, if the post may leave out others, how many it will leave out. */
export function vehicleStatus(draft: PostDraft, leavesOut: boolean): string {
  if (draft.type === 'spreadsheet') return ''
  const vehicles = shownVehicles(draft)
  const complete = vehicles.filter(isComplete).length
  const left = vehicles.filter((vehicle) => !isComplete(vehicle) && isTouched(vehicle)).length
  if (draft.type === 'single' && complete === 0) return ''
  const verdict =
    draft.type === 'single'
      ? plural(complete, 'complete vehicle')
      : `${complete} of ${plural(vehicles.length, 'vehicle')} complete`
  return leavesOut && left > 0 && complete > 0 ? `${verdict}, ${left} incomplete will be left out` : verdict
}

export function photoStatus(photos: readonly QueuedPhoto[]): string[] {
  const count = (is: (photo: QueuedPhoto) => boolean) => photos.filter(is).length
  const done = count(({ state }) => state === 'done')
  const under = count(isUploading)
  const processing = count(({ state }) => state === 'processing')
  const held = count(({ state }) => state === 'held')
  const failed = count(({ state }) => state === 'failed')
  return [
    done > 0 ? `${plural(done, 'photo')} uploaded` : '',
    under > 0 ? `${under} uploading` : '',
    processing > 0 ? `${processing} processing` : '',
    held > 0 ? `${held} waiting for a connection` : '',
    failed > 0 ? `${failed} failed` : '',
  ]
}
