import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { meKey, vehicleActivityKey } from '#client/lib/query/query-keys.ts'
import { networkQuery, recommendedQuery } from './dealers.api.ts'
import { directoryKey } from './directory.api.ts'
import { profilesKey } from './profile.api.ts'

export const dealersInbox = {
  connection: (cache) => {
    void cache.invalidateQueries({ queryKey: networkQuery().queryKey })
    void cache.invalidateQueries({ queryKey: recommendedQuery().queryKey })
    void cache.invalidateQueries({ queryKey: directoryKey })
    void cache.invalidateQueries({ queryKey: profilesKey })
    void cache.invalidateQueries({ queryKey: meKey })
  },
  request: (cache) => void cache.invalidateQueries({ queryKey: profilesKey }),
  profile: (cache) => {
    void cache.invalidateQueries({ queryKey: meKey })
    void cache.invalidateQueries({ queryKey: profilesKey })
  },
  deal: (cache) => void cache.invalidateQueries({ queryKey: vehicleActivityKey }),
  saved: (cache) => void cache.invalidateQueries({ queryKey: vehicleActivityKey }),
} satisfies InboxHandlers
