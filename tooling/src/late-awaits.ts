import { parseSync } from 'oxc-parser'

type Node = { readonly type: string; readonly start: number }

const declares = new Set(['describe', 'test', 'suite', 'it'])
const isFunction = /Function/

/**
 * The lines of a test file on which the file itself waits after it has declared a test. The tests before may end while it
 * waits; then those after it are cancelled.
 */
export const findLateAwaits = (path: string, text: string): readonly number[] => {
  if (!path.endsWith('.test.ts')) return []
  const late: number[] = []
  let hasTests = false
  for (const statement of parseSync(path, text).program.body) {
    const own = [...nodesOf(statement)]
    const declaresTests = own.some(isDeclaration)
    // What is waited for in the first declaration comes before it, but not in a loop.
    const isLate = hasTests || (declaresTests && statement.type.startsWith('For'))
    if (isLate)
      for (const { type, start } of own)
        if (type === 'AwaitExpression' || (type === 'ForOfStatement' && isAwaiting(text, start)))
          late.push(text.slice(0, start).split('\n').length)
    hasTests ||= declaresTests
  }
  return late
}

const isDeclaration = (node: Node): boolean =>
  node.type === 'CallExpression' &&
  'callee' in node &&
  isNode(node.callee) &&
  'name' in node.callee &&
  declares.has(String(node.callee.name))

const isAwaiting = (text: string, start: number): boolean =>
  /^for\s+await\b/.test(text.slice(start, start + 20))

/** All nodes below, and itself, but not those that run later. */
const nodesOf = function* (node: Node): Generator<Node> {
  if (isFunction.test(node.type)) return
  yield node
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isNode(child)) yield* nodesOf(child)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value
