import { useTexts } from '../../texts/catalog.ts'
import { TextField } from '../../ui/field.tsx'

export const fieldNames = ['name', 'street', 'zipCode', 'city'] as const
export type FieldName = (typeof fieldNames)[number]
export type AddressText = Readonly<Record<FieldName, string>>

/** The minimum lengths of the contract. */
const shortest: Readonly<Record<FieldName, number>> = { name: 4, street: 4, zipCode: 1, city: 1 }
const longest: Readonly<Record<FieldName, number>> = { name: 120, street: 95, zipCode: 20, city: 50 }
const completions = {
  name: 'organization',
  street: 'street-address',
  zipCode: 'postal-code',
  city: 'address-level2',
} as const

export const isComplete = (text: AddressText): boolean =>
  fieldNames.every((name) => text[name].trim().length >= shortest[name])

/** Name and address of a company. A field shows its problem as soon as something was typed. */
export const AddressFields = ({
  text,
  onChange,
}: {
  readonly text: AddressText
  readonly onChange: (name: FieldName, value: string) => void
}) => {
  const t = useTexts('company').found
  const field = (name: FieldName) => (
    <TextField
      label={t[name]}
      autoComplete={completions[name]}
      value={text[name]}
      onChange={(value) => onChange(name, value)}
      maxLength={longest[name]}
      isRequired
      problem={
        text[name] !== '' && text[name].trim().length < shortest[name] ? t.short(shortest[name]) : undefined
      }
    />
  )
  return (
    <>
      {field('name')}
      {field('street')}
      <div className="pair">
        {field('zipCode')}
        {field('city')}
      </div>
    </>
  )
}
