import {
  Input,
  Label,
  TextArea,
  TextField as AriaTextField,
  type TextFieldProps,
} from 'react-aria-components'
import { FieldNotes, type FieldWords } from './field-notes.tsx'

type TextProps = FieldWords &
  Omit<TextFieldProps, 'children' | 'className'> & {
    readonly placeholder?: string
    /** Makes a field of several lines. */
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
    <FieldNotes hint={hint} problem={problem} />
  </AriaTextField>
)
