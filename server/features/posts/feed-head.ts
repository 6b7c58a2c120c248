const everyMs = 2_000
const newPostsCap = 99

/** Gathers new posts and tells of them at most once in two seconds, the first at once. */
export function createHeadNotice(tell: (head: { newestId: string; newPosts: number }) => void) {
  let waiting = 0
  let newest = ''
  let quiet: NodeJS.Timeout | undefined
  const say = () => {
    quiet = undefined
    if (waiting === 0) return
    tell({ newestId: newest, newPosts: Math.min(waiting, newPostsCap) })
    waiting = 0
    quiet = setTimeout(say, everyMs)
    quiet.unref()
  }
  return (postId: string) => {
    waiting += 1
    newest = postId
    if (quiet === undefined) say()
  }
}
