type Leaf = { readonly pointer: string; readonly rank: number; readonly isHere: boolean }

type Node = {
  readonly pointer: string
  readonly name: string
  readonly children: Map<string, Node>
  readonly leaf: Leaf | undefined
}

/**
 * The fields of a group in the order of their ranks, with those below the same property together. A group of properties
 * stands for all of them if it has a code, or if their order is that of the schema. Takes the leaves of all groups, in the
 * order of the schema.
 */
export const inBrief = (leaves: readonly Leaf[], codes: ReadonlySet<string>): readonly string[] => {
  const root = nodeOf('', '', undefined)
  for (const leaf of leaves) insert(root, leaf)
  return sorted(root).flatMap((node) => pointersOf(node, codes))
}

const nodeOf = (pointer: string, name: string, leaf: Leaf | undefined): Node => ({
  pointer,
  name,
  children: new Map(),
  leaf,
})

const insert = (root: Node, leaf: Leaf): void => {
  const parts = leaf.pointer.split('/').slice(1)
  let node = root
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1
    const child =
      node.children.get(part) ?? nodeOf(`${node.pointer}/${part}`, part, isLast ? leaf : undefined)
    node.children.set(part, child)
    node = child
  }
}

const pointersOf = (node: Node, codes: ReadonlySet<string>): readonly string[] => {
  const leaves = leavesOf(node)
  if (!leaves.some(({ isHere }) => isHere)) return []
  const children = sorted(node)
  const isWhole = leaves.every(({ isHere }) => isHere)
  if (isWhole && (codes.has(node.name) || isInOrder(node))) return [node.pointer.replace(/(\/\*)+$/, '')]
  return children.flatMap((child) => pointersOf(child, codes))
}

const isInOrder = (node: Node): boolean => {
  const children = [...node.children.values()]
  return sorted(node).every((child, at) => child === children[at]) && children.every(isInOrder)
}

const leavesOf = ({ leaf, children }: Node): readonly Leaf[] =>
  leaf === undefined ? [...children.values()].flatMap(leavesOf) : [leaf]

const sorted = ({ children }: Node): readonly Node[] =>
  [...children.values()]
    .map((node) => ({ node, rank: rankOf(node) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ node }) => node)

const rankOf = (node: Node): number => {
  const ranks = leavesOf(node).flatMap(({ rank, isHere }) => (isHere ? [rank] : []))
  return ranks.length === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...ranks)
}
