import { useEffect, useEffectEvent, useState } from 'react'
import { defineSlice } from '#client/lib/storage/store-slice.ts'
import type { Photos } from '../photos/use-photo-queue.ts'

interface SharedPost {
  /** Photos to add to the next form that opens. */
  files: readonly File[]
  /** VINs to look up as if the dealer had typed them. */
  vins: readonly string[]
  /** Messages about shared photos that were skipped. */
  notes: readonly string[]
}

/** Passes photos and VINs from the share dialog to the Post Inventory dialog. The rest of the share is in the stored draft. */
export const sharedPost = defineSlice<SharedPost>('shared-post', () => ({ files: [], vins: [], notes: [] }))

/** Adds shared photos to a form that has just opened. Returns messages about photos that were skipped. */
export function useSharedPost(photos: Photos, isEnabled: boolean): readonly string[] {
  const [notes] = useState(() => (isEnabled ? sharedPost.get().notes : []))
  const add = useEffectEvent((files: readonly File[]) => photos.add(files))
  useEffect(() => {
    const { files } = sharedPost.get()
    if (!isEnabled || files.length === 0) return
    sharedPost.set((state) => void (state.files = []))
    add(files)
  }, [isEnabled])
  useEffect(() => sharedPost.set((state) => void (state.notes = [])), [])
  return notes
}

export const isSharedVin = (vin: string): boolean => sharedPost.get().vins.includes(vin)

export const forgetSharedVin = (vin: string): void =>
  sharedPost.set((state) => void (state.vins = state.vins.filter((one) => one !== vin)))
