import { ArrowUp } from 'lucide-react'
import { unreadBadgeCap } from '#shared/limits.ts'

/** New posts wait behind this, so that nothing moves under a reader. Its own row on phones. */
export function NewPostsPill({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div
      role="status"
      className="pointer-events-none sticky top-[calc(var(--frame-top,56px)+72px)] z-11 flex h-0 justify-center max-md:static max-md:h-auto"
    >
      {count > 0 ? (
        <button
          type="button"
          onClick={onShow}
          className="num pointer-events-auto inline-flex h-7 -translate-y-8 animate-fade items-center gap-2 rounded-full bg-accent pr-3 pl-2 font-medium text-on-accent shadow-2 hover:bg-accent-hover max-md:mt-2 max-md:h-11 max-md:translate-y-0 max-md:px-4 max-md:shadow-none"
        >
          <ArrowUp size={16} aria-hidden="true" />
          {count > unreadBadgeCap ? `${unreadBadgeCap}+` : count} new {count === 1 ? 'post' : 'posts'}
        </button>
      ) : null}
    </div>
  )
}
