import type { ByteWriter } from '../objects/byte-writer.ts'
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
      for (const element of elements)
        file.assign(element.reference, (output) => writeElement(output, element))
      const parentTree = file.allocate()
      file.assign(parentTree, (output) => writeParentTree(output, pages))
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

const writeParentTree = (output: ByteWriter, pages: readonly (readonly Element[])[]): void => {
  output.source('<</Nums [')
  for (const [index, page] of pages.entries()) {
    output.source(index === 0 ? `${index} [` : ` ${index} [`)
    for (let at = 0; at < page.length; at += 1) {
      if (at > 0) output.source(' ')
      writeReference(output, page[at]?.reference ?? (0 as Reference))
    }
    output.source(']')
  }
  output.source(']>>')
}

/** Most objects of a file are elements, so they are written without strings. */
const writeElement = (output: ByteWriter, { tag, parent, properties, children }: Element): void => {
  const [first] = children
  const page = first !== undefined && 'page' in first ? first.page : undefined
  output.source('<</S /')
  output.source(tag)
  output.source('/P ')
  writeReference(output, parent)
  if (page !== undefined) {
    output.source('/Pg ')
    writeReference(output, page)
  }
  output.source(children.length === 1 ? '/K ' : '/K [')
  for (let at = 0; at < children.length; at += 1) {
    const child = children[at]
    if (at > 0) output.source(' ')
    if (child !== undefined) writeChild(output, child, page)
  }
  if (children.length !== 1) output.source(']')
  if (properties.alternative !== undefined) output.source(`/Alt ${text(properties.alternative)}`)
  const attributes = attributesOf(properties)
  if (attributes !== undefined) output.source(`/A ${attributes}`)
  output.source('>>')
}

const writeReference = (output: ByteWriter, reference: Reference): void => {
  output.integer(reference)
  output.source(' 0 R')
}

const writeChild = (
  output: ByteWriter,
  child: Element | MarkedContent,
  page: Reference | undefined,
): void => {
  if ('tag' in child) writeReference(output, child.reference)
  else if (child.page === page) output.integer(child.id)
  else output.source(dictionary({ Type: '/MCR', Pg: refer(child.page), MCID: child.id }))
}

const scopes = {
  Column: dictionary({ O: '/Table', Scope: '/Column' }),
  Row: dictionary({ O: '/Table', Scope: '/Row' }),
}

const attributesOf = ({ scope, box }: ElementProperties): Source | undefined => {
  if (scope !== undefined) return scopes[scope]
  if (box !== undefined) return dictionary({ O: '/Layout', Placement: '/Block', BBox: array(box) })
  return undefined
}
