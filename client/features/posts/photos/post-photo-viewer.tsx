import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { postQuery } from '#client/lib/post/cached-posts.ts'
import { toastFailure } from '#client/ui/toast-store.ts'
import { photoGroups } from './photo-gallery.tsx'
import { PhotoViewer } from './photo-viewer.tsx'

interface PostPhotoViewerProps {
  postId: string
  title: string
  /** URL of the photo to show first, and while the other photos load. */
  first: string
  onClose: () => void
}

/** The photo viewer for screens that have not loaded the post. */
export function PostPhotoViewer({ postId, title, first, onClose }: PostPhotoViewerProps) {
  const { data, error } = useQuery(postQuery(postId))
  const [shown, setShown] = useState(first)
  useEffect(() => {
    if (error) toastFailure('The other photos could not be loaded', error)
  }, [error])
  const loaded = data ? photoGroups(data).flatMap((group) => group.photos) : []
  const photos = loaded.length > 0 ? loaded : [{ src: first, label: title, tint: null }]
  const index = photos.findIndex(({ src }) => src === shown)
  return (
    <PhotoViewer
      photos={photos}
      index={Math.max(0, index)}
      onIndex={(to) => setShown(photos.at(to % photos.length)?.src ?? first)}
      title={title}
      onClose={onClose}
    />
  )
}
