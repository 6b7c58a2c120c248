/**
 * Storage key of the file as uploaded. A picture's original is kept only until its sizes have been made, because its metadata may include
 * the location and the camera.
 */
export const originalKey = (objectId: string) => `${objectId}/original`

export const sizeKey = (objectId: string, width: number) => `${objectId}/${width}.webp`

/** URL of a file as stored in posts, comments, messages and profiles. Its content never changes. */
export const objectPath = (id: string) => `/api/objects/${id}`
