import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { fillParty } from './fill-party.ts'
import { isParty, partyNames, useForm } from './form-context.ts'
import { isObject } from './json.ts'
import { type ObjectShape, type Schemas, shapeOf } from './schema.ts'
import { useOutline } from './store.ts'

const isAddress = (shape: ReturnType<typeof shapeOf>): shape is ObjectShape =>
  shape.kind === 'object' &&
  ['Street', 'ZipCode', 'City', 'Country'].every((name) => shape.properties.has(name))

/** Fills an empty address with that of the company, because every certificate names it, but not as a receiver. */
export const OwnCompany = ({ pointer, schemas }: { readonly pointer: string; readonly schemas: Schemas }) => {
  const form = useForm()
  const { store, root } = form
  const { membership } = useHere()
  const t = useTexts('form')
  useOutline(store, pointer)
  const value = store.at(pointer)
  const shape = shapeOf(root, schemas, value)
  const isEmpty = value === undefined || (isObject(value) && Object.keys(value).length === 0)
  if (membership === undefined || !isEmpty || isParty(form, pointer) || !isAddress(shape)) return null
  const { company } = membership
  const nameField = partyNames.find((name) => shape.properties.has(name)) ?? 'Name'
  const fill = (): void => fillParty(form, { pointer, schemas, nameField, party: { ...company, emails: [] } })
  return (
    <Button kind="quiet" onPress={fill}>
      {t.fillIn(company.name)}
    </Button>
  )
}
