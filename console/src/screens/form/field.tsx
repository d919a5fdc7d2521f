import { lazy, type ReactNode, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { countriesIn } from '../../ui/countries.ts'
import { TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import type { Codec } from './codec.ts'
import type { CustomerFieldProps } from './customer-field.tsx'
import {
  type FieldFinding,
  type FormContext,
  isParty,
  type Label,
  lookOf,
  partyNames,
  useFindings,
  useForm,
} from './form-context.ts'
import { type Json, nameOf, parentOf } from './json.ts'
import { useValue } from './store.ts'

// Loads beside the form, which appears with it: nothing changes below somebody who types.
const customerField = import('./customer-field.tsx')
const CustomerField = lazy(async () => ({ default: (await customerField).CustomerField }))

export const LabelText = ({ code, text }: Label) => (
  <>
    {code !== undefined && <b className="form-code">{code}</b>} {text}
  </>
)

/** The problem of a field: a finding of the server, hidden until somebody was there, or one of the field itself. */
export const useProblem = (pointer: string, codec: Codec, wasLeft: boolean): FieldFinding | undefined => {
  const { store, showsMissing } = useForm()
  const t = useTexts('form')
  const found = useFindings(pointer)
  const value = useValue(store, pointer)
  const own = value === undefined ? undefined : codec.wrong?.(value)
  if (own !== undefined && wasLeft) return { kind: 'wrong', text: t.wrong[own] }
  return found.find(({ kind }) => kind === 'wrong' || (kind === 'missing' && (wasLeft || showsMissing)))
}

/** The doubt about a field: first what does not fit to the rest of the certificate. */
export const useDoubt = (pointer: string): FieldFinding | undefined => {
  const found = useFindings(pointer)
  return found.find(({ kind }) => kind === 'doubt') ?? found.find(({ kind }) => kind === 'advice')
}

/** The text of a field: while somebody types, exactly what was typed; afterwards, the value as it is written. */
export const useText = ({ store, comma }: FormContext, pointer: string, codec: Codec) => {
  const value = useValue(store, pointer)
  const [typed, setTyped] = useState<string>()
  return { text: typed ?? codec.show(value, comma), setTyped, value }
}

type Props = {
  readonly pointer: string
  readonly label: Label
  readonly codec: Codec
  readonly isRequired: boolean
}

export const Field = ({ pointer, label, codec, isRequired }: Props) => {
  const form = useForm()
  const t = useTexts('form')
  const { text, setTyped, value } = useText(form, pointer, codec)
  const [wasLeft, setLeft] = useState(false)
  const problem = useProblem(pointer, codec, wasLeft)
  const doubt = useDoubt(pointer)
  const change = (next: string): void => {
    setTyped(next)
    form.store.set(pointer, codec.read(next, value))
  }
  const usualHint = codec.kind === 'lines' ? t.oneALine : undefined
  const place = { 'data-pointer': pointer, className: doubt?.kind === 'doubt' ? 'doubted' : undefined }
  const common = {
    label: <LabelText {...label} />,
    problem: problem?.text,
    hint: doubt === undefined ? usualHint : <span className={lookOf[doubt.kind]}>{doubt.text}</span>,
  }
  if (codec.kind === 'image') return <ImageField {...{ pointer, value, label, problem, isRequired }} />
  const isCountryField = codec.kind === 'text' && /country/i.test(nameOf(pointer))
  if (isCountryField || codec.kind === 'choice') {
    const choices = (codec.options ?? []).map((id) => ({ id, label: t.choices[id] ?? id }))
    return (
      <div {...place}>
        <Select
          {...common}
          isRequired={isRequired}
          placeholder={isCountryField ? t.chooseCountry : t.choose}
          options={isCountryField ? countriesIn(form.language, text) : choices}
          value={text === '' ? undefined : text}
          onChange={(next) => form.store.set(pointer, codec.read(next, value))}
        />
      </div>
    )
  }
  const leave = (): void => {
    setTyped(undefined)
    setLeft(true)
  }
  return (
    <div {...place}>
      <WithCustomers {...{ ...common, pointer, isRequired, text, change, leave }}>
        <TextField
          {...common}
          isRequired={isRequired}
          type={codec.kind === 'date' ? 'date' : 'text'}
          inputMode={codec.kind === 'number' ? 'decimal' : 'text'}
          {...(codec.kind === 'lines' && { rows: Math.max(1, text.split('\n').length) })}
          value={text}
          onChange={change}
          onBlur={leave}
        />
      </WithCustomers>
    </div>
  )
}

/** Offers customers in the field with the name of a receiver. */
const WithCustomers = ({ children, ...field }: CustomerFieldProps & { readonly children: ReactNode }) => {
  const form = useForm()
  const { pointer } = field
  if (!partyNames.includes(nameOf(pointer)) || !isParty(form, parentOf(pointer))) return children
  return <CustomerField {...field} />
}

type ImageProps = Pick<Props, 'pointer' | 'label' | 'isRequired'> & {
  readonly value: Json | undefined
  readonly problem: FieldFinding | undefined
}

const readAsDataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(new Error('The file was not read')))
    reader.readAsDataURL(file)
  })

const sourceOf = (value: Json | undefined): string | undefined => {
  if (typeof value !== 'string' || value === '') return undefined
  if (value.startsWith('data:image/')) return value
  return `data:image/${value.startsWith('/9j/') ? 'jpeg' : 'png'};base64,${value}`
}

const ImageField = ({ pointer, label, value, problem, isRequired }: ImageProps) => {
  const { store } = useForm()
  const t = useTexts('form')
  const source = sourceOf(value)
  const choose = async (files: FileList | null): Promise<void> => {
    const file = files?.[0]
    if (file !== undefined) store.set(pointer, await readAsDataUrl(file))
  }
  const hint = isRequired ? t.imageNeeded : t.imageHint
  return (
    <div className="field form-image" data-pointer={pointer} role="group" aria-label={label.text}>
      <span className="form-label">
        <LabelText {...label} />
      </span>
      {source !== undefined && <img src={source} alt={label.text} />}
      <span className="row">
        <FileTrigger acceptedFileTypes={['image/png', 'image/jpeg']} onSelect={(files) => void choose(files)}>
          <Button>{source === undefined ? t.chooseImage : t.otherImage}</Button>
        </FileTrigger>
        {source !== undefined && (
          <Button kind="quiet" onPress={() => store.set(pointer, undefined)}>
            {t.remove}
          </Button>
        )}
        {isRequired && value === undefined && (
          <Button kind="quiet" onPress={() => store.set(pointer, '')}>
            {t.withoutImage}
          </Button>
        )}
      </span>
      <span className="hint">{value === '' ? t.imageLeftOut : hint}</span>
      {problem !== undefined && <span className="problem">{problem.text}</span>}
    </div>
  )
}
