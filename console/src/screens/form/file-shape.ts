import { type ObjectShape, type Schema, type Schemas, shapeOf } from './schema.ts'

/** A file inside a certificate, as all families describe it: a name, its content and its encoding. */
export const fileShapeOf = (root: Schema, schemas: Schemas): ObjectShape | undefined => {
  const shape = shapeOf(root, schemas, {})
  const isFile =
    shape.kind === 'object' && ['FileName', 'Encoding', 'Data'].every((name) => shape.properties.has(name))
  return isFile ? shape : undefined
}
