import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { listSources } from './sources.ts'

/** What costs a reader more than it says. */
export const kinds = [
  'nested ternary',
  'type used once',
  'forwarding function',
  'conditional spread',
  'Pick',
] as const
export type Kind = (typeof kinds)[number]
export type Place = { readonly kind: Kind; readonly path: string; readonly line: number }

/** Nodes that change nothing of what they are around. */
const wrappers = new Set(['ParenthesizedExpression', 'TSAsExpression', 'TSSatisfiesExpression'])

type Node = { readonly type: string; readonly start: number; readonly end: number }

export const isMeasured = (path: string): boolean =>
  !/\.(test|suite|stories)\.tsx?$|\.d\.ts$/.test(path) && !/(^|\/)(test|testing|journeys)\//.test(path)

export const findCeremony = (path: string, text: string): readonly Place[] => {
  const { program } = parseSync(path, text)
  const nodes = [...withParents(program)]
  const found = nodes.flatMap(({ node, parent }) =>
    kindsOf(node, parent).map((kind) => ({ kind, start: node.start })),
  )
  const once = typesUsedOnce(nodes.map(({ node }) => node)).map((start) => ({
    kind: 'type used once' as const,
    start,
  }))
  return [...found, ...once].map(({ kind, start }) => ({
    kind,
    path,
    line: text.slice(0, start).split('\n').length,
  }))
}

const withParents = function* (
  node: Node,
  parent?: Node,
): Generator<{ readonly node: Node; readonly parent: Node | undefined }> {
  yield { node, parent }
  const above = wrappers.has(node.type) ? parent : node
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isNode(child)) yield* withParents(child, above)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

const kindsOf = (node: Node, parent: Node | undefined): readonly Kind[] => {
  if (node.type === 'ConditionalExpression' && parent?.type === 'ConditionalExpression')
    return ['nested ternary']
  if (isFunction(node) && forwards(node, parent)) return ['forwarding function']
  if (node.type === 'SpreadElement' && parent?.type === 'ObjectExpression' && isConditional(node))
    return ['conditional spread']
  if (node.type === 'TSTypeReference' && nameOf(childOf(node, 'typeName')) === 'Pick') return ['Pick']
  return []
}

const isConditional = (spread: Node): boolean =>
  ['ConditionalExpression', 'LogicalExpression'].includes(bare(childOf(spread, 'argument'))?.type ?? '')

const isFunction = ({ type }: Node): boolean =>
  ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'].includes(type)

/**
 * The body is one call, whose arguments are the parameters in their order. A callback that calls a method is none, because
 * a method loses its `this` when it is passed alone; nor is a name for a pattern.
 */
const forwards = (node: Node, parent: Node | undefined): boolean => {
  const names = childrenOf(node, 'params').map(nameOf)
  const call = withoutAwait(returned(childOf(node, 'body')))
  if (names.length === 0 || names.includes(undefined) || call?.type !== 'CallExpression') return false
  const callee = childOf(call, 'callee')
  if (callee?.type === 'MemberExpression' && (isCallback(parent) || isPattern(callee))) return false
  const given = childrenOf(call, 'arguments').map(nameOf)
  return given.length === names.length && given.every((name, at) => name === names[at])
}

const isCallback = (parent: Node | undefined): boolean =>
  ['CallExpression', 'NewExpression', 'Property', 'JSXExpressionContainer'].includes(parent?.type ?? '')

const isPattern = (callee: Node): boolean => {
  const of = childOf(callee, 'object')
  return of?.type === 'Literal' && 'regex' in of
}

const withoutAwait = (node: Node | undefined): Node | undefined =>
  node?.type === 'AwaitExpression' ? bare(childOf(node, 'argument')) : node

const returned = (body: Node | undefined): Node | undefined => {
  if (body?.type !== 'BlockStatement') return bare(body)
  const [first, ...others] = childrenOf(body, 'body')
  if (first === undefined || others.length > 0) return undefined
  return first.type === 'ReturnStatement' ? bare(childOf(first, 'argument')) : undefined
}

const bare = (node: Node | undefined): Node | undefined =>
  node !== undefined && wrappers.has(node.type) ? bare(childOf(node, 'expression')) : node

const typesUsedOnce = (nodes: readonly Node[]): readonly number[] => {
  const exported = new Set(
    nodes
      .filter(({ type }) => type === 'ExportNamedDeclaration')
      .flatMap((node) => [childOf(node, 'declaration')]),
  )
  const uses = new Map<string, number>()
  for (const node of nodes) {
    const name = usedType(node)
    if (name !== undefined) uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  return nodes
    .filter((node) => /^TS(TypeAlias|Interface)Declaration$/.test(node.type) && !exported.has(node))
    .filter((node) => uses.get(nameOf(childOf(node, 'id')) ?? '') === 1)
    .map(({ start }) => start)
}

const usedType = (node: Node): string | undefined => {
  if (node.type === 'TSTypeReference') return nameOf(childOf(node, 'typeName'))
  if (node.type === 'TSInterfaceHeritage') return nameOf(childOf(node, 'expression'))
  return node.type === 'ExportSpecifier' ? nameOf(childOf(node, 'local')) : undefined
}

const childOf = (node: Node, key: string): Node | undefined => {
  const value: unknown = Reflect.get(node, key)
  return isNode(value) ? value : undefined
}

const childrenOf = (node: Node, key: string): readonly Node[] => {
  const value: unknown = Reflect.get(node, key)
  return Array.isArray(value) ? value.filter(isNode) : []
}

const nameOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Identifier' && 'name' in node ? String(node.name) : undefined

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  const paths = (await listSources(root)).filter(isMeasured)
  const places = paths.flatMap((path) => findCeremony(path, readFileSync(join(root, path), 'utf8')))
  const counts = kinds.map((kind) => `${places.filter((place) => place.kind === kind).length} × ${kind}`)
  const asked = places
    .filter(({ path }) => process.argv.slice(2).some((start) => path.startsWith(start)))
    .map(({ kind, path, line }) => `${path}:${line} ${kind}`)
  process.stdout.write(`${[...counts, ...asked].join('\n')}\n`)
}
