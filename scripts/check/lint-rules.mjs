/** @typedef {import('eslint').Rule.RuleModule} Rule */

const COLLECTIONS = new Set(['Map', 'Set', 'WeakMap', 'WeakSet'])
const READ_ONLY = /^(Readonly|ReadonlyMap|ReadonlySet|ReadonlyArray)$/

/** True if the declared type is read-only. @param {any} annotation a TypeScript node, which ESLint's types do not cover */
const isReadOnly = (annotation) =>
  annotation?.type === 'TSTypeOperator' || READ_ONLY.test(annotation?.typeName?.name ?? '')

/** True if the expression creates a mutable value. @param {any} made */
function canChange(made) {
  if (made?.type === 'NewExpression') return COLLECTIONS.has(made.callee.name)
  if (made?.type === 'ObjectExpression') return made.properties.length === 0
  if (made?.type === 'ArrayExpression') return made.elements.length === 0
  if (made?.type !== 'CallExpression') return false
  let { callee } = made
  while (callee.type === 'CallExpression') callee = callee.callee
  return /Function/.test(callee.type) || /^create(?!Context$)/.test(callee.name ?? '')
}

/** @type {Rule} */
const noModuleState = {
  create: (context) => ({
    Program({ body }) {
      for (const statement of body) {
        const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        if (declaration?.type !== 'VariableDeclaration') continue
        for (const one of declaration.declarations) {
          const { typeAnnotation } = /** @type {any} */ (one.id)
          if (declaration.kind === 'const' && (isReadOnly(typeAnnotation?.typeAnnotation) || !canChange(one.init)))
            continue
          const message =
            'This state survives a log-out. Use defineSlice() of #client/lib/storage/store-slice.ts, or tab. See docs/adr/0012.'
          context.report({ node: one, message })
        }
      }
    },
  }),
}

const MOVING_CALLS = new Set(['animate', 'startViewTransition'])
const MOVING_STYLES = /scroll-smooth|scroll-behavior/

/** @type {Rule} */
const noScriptedMotion = {
  create(context) {
    const report = (/** @type {any} */ node) =>
      context.report({
        node,
        message: 'This animates even if the dealer prefers reduced motion. Animate in a style sheet.',
      })
    return /** @type {any} */ ({
      Property(/** @type {any} */ node) {
        const name = node.key.name ?? node.key.value
        if (name === 'scrollBehavior' || (name === 'behavior' && node.value.value === 'smooth')) report(node)
      },
      MemberExpression(/** @type {any} */ node) {
        if (MOVING_CALLS.has(node.property.name)) report(node)
      },
      JSXOpeningElement(/** @type {any} */ node) {
        if (String(node.name.name).startsWith('animate')) report(node)
      },
      Literal(/** @type {any} */ node) {
        if (typeof node.value === 'string' && MOVING_STYLES.test(node.value)) report(node)
      },
      TemplateElement(/** @type {any} */ node) {
        if (MOVING_STYLES.test(node.value.raw)) report(node)
      },
    })
  },
}

const LOCALE_CALLS = /^toLocale(?:Date|Time)?String$/
const FORMATS = new Set(['NumberFormat', 'DateTimeFormat'])

/** @type {Rule} */
const noOwnFormat = {
  create(context) {
    const report = (/** @type {any} */ node) =>
      context.report({ node, message: 'Text of numbers, money and dates comes from #shared/format.ts.' })
    return /** @type {any} */ ({
      MemberExpression(/** @type {any} */ node) {
        const { name = '' } = node.property
        if (LOCALE_CALLS.test(name) || (node.object.name === 'Intl' && FORMATS.has(name))) report(node)
      },
      TemplateElement(/** @type {any} */ node) {
        if (!node.tail && node.value.raw.endsWith('$')) report(node)
      },
    })
  },
}

export default {
  meta: { name: 'lanewire' },
  rules: {
    'no-module-state': noModuleState,
    'no-own-format': noOwnFormat,
    'no-scripted-motion': noScriptedMotion,
  },
}
