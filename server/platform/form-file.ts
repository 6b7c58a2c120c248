import type { FastifyRequest } from 'fastify'
import { AppError, badRequest, tooLarge } from '#server/errors.ts'

/** The parser's own refusals say what they are; a form that it cannot make sense of is a plain error. */
const isTold = (error: unknown) => error instanceof Error && 'statusCode' in error

/**
 * The one file of a form. `words` are for the person who sent it.
 * @throws AppError 400 for what is no form, is broken or has no file in it, 413 above `maxBytes`
 */
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
    if (error instanceof AppError || isTold(error)) throw error
    throw badRequest('The form could not be read. Send it again')
  }
}
