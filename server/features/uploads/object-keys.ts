/** The file as uploaded. Kept only until its sizes are made, because its metadata may include location and camera. */
export const originalKey = (objectId: string) => `${objectId}/original`

export const sizeKey = (objectId: string, width: number) => `${objectId}/${width}.webp`

/** URL of a file as stored in posts, comments, messages and profiles. Its content never changes. */
export const objectPath = (id: string) => `/api/objects/${id}`
