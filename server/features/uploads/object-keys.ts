/** What the client sent, kept only until its sizes are made: it may hold the place and the camera in its metadata. */
export const originalKey = (objectId: string) => `${objectId}/original`

/** A picture in one width, ready to be served. */
export const sizeKey = (objectId: string, width: number) => `${objectId}/${width}.webp`
