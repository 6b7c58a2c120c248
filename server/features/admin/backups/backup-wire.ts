const headLength = 5

/** A message of PostgreSQL's protocol: a type, the length of what follows with itself, a body. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(headLength)
  head.write(type)
  head.writeInt32BE(body.length + headLength - 1, 1)
  return Buffer.concat([head, body])
}

/** What a server says to a client that it lets in. @param parameters as the real server has them */
export function greeting(parameters: Record<string, string>): Buffer {
  const [welcome, keyOfNothing, idle] = [Buffer.alloc(4), Buffer.alloc(8), Buffer.from('I')]
  return Buffer.concat([
    message('R', welcome),
    ...Object.entries(parameters).map(([name, value]) => message('S', Buffer.from(`${name}\0${value}\0`))),
    message('K', keyOfNothing),
    message('Z', idle),
  ])
}
