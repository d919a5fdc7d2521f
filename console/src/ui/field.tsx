import type { ReactNode } from 'react'
import {
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Button,
  Text,
  TextArea,
  TextField as AriaTextField,
  type TextFieldProps,
} from 'react-aria-components'

type Common = {
  readonly label: ReactNode
  /** What to write, if the label does not say it. */
  readonly hint?: ReactNode
  /** What is wrong and how to correct it. */
  readonly problem?: string | undefined
}

const Notes = ({ hint, problem }: Pick<Common, 'hint' | 'problem'>) => (
  <>
    {hint !== undefined && (
      <Text slot="description" className="hint">
        {hint}
      </Text>
    )}
    <FieldError className="problem">{problem}</FieldError>
  </>
)

type TextProps = Common &
  Omit<TextFieldProps, 'children' | 'className'> & {
    readonly placeholder?: string
    /** Draws several lines. */
    readonly rows?: number
  }

export const TextField = ({ label, hint, problem, placeholder, rows, ...props }: TextProps) => (
  <AriaTextField {...props} className="field" isInvalid={problem !== undefined}>
    <Label>{label}</Label>
    {rows === undefined ? (
      <Input placeholder={placeholder} />
    ) : (
      <TextArea rows={rows} placeholder={placeholder} />
    )}
    <Notes hint={hint} problem={problem} />
  </AriaTextField>
)

export type Option<Value extends string> = { readonly id: Value; readonly label: string }

type SelectProps<Value extends string> = Common & {
  readonly options: readonly Option<Value>[]
  readonly value: Value | undefined
  readonly onChange: (value: Value) => void
  readonly placeholder?: string
  readonly isRequired?: boolean
  readonly isDisabled?: boolean
}

export const Select = <Value extends string>(props: SelectProps<Value>) => {
  const { label, hint, problem, options, value, onChange, ...rest } = props
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
      <Notes hint={hint} problem={problem} />
      <Popover className="popover">
        <ListBox items={options}>
          {({ id, label: text }) => <ListBoxItem id={id}>{text}</ListBoxItem>}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
