/** A picture's original is deleted once its sizes exist, because its metadata may include the location and the camera. */
export const originalKey = (objectId: string) => `${objectId}/original`

export const sizeKey = (objectId: string, width: number) => `${objectId}/${width}.webp`

/** Posts, comments, messages and profiles store this URL. The content behind it never changes. */
export const objectPath = (id: string) => `/api/objects/${id}`
