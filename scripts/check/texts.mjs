import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { inRoot } from '../root.mjs'

/** @typedef {'comment' | 'title' | 'assertion' | 'string' | 'document'} Kind */
/** @typedef {{ kind: Kind, line: number, text: string }} Text */

const MARKS = /^\s*(?:#|\/\*\*?|\*\/|\*|\/\/|<!--|-->|--)\s?|\s*(?:\*\/|-->)\s*$/g

/** @param {Kind} kind @param {string} passage @param {number} first line number @returns {Text[]} one text per line */
const linesOf = (kind, passage, first) =>
  passage.split('\n').map((line, index) => ({ kind, line: first + index, text: line.replaceAll(MARKS, '').trim() }))

const spacesFor = (/** @type {string} */ passage) => passage.replaceAll(/[^\n]/g, ' ')

/** Returns the texts of a Markdown document, with its code replaced by spaces. @param {string} source */
const textsOfDocument = (source) => linesOf('document', source.replaceAll(/^```.*?^```|`[^`\n]*`/gms, spacesFor), 1)

/** @param {string} source @param {RegExp} comments */
const textsOfComments = (source, comments) =>
  [...source.matchAll(comments)].flatMap(({ 0: comment, index }) =>
    linesOf('comment', comment, source.slice(0, index).split('\n').length),
  )

/** @param {ts.Node} node a literal or a template @returns {Kind} depends on the function that the text is passed to */
function kindOf(node) {
  if (!ts.isCallExpression(node.parent)) return 'string'
  const index = node.parent.arguments.indexOf(/** @type {ts.Expression} */ (node))
  const callee = node.parent.expression.getText()
  if (index === 0 && /\btest(?:\.\w+)?$/.test(callee)) return 'title'
  return /^t\.\w+$/.test(callee) && index >= (/\.(?:ok|notOk)$/.test(callee) ? 1 : 2) ? 'assertion' : 'string'
}

/** True if the text is part of an sql`…` template. @param {ts.Node} node */
function isQuery({ parent }) {
  let template = ts.isTemplateSpan(parent) ? parent.parent : parent
  if (ts.isTemplateExpression(template)) template = template.parent
  return ts.isTaggedTemplateExpression(template) && template.tag.getText().startsWith('sql')
}

/** @param {string} file @param {string} source @returns {Text[]} */
function textsOfCode(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  /** @type {Text[]} */
  const texts = []
  const lineOf = (/** @type {number} */ position) => tree.getLineAndCharacterOfPosition(position).line + 1
  // Replace literals with spaces, so that `//` in a URL or a regular expression does not look like a comment.
  let rest = ''
  let end = 0
  /** @param {ts.Node} node */
  function visit(node) {
    const isText =
      ts.isLiteralExpression(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isTemplateHead(node) ||
      ts.isJsxText(node)
    if (!isText) {
      ts.forEachChild(node, visit)
      return
    }
    const start = ts.isJsxText(node) ? node.pos : node.getStart(tree)
    rest += source.slice(end, start) + source.slice(start, node.end).replaceAll(/[^\n]/g, ' ')
    end = node.end
    if (ts.isNumericLiteral(node) || isQuery(node)) return
    const kind = kindOf(ts.isTemplateHead(node) ? node.parent : node)
    texts.push({ kind, line: lineOf(start), text: node.text.trim() })
  }
  visit(tree)
  rest += source.slice(end)
  for (const { 0: comment, index } of rest.matchAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g))
    texts.push(...linesOf('comment', source.slice(index, index + comment.length), lineOf(index)))
  return texts.filter(({ text }) => text !== '')
}

/** Returns the comments, test titles and other texts of a file. @param {string} file @returns {Text[]} */
export function textsOf(file) {
  const source = readFileSync(inRoot(file), 'utf8')
  if (file.endsWith('.md')) return textsOfDocument(source)
  if (/\.(?:tsx?|mjs)$/.test(file)) return textsOfCode(file, source)
  if (/\.(?:sql|css|html)$/.test(file)) return textsOfComments(source, /\/\*[^]*?\*\/|<!--[^]*?-->|^\s*--.*/gm)
  return textsOfComments(source, /^\s*(?:#|\/\/).*/gm)
}
