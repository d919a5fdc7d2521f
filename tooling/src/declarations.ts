import { type Node, parseSync } from 'oxc-parser'
import { literal } from './boundaries.ts'

/** What a top-level declaration names at run time, and what it imports while it runs. */
export type Uses = { readonly names: Set<string>; readonly imports: Set<string> }

/** Stands for the statements that declare nothing and run when a file is loaded. */
export const loading = ''

/** The top-level declarations of a file by name. */
export const readDeclarations = (path: string, source: string): ReadonlyMap<string, Uses> => {
  const declarations = new Map<string, Uses>()
  const usesOf = (name: string): Uses => {
    const uses = declarations.get(name) ?? { names: new Set(), imports: new Set() }
    declarations.set(name, uses)
    return uses
  }
  usesOf(loading)
  for (const statement of parseSync(path, source).program.body) {
    if (statement.type === 'ImportDeclaration') {
      if (statement.specifiers.length === 0) usesOf(loading).imports.add(statement.source.value)
      continue
    }
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared === null || declared.type === 'ExportAllDeclaration') continue
    for (const name of namesOf(declared)) collect(declared, usesOf(name), source)
  }
  return declarations
}

const namesOf = (statement: Node): readonly string[] => {
  if (statement.type === 'VariableDeclaration') {
    const uses: Uses = { names: new Set(), imports: new Set() }
    for (const { id } of statement.declarations) collect(id, uses, '')
    return [...uses.names]
  }
  const isNamed = statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration'
  return [isNamed ? (statement.id?.name ?? loading) : loading]
}

/** Adds the identifiers below a node, without types and names of properties. */
const collect = (node: Node, uses: Uses, source: string): void => {
  if (node.type.startsWith('TS') && !isTyped(node)) return
  if (node.type === 'Identifier' || node.type === 'JSXIdentifier') uses.names.add(node.name)
  if (node.type === 'ImportExpression')
    for (const target of literal(source.slice(node.source.start, node.source.end))) uses.imports.add(target)
  for (const [key, value] of Object.entries(node)) {
    if (isNameOfProperty(node, key)) continue
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) collect(child, uses, source)
  }
}

const isTyped = ({ type }: Node): boolean => type === 'TSAsExpression' || type === 'TSSatisfiesExpression'

const isNameOfProperty = (node: Node, key: string): boolean =>
  (node.type === 'MemberExpression' && key === 'property' && !node.computed) ||
  (node.type === 'Property' && key === 'key' && !node.computed && !node.shorthand)

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
