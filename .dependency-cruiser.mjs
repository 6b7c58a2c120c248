// Import rules. They are derived from paths, so that a new feature is covered as soon as its folder exists.

const feature = '^(server|client)/features/([^/]+)/'

const joints =
  '^server/(main|server|app|jobs|live|routes|events|leaving|retention|finished-uploads)\\.ts$|^server/(db|standins)/'

/**
 * Floors of the server's features, lowest first. A feature may import features of lower floors and features listed before it on its
 * own floor. docs/architecture.md has a diagram.
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
  // A new feature must be added to a floor before it can import features or be imported.
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
    'A feature imports lower floors only. Move shared code down, or connect the features at the top, as in server/leaving.ts. Add a new feature to `floors`.',
  ...rule,
}))

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const forbidden = [
  ...featuresHaveFloors,
  {
    name: 'no-cycles',
    severity: 'error',
    comment: 'Circular import: move shared code into a third file.',
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
    comment: 'shared/ imports only typebox. Move code that both sides need into shared/.',
    from: { path: '^shared/' },
    to: { pathNot: '^shared/|^node_modules/typebox/' },
  },
  {
    name: 'client-loads-no-schema',
    severity: 'error',
    comment:
      'The client imports only types of schemas, because TypeBox adds 28 KB to the first load. Move constants to shared/constants/.',
    from: { path: '^client/' },
    to: { path: '^shared/(schemas|events)/|^shared/values', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'constants-load-no-schema',
    severity: 'error',
    comment: 'The client loads these constants, so they import only types of schemas.',
    from: { path: '^shared/constants/' },
    to: { path: '^shared/(schemas|events)/|^shared/values|typebox', dependencyTypesNot: ['type-only'] },
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
    comment: 'A repository imports only platform/db and types. Put rules into the service.',
    from: { path: '^server/features/.*\\.repository\\.ts$' },
    to: {
      path: '^server/(?!(platform|features)/|errors\\.ts$|db/schema\\.ts$)|\\.(service|routes|live|jobs)\\.ts$',
    },
  },
  {
    name: 'feature-keeps-its-own',
    severity: 'error',
    comment: "Call the other feature's service. Its repository, routes, live and jobs are private.",
    from: { path: '^server/features/([^/]+)/' },
    to: {
      path: '^server/features/[^/]+/.*\\.(repository|routes|live|jobs)\\.ts$',
      pathNot: '^server/features/$1/',
    },
  },
  {
    name: 'service-knows-no-listener',
    severity: 'error',
    comment: 'A service imports no routes, sockets or jobs. Emit an event instead.',
    from: { path: '^server/features/.*\\.service\\.ts$' },
    to: { path: '\\.(routes|live|jobs)\\.ts$' },
  },
  {
    name: 'sql-through-a-service',
    severity: 'error',
    comment: 'Call a service instead of a repository.',
    from: { path: '^server/', pathNot: `^server/features/|${joints}` },
    to: { path: '^server/features/.*\\.repository\\.ts$' },
  },
  {
    name: 'stand-ins-are-apart',
    severity: 'error',
    comment: 'Only server/main.ts imports stand-ins.',
    from: { path: '^(server|client|shared)/', pathNot: '^server/(standins/|main\\.ts$)' },
    to: { path: '^server/standins/' },
  },
  {
    name: 'client-features-meet-in-pages',
    severity: 'error',
    comment: 'Compose features in client/pages, or move shared code to client/ui or client/lib.',
    from: { path: '^client/features/([^/]+)/' },
    to: { path: '^client/features/', pathNot: '^client/features/$1/' },
  },
  {
    name: 'pages-compose',
    severity: 'error',
    comment: 'Only pages and app import pages and app. Pass it as a prop.',
    from: { path: '^client/(features|ui|lib)/' },
    to: { path: '^client/(pages|app)/' },
  },
  {
    name: 'ui-asks-nothing',
    severity: 'error',
    comment: 'client/ui imports no features. Take the data as a prop.',
    from: { path: '^client/ui/' },
    to: { path: feature },
  },
  {
    name: 'lib-is-below',
    severity: 'error',
    comment: 'client/lib imports neither features nor client/ui.',
    from: { path: '^client/lib/' },
    to: { path: '^client/(features|ui)/' },
  },
  {
    name: 'files-that-exist',
    severity: 'error',
    comment: 'No such file. Write the full name with its extension.',
    from: {},
    to: { couldNotResolve: true, pathNot: '^virtual:|\\?' },
  },
]

// dependency-cruiser requires a default export.
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
