import { useContext } from 'react'
import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
} from 'react-aria-components'
import { FieldNotes, type FieldWords } from './field-notes.tsx'
import { ModalContext } from './modal.tsx'

export type Option<Value extends string> = { readonly id: Value; readonly label: string }

type SelectProps<Value extends string> = FieldWords & {
  readonly options: readonly Option<Value>[]
  readonly value: Value | undefined
  readonly onChange: (value: Value) => void
  readonly placeholder?: string
  readonly isRequired?: boolean
  readonly isDisabled?: boolean
}

export const Select = <Value extends string>(props: SelectProps<Value>) => {
  const { label, hint, problem, options, value, onChange, ...rest } = props
  const modal = useContext(ModalContext)
  return (
    <AriaSelect
      {...rest}
      className="field"
      isInvalid={problem !== undefined}
      value={value ?? null}
      onChange={(key) => onChange(key as Value)}
    >
      <Label>{label}</Label>
      <Button className="select">
        <SelectValue />
        <span aria-hidden="true">▾</span>
      </Button>
      <FieldNotes hint={hint} problem={problem} />
      <Popover className="popover" {...(modal !== null && { UNSTABLE_portalContainer: modal })}>
        <ListBox items={options}>
          {({ id, label: text }) => <ListBoxItem id={id}>{text}</ListBoxItem>}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
