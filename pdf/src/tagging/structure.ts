import { array, dictionary, type Source, text } from '../objects/source.ts'
import { type ObjectFile, type Reference, refer } from '../objects/object-file.ts'

/** The standard structure types that are used (ISO 32000-1, 14.8.4). */
export type Tag =
  | 'Document'
  | 'Sect'
  | 'Div'
  | 'H1'
  | 'H2'
  | 'H3'
  | 'P'
  | 'Figure'
  | 'Table'
  | 'THead'
  | 'TBody'
  | 'TR'
  | 'TH'
  | 'TD'

/** An element of the structure of a document, which programs that read it aloud follow. */
export type Element = {
  readonly tag: Tag
  readonly reference: Reference
  readonly parent: Reference
  readonly properties: ElementProperties
  /** Child elements and marked content, in the order of reading. */
  readonly children: (Element | MarkedContent)[]
}

export type ElementProperties = {
  /** The text for those who cannot see it. */
  readonly alternative?: string
  /** Of a header cell. */
  readonly scope?: 'Column' | 'Row'
  /** Of a figure: left, bottom, right, top. */
  readonly box?: readonly [number, number, number, number]
}

/** A part of the content of a page, by its number there. */
export type MarkedContent = { readonly page: Reference; readonly id: number }

export type Structure = {
  /** The element of the document itself. */
  readonly root: Element
  readonly add: (tag: Tag, parent: Element, properties?: ElementProperties) => Element
  /** Writes the tree; `pages`: the elements of the marked content of each page, in order. */
  readonly write: (pages: readonly (readonly Element[])[]) => Reference
}

export const createStructure = (file: ObjectFile): Structure => {
  const tree = file.allocate()
  const elements: Element[] = []
  const make = (tag: Tag, parent: Reference, properties: ElementProperties): Element => {
    const element = { tag, reference: file.allocate(), parent, properties, children: [] }
    elements.push(element)
    return element
  }
  const root = make('Document', tree, {})
  return {
    root,
    add: (tag, parent, properties = {}) => {
      const element = make(tag, parent.reference, properties)
      parent.children.push(element)
      return element
    },
    write: (pages) => {
      for (const element of elements) file.assign(element.reference, elementSource(element))
      const contents = pages.flatMap((page, index) => [
        index,
        array(page.map(({ reference }) => refer(reference))),
      ])
      const parentTree = file.add(dictionary({ Nums: array(contents) }))
      file.assign(
        tree,
        dictionary({
          Type: '/StructTreeRoot',
          K: array([refer(root.reference)]),
          ParentTree: refer(parentTree),
          ParentTreeNextKey: pages.length,
        }),
      )
      return tree
    },
  }
}

/** Most objects of a file are elements, so their source is put together here. */
const elementSource = ({ tag, parent, properties, children }: Element): Source => {
  const [first] = children
  const page = first !== undefined && 'page' in first ? first.page : undefined
  const kids =
    first !== undefined && children.length === 1
      ? childSource(first, page)
      : array(children.map((child) => childSource(child, page)))
  const alternative = properties.alternative === undefined ? '' : `/Alt ${text(properties.alternative)}`
  const attributes = attributesOf(properties)
  return `<</S /${tag}/P ${refer(parent)}${page === undefined ? '' : `/Pg ${refer(page)}`}/K ${kids}${alternative}${attributes === undefined ? '' : `/A ${attributes}`}>>`
}

const childSource = (child: Element | MarkedContent, page: Reference | undefined): Source | number => {
  if ('tag' in child) return refer(child.reference)
  if (child.page === page) return child.id
  return dictionary({ Type: '/MCR', Pg: refer(child.page), MCID: child.id })
}

const attributesOf = ({ scope, box }: ElementProperties): Source | undefined => {
  if (scope !== undefined) return dictionary({ O: '/Table', Scope: `/${scope}` })
  if (box !== undefined) return dictionary({ O: '/Layout', Placement: '/Block', BBox: array(box) })
  return undefined
}
