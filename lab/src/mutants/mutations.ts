import { parseSync } from 'oxc-parser'

/** One small fault in a source: the text from `start` to `end` is replaced with `replacement`. */
export type Mutation = {
  readonly line: number
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** `was → is`, on one line. */
  readonly says: string
}

type Node = { readonly type: string; readonly start: number; readonly end: number }
type Change = Pick<Mutation, 'start' | 'end' | 'replacement'>
type Read = { readonly text: string; readonly node: Node & Readonly<Record<string, unknown>> }

const swapped: ReadonlyMap<string, string> = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['&&', '||'],
  ['||', '&&'],
])

/** The usual mutations, one at a time. */
export const mutationsOf = (path: string, text: string): readonly Mutation[] => {
  const changes: Change[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    if (!isNode(value)) return
    // Types are stripped before the code runs, so changing them has no effect.
    const isType = value.type.startsWith('TS') && !('expression' in value)
    if (isType || value.type === 'ImportDeclaration') return
    changes.push(...changesOf({ text, node: value }))
    for (const part of Object.values(value)) visit(part)
  }
  visit(parseSync(path, text).program)
  return changes
    .filter(({ start, end, replacement }) => text.slice(start, end) !== replacement)
    .map((change) => describe(text, change))
    .toSorted((one, other) => one.start - other.start)
}

const isNode = (value: unknown): value is Read['node'] =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const changesOf = ({ text, node }: Read): readonly Change[] => {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return swapOperator({ text, node })
    case 'Literal':
      return typeof node['value'] === 'boolean' ? [replace(node, String(!node['value']))] : []
    case 'UnaryExpression':
      return node['operator'] === '!' ? [replace(node, text.slice(node.start + 1, node.end))] : []
    case 'AwaitExpression':
      return [replace(node, text.slice(node.start + 'await '.length, node.end))]
    case 'ThrowStatement':
      return [replace(node, ';')]
    case 'ReturnStatement':
      return node['argument'] === null ? [] : [replace(node, 'return undefined')]
    case 'ArrowFunctionExpression':
      return node['expression'] === true ? replacePart(node['body'], 'undefined') : []
    case 'IfStatement':
      return [...replacePart(node['test'], 'true'), ...replacePart(node['test'], 'false')]
    default:
      return []
  }
}

const replace = ({ start, end }: Node, replacement: string): Change => ({ start, end, replacement })

const replacePart = (part: unknown, replacement: string): readonly Change[] =>
  isNode(part) ? [replace(part, replacement)] : []

const swapOperator = ({ text, node }: Read): readonly Change[] => {
  const { operator, left, right } = node
  const other = typeof operator === 'string' ? swapped.get(operator) : undefined
  if (other === undefined || !isNode(left) || !isNode(right)) return []
  const at = text.lastIndexOf(String(operator), right.start)
  // Mixed with `??`, the other operator would need parentheses.
  const isAlone = !text.slice(node.start, node.end).includes('??')
  return at < left.end || !isAlone
    ? []
    : [{ start: at, end: at + String(operator).length, replacement: other }]
}

const describe = (text: string, change: Change): Mutation => {
  const before = text.slice(0, change.start)
  const startOfLine = before.lastIndexOf('\n') + 1
  const was = oneLine(text.slice(startOfLine, change.end))
  const is = oneLine(text.slice(startOfLine, change.start) + change.replacement)
  return { ...change, line: before.split('\n').length, says: `${was} → ${is}` }
}

const longest = 110

const oneLine = (text: string): string => {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > longest ? `…${line.slice(-longest)}` : line
}
