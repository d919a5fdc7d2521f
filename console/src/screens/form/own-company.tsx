import type { Company } from '@millseal/contract'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { useForm } from './form-context.ts'
import { below, isObject, type Json } from './json.ts'
import { type ObjectShape, type Schema, type Schemas, schemasAt, shapeOf } from './schema.ts'
import { useOutline } from './store.ts'

const isAddress = (shape: ReturnType<typeof shapeOf>): shape is ObjectShape =>
  shape.kind === 'object' &&
  ['Street', 'ZipCode', 'City', 'Country'].every((name) => shape.properties.has(name))

/** The values of the address for which a group has room. */
const addressOf = (
  root: Schema,
  shape: ObjectShape,
  { name, address, vatId }: Company,
): readonly (readonly [string, Json])[] => {
  const isLines = shapeOf(root, schemasAt(shape, 'Street')).kind === 'list'
  const wanted: readonly (readonly [string, Json])[] = [
    ['Name', name],
    ['Street', isLines ? [address.street] : address.street],
    ['ZipCode', address.zipCode],
    ['City', address.city],
    ['Country', address.country],
    ['Identifiers', { VAT: vatId }],
  ]
  return wanted.filter(([each]) => shape.properties.has(each))
}

/** Fills an empty address with that of the company, because every certificate names it. */
export const OwnCompany = ({ pointer, schemas }: { readonly pointer: string; readonly schemas: Schemas }) => {
  const { store, root } = useForm()
  const { membership } = useHere()
  const t = useTexts('form')
  useOutline(store, pointer)
  const value = store.at(pointer)
  const shape = shapeOf(root, schemas, value)
  const isEmpty = value === undefined || (isObject(value) && Object.keys(value).length === 0)
  if (membership === undefined || !isEmpty || !isAddress(shape)) return null
  const fill = (): void =>
    store.batch(() => {
      for (const [name, each] of addressOf(root, shape, membership.company))
        store.set(below(pointer, name), each)
    })
  return (
    <Button kind="quiet" onPress={fill}>
      {t.fillIn(membership.company.name)}
    </Button>
  )
}
