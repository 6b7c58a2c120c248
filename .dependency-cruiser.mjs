/**
 * Import rules, derived from paths, so that they cover a new feature as soon as its folder exists. Each comment says
 * what to do instead.
 */

const feature = '^(server|client)/features/([^/]+)/'

/** Files of the server that join the features and so may know all of them. */
const joints =
  '^server/(main|server|app|jobs|live|routes|events|leaving|retention|settled-uploads)\\.ts$|^server/(db|standins)/'

/**
 * Floors of the server's features, from the ground up. A feature imports those of lower floors and those before it on its
 * own floor, so features never import one another in a circle. docs/architecture.md draws them.
 */
const floors = [
  ['audit', 'entitlements', 'notifications', 'reports', 'uploads'],
  ['dealers'],
  ['billing', 'find', 'messaging', 'wanted', 'promotions', 'reviews', 'auth'],
  ['sale', 'push'],
  ['deals', 'auctions', 'posts'],
  ['comments', 'dashboard', 'lane', 'onboarding', 'posting', 'saved', 'search', 'site'],
  ['account', 'admin', 'moderation', 'ops', 'demo'],
]
const order = floors.flat()

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const featuresHaveFloors = [
  ...order.slice(0, -1).map((name, index) => ({
    from: { path: `^server/features/${name}/` },
    to: { path: `^server/features/(${order.slice(index + 1).join('|')})/` },
  })),
  // A new feature has no floor yet.
  {
    from: { path: '^server/', pathNot: joints },
    to: { path: `^server/features/(?!(${order.join('|')})/)` },
  },
  {
    from: { path: `^server/features/(?!(${order.join('|')})/)` },
    to: { path: '^server/' },
  },
].map((rule) => ({
  name: 'features-have-floors',
  severity: 'error',
  comment:
    'A feature imports lower floors only: move what both need down, or join the two at the top, as in server/leaving.ts. A new feature gets a place in `floors`.',
  ...rule,
}))

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const forbidden = [
  ...featuresHaveFloors,
  {
    name: 'no-cycles',
    severity: 'error',
    comment: 'Files import one another in a circle: move what both need into a third file.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'nothing-imports-tests',
    severity: 'error',
    comment: 'Product code does not import tests.',
    from: { pathNot: '^(tests|bench)/' },
    to: { path: '^tests/' },
  },
  {
    name: 'shared-stands-alone',
    severity: 'error',
    comment: 'shared/ imports typebox and nothing else: move what both sides need into shared/.',
    from: { path: '^shared/' },
    to: { pathNot: '^shared/|^node_modules/typebox/' },
  },
  {
    name: 'client-and-server-never-meet',
    severity: 'error',
    comment: 'Put the contract into shared/.',
    from: { path: '^(client|server)/' },
    to: { path: '^(client|server)/', pathNot: '^$1/' },
  },
  {
    name: 'platform-knows-no-feature',
    severity: 'error',
    comment: 'Let the feature register itself in app.ts or listen on the bus.',
    from: { path: '^server/(platform|realtime)/' },
    to: { path: '^server/features/' },
  },
  {
    name: 'repository-is-sql-only',
    severity: 'error',
    comment: 'A repository imports platform/db and types; the rule belongs into the service.',
    from: { path: '^server/features/.*\\.repository\\.ts$' },
    to: {
      path: '^server/(?!(platform|features)/|errors\\.ts$|db/schema\\.ts$)|\\.(service|routes|live|jobs)\\.ts$',
    },
  },
  {
    name: 'feature-keeps-its-own',
    severity: 'error',
    comment: "Ask the other feature's service; its repository, routes, live and jobs are its own.",
    from: { path: '^server/features/([^/]+)/' },
    to: {
      path: '^server/features/[^/]+/.*\\.(repository|routes|live|jobs)\\.ts$',
      pathNot: '^server/features/$1/',
    },
  },
  {
    name: 'service-knows-no-listener',
    severity: 'error',
    comment: 'A service knows no route, socket or job: emit an event and let them listen.',
    from: { path: '^server/features/.*\\.service\\.ts$' },
    to: { path: '\\.(routes|live|jobs)\\.ts$' },
  },
  {
    name: 'sql-through-a-service',
    severity: 'error',
    comment: 'SQL is reached through a service.',
    from: { path: '^server/', pathNot: `^server/features/|${joints}` },
    to: { path: '^server/features/.*\\.repository\\.ts$' },
  },
  {
    name: 'stand-ins-are-apart',
    severity: 'error',
    comment: 'Stand-ins are started by server/main.ts and known to nobody else.',
    from: { path: '^(server|client|shared)/', pathNot: '^server/(standins/|main\\.ts$)' },
    to: { path: '^server/standins/' },
  },
  {
    name: 'client-features-meet-in-pages',
    severity: 'error',
    comment: 'Compose them in client/pages, or lift the shared part into client/ui or client/lib.',
    from: { path: '^client/features/([^/]+)/' },
    to: { path: '^client/features/', pathNot: '^client/features/$1/' },
  },
  {
    name: 'pages-compose',
    severity: 'error',
    comment: 'Pages and app compose features, not the other way round: pass it in.',
    from: { path: '^client/(features|ui|lib)/' },
    to: { path: '^client/(pages|app)/' },
  },
  {
    name: 'ui-asks-nothing',
    severity: 'error',
    comment: 'client/ui draws: take it as a prop.',
    from: { path: '^client/ui/' },
    to: { path: feature },
  },
  {
    name: 'lib-is-below',
    severity: 'error',
    comment: 'client/lib is below features and looks.',
    from: { path: '^client/lib/' },
    to: { path: '^client/(features|ui)/' },
  },
  {
    name: 'files-that-exist',
    severity: 'error',
    comment: 'Not a file: write the whole name with its ending.',
    from: {},
    to: { couldNotResolve: true, pathNot: '^virtual:|\\?' },
  },
]

// Read by the tool, which wants a default export.
// oxlint-disable-next-line import/no-default-export
export default {
  forbidden,
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
}
