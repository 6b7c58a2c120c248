/** What the client sent, kept only until its sizes are made: it may hold the place and the camera in its metadata. */
export const originalKey = (objectId: string) => `${objectId}/original`

/** A picture in one width, ready to be served. */
export const sizeKey = (objectId: string, width: number) => `${objectId}/${width}.webp`

/**
 * The address under which a file is stored in posts, comments, messages and profiles. It names one content for ever: what
 * takes its place has another.
 */
export const objectPath = (id: string) => `/api/objects/${id}`
