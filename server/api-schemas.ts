import * as account from '#shared/schemas/account.ts'
import * as admin from '#shared/schemas/admin.ts'
import * as auctions from '#shared/schemas/auctions.ts'
import * as auth from '#shared/schemas/auth.ts'
import * as billing from '#shared/schemas/billing.ts'
import * as comments from '#shared/schemas/comments.ts'
import * as dashboard from '#shared/schemas/dashboard.ts'
import * as dealers from '#shared/schemas/dealers.ts'
import * as deals from '#shared/schemas/deals.ts'
import * as find from '#shared/schemas/find.ts'
import * as lane from '#shared/schemas/lane.ts'
import * as messaging from '#shared/schemas/messaging.ts'
import * as moderation from '#shared/schemas/moderation.ts'
import * as notifications from '#shared/schemas/notifications.ts'
import * as push from '#shared/schemas/push.ts'
import * as onboarding from '#shared/schemas/onboarding.ts'
import * as ops from '#shared/schemas/ops.ts'
import * as posting from '#shared/schemas/posting.ts'
import * as posts from '#shared/schemas/posts.ts'
import * as promotions from '#shared/schemas/promotions.ts'
import * as reviews from '#shared/schemas/reviews.ts'
import * as saved from '#shared/schemas/saved.ts'
import * as search from '#shared/schemas/search.ts'
import * as site from '#shared/schemas/site.ts'
import * as uploads from '#shared/schemas/uploads.ts'
import * as wanted from '#shared/schemas/wanted.ts'

const modules: readonly object[] = [
  account,
  admin,
  auctions,
  auth,
  billing,
  comments,
  dashboard,
  dealers,
  deals,
  find,
  lane,
  messaging,
  moderation,
  notifications,
  push,
  onboarding,
  ops,
  posting,
  posts,
  promotions,
  reviews,
  saved,
  search,
  site,
  uploads,
  wanted,
]

const isSchema = (value: unknown): value is object => typeof value === 'object' && value !== null && '~kind' in value

/** The API's schemas by name. Generated clients use the names as type names. */
export const namedSchemas: ReadonlyMap<object, string> = new Map(
  modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) => (isSchema(value) ? [[value, name] as const] : [])),
  ),
)
