import type { FastifyRequest } from 'fastify'
import { AppError, badRequest, tooLarge } from '#server/errors.ts'

/** Errors of the form parser have a status code, except those for a malformed form. */
const hasStatusCode = (error: unknown) => error instanceof Error && 'statusCode' in error

/** Returns the uploaded file. @throws 400 if the request is not a valid form or has no file; 413 if the file exceeds `maxBytes` */
export async function readFormFile(
  request: FastifyRequest,
  maxBytes: number,
  words: { missing: string; tooLarge: string },
): Promise<Buffer> {
  if (!request.isMultipart()) throw badRequest('Send the file as a form')
  try {
    const file = await request.file({ limits: { fileSize: maxBytes, files: 1 }, throwFileSizeLimit: false })
    const content = await file?.toBuffer()
    if (content === undefined) throw badRequest(words.missing)
    if (file?.file.truncated) throw tooLarge(words.tooLarge)
    return content
  } catch (error) {
    if (error instanceof AppError || hasStatusCode(error)) throw error
    throw badRequest('The form could not be read. Send it again')
  }
}
